"""What one scope has in memory: index tables, and nodes and edges that were read lately."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mnemis.indexes.entries import EntrySnapshot, EntryTable
from mnemis.indexes.graph import GraphSnapshot, GraphTable
from mnemis.indexes.sessions import SessionOrder
from mnemis.model.change import ENTRY_KINDS, EntryKind, IndexEntry
from mnemis.model.filter import Filter
from mnemis.model.graph import Edge, Node, Turn
from mnemis.ports.store import StoreStats
from mnemis.stores.codec import decode_edge
from mnemis.stores.sqlite.cache import RecentMap
from mnemis.stores.sqlite.connect import id_list
from mnemis.stores.sqlite.snapshots import SnapshotFile
from mnemis.stores.sqlite.writer import Written

NODE_LIMIT = 200_000
EDGE_LIMIT = 400_000

SAVE_FROM = 500
"""Scopes with fewer index rows have no file; reading the rows takes milliseconds."""
CATCH_UP_ROWS = 2_000
REWRITE_ROWS = 20_000
_FILTERS = 8
_ANSWERS = 100_000  # edges, and nodes asked about, kept as answers for a state


@dataclass(slots=True, eq=False)
class ScopeSnapshot:
    """The indexes of a scope at one sequence number; never changes once published."""

    seq: int
    epoch: int
    entries: Mapping[EntryKind, EntrySnapshot]
    graph: GraphSnapshot
    stats: StoreStats | None = None
    categories: tuple[str, ...] | None = None
    verdicts: dict[Filter, dict[str, bool]] = field(default_factory=dict[Filter, dict[str, bool]])
    answers: dict[object, dict[str, tuple[Edge, ...]]] = field(
        default_factory=dict[object, dict[str, tuple[Edge, ...]]]
    )
    answered: int = 0

    def verdicts_of(self, where: Filter) -> dict[str, bool]:
        """What a filter said of nodes so far in this state; the filters used last are kept."""
        known = self.verdicts.get(where)
        if known is None:
            while len(self.verdicts) >= _FILTERS:
                self.verdicts.pop(next(iter(self.verdicts)), None)
            known = self.verdicts[where] = {}
        return known

    def answers_to(self, asked: object) -> dict[str, tuple[Edge, ...]]:
        """The edges by node that this way of asking gave so far in this state."""
        known = self.answers.get(asked)
        return self.answers.setdefault(asked, {}) if known is None else known

    def keep_answer(self, asked: object, node_id: str, edges: tuple[Edge, ...]) -> None:
        """One more; when they are many all go, and those in use come back."""
        if self.answered > _ANSWERS:
            self.answers, self.answered = {}, 0
        self.answered += 1 + len(edges)
        self.answers_to(asked)[node_id] = edges


EMPTY = ScopeSnapshot(seq=0, epoch=0, entries={}, graph=GraphTable().publish())


class ScopeMemory:
    """One scope's tables. Writers hold ``lock``; readers use a snapshot and the caches."""

    def __init__(self, scope_id: int) -> None:
        self.scope_id = scope_id
        self.lock = threading.RLock()
        self.snapshot: ScopeSnapshot | None = None
        self._tables: dict[EntryKind, EntryTable] = {}
        self._graph = GraphTable()
        self._nodes: RecentMap[tuple[int, Node]] = RecentMap(limit=NODE_LIMIT)
        self._edges: RecentMap[tuple[int, tuple[Edge, ...]]] = RecentMap(limit=EDGE_LIMIT)
        self._sessions: dict[str, tuple[int, SessionOrder]] = {}
        self._touched: dict[str, int] = {}
        self._cache_lock = threading.Lock()
        self.saved_seq = 0
        self.saved_rows = 0

    def load(self, connection: sqlite3.Connection, *, seq: int, epoch: int) -> ScopeSnapshot:
        """Read all entries of the scope anew."""
        self._tables = {}
        self._graph = GraphTable()
        self._put(_read_entries(connection, self.scope_id, after=0))
        self._put_edges(_read_edges(connection, self.scope_id, after=0))
        self._start_caches(seq)
        return self._publish(seq=seq, epoch=epoch)

    def restore(
        self, connection: sqlite3.Connection, file: SnapshotFile, *, seq: int, epoch: int
    ) -> ScopeSnapshot:
        """Take the indexes from a file and catch up; SnapshotUnusable leaves nothing behind."""
        self.drop()
        loaded = file.read(connection, seq=seq, epoch=epoch)
        self._tables, self._graph = loaded.tables, loaded.graph
        self._start_caches(loaded.seq)
        self.saved_seq, self.saved_rows = loaded.seq, self._rows()
        published = self._publish(seq=loaded.seq, epoch=epoch)
        if loaded.seq == seq:
            return published
        return self.catch_up(connection, since=published, seq=seq)

    def save(self, file: SnapshotFile, *, stamp: str) -> None:
        """Write the indexes as they are; OSError leaves the older file."""
        if self.snapshot is None:
            return
        file.write(
            self._tables, self._graph, seq=self.snapshot.seq, epoch=self.snapshot.epoch, stamp=stamp
        )
        self.saved_seq = self.snapshot.seq
        self.saved_rows = self._rows()

    def worth_saving(self, *, closing: bool) -> bool:
        """Whether reading the rows again would cost more than writing the file now.

        While open only when much was added; at the end also a little, unless the file is large.
        """
        rows = self._rows()
        if self.snapshot is None or self.snapshot.seq == self.saved_seq or rows < SAVE_FROM:
            return False
        grown = rows - self.saved_rows
        if closing:
            return grown < 0 or grown > CATCH_UP_ROWS or rows < REWRITE_ROWS
        return grown > max(REWRITE_ROWS, self.saved_rows)

    def _rows(self) -> int:
        return sum(len(table.rows) for table in self._tables.values())

    def catch_up(
        self, connection: sqlite3.Connection, *, since: ScopeSnapshot, seq: int
    ) -> ScopeSnapshot:
        """Take over what another process committed after ``since``."""
        nodes: set[str] = set()
        ends: set[str] = set()
        for put, deleted, gone, edges in connection.execute(
            "SELECT nodes, deleted, deleted_entries, deleted_edges FROM changes"
            " WHERE scope = ? AND seq > ? ORDER BY seq",
            (self.scope_id, since.seq),
        ):
            nodes.update(json.loads(put))
            nodes.update(json.loads(deleted))
            self._delete(json.loads(gone))
            ends |= self._delete_edges(json.loads(edges))
        ends |= self._put_edges(_read_edges(connection, self.scope_id, after=since.seq))
        entries = list(_read_entries(connection, self.scope_id, after=since.seq))
        self._delete(entry.id for entry in entries)
        self._put(entries)
        self._forget_cached(nodes, ends | nodes, seq=seq)
        self._sessions = {}
        return self._publish(seq=seq, epoch=since.epoch)

    def absorb(self, written: Written) -> None:
        """Take over what this process just committed.

        An older snapshot (a view loaded the state before the last commit) is left for the next
        view to catch up.
        """
        if self.snapshot is None or self.snapshot.seq != written.seq - 1:
            return
        self._delete(written.deleted_entries)
        self._delete(written.replaced_entries)
        self._put(written.entries)
        nodes = {node.id for node in written.nodes} | set(written.deleted_nodes)
        ends = self._delete_edges(written.deleted_edges) | self._put_edges(written.edges)
        self._forget_cached(nodes, ends | nodes, seq=written.seq)
        self._extend_sessions(written)
        self._publish(seq=written.seq, epoch=self.snapshot.epoch)
        for node in written.nodes:
            self.keep_node(node, version=written.seq, seq=written.seq)

    def forget_files(self) -> None:
        """Everything on disk was removed: nothing is saved, no row is covered."""
        with self.lock:
            self.saved_seq = self.saved_rows = 0
            for table in self._tables.values():
                table.uncover()
                table.forget_file()

    def tables(self) -> Mapping[EntryKind, EntryTable]:
        """The tables as they are; hold ``lock`` to change anything."""
        return self._tables

    def drop(self) -> None:
        """Forget everything; the next view loads it again."""
        self.snapshot = None
        self._tables = {}
        self._graph = GraphTable()
        self.saved_seq = self.saved_rows = 0

    def node(self, node_id: str, *, seq: int) -> tuple[int, Node] | None:
        """(version, node) as of ``seq`` when it is cached."""
        found = self._nodes.get(node_id)
        return found if found is not None and found[0] <= seq else None

    def nodes(self, ids: Sequence[str], *, seq: int) -> tuple[dict[str, Node], list[str]]:
        """The nodes as of ``seq`` that are cached, and the ids of the others."""
        every = self._nodes.find(ids)
        found = {
            node_id: held[1]
            for node_id, held in zip(ids, every, strict=True)
            if held is not None and held[0] <= seq
        }
        if len(found) == len(ids):
            return found, []
        return found, [node_id for node_id in ids if node_id not in found]

    def keep_node(self, node: Node, *, version: int, seq: int) -> None:
        """Cache a node that a view at ``seq`` read, unless a newer state was published."""
        with self._cache_lock:
            if self.snapshot is not None and self.snapshot.seq == seq:
                self._nodes.put(node.id, (version, node))

    def edges_at(self, node_id: str, *, seq: int) -> tuple[Edge, ...] | None:
        """The sorted edges of a node as of ``seq`` when they are cached."""
        found = self._edges.get(node_id)
        if found is None or seq < found[0]:
            return None
        return found[1]

    def keep_edges(self, node_id: str, edges: tuple[Edge, ...], *, seq: int) -> None:
        """Cache what a view at ``seq`` found, unless a newer state was published."""
        with self._cache_lock:
            if self.snapshot is not None and self.snapshot.seq == seq:
                value = (self._touched.get(node_id, 0), edges)
                self._edges.put(node_id, value, weight=1 + len(edges))

    def session(self, session: str, *, seq: int) -> SessionOrder | None:
        """The order of a session's turns as of ``seq`` when it is cached."""
        found = self._sessions.get(session)
        return None if found is None or seq < found[0] else found[1]

    def keep_session(self, session: str, order: SessionOrder, *, seq: int) -> None:
        """Cache what a view at ``seq`` read, unless a newer state was published."""
        with self._cache_lock:
            if self.snapshot is not None and self.snapshot.seq == seq:
                self._sessions[session] = (seq, order)

    def _extend_sessions(self, written: Written) -> None:
        fresh: dict[str, list[Turn]] = {}
        for node in written.nodes:
            if isinstance(node, Turn):
                fresh.setdefault(node.session, []).append(node)
        with self._cache_lock:
            for session in written.reordered_sessions:
                self._sessions.pop(session, None)
            for session, turns in fresh.items():
                held = self._sessions.pop(session, None)
                longer = None if held is None else held[1].extended(turns)
                if longer is not None:
                    self._sessions[session] = (written.seq, longer)

    def _put(self, entries: Iterable[IndexEntry]) -> None:
        for entry in entries:
            table = self._tables.get(entry.kind)
            if table is None:
                table = self._tables[entry.kind] = EntryTable(by_owner=entry.kind == "part")
            table.put(entry)

    def _delete(self, ids: Iterable[str]) -> None:
        for entry_id in ids:
            for table in self._tables.values():
                table.delete(entry_id)

    def _put_edges(self, edges: Iterable[Edge]) -> set[str]:
        ends: set[str] = set()
        for edge in edges:
            self._graph.put(edge)
            ends.update((edge.source, edge.target))
        return ends

    def _delete_edges(self, keys: Iterable[Sequence[str]]) -> set[str]:
        ends: set[str] = set()
        for source, target, kind in keys:
            self._graph.delete((source, target, kind))
            ends.update((source, target))
        return ends

    def _publish(self, *, seq: int, epoch: int) -> ScopeSnapshot:
        for kind, table in self._tables.items():
            if table.wasteful:
                self._tables[kind] = table.compacted()
        entries: dict[EntryKind, EntrySnapshot] = {
            kind: table.publish() for kind, table in self._tables.items()
        }
        graph = self._graph.publish()
        published = ScopeSnapshot(seq=seq, epoch=epoch, entries=entries, graph=graph)
        with self._cache_lock:
            self.snapshot = published
        return published

    def _start_caches(self, seq: int) -> None:
        with self._cache_lock:
            self._nodes = RecentMap(limit=NODE_LIMIT)
            self._edges = RecentMap(limit=EDGE_LIMIT)
            self._sessions = {}
            self._touched = {}

    def _forget_cached(self, nodes: Iterable[str], ends: Iterable[str], *, seq: int) -> None:
        with self._cache_lock:
            for node_id in nodes:
                self._nodes.drop(node_id)
            for node_id in ends:
                self._touched[node_id] = seq
                self._edges.drop(node_id)


def _read_entries(
    connection: sqlite3.Connection, scope_id: int, *, after: int
) -> Iterator[IndexEntry]:
    for entry_id, kind, owner, terms, names, vector in connection.execute(
        "SELECT id, kind, owner, terms, names, vector FROM entries"
        " WHERE scope = ? AND version > ? ORDER BY row",
        (scope_id, after),
    ):
        yield IndexEntry(
            id=entry_id,
            kind=ENTRY_KINDS[int(kind)],
            owner=owner,
            sources=(),
            terms=tuple(json.loads(terms)),
            vector=None if vector is None else np.frombuffer(vector, dtype="<f4"),
            names=tuple(json.loads(names)),
        )


def _read_edges(connection: sqlite3.Connection, scope_id: int, *, after: int) -> Iterator[Edge]:
    for row in connection.execute(
        "SELECT source, target, type, weight, body FROM edges WHERE scope = ? AND version > ?",
        (scope_id, after),
    ):
        yield decode_edge(*row)


def read_rows(
    connection: sqlite3.Connection, scope_id: int, ids: Iterable[str]
) -> Iterator[tuple[str, int, int, str]]:
    """(id, kind code, version, body) of the nodes that exist."""
    return connection.execute(
        "SELECT id, kind, version, body FROM nodes WHERE scope = ?"
        " AND id IN (SELECT value FROM json_each(?))",
        (scope_id, id_list(ids)),
    )
