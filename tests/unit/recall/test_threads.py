"""Runs of turns on one matter complete each other; lists are recognised in both languages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from mnemis.recall.cues import intents_of
from mnemis.recall.evidence import Field
from mnemis.recall.threads import BESIDE, BEYOND, in_runs


def _field(previous: list[int], following: list[int]) -> Field:
    return cast(Field, SimpleNamespace(previous=np.array(previous), following=np.array(following)))


def test_a_turn_is_raised_by_the_match_beside_it_within_its_session_alone() -> None:
    field = _field([-1, 0, 1, -1], [1, 2, -1, -1])
    matched = np.array([1.0, 0.1, 0.2, 0.0], dtype=np.float32)

    lift = in_runs(field, matched, np.array([True, True, True, True]))

    assert lift == pytest.approx([0.0, BESIDE - 0.1, BEYOND - 0.2, 0.0])


def test_a_turn_outside_of_the_topic_is_not_raised() -> None:
    field = _field([-1, 0], [1, -1])
    matched = np.array([1.0, 0.0], dtype=np.float32)

    assert in_runs(field, matched, np.array([True, False])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "text",
    [
        "The whole business of the garage roof",
        "The lease, from start to finish",
        "All mentions of the ferry",
        "车库屋顶的事,从头到尾讲一遍",
        "租约的来龙去脉",
        "渡轮前前后后的经过",
    ],
)
def test_a_request_for_everything_is_recognised(text: str) -> None:
    assert "all" in intents_of(text)


@pytest.mark.parametrize("text", ["Which bus goes to the harbour?", "去港口坐几路车?"])
def test_a_plain_question_asks_for_one_thing(text: str) -> None:
    assert "all" not in intents_of(text)
