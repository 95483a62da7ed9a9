"""history: every version of a matter once, in order, and nothing of another matter."""

from __future__ import annotations

import pytest

from mnemis import InputError, Memory
from tests.unit.care.conftest import tell

ENGLISH = (
    "The budget is 20,000 euros.",
    "I live in Berlin and I work at Siemens.",
    "Finance raised the budget to 25,000 euros.",
    "I quit Siemens.",
    "I moved to Lisbon.",
    "We cut the budget to 22,000 euros.",
    "I like hiking.",
    "The caterer 3 streets away is nice.",
)
CHINESE = (
    "会议定在周三下午三点。",
    "我住在上海。",
    "会议改到周五上午十点了。",
    "我对花生过敏。",
    "我搬家了，现在住在杭州。",
    "我喜欢喝绿茶。",
)


@pytest.mark.parametrize(
    ("texts", "about", "messages"),
    [
        (ENGLISH, "budget", ["m1", "m3", "m6"]),
        (ENGLISH, "Ana lives", ["m2", "m5"]),
        (CHINESE, "会议", ["m1", "m3"]),
        (CHINESE, "会议时间", ["m1", "m3"]),
        (CHINESE, "住在哪里", ["m2", "m5"]),
    ],
)
def test_every_version_is_listed_once_in_order(
    memory: Memory, texts: tuple[str, ...], about: str, messages: list[str]
) -> None:
    tell(memory, *texts)
    items = memory.history(about)
    assert [item.sources[0] for item in items] == messages
    assert [item.status for item in items] == ["superseded"] * (len(items) - 1) + ["current"]
    listed = {item.node.id for item in items}
    assert all(item.successor in listed for item in items[:-1])


@pytest.mark.parametrize(
    ("texts", "about"), [(ENGLISH, "the wedding"), (ENGLISH, "Ana's shoes"), (CHINESE, "婚礼")]
)
def test_what_is_not_known_has_no_history(
    memory: Memory, texts: tuple[str, ...], about: str
) -> None:
    tell(memory, *texts)
    assert memory.history(about) == ()


@pytest.mark.parametrize(
    ("text", "about"),
    [("Nobody dared to mention the zeppelin.", "zeppelin"), ("谁都不敢提起飞艇。", "飞艇")],
)
def test_a_turn_stands_in_where_no_fact_tells(memory: Memory, text: str, about: str) -> None:
    tell(memory, text)
    [item] = memory.history(about)
    assert (item.kind, item.sources, item.successor) == ("turn", ("m1",), None)
    with pytest.raises(InputError, match="stands in"):
        _ = item.fact
