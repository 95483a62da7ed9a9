"""The store port: one verb writes, a view reads at one sequence number.

A store is safe to use from many threads. Scopes are walls: every call names one and nothing
crosses. ``mnemis.testing.StoreSuite`` is the executable form of this contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt

from mnemis.model.change import (
    Change,
    ChangeRecord,
    EntryKind,
    Job,
    Receipt,
    Scope,
    Vector,
)
from mnemis.model.filter import Filter
from mnemis.model.graph import Edge, Node, NodeKind, Turn

Floats: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """An index entry that was found: its id, the node it stands for, and its raw score."""

    id: str
    owner: str
    kind: EntryKind
    score: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches(Sequence[Scored]):
    """Entries that were found, best first: a sequence of ``Scored`` kept as columns, which is what
    a recall reads of the hundreds it asks for. All columns have one value an entry.
    """

    ids: Sequence[str]
    owners: Sequence[str]
    kinds: Sequence[EntryKind]
    scores: Sequence[float]

    @classmethod
    def of(cls, found: Iterable[Scored]) -> Matches:
        """From entries in order."""
        every = tuple(found)
        return cls(
            ids=[each.id for each in every],
            owners=[each.owner for each in every],
            kinds=[each.kind for each in every],
            scores=[each.score for each in every],
        )

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> Scored: ...
    @overload
    def __getitem__(self, index: slice) -> Matches: ...
    def __getitem__(self, index: int | slice) -> Scored | Matches:
        ids, owners, kinds, scores = self.ids, self.owners, self.kinds, self.scores
        if isinstance(index, slice):
            return Matches(
                ids=ids[index], owners=owners[index], kinds=kinds[index], scores=scores[index]
            )
        return Scored(id=ids[index], owner=owners[index], kind=kinds[index], score=scores[index])

    def __iter__(self) -> Iterator[Scored]:
        return map(self.__getitem__, range(len(self.ids)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return False
        return tuple(self) == tuple(cast("Sequence[object]", other))

    __hash__ = None  # type: ignore[assignment] # pyright: ignore[reportAssignmentType] columns may be lists


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Raw scores of given entries, arrays in the order asked; 0 where an entry is missing.

    ``similarity``: cosine in [-1, 1]; ``lexical``: BM25 (k1=1.2, b=.75; idf over the entries of
    the same kind); ``coverage``: share in [0, 1] of the query's idf mass that the entry holds.
    """

    similarity: Floats
    lexical: Floats
    coverage: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TermCounts:
    """``counts``: shape (ids, tokens); ``lengths``: terms in each entry; 0 where missing."""

    counts: Floats
    lengths: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Located:
    """Entries of one kind in the order asked, found once and scored often.

    ``rows``: numbers of the store's own, -1 where it has no such entry; ``state``: what the store
    knows them by. Only the store that made them reads either; any later view of the scope takes
    them, and looks the ids up again where the numbers no longer hold.
    """

    ids: Sequence[str]
    kind: EntryKind
    rows: npt.NDArray[np.int64]
    state: object = None

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, places: npt.NDArray[np.int64], *, ids: Sequence[str]) -> Located:
        """Those at these places; ``ids`` are theirs."""
        return Located(ids=ids, kind=self.kind, rows=self.rows[places], state=self.state)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """Turns around given turns. ``ids`` are distinct, by (session, ordinal); ``places`` are the
    indexes in ``ids`` of the turns asked for, -1 where the id is no turn; ``starts`` are the
    indexes in ``ids`` where a stretch of adjoining turns of one session begins.
    """

    ids: tuple[str, ...]
    places: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """Sizes of one scope; ``entries`` counts by entry kind, ``nodes`` by node kind, zeros too.

    ``newest`` is the time of the newest turn, ``mean_terms`` the mean length of turn entries.
    """

    seq: int
    nodes: Mapping[str, int]
    edges: int
    entries: Mapping[str, int]
    newest: datetime | None
    mean_terms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a store does beyond the contract; nothing falls back silently."""

    durable: bool
    exact_vectors: bool
    many_writers: bool


class View(Protocol):
    """One scope at one sequence number; all results ordered by falling score, ties by id.

    Filters hold for what is returned: a turn must match itself, a derived node only when every
    message it rests on is a turn that matches (its kind and status are its own:
    ``mnemis.model.filter.allows``). Ids that do not exist are left out (get, neighbours) or
    score 0.
    """

    @property
    def seq(self) -> int:
        """The sequence number that this view shows; 0 for a scope never written."""
        ...

    def get(self, ids: Sequence[str]) -> Mapping[str, Node]:
        """The nodes that exist, by id."""
        ...

    def versions(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Each id's version (the seq that last wrote it), 0 when absent."""
        ...

    def nearest(
        self, vector: Vector, *, k: int, kinds: Sequence[EntryKind], where: Filter | None = None
    ) -> Matches:
        """The k entries with the highest cosine, over all ``kinds`` together."""
        ...

    def search(
        self,
        tokens: Sequence[str],
        *,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None = None,
    ) -> Matches:
        """The k entries with the highest BM25 above 0; a repeated query token counts once."""
        ...

    def score(
        self,
        ids: Sequence[str] | Located,
        *,
        kind: EntryKind,
        tokens: Sequence[str],
        vector: Vector | None,
    ) -> Scores:
        """Raw scores of these entries of one kind."""
        ...

    def term_counts(
        self, ids: Sequence[str] | Located, *, kind: EntryKind, tokens: Sequence[str]
    ) -> TermCounts:
        """How often each of the (distinct) tokens occurs in these entries of one kind."""
        ...

    def locate(
        self, ids: Sequence[str], *, kind: EntryKind, known: Located | None = None
    ) -> Located:
        """These entries, found once so that ``score`` and ``term_counts`` need not look each id
        up again. ``known``: what an earlier view located of the first of these ids, to start from.
        """
        ...

    def surroundings(self, ids: Sequence[str], *, radius: int) -> Surroundings:
        """The stretches of sessions that lie within ``radius`` places of the given turns."""
        ...

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """Stored vectors of these entries, where they have one."""
        ...

    def parts_of(self, owners: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Ids of the ``part`` entries of these turns, in the order they were put (text order).

        Turns without any are absent.
        """
        ...

    def term_stats(self, tokens: Sequence[str], *, kind: EntryKind) -> Mapping[str, float]:
        """Each token's idf, ln(1 + (N - df + .5)/(df + .5)), over entries of ``kind``."""
        ...

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: Sequence[str] | None = None,
        direction: Literal["out", "in", "both"] = "both",
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        """Edges at each of ``ids`` (a whole frontier at once), heaviest first, then by key.

        ``limit`` caps the edges per id. ``sources``, ``time`` and ``position`` of the returned
        edges may be left at their defaults; ``edges_between`` has them all.
        """
        ...

    def edges(self, *, sources: Sequence[str] | None = None) -> tuple[Edge, ...]:
        """Complete edges, all of the scope or those that leave ``sources``, by key."""
        ...

    def degrees(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Number of edges at each id, both directions; 0 when absent."""
        ...

    def named(self, keys: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Entity ids filed under each name key (exact match), keys without any left out."""
        ...

    def timeline(
        self,
        *,
        start: datetime | None = None,
        end: datetime | None = None,
        kinds: Sequence[NodeKind] = ("turn",),
        limit: int,
        newest_first: bool = True,
        where: Filter | None = None,
    ) -> tuple[str, ...]:
        """Ids of nodes with start <= time < end, by (time, ordinal, id), newest first unless told.

        Nodes without a time are nowhere on it; only turns have an ordinal, others come before
        turns of the same time.
        """
        ...

    def tail(self, session: str | None, *, limit: int) -> tuple[Turn, ...]:
        """The last turns of a session (of the whole scope for None), oldest first, by ordinal."""
        ...

    def by_source(self, message_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Ids of all nodes that rest on each message (its turns too), sorted.

        Messages unknown are left out.
        """
        ...

    def scan(
        self, kind: NodeKind, *, after: str | None = None, limit: int | None = None
    ) -> tuple[Node, ...]:
        """Nodes of one kind after an id, turns by (ordinal, id), others by id.

        InputError when ``after`` names a turn that is gone.
        """
        ...

    def fields(self, kind: NodeKind, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        """These fields of every node of a kind, in the order of ``scan``, while the view is open;
        no node is made or kept, so that going through all of them costs little.
        """
        ...

    def state(self, key: str) -> str | None:
        """A value of the scope's state, as merged by changes."""
        ...

    def changes(self, since: int = 0) -> tuple[ChangeRecord, ...]:
        """The log after a sequence number, oldest first."""
        ...

    def stats(self) -> StoreStats:
        """Sizes."""
        ...


class Store(Protocol):
    """Where memories live; embedded stores answer from memory and keep one folder."""

    @property
    def capabilities(self) -> Capabilities:
        """What it promises beyond the contract."""
        ...

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """Write a change atomically and durably; Conflict when it was computed from the past."""
        ...

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """A consistent reader; close it soon."""
        ...

    def scopes(self) -> tuple[Scope, ...]:
        """Scopes that hold a node or a job, sorted."""
        ...

    def claim(
        self, *, owner: str, now: datetime, lease: timedelta, scope: Scope | None = None
    ) -> Job | None:
        """Take the oldest queued job (or one whose lease ran out), or None.

        A scope has at most one queued job of a kind: queueing while one waits adds nothing,
        queueing while one runs leaves one waiting. Only one job of a scope runs at a time.
        """
        ...

    def renew(self, job: Job, *, now: datetime, lease: timedelta) -> bool:
        """Prolong a lease; False when somebody else holds the job now."""
        ...

    def finish(self, job: Job, *, error: str = "") -> None:
        """Remove a done (or failed) job, or mark it failed with why; failed jobs stay listed.

        Nothing happens when somebody else holds the job now.
        """
        ...

    def jobs(self, *, scope: Scope | None = None) -> tuple[Job, ...]:
        """Queued, running and failed jobs, oldest first."""
        ...

    def scrub(self) -> None:
        """Rewrite files so that bytes of what was deleted are gone from the folder."""
        ...

    def files(self) -> tuple[str, ...]:
        """Paths of every file that may hold content, for ``verify_forgotten``; empty in memory."""
        ...

    def close(self) -> None:
        """Finish and release everything; may be called twice."""
        ...
