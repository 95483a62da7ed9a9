"""Reading rows of one scope inside one read transaction."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from mnemis.errors import InputError
from mnemis.indexes.sessions import SessionOrder, stretches
from mnemis.model.change import ENTRY_KINDS, ChangeRecord
from mnemis.model.filter import Filter, allows
from mnemis.model.graph import NODE_KINDS, Edge, Node, NodeKind, Turn
from mnemis.ports.store import StoreStats, Surroundings
from mnemis.stores.codec import decode_edge, decode_node, field_reader, microseconds
from mnemis.stores.sqlite.connect import id_list
from mnemis.stores.sqlite.memory import ScopeMemory, ScopeSnapshot, read_rows
from mnemis.stores.sqlite.writer import KIND_CODES

_CHUNK = 256


class RowReader:
    """Nodes and edges by way of the scope's caches; everything else straight from the tables."""

    def __init__(self, connection: sqlite3.Connection, memory: ScopeMemory, seq: int) -> None:
        self._connection = connection
        self._memory = memory
        self._scope = memory.scope_id
        self._seq = seq
        self._of_message: dict[str, tuple[Turn, ...]] = {}

    def get(self, ids: Sequence[str]) -> dict[str, Node]:
        """The nodes that exist, in the order asked."""
        found, missing = self._memory.nodes(ids, seq=self._seq)
        if not missing:
            return found
        read = self._read(missing)
        return {i: node for i in ids if (node := found.get(i) or read.get(i)) is not None}

    def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The seq that last wrote each."""
        cached, seq = self._memory.node, self._seq
        found = {i: hit[0] for i in ids if (hit := cached(i, seq=seq)) is not None}
        unknown = [i for i in ids if i not in found]
        if unknown:
            found.update(
                self._connection.execute(
                    "SELECT id, version FROM nodes WHERE scope = ?"
                    " AND id IN (SELECT value FROM json_each(?))",
                    (self._scope, id_list(unknown)),
                )
            )
        return {i: found.get(i, 0) for i in ids}

    def exists(self, ids: Sequence[str]) -> set[str]:
        """Which of these nodes are there."""
        unknown = [i for i in ids if self._memory.node(i, seq=self._seq) is None]
        missing = {i for i, version in self.versions(unknown).items() if not version}
        return set(ids) - missing

    def edges(self, sources: Sequence[str] | None) -> tuple[Edge, ...]:
        """Complete edges by key."""
        query = "SELECT source, target, type, weight, body FROM edges WHERE scope = ?"
        parameters: tuple[object, ...] = (self._scope,)
        if sources is not None:
            query += " AND source IN (SELECT value FROM json_each(?))"
            parameters = (self._scope, id_list(sources))
        query += " ORDER BY source, target, type"
        return tuple(decode_edge(*row) for row in self._connection.execute(query, parameters))

    def timeline(
        self,
        start: datetime | None,
        end: datetime | None,
        *,
        kinds: Sequence[NodeKind],
        limit: int,
        newest_first: bool,
        where: Filter | None,
    ) -> tuple[str, ...]:
        """Ids of nodes in a range of time."""
        order = "DESC" if newest_first else "ASC"
        query = ["SELECT id FROM nodes WHERE scope = ? AND time IS NOT NULL"]
        parameters: list[object] = [self._scope]
        if start is not None:
            query.append("AND time >= ?")
            parameters.append(microseconds(start))
        if end is not None:
            query.append("AND time < ?")
            parameters.append(microseconds(end))
        query.append("AND kind IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps([KIND_CODES[kind] for kind in kinds]))
        query.append(f"ORDER BY time {order}, ordinal {order}, id {order}")
        if where is None:
            query.append("LIMIT ?")
            parameters.append(max(limit, 0))
        cursor = self._connection.execute(" ".join(query), parameters)
        found: list[str] = []
        while len(found) < limit and (chunk := [i for (i,) in cursor.fetchmany(_CHUNK)]):
            allowed = frozenset(chunk) if where is None else self.allowed(chunk, where)
            found.extend(i for i in chunk if i in allowed)
        return tuple(found[: max(limit, 0)])

    def tail(self, session: str | None, *, limit: int) -> tuple[Turn, ...]:
        """The last turns, oldest first."""
        condition = "" if session is None else " AND session = ?"
        rows = self._connection.execute(
            f"SELECT id FROM nodes WHERE scope = ? AND kind = 0{condition}"
            " ORDER BY ordinal DESC, id DESC LIMIT ?",
            (self._scope, *(() if session is None else (session,)), max(limit, 0)),
        ).fetchall()
        nodes = self.get([i for (i,) in reversed(rows)])
        return tuple(node for node in nodes.values() if isinstance(node, Turn))

    def surroundings(self, ids: Sequence[str], *, radius: int) -> Surroundings:
        """Turns within ``radius`` places of these in their sessions."""
        asked: dict[str, dict[str, int]] = {}
        for node in self.get(ids).values():
            if isinstance(node, Turn):
                asked.setdefault(node.session, {})[node.id] = node.ordinal
        near: list[str] = []
        starts: list[int] = []
        place_of: dict[str, int] = {}
        for session in sorted(asked):
            order = self._session(session)
            places = {i: order.place(i, ordinal) for i, ordinal in asked[session].items()}
            base: dict[int, int] = {}
            for start, end in stretches(sorted(places.values()), radius, len(order)):
                starts.append(len(near))
                base.update((place, len(near) + place - start) for place in range(start, end))
                near.extend(order.ids(start, end))
            place_of.update((i, base[place]) for i, place in places.items())
        return Surroundings(
            ids=tuple(near),
            places=np.array([place_of.get(i, -1) for i in ids], dtype=np.int64),
            starts=np.array(starts, dtype=np.int64),
        )

    def by_source(self, message_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Ids of all nodes that rest on each message, sorted."""
        found: dict[str, list[str]] = {}
        for source, node in self._connection.execute(
            "SELECT source, node FROM sources WHERE scope = ?"
            " AND source IN (SELECT value FROM json_each(?)) ORDER BY source, node",
            (self._scope, id_list(message_ids)),
        ):
            found.setdefault(source, []).append(node)
        return {i: tuple(found[i]) for i in message_ids if i in found}

    def scan(self, kind: NodeKind, *, after: str | None, limit: int | None) -> tuple[Node, ...]:
        """Nodes of one kind in order."""
        query = "SELECT id FROM nodes WHERE scope = ? AND kind = ?"
        parameters: list[object] = [self._scope, KIND_CODES[kind]]
        if after is not None:
            query += " AND (ordinal, id) > (?, ?)"
            parameters += [self._ordinal(after) if kind == "turn" else -1, after]
        query += " ORDER BY ordinal, id LIMIT ?"
        parameters.append(-1 if limit is None else max(limit, 0))
        ids = [i for (i,) in self._connection.execute(query, parameters)]
        return tuple(self.get(ids).values())

    def fields(self, kind: NodeKind, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Some fields of all nodes of one kind in order, past the cache."""
        read = field_reader(kind, names)
        for node_id, body in self._connection.execute(
            "SELECT id, body FROM nodes WHERE scope = ? AND kind = ? ORDER BY ordinal, id",
            (self._scope, KIND_CODES[kind]),
        ):
            yield read(sys.intern(node_id), body)

    def state(self, key: str) -> str | None:
        """A value of the scope's state."""
        row = self._connection.execute(
            "SELECT value FROM state WHERE scope = ? AND key = ?", (self._scope, key)
        ).fetchone()
        return None if row is None else row[0]

    def changes(self, since: int) -> tuple[ChangeRecord, ...]:
        """The log, oldest first."""
        rows = self._connection.execute(
            "SELECT seq, id, purpose, time, nodes, deleted FROM changes"
            " WHERE scope = ? AND seq > ? ORDER BY seq",
            (self._scope, since),
        )
        return tuple(
            ChangeRecord(
                seq=seq,
                change_id=change_id,
                purpose=purpose,
                time=datetime.fromisoformat(time),
                nodes=tuple(json.loads(nodes)),
                deleted=tuple(json.loads(deleted)),
            )
            for seq, change_id, purpose, time, nodes, deleted in rows
        )

    def stats(self, snapshot: ScopeSnapshot) -> StoreStats:
        """Sizes of the scope."""
        counts: dict[int, int] = dict(
            self._connection.execute(
                "SELECT kind, count(*) FROM nodes WHERE scope = ? GROUP BY kind", (self._scope,)
            )
        )
        newest = self.timeline(None, None, kinds=("turn",), limit=1, newest_first=True, where=None)
        turns = snapshot.entries.get("turn")
        living = {kind: int(table.rows.alive.sum()) for kind, table in snapshot.entries.items()}
        return StoreStats(
            seq=self._seq,
            nodes={kind: counts.get(code, 0) for kind, code in KIND_CODES.items()},
            edges=snapshot.graph.living,
            entries={kind: living.get(kind, 0) for kind in ENTRY_KINDS},
            newest=self.get(newest)[newest[0]].time if newest else None,
            mean_terms=0.0 if turns is None else turns.lexical.mean,
        )

    def allowed(self, ids: Iterable[str], where: Filter) -> set[str]:
        """Which of these nodes a filter lets through."""
        nodes = self.get(tuple(dict.fromkeys(ids)))
        derived = {
            source
            for node in nodes.values()
            if not isinstance(node, Turn)
            for source in node.sources
            if source not in self._of_message
        }
        if derived:
            self._read_messages(derived)
        return {
            node_id
            for node_id, node in nodes.items()
            if allows(node, where, turns=lambda message: self._of_message.get(message, ()))
        }

    def _read(self, ids: Sequence[str]) -> dict[str, Node]:
        asked = frozenset(ids)
        found: dict[str, Node] = {}
        for node_id, kind, version, body in read_rows(self._connection, self._scope, ids):
            if node_id in asked:
                # Indexes hold the same ids: one object each costs less and is compared at once.
                node_id = sys.intern(node_id)
                node = found[node_id] = decode_node(NODE_KINDS[kind], node_id, body)
                self._memory.keep_node(node, version=version, seq=self._seq)
        return found

    def _read_messages(self, messages: set[str]) -> None:
        rows = self._connection.execute(
            "SELECT id, message FROM nodes WHERE scope = ? AND kind = 0"
            " AND message IN (SELECT value FROM json_each(?))",
            (self._scope, id_list(sorted(messages))),
        ).fetchall()
        nodes = self.get([node_id for node_id, _ in rows])
        gathered: dict[str, list[Turn]] = {message: [] for message in messages}
        for node_id, message in rows:
            turn = nodes[node_id]
            if isinstance(turn, Turn) and message in gathered:
                gathered[message].append(turn)
        self._of_message.update({message: tuple(turns) for message, turns in gathered.items()})

    def _session(self, session: str) -> SessionOrder:
        order = self._memory.session(session, seq=self._seq)
        if order is None:
            rows = self._connection.execute(
                "SELECT id, ordinal FROM nodes WHERE scope = ? AND session = ? AND kind = 0"
                " ORDER BY ordinal, id",
                (self._scope, session),
            ).fetchall()
            order = SessionOrder.of(rows)
            self._memory.keep_session(session, order, seq=self._seq)
        return order

    def _ordinal(self, turn_id: str) -> int:
        row = self._connection.execute(
            "SELECT ordinal FROM nodes WHERE scope = ? AND id = ? AND kind = 0",
            (self._scope, turn_id),
        ).fetchone()
        if row is None:
            raise InputError(f"scan(after={turn_id!r}) names a turn that is gone; start again")
        return int(row[0])
