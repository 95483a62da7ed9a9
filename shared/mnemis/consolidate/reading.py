"""What a batch starts from: pending turns, the open ends of their sessions, their stretches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import numpy as np

from mnemis.config import SegmentConfig
from mnemis.consolidate.redo import redo_groups, redo_state
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.segment import segment, settled
from mnemis.model.graph import Episode, Turn
from mnemis.ports.store import View

BATCH: Final = 400
"""Turns a change: bounds memory and what a crash costs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The turns of one episode; its id follows from the first."""

    turns: tuple[Turn, ...]

    @property
    def id(self) -> str:
        """The episode's node id."""
        return f"episode:{digest(self.turns[0].id)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """``fresh`` counts turns never consolidated; ``state`` is what the scope must remember;
    ``outdated`` are episodes that no stretch continues; ``before`` the episodes as they were.
    """

    stretches: tuple[Stretch, ...]
    fresh: int
    watermark: int
    state: Mapping[str, str]
    outdated: tuple[str, ...]
    before: Mapping[str, Episode]


def read_batch(view: View, *, until: int, config: SegmentConfig) -> Batch | None:
    """The next pending turns up to ordinal ``until`` with the open ends before them; None when
    nothing is pending. Turns that must be read again come first.
    """
    if waiting := redo_groups(view):
        return _redo_batch(view, waiting, config)
    turns = [turn for turn in pending(view, limit=BATCH) if turn.ordinal <= until]
    if not turns:
        return None
    sessions: dict[str, list[Turn]] = {}
    for turn in turns:
        sessions.setdefault(turn.session, []).append(turn)
    stretches: list[Stretch] = []
    state = {"consolidated": str(turns[-1].ordinal + 1), "consolidated_turn": turns[-1].id}
    before: dict[str, Episode] = {}
    for session, fresh in sessions.items():
        held, episodes = _open_end(view, session)
        before.update(episodes)
        made, kept = cut(view, [*held, *fresh], config)
        stretches.extend(made)
        state[_open_key(session)] = _open_state(made, kept)
    ids = {each.id for each in stretches}
    return Batch(
        stretches=tuple(sorted(stretches, key=lambda each: (each.turns[0].ordinal, each.id))),
        fresh=len(turns),
        watermark=turns[-1].ordinal,
        state=state,
        outdated=tuple(sorted(each for each in before if each not in ids)),
        before=before,
    )


def _redo_batch(view: View, waiting: Sequence[Sequence[str]], config: SegmentConfig) -> Batch:
    """Turns to read again: in the episode they stand in, in the open end of their session, or, when
    their episode was taken apart, together as one.
    """
    turns: dict[str, Turn] = {}
    taken: list[Sequence[str]] = []
    for group in waiting:
        if taken and len(turns) + len(group) > BATCH:
            break
        taken.append(group)
        turns.update({k: n for k, n in view.get(group).items() if isinstance(n, Turn)})
    stretches: dict[str, Stretch] = {}
    state = redo_state(view, (), without=turns)
    before: dict[str, Episode] = {}
    done: set[str] = set()
    for session in sorted({turn.session for turn in turns.values()}):
        held, episodes = _open_end(view, session)
        if not turns.keys() & {turn.id for turn in held}:
            continue
        made, kept = cut(view, held, config)
        stretches.update({each.id: each for each in made})
        before.update(episodes)
        done.update(turn.id for turn in held)
        state[_open_key(session)] = _open_state(made, kept)
    homes = view.neighbours(
        [t for t in turns if t not in done], types=["belongs_to"], direction="out"
    )
    ids = sorted({edge.target for edges in homes.values() for edge in edges})
    for episode in view.get(ids).values():
        if isinstance(episode, Episode) and not done & set(episode.turns):
            found = view.get(episode.turns).values()
            whole = Stretch(turns=tuple(turn for turn in found if isinstance(turn, Turn)))
            stretches[whole.id] = whole
            before[episode.id] = episode
            done.update(turn.id for turn in whole.turns)
    for group in taken:
        left = [turns[each] for each in group if each in turns and each not in done]
        for session in sorted({turn.session for turn in left}):
            some = sorted((t for t in left if t.session == session), key=lambda t: t.ordinal)
            stretches[Stretch(turns=tuple(some)).id] = Stretch(turns=tuple(some))
            done.update(turn.id for turn in some)
    return Batch(
        stretches=tuple(
            sorted(stretches.values(), key=lambda each: (each.turns[0].ordinal, each.id))
        ),
        fresh=0,
        watermark=max(turn.ordinal for turn in turns.values()),
        state=state,
        outdated=tuple(sorted(each for each in before if each not in stretches)),
        before=before,
    )


def _open_state(made: Sequence[Stretch], kept: Sequence[Turn]) -> str:
    return json.dumps(
        {
            "turns": [turn.id for turn in kept],
            "episodes": [each.id for each in made if each.turns[0] in kept],
        }
    )


def pending(view: View, *, limit: int) -> list[Turn]:
    """The oldest turns that were never consolidated."""
    mark = int(view.state("consolidated") or "0")
    last = view.state("consolidated_turn")
    if mark == 0 or (last is not None and last in view.get([last])):
        found = view.scan("turn", after=last if mark else None, limit=limit)
        return [turn for turn in found if isinstance(turn, Turn)]
    size = limit
    while True:
        tail = view.tail(None, limit=size)
        if len(tail) < size or tail[0].ordinal < mark:
            return [turn for turn in tail if turn.ordinal >= mark][:limit]
        size *= 4


def _open_key(session: str) -> str:
    return f"open:{digest(session)}"


def _open_end(view: View, session: str) -> tuple[list[Turn], dict[str, Episode]]:
    """The session's turns whose episodes may still change, and those episodes."""
    stored = view.state(_open_key(session))
    if not stored:
        return [], {}
    held = cast("dict[str, list[str]]", json.loads(stored))
    turns = [node for node in view.get(held["turns"]).values() if isinstance(node, Turn)]
    episodes = {
        key: node for key, node in view.get(held["episodes"]).items() if isinstance(node, Episode)
    }
    return sorted(turns, key=lambda turn: turn.ordinal), episodes


def cut(
    view: View, turns: Sequence[Turn], config: SegmentConfig
) -> tuple[list[Stretch], list[Turn]]:
    """Turns of one session cut at topics, and the last of them, whose stretch may still change."""
    vectors = view.vectors([turn.id for turn in turns])
    size = max((len(vector) for vector in vectors.values()), default=1)
    rows = np.zeros((len(turns), size), np.float32)
    for index, turn in enumerate(turns):
        if turn.id in vectors:
            rows[index] = vectors[turn.id]
    ranges = segment(turns, rows, config=config)
    made = [Stretch(turns=tuple(turns[start:stop])) for start, stop in ranges]
    return made, list(turns[settled(ranges, total=len(turns), config=config) :])
