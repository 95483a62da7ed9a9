"""A view: one read transaction for the rows, one snapshot for the indexes, the same seq."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import numpy as np

from mnemis.indexes.reader import EntryReader, Hit
from mnemis.model.change import ChangeRecord, EntryKind, Vector
from mnemis.model.filter import Filter
from mnemis.model.graph import Edge, Node, NodeKind, Turn
from mnemis.ports.store import Located, Matches, Scores, StoreStats, Surroundings, TermCounts
from mnemis.stores.checks import check_vector, unit
from mnemis.stores.sqlite.locate import locate, rows_of
from mnemis.stores.sqlite.memory import ScopeMemory, ScopeSnapshot
from mnemis.stores.sqlite.rows import RowReader

_HUB = 256
"""Nodes with more edges than this are not made whole when a few are asked for."""
_NOTHING = Matches.of(())


@dataclass(frozen=True, slots=True)
class _Reach:
    """Which edges of a node are wanted."""

    types: frozenset[str] | None
    direction: Literal["out", "in", "both"]
    limit: int | None

    def of(self, node_id: str, edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
        """The wanted ones among all edges of a node."""
        types = self.types
        if self.direction == "both":
            kept = edges if types is None else [edge for edge in edges if edge.type in types]
        elif self.direction == "out":
            kept = [e for e in edges if e.source == node_id and (types is None or e.type in types)]
        else:
            kept = [e for e in edges if e.target == node_id and (types is None or e.type in types)]
        return tuple(kept if self.limit is None else kept[: max(self.limit, 0)])


class SqliteView:
    """Reads of one scope at one sequence number, for one thread."""

    def __init__(
        self,
        rows: RowReader,
        memory: ScopeMemory,
        snapshot: ScopeSnapshot,
        *,
        dimension: int | None,
    ) -> None:
        self._rows = rows
        self._memory = memory
        self._readers: dict[EntryKind, EntryReader] = {
            kind: EntryReader(table) for kind, table in snapshot.entries.items()
        }
        self._snapshot = snapshot
        self._dimension = dimension
        self._asked: tuple[object, Vector] | None = None  # the vector asked last, checked

    @property
    def seq(self) -> int:
        """The sequence number that this view shows."""
        return self._snapshot.seq

    def get(self, ids: Sequence[str]) -> Mapping[str, Node]:
        """The nodes that exist, by id."""
        return self._rows.get(ids)

    def versions(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Each id's version, 0 when absent."""
        return self._rows.versions(ids)

    def nearest(
        self, vector: Vector, *, k: int, kinds: Sequence[EntryKind], where: Filter | None = None
    ) -> Matches:
        """The k entries with the highest cosine."""
        query = self._query(vector)
        return self._best(k, kinds, where, lambda reader, reach: reader.nearest(query, reach))

    def search(
        self,
        tokens: Sequence[str],
        *,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None = None,
    ) -> Matches:
        """The k entries with the highest BM25 above 0."""
        query = tuple(dict.fromkeys(tokens))
        return self._best(k, kinds, where, lambda reader, reach: reader.search(query, reach))

    def score(
        self,
        ids: Sequence[str] | Located,
        *,
        kind: EntryKind,
        tokens: Sequence[str],
        vector: Vector | None,
    ) -> Scores:
        """Raw scores of these entries of one kind; dense scores of this view are reused."""
        reader = self._readers.get(kind)
        query = None if vector is None else self._query(vector)
        similarity = np.zeros(len(ids), dtype=np.float32)
        lexical, coverage = similarity.copy(), similarity.copy()
        if reader is None or not len(ids):
            return Scores(similarity=similarity, lexical=lexical, coverage=coverage)
        rows = rows_of(reader.entries.rows, ids)
        there = rows >= 0
        rows = rows[there]
        if query is not None:
            similarity[there] = reader.cosines_at(query, rows)
        if tokens:
            scores = reader.lexical(tuple(dict.fromkeys(tokens)))
            lexical[there] = scores.bm25[rows]
            if scores.mass:
                coverage[there] = scores.held[rows] / scores.mass
        return Scores(similarity=similarity, lexical=lexical, coverage=coverage)

    def locate(
        self, ids: Sequence[str], *, kind: EntryKind, known: Located | None = None
    ) -> Located:
        """Row numbers of these entries, which hold until one is replaced or removed."""
        table = self._snapshot.entries.get(kind)
        return locate(None if table is None else table.rows, ids, kind=kind, known=known)

    def term_counts(
        self, ids: Sequence[str] | Located, *, kind: EntryKind, tokens: Sequence[str]
    ) -> TermCounts:
        """How often each of the tokens occurs in these entries."""
        reader = self._readers.get(kind)
        if reader is None:
            empty = np.zeros((len(ids), len(tokens)), dtype=np.float32)
            return TermCounts(counts=empty, lengths=np.zeros(len(ids), dtype=np.float32))
        counts, lengths = reader.counts(rows_of(reader.entries.rows, ids), tokens)
        return TermCounts(counts=counts, lengths=lengths)

    def surroundings(self, ids: Sequence[str], *, radius: int) -> Surroundings:
        """The stretches of sessions around these turns."""
        return self._rows.surroundings(ids, radius=radius)

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """Stored vectors of these entries, where they have one."""
        found: dict[str, Vector] = {}
        for table in self._snapshot.entries.values():
            for entry_id, row in zip(ids, table.rows.rows(ids).tolist(), strict=True):
                vector = table.vector(row) if row >= 0 else None
                if vector is not None:
                    found[entry_id] = vector
        return found

    def parts_of(self, owners: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Ids of the part entries of these turns."""
        table = self._snapshot.entries.get("part")
        if table is None:
            return {}
        held = table.table.by_owner or {}
        found = ((owner, table.ids_of_owner(owner)) for owner in owners if owner in held)
        return {owner: ids for owner, ids in found if ids}

    def term_stats(self, tokens: Sequence[str], *, kind: EntryKind) -> Mapping[str, float]:
        """Each token's idf over entries of ``kind``."""
        reader = self._readers.get(kind)
        if reader is None:
            return dict.fromkeys(tokens, math.log(2))
        return {token: reader.idf(token) for token in tokens}

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: Sequence[str] | None = None,
        direction: Literal["out", "in", "both"] = "both",
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        """Edges at each id, heaviest first, then by key."""
        reach = _Reach(
            types=None if types is None else frozenset(types), direction=direction, limit=limit
        )
        asked = (reach.types, direction, limit)
        known = self._snapshot.answers_to(asked)
        if all(map(known.__contains__, ids)):
            return {i: known[i] for i in ids}
        found = {i: known.get(i) for i in ids}
        bare: list[str] = []
        for i in [i for i, edges in found.items() if edges is None]:
            edges = found[i] = self._edges_at(i, reach)
            if edges is None:
                bare.append(i)
            else:
                self._snapshot.keep_answer(asked, i, edges)
        there = self._rows.exists(bare) if bare else ()
        return {i: edges or () for i, edges in found.items() if edges is not None or i in there}

    def edges(self, *, sources: Sequence[str] | None = None) -> tuple[Edge, ...]:
        """Complete edges by key."""
        return self._rows.edges(sources)

    def degrees(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Number of edges at each id."""
        return self._snapshot.graph.degrees(ids)

    def named(self, keys: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Entity ids filed under each name key."""
        owners: dict[str, set[str]] = {}
        for table in self._snapshot.entries.values():
            for key in keys:
                if key in table.table.names:
                    owners.setdefault(key, set()).update(table.owners_named(key))
        return {key: tuple(sorted(held)) for key in keys if (held := owners.get(key))}

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
        """Ids of nodes with start <= time < end."""
        return self._rows.timeline(
            start, end, kinds=kinds, limit=limit, newest_first=newest_first, where=where
        )

    def tail(self, session: str | None, *, limit: int) -> tuple[Turn, ...]:
        """The last turns of a session, oldest first."""
        return self._rows.tail(session, limit=limit)

    def by_source(self, message_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Ids of all nodes that rest on each message."""
        return self._rows.by_source(message_ids)

    def scan(
        self, kind: NodeKind, *, after: str | None = None, limit: int | None = None
    ) -> tuple[Node, ...]:
        """Nodes of one kind after an id; which there are of the few categories is kept."""
        if kind != "category" or after is not None or limit is not None:
            return self._rows.scan(kind, after=after, limit=limit)
        known = self._snapshot.categories
        if known is None:
            found = self._rows.scan(kind, after=None, limit=None)
            self._snapshot.categories = tuple(node.id for node in found)
            return found
        return tuple(self._rows.get(known).values())

    def fields(self, kind: NodeKind, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        """These fields of every node of a kind, in order."""
        return self._rows.fields(kind, names)

    def state(self, key: str) -> str | None:
        """A value of the scope's state."""
        return self._rows.state(key)

    def changes(self, since: int = 0) -> tuple[ChangeRecord, ...]:
        """The log after a sequence number."""
        return self._rows.changes(since)

    def stats(self) -> StoreStats:
        """Sizes, counted once for each state."""
        if self._snapshot.stats is None:
            self._snapshot.stats = self._rows.stats(self._snapshot)
        return self._snapshot.stats

    def _query(self, vector: Vector) -> Vector:
        key = (vector.dtype.str, vector.shape, vector.tobytes())
        if self._asked is None or self._asked[0] != key:
            check_vector(vector, dimension=self._dimension)
            self._asked = (key, unit(vector))
        return self._asked[1]

    def _edges_at(self, node_id: str, reach: _Reach) -> tuple[Edge, ...] | None:
        """Edges of one node, None when it has none at all (and may not be there)."""
        edges = self._memory.edges_at(node_id, seq=self.seq)
        if edges is None:
            graph = self._snapshot.graph
            rows = graph.rows(node_id)
            if not len(rows):
                return None
            if reach.limit is not None and len(rows) > _HUB:
                rows = graph.rows(node_id, reach.direction)
                limit = max(reach.limit, 0)
                return tuple(graph.heaviest(rows, types=reach.types, limit=limit))
            edges = tuple(graph.edges(rows))
            self._memory.keep_edges(node_id, edges, seq=self.seq)
        return reach.of(node_id, edges)

    def _best(
        self,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None,
        top: Callable[[EntryReader, int], list[Hit]],
    ) -> Matches:
        """Merge the kinds; with a filter look at more and more until k are allowed."""
        readers: dict[EntryKind, EntryReader] = {
            kind: self._readers[kind] for kind in kinds if kind in self._readers
        }
        if k <= 0 or not readers:
            return _NOTHING
        if where is None:
            return self._merged({kind: top(reader, k) for kind, reader in readers.items()}, k)
        reach = k
        while True:
            complete = reach >= max(reader.count for reader in readers.values())
            found: dict[EntryKind, list[Hit]] = {
                kind: top(reader, reach) for kind, reader in readers.items()
            }
            merged = self._merged(found, None if complete else reach)
            verdicts = self._snapshot.verdicts_of(where)
            unknown = {owner for owner in merged.owners if owner not in verdicts}
            if unknown:
                allowed = self._rows.allowed(sorted(unknown), where)
                verdicts.update((owner, owner in allowed) for owner in unknown)
            kept = [hit for hit in merged if verdicts[hit.owner]]
            if complete or len(kept) >= k:
                return Matches.of(kept[:k])
            reach *= 4

    def _merged(self, found: Mapping[EntryKind, list[Hit]], most: int | None) -> Matches:
        """The first ``most`` hits of all kinds together."""
        if len(found) == 1:
            ((kind, hits),) = found.items()
            hits = hits[:most]
            owners = self._snapshot.entries[kind].table.owners
            return Matches(
                ids=[entry_id for _, entry_id, _ in hits],
                owners=[owners[row] for _, _, row in hits],
                kinds=(kind,) * len(hits),
                scores=[-value for value, _, _ in hits],
            )
        every: list[tuple[float, str, int, EntryKind]] = [
            (*hit, kind) for kind, hits in found.items() for hit in hits
        ]
        every.sort()
        every = every[:most]
        tables = self._snapshot.entries
        return Matches(
            ids=[entry_id for _, entry_id, _, _ in every],
            owners=[tables[kind].table.owners[row] for _, _, row, kind in every],
            kinds=[kind for _, _, _, kind in every],
            scores=[-value for value, _, _, _ in every],
        )
