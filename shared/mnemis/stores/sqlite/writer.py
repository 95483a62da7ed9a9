"""Writing one change inside one SQLite transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from mnemis.errors import Conflict, DanglingEdge
from mnemis.model.change import ENTRY_KINDS, Change, IndexEntry, Scope
from mnemis.model.graph import NODE_KINDS, Edge, EdgeKey, Node, Turn
from mnemis.stores.checks import check_entries
from mnemis.stores.codec import (
    decode_scope,
    dump_json,
    encode_edge,
    encode_node,
    encode_scope,
    microseconds,
)
from mnemis.stores.sqlite.connect import id_list

KIND_CODES: dict[str, int] = {kind: code for code, kind in enumerate(NODE_KINDS)}
ENTRY_CODES: dict[str, int] = {kind: code for code, kind in enumerate(ENTRY_KINDS)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Written:
    """What a change did to the rows, for whatever is derived from them."""

    scope_id: int
    seq: int
    stamp: str
    nodes: tuple[Node, ...]
    deleted_nodes: tuple[str, ...]
    entries: tuple[IndexEntry, ...]
    deleted_entries: tuple[str, ...]
    replaced_entries: tuple[str, ...]
    edges: tuple[Edge, ...]
    deleted_edges: tuple[EdgeKey, ...]
    reordered_sessions: frozenset[str]


def scope_row(connection: sqlite3.Connection, scope: Scope) -> tuple[int, int, int, str] | None:
    """(id, seq, epoch, stamp) of a scope, None when it was never written."""
    row: tuple[int, int, int, str] | None = connection.execute(
        "SELECT id, seq, epoch, stamp FROM scopes WHERE labels = ?", (encode_scope(scope),)
    ).fetchone()
    return row


def scope_labels(connection: sqlite3.Connection, scope_id: int) -> Scope:
    """The labels of a scope's integer."""
    row = connection.execute("SELECT labels FROM scopes WHERE id = ?", (scope_id,)).fetchone()
    return decode_scope(row[0])


def write(
    connection: sqlite3.Connection,
    scope: Scope,
    change: Change,
    *,
    now: datetime,
    dimension: int | None,
) -> Written | int:
    """Write a change; the caller commits or rolls back.

    A repeat writes nothing and returns the scope's seq. Raises Conflict and InputError.
    """
    row = scope_row(connection, scope)
    if row is None:
        cursor = connection.execute(
            "INSERT INTO scopes (labels) VALUES (?)", (encode_scope(scope),)
        )
        assert cursor.lastrowid is not None
        scope_id, seq = cursor.lastrowid, 0
    else:
        scope_id, seq = row[0], row[1]
        if _is_repeat(connection, scope_id, change.id):
            return seq
    _refuse_conflicts(connection, scope_id, change)
    return _Writer(connection, scope_id, seq + 1).run(change, now=now, dimension=dimension)


def queue_job(connection: sqlite3.Connection, scope_id: int, kind: str, now: datetime) -> None:
    """Queue a job unless one of its kind waits."""
    connection.execute(
        "INSERT OR IGNORE INTO jobs (scope, kind, status, queued_at) VALUES (?, ?, 'queued', ?)",
        (scope_id, kind, now.isoformat()),
    )


def _is_repeat(connection: sqlite3.Connection, scope_id: int, change_id: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM changes WHERE scope = ? AND id = ?", (scope_id, change_id)
    ).fetchone()
    return found is not None


def _refuse_conflicts(connection: sqlite3.Connection, scope_id: int, change: Change) -> None:
    if change.read_versions:
        found: dict[str, int] = dict(
            connection.execute(
                "SELECT id, version FROM nodes WHERE scope = ?"
                " AND id IN (SELECT value FROM json_each(?))",
                (scope_id, id_list(change.read_versions)),
            )
        )
        for node_id, version in change.read_versions.items():
            if found.get(node_id, 0) != version:
                raise Conflict(
                    f"{node_id!r} is at version {found.get(node_id, 0)}, the change "
                    f"{change.id!r} was computed from {version}; compute it again"
                )
    if change.sources:
        present = {
            message
            for (message,) in connection.execute(
                "SELECT message FROM nodes WHERE scope = ? AND kind = 0"
                " AND message IN (SELECT value FROM json_each(?))",
                (scope_id, id_list(change.sources)),
            )
        }
        for source in sorted(change.sources - present):
            raise Conflict(f"message {source!r} is gone, the change {change.id!r} rests on it")


class _Writer:
    """One change on its way into the tables."""

    def __init__(self, connection: sqlite3.Connection, scope_id: int, seq: int) -> None:
        self._connection = connection
        self._scope = scope_id
        self._seq = seq
        self._reordered: set[str] = set()

    def run(self, change: Change, *, now: datetime, dimension: int | None) -> Written:
        nodes = tuple({node.id: node for node in change.nodes}.values())
        edges = tuple({edge.key: edge for edge in change.edges}.values())
        deleted, gone_edges, gone_entries = self._delete(change)
        self._put_nodes(nodes)
        self._refuse_dangling(change, {node.id for node in nodes})
        self._put_edges(edges)
        entries, replaced = self._put_entries(change.entries, dimension=dimension)
        self._connection.executemany(
            "INSERT OR REPLACE INTO state (scope, key, value) VALUES (?, ?, ?)",
            ((self._scope, key, value) for key, value in change.state.items()),
        )
        for kind in change.jobs:
            queue_job(self._connection, self._scope, kind, now)
        self._log(change, now, nodes, deleted, gone_edges, gone_entries)
        return Written(
            scope_id=self._scope,
            seq=self._seq,
            stamp=change.id,
            nodes=nodes,
            deleted_nodes=deleted,
            entries=entries,
            deleted_entries=gone_entries,
            replaced_entries=replaced,
            edges=edges,
            deleted_edges=gone_edges,
            reordered_sessions=frozenset(self._reordered),
        )

    def _delete(
        self, change: Change
    ) -> tuple[tuple[str, ...], tuple[EdgeKey, ...], tuple[str, ...]]:
        deleted = self._existing("nodes", change.delete_nodes)
        gone_edges: dict[EdgeKey, None] = {}
        gone_entries: dict[str, None] = {}
        if deleted:
            parameters = (self._scope, id_list(deleted))
            for column in ("source", "target"):
                for key in self._connection.execute(
                    f"DELETE FROM edges WHERE scope = ? AND {column} IN"
                    " (SELECT value FROM json_each(?)) RETURNING source, target, type",
                    parameters,
                ).fetchall():
                    gone_edges[key] = None
            for (entry_id,) in self._connection.execute(
                "DELETE FROM entries WHERE scope = ? AND owner IN"
                " (SELECT value FROM json_each(?)) RETURNING id",
                parameters,
            ).fetchall():
                gone_entries[entry_id] = None
            self._delete_nodes(deleted)
        for key in change.delete_edges:
            if self._connection.execute(
                "DELETE FROM edges WHERE scope = ? AND source = ? AND target = ? AND type = ?",
                (self._scope, *key),
            ).rowcount:
                gone_edges[key] = None
        loose = self._existing("entries", change.delete_entries)
        self._connection.executemany(
            "DELETE FROM entries WHERE scope = ? AND id = ?", ((self._scope, i) for i in loose)
        )
        return deleted, tuple(gone_edges), (*gone_entries, *loose)

    def _existing(self, table: str, ids: Sequence[str]) -> tuple[str, ...]:
        if not ids:
            return ()
        found = {
            i
            for (i,) in self._connection.execute(
                f"SELECT id FROM {table} WHERE scope = ?"
                " AND id IN (SELECT value FROM json_each(?))",
                (self._scope, id_list(ids)),
            )
        }
        return tuple(dict.fromkeys(i for i in ids if i in found))

    def _delete_nodes(self, ids: Sequence[str]) -> None:
        for node_id in ids:
            self._forget_sources(node_id)
        self._connection.executemany(
            "DELETE FROM nodes WHERE scope = ? AND id = ?", ((self._scope, i) for i in ids)
        )

    def _forget_sources(self, node_id: str) -> None:
        row = self._connection.execute(
            "SELECT message, json_extract(body, '$.sources'), session FROM nodes"
            " WHERE scope = ? AND id = ?",
            (self._scope, node_id),
        ).fetchone()
        if row[2] is not None:
            self._reordered.add(row[2])
        self._connection.execute(
            "DELETE FROM sources WHERE scope = ?1 AND node = ?2 AND source IN"
            " (SELECT value FROM json_each(coalesce(?3, '[]')) UNION ALL SELECT ?4)",
            (self._scope, node_id, row[1], row[0]),
        )

    def _put_nodes(self, nodes: Sequence[Node]) -> None:
        replaced = self._existing("nodes", [node.id for node in nodes])
        self._delete_nodes(replaced)
        self._connection.executemany(
            "INSERT INTO nodes (scope, id, kind, version, time, ordinal, session, message, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._node_row(node) for node in nodes),
        )
        self._connection.executemany(
            "INSERT OR IGNORE INTO sources (scope, source, node) VALUES (?, ?, ?)",
            ((self._scope, source, node.id) for node in nodes for source in _rests_on(node)),
        )

    def _node_row(self, node: Node) -> tuple[object, ...]:
        turn = node if isinstance(node, Turn) else None
        return (
            self._scope,
            node.id,
            KIND_CODES[node.kind],
            self._seq,
            None if node.time is None else microseconds(node.time),
            -1 if turn is None else turn.ordinal,
            None if turn is None else turn.session,
            None if turn is None else turn.message_id,
            encode_node(node),
        )

    def _refuse_dangling(self, change: Change, fresh: set[str]) -> None:
        ends = {end for edge in change.edges for end in edge.key[:2]} - fresh
        owners = {entry.owner for entry in change.entries} - fresh
        present = set(self._existing("nodes", sorted(ends | owners)))
        if not present >= ends:
            for edge in change.edges:
                for end in edge.key[:2]:
                    if end not in present and end not in fresh:
                        raise DanglingEdge(f"edge {edge.key!r} ends at {end!r}, which is not there")
        if not present >= owners:
            for entry in change.entries:
                if entry.owner not in present and entry.owner not in fresh:
                    raise DanglingEdge(
                        f"entry {entry.id!r} belongs to {entry.owner!r}, which is not there"
                    )

    def _put_edges(self, edges: Sequence[Edge]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO edges (scope, source, target, type, weight, version, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((self._scope, *edge.key, edge.weight, self._seq, encode_edge(edge)) for edge in edges),
        )

    def _put_entries(
        self, entries: Sequence[IndexEntry], *, dimension: int | None
    ) -> tuple[tuple[IndexEntry, ...], tuple[str, ...]]:
        checked = check_entries(entries, dimension=dimension)
        last = {entry.id: place for place, entry in enumerate(checked)}
        stored = tuple(entry for place, entry in enumerate(checked) if last[entry.id] == place)
        replaced = self._existing("entries", [entry.id for entry in stored])
        self._connection.executemany(
            "DELETE FROM entries WHERE scope = ? AND id = ?", ((self._scope, i) for i in replaced)
        )
        self._connection.executemany(
            "INSERT INTO entries (scope, id, kind, owner, version, terms, names, sources, vector)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._entry_row(entry) for entry in stored),
        )
        return stored, replaced

    def _entry_row(self, entry: IndexEntry) -> tuple[object, ...]:
        vector = entry.vector
        return (
            self._scope,
            entry.id,
            ENTRY_CODES[entry.kind],
            entry.owner,
            self._seq,
            dump_json(entry.terms),
            dump_json(entry.names),
            dump_json(entry.sources),
            None if vector is None else np.ascontiguousarray(vector, dtype="<f4").tobytes(),
        )

    def _log(
        self,
        change: Change,
        now: datetime,
        nodes: Iterable[Node],
        deleted: Sequence[str],
        gone_edges: Sequence[EdgeKey],
        gone_entries: Sequence[str],
    ) -> None:
        self._connection.execute(
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._scope,
                self._seq,
                change.id,
                change.purpose,
                now.isoformat(),
                dump_json([node.id for node in nodes]),
                dump_json(deleted),
                dump_json(gone_entries),
                dump_json(gone_edges),
            ),
        )
        self._connection.execute(
            "UPDATE scopes SET seq = ?, stamp = ? WHERE id = ?",
            (self._seq, change.id, self._scope),
        )


def _rests_on(node: Node) -> tuple[str, ...]:
    if isinstance(node, Turn):
        return tuple(dict.fromkeys((*node.sources, node.message_id)))
    return tuple(dict.fromkeys(node.sources))
