"""What kind of conversation a memory holds is seen by who talks how, in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from mnemis.model.change import Vector
from mnemis.model.graph import Turn
from mnemis.recall.observe import Observation, observe_turns

ENGLISH = ("The kettle is on, come round.", "Can't, the bus left without me.")
CHINESE = ("水烧上了,过来坐坐吧。", "来不了,公交刚开走。")
START = datetime(2025, 5, 5, 9, tzinfo=UTC)


def talk(
    lines: Sequence[str], speakers: Sequence[str], *, count: int = 80, roles: Sequence[str] = ()
) -> list[Turn]:
    return [
        Turn(
            id=f"turn:{place}",
            text=lines[place % len(lines)],
            role=roles[place % len(roles)] if roles else "user",
            speaker=speakers[place % len(speakers)],
            session=f"s{place // 10}",
            ordinal=place,
            time=START,
            message_id=f"m{place}",
        )
        for place in range(count)
    ]


def seen(turns: Sequence[Turn], *, near: bool) -> Observation:
    """Observed with vectors of which neighbours are near each other, or none are."""
    random = np.random.default_rng(5)
    vectors: dict[str, Vector] = {}
    topic = random.normal(size=32)
    for place, turn in enumerate(turns):
        if place % 10 == 0:
            topic = random.normal(size=32)
        row = topic + 0.4 * random.normal(size=32) if near else random.normal(size=32)
        vectors[turn.id] = (row / np.linalg.norm(row)).astype(np.float32)
    return observe_turns(turns, vectors=vectors)


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_friends_who_answer_in_other_words_talk_with_each_other(lines: Sequence[str]) -> None:
    found = seen(talk(lines, ("Wen", "Aki")), near=False)
    assert found.dialogue == pytest.approx(0.5, abs=0.1)
    assert found.assisted == 0.0


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_taking_turns_on_one_matter_is_a_dialogue(lines: Sequence[str]) -> None:
    assert seen(talk(lines, ("Wen", "Aki")), near=True).dialogue == 1.0


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_one_voice_jotting_down_this_and_that_makes_notes(lines: Sequence[str]) -> None:
    found = seen(talk(lines, ("Wen",)), near=False)
    assert found.dialogue == pytest.approx(0.0, abs=0.05)
    assert found.note == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_one_voice_that_stays_on_its_matter_flows_like_talk(lines: Sequence[str]) -> None:
    assert seen(talk(lines, ("Wen",)), near=True).dialogue == 1.0


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_few_turns_are_judged_by_turn_taking_alone(lines: Sequence[str]) -> None:
    assert seen(talk(lines, ("Wen", "Aki"), count=8), near=False).dialogue == 1.0
    assert seen(talk(lines, ("Wen",), count=8), near=True).dialogue == 0.0


@pytest.mark.parametrize("lines", [ENGLISH, CHINESE])
def test_long_answers_of_an_assistant_are_no_dialogue(lines: Sequence[str]) -> None:
    long = [line * 40 for line in lines]
    roles = ("user", "assistant")
    found = seen(talk(long, ("Wen", "assistant"), roles=roles), near=True)
    assert (found.dialogue, found.assisted) == (0.0, 1.0)
