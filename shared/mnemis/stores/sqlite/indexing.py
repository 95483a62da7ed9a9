"""The indexes of all scopes: loaded when first asked for, kept in step with commits, saved.

Locks are taken in this order: the store's write lock, a scope's lock, the lock of the map.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable

from mnemis.indexes.snapshot import SnapshotUnusable
from mnemis.model.change import Scope
from mnemis.stores.sqlite.builder import VectorBuilder
from mnemis.stores.sqlite.folder import Folder
from mnemis.stores.sqlite.memory import EMPTY, ScopeMemory, ScopeSnapshot
from mnemis.stores.sqlite.meta import read_identity
from mnemis.stores.sqlite.snapshots import open_file
from mnemis.stores.sqlite.writer import Written, scope_row

MOST_SCOPES = 512
"""So many scopes stay loaded; the one not asked for longest goes first."""


class ScopeIndexes:
    """What views and the writer share; ``writer`` is None when the store is read-only."""

    def __init__(
        self,
        folder: Folder,
        *,
        writer: sqlite3.Connection | None,
        exact: int,
        check: Callable[[sqlite3.Connection], None],
    ) -> None:
        """``check`` raises when the stored vectors are not this store's embedder's."""
        self._folder = folder
        self._writer = writer
        self._check = check
        self._memories: dict[int, ScopeMemory] = {}
        self._lock = threading.Lock()
        self._notices: deque[str] = deque(maxlen=100)
        self._builder = None
        if writer is not None:
            self._builder = VectorBuilder(
                folder.indexes / "chroma",
                identity=read_identity(writer),
                exact=exact,
                note=self._notices.append,
            )

    def notices(self) -> tuple[str, ...]:
        """What had to be rebuilt or could not be written, oldest first."""
        return tuple(self._notices)

    def begin(
        self, connection: sqlite3.Connection, scope: Scope
    ) -> tuple[ScopeMemory, ScopeSnapshot]:
        """Begin a read transaction and find the snapshot of the same sequence number."""
        while True:
            connection.execute("BEGIN")
            row = scope_row(connection, scope)
            if row is None:
                return ScopeMemory(-1), EMPTY
            scope_id, seq, epoch, _ = row
            memory = self._memory(scope_id)
            snapshot = memory.snapshot
            if snapshot is not None and (snapshot.seq, snapshot.epoch) == (seq, epoch):
                return memory, snapshot
            with memory.lock:
                snapshot = memory.snapshot
                if snapshot is None or snapshot.epoch != epoch:
                    return memory, self._load(connection, memory, seq=seq, epoch=epoch)
                if snapshot.seq == seq:
                    return memory, snapshot
                if snapshot.seq < seq:
                    return memory, memory.catch_up(connection, since=snapshot, seq=seq)
            connection.execute("ROLLBACK")  # a newer state was published meanwhile

    def commit(self, connection: sqlite3.Connection, written: Written) -> None:
        """Commit and publish together, so that views meet rows and indexes of one seq."""
        memory = self._memory(written.scope_id)
        with memory.lock:
            connection.execute("COMMIT")
            try:
                memory.absorb(written)
            except Exception as error:  # noqa: BLE001 the change is durable whatever happens here
                memory.drop()
                self._notices.append(
                    f"indexes of scope {written.scope_id} are read anew: {error!r}"
                )
        if memory.worth_saving(closing=False):
            self._save(memory)
        self._consider(memory)

    def rewrite(self) -> None:
        """Remove every file and write what is worth it, without what was deleted."""
        if self._builder is not None:
            self._builder.discard()
        for path in self._folder.indexes.glob("scope-*"):
            path.unlink()
        for memory in self._all():
            memory.forget_files()
            self._consider(memory)
            if memory.worth_saving(closing=True):
                self._save(memory)

    def drop_all(self) -> None:
        """All vectors were replaced: nothing derived from the old ones is of use."""
        if self._builder is not None:
            self._builder.discard()
        for memory in self._all():
            with memory.lock:
                memory.drop()

    def wait(self) -> None:
        """Until the approximate index has what was written so far."""
        if self._builder is not None:
            self._builder.wait()

    def close(self) -> None:
        """Stop copying and save what is worth it."""
        if self._builder is not None:
            self._builder.close()
        for memory in self._all():
            if memory.worth_saving(closing=True):
                self._save(memory)

    def _all(self) -> tuple[ScopeMemory, ...]:
        with self._lock:
            return tuple(self._memories.values())

    def _memory(self, scope_id: int) -> ScopeMemory:
        with self._lock:
            memory = self._memories.pop(scope_id, None) or ScopeMemory(scope_id)
            self._memories[scope_id] = memory
            if len(self._memories) > MOST_SCOPES:
                del self._memories[next(iter(self._memories))]
            return memory

    def _load(
        self, connection: sqlite3.Connection, memory: ScopeMemory, *, seq: int, epoch: int
    ) -> ScopeSnapshot:
        self._check(connection)
        file = open_file(self._folder.indexes, memory.scope_id, connection)
        try:
            snapshot = memory.restore(connection, file, seq=seq, epoch=epoch)
        except SnapshotUnusable as reason:
            if file.path.exists():
                self._notices.append(f"{str(file.path)!r} was not used and is built anew: {reason}")
            snapshot = memory.load(connection, seq=seq, epoch=epoch)
        self._consider(memory)
        return snapshot

    def _consider(self, memory: ScopeMemory) -> None:
        if self._builder is not None:
            self._builder.consider(memory)

    def _save(self, memory: ScopeMemory) -> None:
        if self._writer is None:
            return
        with memory.lock:
            seq = 0 if memory.snapshot is None else memory.snapshot.seq
            row = self._writer.execute(
                "SELECT id FROM changes WHERE scope = ? AND seq = ?", (memory.scope_id, seq)
            ).fetchone()
            file = open_file(self._folder.indexes, memory.scope_id, self._writer)
            try:
                memory.save(file, stamp=row[0])
            except OSError as error:
                self._notices.append(f"{str(file.path)!r} could not be written: {error}")
