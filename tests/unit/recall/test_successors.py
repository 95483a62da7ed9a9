"""What replaced a match stands above it; asked for the past, what was replaced does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mnemis import Memory, Message

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)
ENGLISH = (
    "The piano recital is all booked. 4 May, in the town hall.",
    "Shall I plan the train for 4 May?",
    "No, it's 11 May now. The roof leaks.",
)
CHINESE = (
    "钢琴比赛报上了,五月四号,在市民中心。",
    "好的,五月四日之前还练吗?",
    "改到五月十一号了,屋顶漏水。",
)


def heard(memory: Memory, lines: tuple[str, ...]) -> Memory:
    memory.remember(
        [
            Message(
                role="assistant" if place == 1 else "user",
                speaker="assistant" if place == 1 else "Bo",
                text=text,
                session="s1",
                time=DAY + timedelta(days=place),
                id=f"m{place}",
            )
            for place, text in enumerate(lines)
        ]
    )
    memory.consolidate()
    return memory


def places(memory: Memory, query: str) -> list[str]:
    return [hit.sources[0] for hit in memory.recall(query, k=3).hits]


@pytest.mark.parametrize(
    ("lines", "query"),
    [(ENGLISH, "When is the piano recital in the town hall?"), (CHINESE, "钢琴比赛是哪天?")],
)
def test_the_successor_stands_above_what_it_replaced(
    memory: Memory, lines: tuple[str, ...], query: str
) -> None:
    found = places(heard(memory, lines), query)
    assert found.index("m2") < found.index("m0")
    old = next(hit for hit in memory.recall(query, k=3).hits if hit.sources == ("m0",))
    assert (old.status, old.successors[-1].sources) == ("superseded", ("m2",))


@pytest.mark.parametrize(
    ("lines", "query"),
    [
        (ENGLISH, "When was the piano recital in the town hall originally?"),
        (CHINESE, "钢琴比赛原来是哪天?"),
        (ENGLISH, "What was the piano recital's first day?"),
        (CHINESE, "钢琴比赛最早定在哪天?"),
    ],
)
def test_asked_for_the_past_what_was_replaced_comes_first(
    memory: Memory, lines: tuple[str, ...], query: str
) -> None:
    found = places(heard(memory, lines), query)
    assert found.index("m0") < found.index("m2")
    old = next(hit for hit in memory.recall(query, k=3).hits if hit.sources == ("m0",))
    assert [each.sources for each in old.successors] == [("m2",)]


@pytest.mark.parametrize(
    ("lines", "query"),
    [
        (ENGLISH, "The recital used to be in May, when is the piano recital now?"),
        (CHINESE, "以前那场钢琴比赛,现在是哪天?"),
    ],
)
def test_of_before_and_now_the_last_named_is_asked_for(
    memory: Memory, lines: tuple[str, ...], query: str
) -> None:
    found = places(heard(memory, lines), query)
    assert found.index("m2") < found.index("m0")


@pytest.mark.parametrize(
    ("lines", "query"),
    [
        (("I live in Leeds.", "Nice city.", "I moved to York, I no longer live in Leeds."),
         "Where does Bo live?"),
        (("我住在上海。", "好地方。", "我搬到杭州了，不再住在上海。"), "Bo住在哪里？"),
    ],
)  # fmt: skip
def test_a_turn_that_ends_the_old_value_itself_is_current(
    memory: Memory, lines: tuple[str, ...], query: str
) -> None:
    hits = heard(memory, lines).recall(query, k=3).hits
    status = {hit.sources[0]: hit.status for hit in hits}
    assert (status["m0"], status["m2"]) == ("superseded", "current")
