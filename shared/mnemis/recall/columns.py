"""The turns of a scope as columns, kept from one recall to the next.

Ranking looks at thousands of turns around the candidates; as columns that is array work. New
turns are appended, so a conversation that goes on costs only what is new; any other change of a
turn builds the columns anew.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan
from operator import attrgetter
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from mnemis.model.graph import Turn
from mnemis.model.query import Query
from mnemis.ports.store import Floats, Located, View
from mnemis.recall.allowed import says_anything
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


_FIELDS = (
    "id", "ordinal", "session", "speaker", "role", "status", "importance", "question_share",
    "dated", "time", "text", "parts",
)  # fmt: skip
_fields_of = attrgetter(*_FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """All turns by ordinal at one sequence number.

    ``rows`` may know later turns too: only rows below ``len(ids)`` count. ``session`` numbers the
    sessions (``labels`` names them), ``place`` is a turn's index in its own, ``after`` how many
    follow it there, ``members`` the rows of each session in order. ``order``: rows by (session,
    place), ``spot`` the index of each row in it. ``entries``: the turns as the store knows them,
    ``parts`` those of long turns, and ``part_of`` the row of each. ``said``: has content;
    ``archived``.
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
    said: npt.NDArray[np.bool_]
    archived: npt.NDArray[np.bool_]
    order: Ints
    spot: Ints
    entries: Located
    parts: Located
    part_of: Ints

    def near(self, rows: Ints, *, radius: int) -> Ints:
        """Rows within ``radius`` places of these in their sessions, by (session, place)."""
        spots, count = self.spot[rows], len(self.ids) + 1
        begins = spots - np.minimum(self.place[rows], radius)
        ends = spots + np.minimum(self.after[rows], radius) + 1
        edges = np.bincount(begins, minlength=count) - np.bincount(ends, minlength=count)
        return self.order[np.cumsum(edges[:-1]) > 0]

    def rows_of(self, turns: Sequence[str]) -> Ints:
        """The row of each turn, -1 where there is none."""
        rows = np.fromiter(map(self.rows.__getitem__, turns), dtype=np.int64, count=len(turns))
        rows[rows >= len(self.ids)] = -1
        return rows

    def allowed(self, rows: Ints, query: Query) -> npt.NDArray[np.bool_]:
        """Which of these rows the query lets be hits, as ``is_allowed`` says, for one without a
        filter; no turn (-1) is none.
        """
        fits = (rows >= 0) & self.said[rows]
        if not query.include_archived:
            fits &= ~self.archived[rows]
        if query.as_of is not None:
            fits &= ~(self.seconds[rows] > query.as_of.timestamp())
        return fits


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
            if kept is None or fresh is None:
                made = _build(view)
            else:
                made = _extend(kept, view, map(_fields_of, fresh))
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
    return _extend(_empty(), view, view.fields("turn", _FIELDS))


def _empty() -> Columns:
    ints, reals = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)
    return Columns(
        seq=0, last=-1, ids=(), rows=RowNumbers(), session=ints, place=ints,
        after=ints, members=(), labels=(),
        voice=ints,
        speakers=(), asking=reals, dated=reals, machine=np.zeros(0, dtype=bool), importance=reals,
        seconds=np.zeros(0, dtype=np.float64), length=reals, said=np.zeros(0, dtype=bool),
        archived=np.zeros(0, dtype=bool), order=ints, spot=ints,
        entries=Located(ids=(), kind="turn", rows=ints),
        parts=Located(ids=(), kind="part", rows=ints), part_of=ints,
    )  # fmt: skip


class _Fresh:
    """What is known of turns that are added, gathered one by one."""

    def __init__(self, old: Columns) -> None:
        self.ids: list[str] = []
        self.last = old.last
        self.voices = {speaker: number for number, speaker in enumerate(old.speakers)}
        self.labels = {label: number for number, label in enumerate(old.labels)}
        self.grown: dict[int, list[int]] = {}
        self.session: list[int] = []
        self.place: list[int] = []
        self.voice: list[int] = []
        self.machine: list[bool] = []
        self.archived: list[bool] = []
        self.importance: list[float] = []
        self.asking: list[float] = []
        self.dated: list[bool] = []
        self.seconds: list[float] = []
        self.length: list[int] = []
        self.said: list[bool] = []
        self._start = len(old.ids)
        self._members = old.members

    def add(self, values: tuple[Any, ...]) -> None:
        """One turn, by ``_FIELDS``."""
        turn, ordinal, session, speaker, role, status, importance, asking, dated, time = values[:10]
        text, parts = values[10:]
        number = self.labels.setdefault(session, len(self.labels))
        fresh = self.grown.setdefault(number, [])
        known = len(self._members[number]) if number < len(self._members) else 0
        self.session.append(number)
        self.place.append(known + len(fresh))
        fresh.append(self._start + len(self.ids))
        self.ids.append(turn)
        self.last = ordinal
        self.voice.append(self.voices.setdefault(speaker, len(self.voices)))
        self.machine.append(role in MACHINES)
        self.archived.append(status == "archived")
        self.importance.append(importance)
        self.asking.append(asking)
        self.dated.append(dated)
        self.seconds.append(time.timestamp() if time else nan)
        self.length.append(len(text))
        self.said.append(says_anything(text, parts))

    def members(self) -> tuple[Ints, ...]:
        """The rows of each session with those added."""
        members = list(self._members)
        for number, rows in sorted(self.grown.items()):
            added = np.array(rows, dtype=np.int64)
            if number < len(members):
                members[number] = np.append(members[number], added)
            else:
                members.append(added)
        return tuple(members)


def _extend(old: Columns, view: View, turns: Iterable[tuple[Any, ...]]) -> Columns:
    new = _Fresh(old)
    for values in turns:
        new.add(values)
    rows = RowNumbers(old.rows) if new.ids else old.rows
    rows.update(zip(new.ids, itertools.count(len(old.ids)), strict=False))
    ids = (*old.ids, *new.ids)
    members = new.members()
    sessions = np.append(old.session, new.session).astype(np.int64)
    places = np.append(old.place, new.place).astype(np.int64)
    order: Ints = np.lexsort((places, sessions)) if new.ids else old.order
    spot = np.empty(len(ids), dtype=np.int64)
    spot[order] = np.arange(len(ids))
    sizes = np.fromiter(map(len, members), dtype=np.int64, count=len(members))
    parts, part_of = _parts(old, view, new.ids)
    return Columns(
        seq=view.seq,
        last=new.last,
        ids=ids,
        rows=rows,
        session=sessions,
        place=places,
        after=sizes[sessions] - 1 - places,
        members=members,
        labels=tuple(new.labels),
        voice=np.append(old.voice, new.voice).astype(np.int64),
        speakers=tuple(new.voices),
        asking=np.append(old.asking, new.asking).astype(np.float32),
        dated=np.append(old.dated, new.dated).astype(np.float32),
        machine=np.append(old.machine, new.machine).astype(bool),
        importance=np.append(old.importance, new.importance).astype(np.float32),
        seconds=np.append(old.seconds, new.seconds),
        length=np.append(old.length, new.length).astype(np.float32),
        said=np.append(old.said, new.said).astype(bool),
        archived=np.append(old.archived, new.archived).astype(bool),
        order=order,
        spot=spot,
        entries=view.locate(ids, kind="turn", known=old.entries),
        parts=parts,
        part_of=part_of,
    )


def _parts(old: Columns, view: View, fresh: Sequence[str]) -> tuple[Located, Ints]:
    """The parts of long turns with those of fresh ones, and the row of each."""
    owners, start = view.parts_of(fresh), len(old.ids)
    more = [(row, each) for row, turn in enumerate(fresh, start) for each in owners.get(turn, ())]
    ids = (*old.parts.ids, *(each for _, each in more))
    rows = np.append(old.part_of, [row for row, _ in more]).astype(np.int64)
    return view.locate(ids, kind="part", known=old.parts), rows
