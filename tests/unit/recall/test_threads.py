"""Turns on one matter complete each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from mnemis.ports.store import View
from mnemis.recall.evidence import Field
from mnemis.recall.threads import on_thread


class _Mentions:
    """A view of nothing but which turn mentions which entity."""

    def __init__(self, mentions: Mapping[str, Sequence[str]]) -> None:
        self._mentions = mentions

    def neighbours(self, ids: Sequence[str], **_: object) -> dict[str, list[SimpleNamespace]]:
        return {
            turn: [SimpleNamespace(target=name) for name in self._mentions.get(turn, ())]
            for turn in ids
        }


def _threads(
    raw: Sequence[float],
    *,
    sessions: Sequence[int],
    mentions: Mapping[str, Sequence[str]] | None = None,
    topical: Sequence[bool] | None = None,
) -> list[float]:
    """The thread through turns "0", "1", … of these sessions."""
    session = np.array(sessions)
    rows = np.arange(len(session))
    same = session[1:] == session[:-1]
    field = SimpleNamespace(
        ids=tuple(map(str, rows)),
        previous=np.where(np.append(False, same), rows - 1, -1),
        following=np.where(np.append(same, False), rows + 1, -1),
        stretch=session,
        starts=np.unique(session, return_index=True)[1],
    )
    found = on_thread(
        cast(View, _Mentions(mentions or {})),
        cast(Field, field),
        np.array(raw, dtype=np.float32),
        np.array([True] * len(rows) if topical is None else topical),
    )
    return found.tolist()


def test_a_thread_falls_off_from_the_match_within_its_session_alone() -> None:
    found = _threads([2.0, *[0.0] * 7], sessions=[0, 0, 0, 0, 0, 0, 1, 1])

    assert found[:6] == sorted(found[:6], reverse=True)
    assert found[2] > found[3] > found[4] > found[5] > 0.0
    assert found[6:] == [0.0, 0.0]


@pytest.mark.parametrize("name", ["entity:oven", "entity:烤箱"])
def test_a_thread_leads_to_what_names_the_same_thing_in_another_session(name: str) -> None:
    raw, sessions = [2.0, *[0.0] * 7], [0, 1, 1, 1, 1, 1, 1, 2]

    found = _threads(raw, sessions=sessions, mentions={"0": [name], "3": [name]})
    without = _threads(raw, sessions=sessions)

    assert found[3] >= found[2] > found[1] > found[7] == 0.0
    assert without[1:] == [0.0] * 7


def test_a_name_that_most_turns_bear_ties_nothing_together() -> None:
    everywhere = {str(turn): ["Ana"] for turn in range(8)}

    found = _threads([2.0, *[0.0] * 7], sessions=range(8), mentions=everywhere)

    assert found[1:] == [0.0] * 7


def test_there_is_no_thread_where_no_topic_was_found_or_nothing_matches() -> None:
    nowhere = _threads([2.0, 1.0], sessions=[0, 0], topical=[False, False])
    unmatched = _threads([0.0, -1.0], sessions=[0, 0])

    assert nowhere == unmatched == [0.0, 0.0]


def test_a_thread_gives_nobody_more_than_one() -> None:
    found = _threads([3.0, 2.0, 1.0, 0.5], sessions=[0, 0, 1, 1])

    assert max(found) == pytest.approx(1.0)
