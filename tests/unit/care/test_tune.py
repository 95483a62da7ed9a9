"""Fitting weights to a user's own labels: only when it helps on what the fit has not seen."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemis import Config, InputError, Memory, Message, Mnemis
from mnemis.care.tune import Labelled
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.recall.weights import SHIPPED, Weights, read_weights, write_weights

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)
THINGS = (
    "kettle anchor violin pepper lantern saddle compass marble ladder pigeon thimble canvas "
    "茶壶 风筝 石榴 竹筏 灯笼 马鞍 罗盘 梯子"
).split()


def chat() -> list[Message]:
    """Somebody asks about a thing; the assistant answers. What was asked is what this user looks for."""
    said: list[Message] = []
    for number, thing in enumerate(THINGS):
        at = DAY + timedelta(hours=number)
        said.append(
            Message(
                role="user",
                text=f"Could you please tell me all that you know of the {thing}, if anything?",
                time=at,
                session="s",
                id=f"q{number}",
            )
        )
        said.append(
            Message(
                role="assistant",
                text=f"{thing}: workshop {number}.",
                time=at + timedelta(minutes=1),
                session="s",
                id=f"a{number}",
            )
        )
    return said


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    config = Config(consolidate="manual")
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as mnemis:
        memory = mnemis.scope("u")
        memory.remember(chat())
        yield memory


def labels(*, shift: int = 0) -> list[Labelled]:
    count = len(THINGS)
    return [
        Labelled(query=f"{thing}", relevant=(f"q{(number + shift) % count}",))
        for number, thing in enumerate(THINGS)
    ]


def first(memory: Memory, query: str) -> str:
    return memory.recall(query, k=1).hits[0].sources[0]


def test_a_consistent_wish_is_learnt_and_can_be_undone(memory: Memory) -> None:
    assert first(memory, "lantern") == "a4"
    steps: list[tuple[int, int]] = []
    report = memory.tune(labels(), progress=lambda done, total: steps.append((done, total)))
    assert report.accepted and report.after > report.before + report.error
    assert report.changed
    assert first(memory, "lantern") == "q4"
    assert first(memory, "灯笼") == f"q{THINGS.index('灯笼')}"
    assert steps[-1][0] == steps[-1][1]
    assert memory.untune() and not memory.untune()
    assert first(memory, "lantern") == "a4"


def test_noise_changes_nothing(memory: Memory) -> None:
    """Labels that no weighting can explain: for each query a message about something else."""
    draw = random.Random(3)
    noise = [
        (thing, [f"{draw.choice('qa')}{(number + draw.randint(3, 15)) % len(THINGS)}"])
        for number, thing in enumerate(THINGS)
    ]
    before = memory.recall("lantern", k=5).hits
    report = memory.tune(noise)
    assert not report.accepted and report.changed == ()
    assert memory.recall("lantern", k=5).hits == before


def test_tuning_one_scope_leaves_another(memory: Memory) -> None:
    other = memory.mnemis.scope("other")
    other.remember(chat())
    memory.tune(labels())
    assert first(other, "lantern") == "a4"


def test_tuning_is_kept_off_the_loop_too(memory: Memory) -> None:
    assert asyncio.run(memory.atune(labels())).accepted
    assert asyncio.run(memory.auntune())


@pytest.mark.parametrize(
    ("labelled", "named"),
    [
        ([], "10"),
        (labels()[:9], "9"),
        ([*labels(), Labelled(query=" ", relevant=("a",))], "20"),
        ([*labels(), Labelled(query="x", relevant=())], "20"),
        ([*labels(), "x"], "str"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    memory: Memory, labelled: list[Labelled], named: str
) -> None:
    with pytest.raises(InputError, match=named):
        memory.tune(labelled)


def test_weights_survive_as_text_and_unknown_names_are_left() -> None:
    assert read_weights(write_weights(SHIPPED)) == SHIPPED
    assert read_weights('{"bm25": 2.0, "gone": 1}') == Weights(bm25=2.0)
    assert read_weights("") is None is read_weights(None)
