"""How the reference store answers: every method is the plain meaning of its docstring."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

import numpy as np

from mnemis.errors import InputError
from mnemis.model.change import ENTRY_KINDS, ChangeRecord, EntryKind, IndexEntry, Vector
from mnemis.model.filter import Filter, allows
from mnemis.model.graph import NODE_KINDS, Edge, EdgeKey, Node, NodeKind, Turn
from mnemis.ports.store import (
    Located,
    Matches,
    Scored,
    Scores,
    StoreStats,
    Surroundings,
    TermCounts,
)
from mnemis.stores.checks import check_vector, unit

_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class ScopeState:
    """All that one scope holds at one sequence number."""

    seq: int = 0
    nodes: Mapping[str, Node] = field(default_factory=dict[str, Node])
    versions: Mapping[str, int] = field(default_factory=dict[str, int])
    edges: Mapping[EdgeKey, Edge] = field(default_factory=dict[EdgeKey, Edge])
    entries: Mapping[str, IndexEntry] = field(default_factory=dict[str, IndexEntry])
    state: Mapping[str, str] = field(default_factory=dict[str, str])
    log: tuple[ChangeRecord, ...] = ()


class OracleView:
    """One state, read by going through all of it."""

    def __init__(self, state: ScopeState, *, dimension: int | None) -> None:
        self._at = state
        self._dimension = dimension

    @property
    def seq(self) -> int:
        """The sequence number of the state."""
        return self._at.seq

    def get(self, ids: Sequence[str]) -> Mapping[str, Node]:
        """The nodes that exist."""
        return {i: self._at.nodes[i] for i in ids if i in self._at.nodes}

    def versions(self, ids: Sequence[str]) -> Mapping[str, int]:
        """The seq that last wrote each."""
        return {i: self._at.versions.get(i, 0) for i in ids}

    def nearest(
        self, vector: Vector, *, k: int, kinds: Sequence[EntryKind], where: Filter | None = None
    ) -> Matches:
        """Cosine with every entry."""
        query = self._query(vector)
        return Matches.of(self._best(k, kinds, where, lambda e: _cosine(query, e)))

    def search(
        self,
        tokens: Sequence[str],
        *,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None = None,
    ) -> Matches:
        """BM25 of every entry."""
        scorers = {kind: _Bm25(self._of_kind(kind), tokens) for kind in set(kinds)}
        return Matches.of(self._best(k, kinds, where, lambda e: scorers[e.kind].score(e) or None))

    def score(
        self,
        ids: Sequence[str] | Located,
        *,
        kind: EntryKind,
        tokens: Sequence[str],
        vector: Vector | None,
    ) -> Scores:
        """The same numbers for given entries."""
        ids = ids.ids if isinstance(ids, Located) else ids
        query = None if vector is None else self._query(vector)
        scorer = _Bm25(self._of_kind(kind), tokens)
        found = [e if (e := self._at.entries.get(i)) and e.kind == kind else None for i in ids]
        return Scores(
            similarity=_floats(
                0.0 if e is None or query is None else _cosine(query, e) or 0.0 for e in found
            ),
            lexical=_floats(0.0 if e is None else scorer.score(e) for e in found),
            coverage=_floats(0.0 if e is None else scorer.coverage(e) for e in found),
        )

    def locate(
        self, ids: Sequence[str], *, kind: EntryKind, known: Located | None = None
    ) -> Located:
        """The ids as they are; nothing is known of rows here."""
        rows = np.full(len(ids), -1, dtype=np.int64)
        return Located(ids=tuple(ids), kind=kind, rows=rows)

    def term_counts(
        self, ids: Sequence[str] | Located, *, kind: EntryKind, tokens: Sequence[str]
    ) -> TermCounts:
        """Counted anew from the entries' terms."""
        ids = ids.ids if isinstance(ids, Located) else ids
        counts = np.zeros((len(ids), len(tokens)), dtype=np.float32)
        lengths = np.zeros(len(ids), dtype=np.float32)
        for row, entry_id in enumerate(ids):
            entry = self._at.entries.get(entry_id)
            if entry is not None and entry.kind == kind:
                counts[row] = [entry.terms.count(token) for token in tokens]
                lengths[row] = len(entry.terms)
        return TermCounts(counts=counts, lengths=lengths)

    def surroundings(self, ids: Sequence[str], *, radius: int) -> Surroundings:
        """Session by session, every turn that is near enough to one asked for."""
        sessions: dict[str, list[str]] = {}
        for turn in self._turns():
            sessions.setdefault(turn.session, []).append(turn.id)
        near: list[str] = []
        starts: list[int] = []
        for _, session in sorted(sessions.items()):
            asked = [place for place, turn in enumerate(session) if turn in ids]
            last = None
            for place, turn_id in enumerate(session):
                if any(abs(place - other) <= radius for other in asked):
                    if last != place - 1:
                        starts.append(len(near))
                    near.append(turn_id)
                    last = place
        places = [near.index(turn) if turn in near else -1 for turn in ids]
        return Surroundings(
            ids=tuple(near),
            places=np.array(places, dtype=np.int64),
            starts=np.array(starts, dtype=np.int64),
        )

    def vectors(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """Stored vectors."""
        found = ((i, self._at.entries[i].vector) for i in ids if i in self._at.entries)
        return {i: vector for i, vector in found if vector is not None}

    def parts_of(self, owners: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Part entries in the order they were put."""
        parts: dict[str, tuple[str, ...]] = {}
        for entry in self._of_kind("part"):
            if entry.owner in owners:
                parts[entry.owner] = (*parts.get(entry.owner, ()), entry.id)
        return parts

    def term_stats(self, tokens: Sequence[str], *, kind: EntryKind) -> Mapping[str, float]:
        """Each token's idf."""
        return _Bm25(self._of_kind(kind), tokens).idf

    def neighbours(
        self,
        ids: Sequence[str],
        *,
        types: Sequence[str] | None = None,
        direction: Literal["out", "in", "both"] = "both",
        limit: int | None = None,
    ) -> Mapping[str, tuple[Edge, ...]]:
        """Edges at each id, heaviest first."""
        found: dict[str, tuple[Edge, ...]] = {}
        for node_id in ids:
            if node_id not in self._at.nodes:
                continue
            edges = [
                edge
                for edge in self._at.edges.values()
                if (types is None or edge.type in types) and _touches(edge, node_id, direction)
            ]
            edges.sort(key=lambda edge: (-edge.weight, edge.key))
            found[node_id] = tuple(edges if limit is None else edges[: max(limit, 0)])
        return found

    def edges(self, *, sources: Sequence[str] | None = None) -> tuple[Edge, ...]:
        """Complete edges by key."""
        chosen = (e for e in self._at.edges.values() if sources is None or e.source in sources)
        return tuple(sorted(chosen, key=lambda edge: edge.key))

    def degrees(self, ids: Sequence[str]) -> Mapping[str, int]:
        """Edges that touch each id; a loop counts once."""
        return {i: sum(i in key[:2] for key in self._at.edges) for i in ids}

    def named(self, keys: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Owners of the entries filed under each key."""
        found = {
            key: tuple(sorted({e.owner for e in self._at.entries.values() if key in e.names}))
            for key in keys
        }
        return {key: owners for key, owners in found.items() if owners}

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
        """Nodes that have a time, in order."""
        found = [
            (node.time, node.ordinal if isinstance(node, Turn) else -1, node.id)
            for node in self._at.nodes.values()
            if node.kind in kinds
            and node.time is not None
            and (start is None or start <= node.time)
            and (end is None or node.time < end)
            and self._allowed(node, where)
        ]
        found.sort(reverse=newest_first)
        return tuple(node_id for _, _, node_id in found[: max(limit, 0)])

    def tail(self, session: str | None, *, limit: int) -> tuple[Turn, ...]:
        """The last turns by ordinal."""
        turns = [t for t in self._turns() if session is None or t.session == session]
        return tuple(turns[max(len(turns) - max(limit, 0), 0) :])

    def by_source(self, message_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Nodes that name the message as a source, and its own turns."""
        found = {
            message: tuple(
                sorted(
                    node.id
                    for node in self._at.nodes.values()
                    if message in node.sources
                    or (isinstance(node, Turn) and node.message_id == message)
                )
            )
            for message in message_ids
        }
        return {message: ids for message, ids in found.items() if ids}

    def fields(self, kind: NodeKind, names: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        """Read off the nodes of ``scan``."""
        return [tuple(getattr(node, name) for name in names) for node in self.scan(kind)]

    def scan(
        self, kind: NodeKind, *, after: str | None = None, limit: int | None = None
    ) -> tuple[Node, ...]:
        """Nodes of one kind in order."""
        nodes: list[Node] = list(self._turns())
        if kind != "turn":
            nodes = sorted(
                (n for n in self._at.nodes.values() if n.kind == kind), key=lambda n: n.id
            )
        if after is not None and kind == "turn":
            if not isinstance(self._at.nodes.get(after), Turn):
                raise InputError(f"scan(after={after!r}) names a turn that is gone; start again")
            nodes = nodes[[n.id for n in nodes].index(after) + 1 :]
        elif after is not None:
            nodes = [n for n in nodes if n.id > after]
        return tuple(nodes if limit is None else nodes[: max(limit, 0)])

    def state(self, key: str) -> str | None:
        """The value last merged."""
        return self._at.state.get(key)

    def changes(self, since: int = 0) -> tuple[ChangeRecord, ...]:
        """The log after ``since``."""
        return tuple(record for record in self._at.log if record.seq > since)

    def stats(self) -> StoreStats:
        """Counted anew."""
        terms = [len(entry.terms) for entry in self._of_kind("turn")]
        return StoreStats(
            seq=self.seq,
            nodes={k: sum(n.kind == k for n in self._at.nodes.values()) for k in NODE_KINDS},
            edges=len(self._at.edges),
            entries={k: len(self._of_kind(k)) for k in ENTRY_KINDS},
            newest=max((t.time for t in self._turns() if t.time is not None), default=None),
            mean_terms=sum(terms) / len(terms) if terms else 0.0,
        )

    def _of_kind(self, kind: EntryKind) -> list[IndexEntry]:
        return [entry for entry in self._at.entries.values() if entry.kind == kind]

    def _turns(self) -> list[Turn]:
        turns = (node for node in self._at.nodes.values() if isinstance(node, Turn))
        return sorted(turns, key=lambda turn: (turn.ordinal, turn.id))

    def _query(self, vector: Vector) -> Vector:
        check_vector(vector, dimension=self._dimension)
        return unit(vector)

    def _allowed(self, node: Node, where: Filter | None) -> bool:
        def turns(message_id: str) -> list[Turn]:
            return [turn for turn in self._turns() if turn.message_id == message_id]

        return where is None or allows(node, where, turns=turns)

    def _best(
        self,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None,
        score: Callable[[IndexEntry], float | None],
    ) -> tuple[Scored, ...]:
        found: list[Scored] = []
        for entry in self._at.entries.values():
            if entry.kind in kinds and self._allowed(self._at.nodes[entry.owner], where):
                value = score(entry)
                if value is not None:
                    found.append(
                        Scored(id=entry.id, owner=entry.owner, kind=entry.kind, score=value)
                    )
        found.sort(key=lambda scored: (-scored.score, scored.id))
        return tuple(found[: max(k, 0)])


class _Bm25:
    """Scores of one query over the entries of one kind."""

    def __init__(self, entries: Sequence[IndexEntry], tokens: Sequence[str]) -> None:
        self._mean = sum(len(e.terms) for e in entries) / len(entries) if entries else 0.0
        self.idf: dict[str, float] = {}
        for token in dict.fromkeys(tokens):
            holding = sum(token in e.terms for e in entries)
            self.idf[token] = math.log(1 + (len(entries) - holding + 0.5) / (holding + 0.5))

    def score(self, entry: IndexEntry) -> float:
        total = 0.0
        for token, idf in self.idf.items():
            count = entry.terms.count(token)
            if count:
                norm = _K1 * (1 - _B + _B * len(entry.terms) / self._mean)
                total += idf * count * (_K1 + 1) / (count + norm)
        return float(np.float32(total))

    def coverage(self, entry: IndexEntry) -> float:
        whole = sum(self.idf.values())
        held = sum(idf for token, idf in self.idf.items() if token in entry.terms)
        return held / whole if whole else 0.0


def _cosine(query: Vector, entry: IndexEntry) -> float | None:
    if entry.vector is None:
        return None
    return float(np.einsum("ij,j->i", entry.vector[None, :], query)[0])


def _touches(edge: Edge, node_id: str, direction: str) -> bool:
    leaves, enters = edge.source == node_id, edge.target == node_id
    return (leaves and direction != "in") or (enters and direction != "out")


def _floats(values: Iterable[float]) -> np.typing.NDArray[np.float32]:
    return np.fromiter(values, dtype=np.float32)
