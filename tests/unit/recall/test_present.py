"""Where the question is about the present, the newer of the first ten hits stands ahead."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mnemis.model.graph import Turn
from mnemis.model.query import Query
from mnemis.recall.candidate import Candidate
from mnemis.recall.cues import intents_of
from mnemis.recall.present import asks_of_the_present, newer_first

START = datetime(2025, 1, 6, tzinfo=UTC)


def asked(text: str) -> Query:
    return Query(
        text=text, language="en", parts=(), entities=(), speakers=(), relations=(), ranges=(),
        intents=intents_of(text), specificity=0.3,
    )  # fmt: skip


def found(*days: int | None) -> list[Candidate]:
    """Best first, a tenth of a point apart, said so many days after the start."""
    return [
        Candidate(
            turn=Turn(
                id=f"turn:{place}", text="", message_id=f"m{place}", role="user", speaker="Ana",
                session="s", ordinal=place,
                time=None if day is None else START + timedelta(days=day),
            ),
            raw=3 - 0.1 * place, score=0.5, covered=0.0, matched=0.0, walks=(),
        )
        for place, day in enumerate(days)
    ]  # fmt: skip


def order(candidates: list[Candidate], text: str, *, dialogue: float = 1.0) -> list[int]:
    kept = newer_first(candidates, asked(text), dialogue=dialogue)
    return [int(each.turn.id.removeprefix("turn:")) for each in kept]


@pytest.mark.parametrize(
    "text",
    [
        "Who waters the plants?",
        "谁负责浇花?",
        "现在搬到哪里了?",
        "浇花改到了哪天?",
        "过生日送什么花?",
    ],
)
def test_the_newer_of_two_near_matches_comes_first(text: str) -> None:
    assert order(found(0, 90), text) == [1, 0]


@pytest.mark.parametrize(
    "text",
    [
        "Who watered the plants last summer?",
        "Who was it that watered the plants?",
        "Who used to water the plants?",
        "Who waters the plants in the stories of back then?",
        "Who gave Ana the plants?",
        "Why weren't the plants watered?",
        "Tell me everything about the plants.",
        "去年是谁浇的花?",
        "以前谁浇花?",
        "刚搬来那会儿谁浇花?",
        "花是谁送的?",
        "花在哪儿买的?",
        "小时候家里种什么花?",
        "他买了什么花?",
        "关于花,把所有的都告诉我",
    ],
)
def test_questions_for_what_was_and_for_all_there_is_keep_their_order(text: str) -> None:
    assert not asks_of_the_present(asked(text))
    assert order(found(0, 90), text) == [0, 1]


def test_a_question_that_names_a_time_keeps_its_order() -> None:
    named = replace(asked("What is planned for May?"), ranges=((START, START + timedelta(days=9)),))
    assert not asks_of_the_present(named)


def test_notes_that_stand_for_themselves_keep_their_order() -> None:
    assert order(found(0, 90), "Who waters the plants?", dialogue=0.0) == [0, 1]


def test_what_a_machine_said_is_no_news() -> None:
    old, new = found(0, 90)
    told = replace(new, turn=replace(new.turn, role="assistant"))
    assert order([old, told], "Who waters the plants?") == [0, 1]


def test_one_wrong_date_outweighs_no_others() -> None:
    assert order(found(0, 90, 36_500), "Who waters the plants?") == [2, 1, 0]
    assert order(found(36_500, 0, 90), "谁负责浇花?") == [0, 2, 1]


def test_a_much_better_match_stays_ahead_of_a_newer_one() -> None:
    old, new = found(0, 90)
    assert order([old, new.raised(1.0)], "Who waters the plants?") == [0, 1]


def test_which_ten_come_first_stays_the_same() -> None:
    days = [*range(10), 400, 500]
    kept = order(found(*days), "Who waters the plants?")
    assert sorted(kept[:10]) == list(range(10)) and kept[10:] == [10, 11]


def test_a_turn_without_a_time_gets_no_bonus_and_raw_sums_keep_falling() -> None:
    kept = newer_first(found(None, 0, 90), asked("Who waters the plants?"), dialogue=1.0)
    assert [each.turn.id for each in kept] == ["turn:2", "turn:0", "turn:1"]
    assert [each.raw for each in kept] == sorted((each.raw for each in kept), reverse=True)
    assert order(found(None, None), "谁负责浇花?") == [0, 1]
