"""Where episodes end."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from mnemis.config import SegmentConfig
from mnemis.consolidate.segment import segment, settled
from mnemis.model.graph import Turn
from tests.unit.consolidate.conversations import START, dialogue, outcome_of

CONFIG = SegmentConfig()


def turns_of(count: int, *, gap: dict[int, timedelta] | None = None) -> list[Turn]:
    time = START
    turns: list[Turn] = []
    for index in range(count):
        time += (gap or {}).get(index, timedelta(minutes=1))
        turns.append(
            Turn(
                id=f"turn:{index}",
                text="some words",
                time=time,
                message_id=str(index),
                role="user",
                speaker="Ana",
                session="s",
                ordinal=index,
            )
        )
    return turns


def topics(*sizes: int) -> np.ndarray:
    rows = np.zeros((sum(sizes), len(sizes)), np.float32)
    at = 0
    for column, size in enumerate(sizes):
        rows[at : at + size, column] = 1.0
        at += size
    return rows


@pytest.mark.parametrize("sizes", [(6, 7), (5, 9, 6), (8, 8, 8)])
def test_cuts_fall_at_topic_changes(sizes: tuple[int, ...]) -> None:
    ranges = segment(turns_of(sum(sizes)), topics(*sizes), config=CONFIG)
    assert tuple(stop - start for start, stop in ranges) == sizes


def test_ranges_cover_everything_within_the_longest_size() -> None:
    noise = np.random.default_rng(3).normal(size=(157, 16)).astype(np.float32)
    ranges = segment(turns_of(157), noise, config=CONFIG)
    assert [start for start, _ in ranges] == [0, *(stop for _, stop in ranges)][:-1]
    assert ranges[-1][1] == 157
    assert all(1 <= stop - start <= CONFIG.max_turns for start, stop in ranges)


def test_a_long_pause_ends_an_episode() -> None:
    turns = turns_of(6, gap={2: timedelta(hours=5)})
    assert segment(turns, topics(6), config=CONFIG) == ((0, 2), (2, 6))


def test_sessions_end_episodes() -> None:
    first = dialogue(("Ana", "The tent leaks."), ("Ben", "Then we need a new tent."))
    second = dialogue(("Ana", "帐篷漏水了。"), ("Ben", "那我们要买新帐篷。"), session="s2", first=2)
    outcome = outcome_of([*first, *second])
    assert {each.session: len(each.turns) for each in outcome.episodes} == {"s1": 2, "s2": 2}


def test_what_is_settled_does_not_move_when_turns_arrive() -> None:
    noise = np.random.default_rng(5).normal(size=(200, 8)).astype(np.float32)
    turns = turns_of(200)
    whole = segment(turns, noise, config=CONFIG)
    for seen in (40, 77, 120, 199):
        early = segment(turns[:seen], noise[:seen], config=CONFIG)
        edge = settled(early, total=seen, config=CONFIG)
        assert edge > seen - 4 * CONFIG.max_turns
        firm = [each for each in early if each[1] <= edge]
        assert firm and list(whole[: len(firm)]) == firm
