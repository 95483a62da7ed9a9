"""The turns of a scope as columns, kept from one recall to the next.

Ranking looks at thousands of turns around the candidates; as columns that is array work. New
turns are appended, so a conversation that goes on costs only what is new; any other change of a
turn builds the columns anew.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import overload

import numpy as np
import numpy.typing as npt

from mnemis.model.graph import Turn
from mnemis.model.query import Query
from mnemis.ports.store import Floats, Located, View
from mnemis.recall.allowed import has_content
from mnemis.recall.observe import MACHINES

Ints = npt.NDArray[np.int64]


class RowNumbers(dict[str, int]):
    """The row of each turn, -1 for what is none."""

    def __missing__(self, key: str) -> int:
        return -1


class Picked(Sequence[str]):
    """The ids of some rows, looked up when they are read: of a wide field only a few are."""

    __slots__ = ("_ids", "_rows")

    def __init__(self, ids: Sequence[str], rows: Ints) -> None:
        self._ids = ids
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Picked: ...
    def __getitem__(self, index: int | slice) -> str | Picked:
        if isinstance(index, slice):
            return Picked(self._ids, self._rows[index])
        return self._ids[int(self._rows[index])]

    def __iter__(self) -> Iterator[str]:
        return map(self._ids.__getitem__, self._rows.tolist())


_FIELDS = attrgetter(
    "speaker", "question_share", "dated", "role", "importance", "time", "text", "status"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """All turns by ordinal at one sequence number.

    ``rows`` may know later turns too: only rows below ``len(ids)`` count. ``session`` numbers the
    sessions (``labels`` names them), ``place`` is a turn's index in its own, ``after`` how many
    follow it there, ``members`` the rows of each session in order. ``order``: rows by (session,
    place), ``spot`` the index of each row in it. ``entries``: the turns as the store knows them.
    ``said``: has content; ``archived``.
    """

    seq: int
    last: int
    ids: tuple[str, ...]
    rows: RowNumbers
    session: Ints
    place: Ints
    after: Ints
    members: tuple[Ints, ...]
    labels: tuple[str, ...]
    voice: Ints
    speakers: tuple[str, ...]
    asking: Floats
    dated: Floats
    machine: npt.NDArray[np.bool_]
    importance: Floats
    seconds: npt.NDArray[np.float64]
    length: Floats
    long: npt.NDArray[np.bool_]
    said: npt.NDArray[np.bool_]
    archived: npt.NDArray[np.bool_]
    order: Ints
    spot: Ints
    entries: Located

    def near(self, turns: Sequence[str], *, radius: int) -> Ints:
        """Rows within ``radius`` places of these turns in their sessions, by (session, place)."""
        rows = self.rows_of(turns)
        rows = rows[rows >= 0]
        spots, place = self.spot[rows], self.place[rows]
        left = np.minimum(place, radius)
        right = np.minimum(self.after[rows], radius)
        edges = np.zeros(len(self.ids) + 1, dtype=np.int64)
        np.add.at(edges, spots - left, 1)
        np.add.at(edges, spots + right + 1, -1)
        return self.order[np.cumsum(edges[:-1]) > 0]

    def rows_of(self, turns: Sequence[str]) -> Ints:
        """The row of each turn, -1 where there is none."""
        rows = np.array(list(map(self.rows.__getitem__, turns)), dtype=np.int64)
        rows[rows >= len(self.ids)] = -1
        return rows

    def allowed(self, turns: Sequence[str], query: Query) -> list[str]:
        """Those that the query lets be hits, as ``is_allowed`` says, for one without a filter."""
        rows = self.rows_of(turns)
        fits = (rows >= 0) & self.said[rows]
        if not query.include_archived:
            fits &= ~self.archived[rows]
        if query.as_of is not None:
            fits &= ~(self.seconds[rows] > query.as_of.timestamp())
        return [turn for turn, fit in zip(turns, fits.tolist(), strict=True) if fit]


class ColumnKeeper:
    """Keeps one scope's columns up to date. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: Columns | None = None

    def at(self, view: View) -> Columns:
        """The columns as of the view."""
        with self._guard:
            kept = self._kept
            if kept is not None and kept.seq == view.seq:
                return kept
            if kept is not None and kept.seq > view.seq:
                return _build(view)
            fresh = None if kept is None else _appended(view, kept)
            made = _build(view) if kept is None or fresh is None else _extend(kept, view, fresh)
            self._kept = made
            return made


def _appended(view: View, kept: Columns) -> list[Turn] | None:
    """The turns that came after ``kept``, None when a known one was changed or removed."""
    changed: dict[str, None] = {}
    for record in view.changes(kept.seq):
        if any(each in kept.rows for each in (*record.deleted, *record.nodes)):
            return None
        changed.update(dict.fromkeys(each for each in record.nodes if each.startswith("turn:")))
    nodes = view.get(list(changed))
    turns = sorted(
        (node for node in nodes.values() if isinstance(node, Turn)),
        key=lambda turn: (turn.ordinal, turn.id),
    )
    return None if turns and turns[0].ordinal <= kept.last else turns


def _build(view: View) -> Columns:
    turns = [turn for turn in view.scan("turn") if isinstance(turn, Turn)]
    return _extend(_empty(), view, turns)


def _empty() -> Columns:
    ints, reals = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    return Columns(
        seq=0, last=-1, ids=(), rows=RowNumbers(), session=ints, place=ints,
        after=ints, members=(), labels=(),
        voice=ints,
        speakers=(), asking=reals, dated=reals, machine=np.zeros(0, dtype=bool), importance=reals,
        seconds=np.zeros(0, dtype=np.float64), length=reals, long=np.zeros(0, dtype=bool),
        said=np.zeros(0, dtype=bool), archived=np.zeros(0, dtype=bool), order=ints, spot=ints,
        entries=Located(ids=(), kind="turn", rows=ints),
    )  # fmt: skip


def _extend(old: Columns, view: View, turns: Sequence[Turn]) -> Columns:
    start = len(old.ids)
    rows = RowNumbers(old.rows) if len(turns) else old.rows
    rows.update((turn.id, start + number) for number, turn in enumerate(turns))
    columns = zip(*map(_FIELDS, turns), strict=True) if turns else ((),) * 8
    who, asking, dated, roles, importance, times, texts, states = (list(each) for each in columns)
    voices = {speaker: number for number, speaker in enumerate(old.speakers)}
    for speaker in who:
        voices.setdefault(speaker, len(voices))
    labels = {label: number for number, label in enumerate(old.labels)}
    session, place, members = _sessions(old, turns, start, labels)
    lengths = [len(text) for text in texts]
    ids = (*old.ids, *(turn.id for turn in turns))
    sessions = np.append(old.session, session).astype(np.int64)
    places = np.append(old.place, place).astype(np.int64)
    order: Ints = np.lexsort((places, sessions)) if len(turns) else old.order
    spot = np.empty(len(ids), dtype=np.int64)
    spot[order] = np.arange(len(ids))
    sizes = np.fromiter(map(len, members), dtype=np.int64, count=len(members))
    return Columns(
        seq=view.seq,
        last=turns[-1].ordinal if turns else old.last,
        ids=ids,
        rows=rows,
        session=sessions,
        place=places,
        after=sizes[sessions] - 1 - places,
        members=members,
        labels=tuple(labels),
        voice=np.append(old.voice, [voices[speaker] for speaker in who]).astype(np.int64),
        speakers=tuple(voices),
        asking=np.append(old.asking, asking).astype(np.float32),
        dated=np.append(old.dated, dated).astype(np.float32),
        machine=np.append(old.machine, [role in MACHINES for role in roles]).astype(bool),
        importance=np.append(old.importance, importance).astype(np.float32),
        seconds=np.append(old.seconds, [t.timestamp() if t else np.nan for t in times]),
        length=np.append(old.length, lengths).astype(np.float32),
        long=np.append(old.long, _with_parts(view, turns)).astype(bool),
        said=np.append(old.said, [has_content(turn) for turn in turns]).astype(bool),
        archived=np.append(old.archived, [each == "archived" for each in states]).astype(bool),
        order=order,
        spot=spot,
        entries=view.locate(ids, kind="turn", known=old.entries),
    )


def _sessions(
    old: Columns, turns: Sequence[Turn], start: int, labels: dict[str, int]
) -> tuple[list[int], list[int], tuple[Ints, ...]]:
    """Session, place and members after these turns; ``labels`` takes new sessions."""
    grown: dict[int, list[int]] = {}
    session: list[int] = []
    place: list[int] = []
    for offset, turn in enumerate(turns):
        number = labels.setdefault(turn.session, len(labels))
        known = len(old.members[number]) if number < len(old.members) else 0
        fresh = grown.setdefault(number, [])
        session.append(number)
        place.append(known + len(fresh))
        fresh.append(start + offset)
    members = list(old.members)
    for number, rows in sorted(grown.items()):
        added = np.array(rows, dtype=np.int64)
        if number < len(members):
            members[number] = np.append(members[number], added)
        else:
            members.append(added)
    return session, place, tuple(members)


def _with_parts(view: View, turns: Sequence[Turn]) -> list[bool]:
    owners = view.parts_of([turn.id for turn in turns])
    return [turn.id in owners for turn in turns]
