"""The embedded store: wiring of folder, connections, writer, indexes and views."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from mnemis.config import Config
from mnemis.errors import ReadOnlyStore, StoreClosed
from mnemis.model.change import Change, EntryKind, Job, Receipt, Scope, Vector
from mnemis.ports.clock import Clock, SystemClock
from mnemis.ports.embedder import Fingerprint
from mnemis.ports.store import Capabilities, View
from mnemis.stores.checks import check_change, check_scope
from mnemis.stores.codec import decode_scope
from mnemis.stores.sqlite import jobs, meta, reindex
from mnemis.stores.sqlite.connect import ReaderPool, mapped, open_reader, open_writer
from mnemis.stores.sqlite.folder import Folder, WriterLock, inspect, reachable
from mnemis.stores.sqlite.indexing import ScopeIndexes
from mnemis.stores.sqlite.rows import RowReader
from mnemis.stores.sqlite.schema import check_library, migrate
from mnemis.stores.sqlite.view import SqliteView
from mnemis.stores.sqlite.writer import write


class SqliteStore:
    """A folder on disk; one process writes it, any number read it. Open it with ``open``."""

    def __init__(
        self,
        folder: Folder,
        *,
        writer: sqlite3.Connection | None,
        lock: WriterLock | None,
        fingerprint: Fingerprint | None,
        config: Config,
        clock: Clock,
    ) -> None:
        self._folder = folder
        self._writer = writer
        self._lock = lock
        self._fingerprint = fingerprint
        self._clock = clock
        self._write_lock = threading.RLock()
        self._readers = ReaderPool(folder)
        self._indexes = ScopeIndexes(
            folder, writer=writer, exact=config.exact_vectors, check=self._check_embedder
        )
        self._process = os.getpid()
        self._closed = False

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        fingerprint: Fingerprint | None,
        config: Config,
        read_only: bool = False,
        clock: Clock | None = None,
    ) -> SqliteStore:
        """Open or create the memory in a folder.

        ``fingerprint`` None skips the check of the embedder, for tools that replace vectors.
        Raises NotAStore, FormatError, StoreLocked, StoreDamaged, StoreFull, EmbedderMismatch.
        """
        check_library()
        folder = Folder(Path(path))
        with reachable(folder):
            inspect(folder, read_only=read_only)
            if read_only:
                _check_readable(folder, fingerprint)
                writer, lock = None, None
            else:
                writer, lock = _open_for_writing(folder, fingerprint, timeout=config.lock_timeout)
        return cls(
            folder,
            writer=writer,
            lock=lock,
            fingerprint=fingerprint,
            config=config,
            clock=clock or SystemClock(),
        )

    @property
    def capabilities(self) -> Capabilities:
        """Durable; vectors exact up to ``config.exact_vectors``."""
        return Capabilities(durable=True, exact_vectors=True, many_writers=False)

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """Write a change in one synced transaction."""
        check_scope(scope)
        check_change(change)
        with self._writing() as connection:
            written = write(
                connection, scope, change, now=self._clock.now(), dimension=self._dimension()
            )
            if isinstance(written, int):
                return Receipt(seq=written, applied=False)
            self._indexes.commit(connection, written)
        return Receipt(seq=written.seq, applied=True)

    @contextmanager
    def view(self, scope: Scope) -> Generator[View]:
        """A read transaction and the index snapshot of the same sequence number."""
        check_scope(scope)
        self._check_open()
        with mapped(self._folder), self._readers.lend() as connection:
            memory, snapshot = self._indexes.begin(connection, scope)
            rows = RowReader(connection, memory, snapshot.seq)
            yield SqliteView(rows, memory, snapshot, dimension=self._dimension())

    def scopes(self) -> tuple[Scope, ...]:
        """Scopes that hold a node or a job, sorted."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT labels FROM scopes WHERE"
                " EXISTS (SELECT 1 FROM nodes WHERE nodes.scope = scopes.id)"
                " OR EXISTS (SELECT 1 FROM jobs WHERE jobs.scope = scopes.id)"
            )
            return tuple(sorted(decode_scope(labels) for (labels,) in rows))

    def claim(
        self, *, owner: str, now: datetime, lease: timedelta, scope: Scope | None = None
    ) -> Job | None:
        """Take the oldest free job."""
        with self._writing() as connection:
            return jobs.claim(connection, owner=owner, now=now, lease=lease, scope=scope)

    def renew(self, job: Job, *, now: datetime, lease: timedelta) -> bool:
        """Prolong a lease."""
        with self._writing() as connection:
            return jobs.renew(connection, job, now=now, lease=lease)

    def finish(self, job: Job, *, error: str = "") -> None:
        """Remove a job or mark it failed."""
        with self._writing() as connection:
            jobs.finish(connection, job, error=error)

    def jobs(self, *, scope: Scope | None = None) -> tuple[Job, ...]:
        """Queued, running and failed jobs, oldest first."""
        with self._reading() as connection:
            return jobs.list_jobs(connection, scope=scope)

    def scrub(self) -> None:
        """Fold the log in, rewrite the database without free pages and the index files."""
        with self._write_lock, mapped(self._folder):
            connection = self._check_writable()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._indexes.rewrite()

    def replace_vectors(
        self, fingerprint: Fingerprint, vectors: Iterable[tuple[Scope, Mapping[str, Vector]]]
    ) -> None:
        """Put another embedder's vectors in place of all there are, in one transaction.

        ``vectors`` gives, scope by scope and as often as wanted, vectors by entry id; it may read
        views meanwhile. Entries that get none have none after. Raises InputError for a wrong
        shape; nothing is changed then.
        """
        with self._writing() as connection:
            reindex.replace_vectors(connection, fingerprint, vectors)
            connection.execute("COMMIT")
            self._fingerprint = fingerprint
            self._indexes.drop_all()

    def entry_ids(self, scope: Scope) -> tuple[tuple[str, EntryKind, str], ...]:
        """(id, kind, owner) of every entry of a scope, in the order they were put."""
        check_scope(scope)
        with self._reading() as connection:
            return reindex.entry_ids(connection, scope)

    def files(self) -> tuple[str, ...]:
        """Every file of the folder."""
        return tuple(sorted(str(p) for p in self._folder.path.rglob("*") if p.is_file()))

    def notices(self) -> tuple[str, ...]:
        """What had to be rebuilt or could not be written since it was opened, oldest first."""
        return self._indexes.notices()

    def wait_for_indexes(self) -> None:
        """Until vectors of large scopes that were written so far are in their approximate index."""
        self._indexes.wait()

    def close(self) -> None:
        """Close connections and free the lock."""
        with self._write_lock:
            if self._closed:
                return
            self._indexes.close()
            self._closed = True
            self._readers.close()
            if self._writer is not None:
                self._writer.close()
            if self._lock is not None:
                self._lock.release()

    def _dimension(self) -> int | None:
        return None if self._fingerprint is None else self._fingerprint.dimension

    def _check_embedder(self, connection: sqlite3.Connection) -> None:
        meta.check_fingerprint(connection, self._fingerprint, self._folder)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{str(self._folder.path)!r} was closed; open it again")
        if os.getpid() != self._process:
            raise StoreClosed("a store does not survive a fork; open it in the new process")

    def _check_writable(self) -> sqlite3.Connection:
        self._check_open()
        if self._writer is None:
            raise ReadOnlyStore(f"{str(self._folder.path)!r} was opened read-only")
        return self._writer

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        self._check_open()
        with mapped(self._folder), self._readers.lend() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """One transaction: committed at the end unless that was done, rolled back on errors."""
        with self._write_lock, mapped(self._folder):
            connection = self._check_writable()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                if connection.in_transaction:
                    connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


def _check_readable(folder: Folder, fingerprint: Fingerprint | None) -> None:
    with mapped(folder):
        connection = open_reader(folder)
        try:
            meta.check_readable(connection, folder)
            meta.check_fingerprint(connection, fingerprint, folder)
        finally:
            connection.close()


def _open_for_writing(
    folder: Folder, fingerprint: Fingerprint | None, *, timeout: float
) -> tuple[sqlite3.Connection, WriterLock]:
    folder.path.mkdir(parents=True, exist_ok=True)
    lock = WriterLock(folder, timeout=timeout)
    try:
        with mapped(folder):
            return _prepare(open_writer(folder), folder, fingerprint), lock
    except BaseException:
        lock.release()
        raise


def _prepare(
    connection: sqlite3.Connection, folder: Folder, fingerprint: Fingerprint | None
) -> sqlite3.Connection:
    try:
        migrate(connection, path=str(folder.database))
        meta.check_fingerprint(connection, fingerprint, folder)
        if fingerprint is not None:
            meta.set_fingerprint(connection, fingerprint)
        jobs.requeue(connection)
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    except BaseException:
        connection.close()
        raise
    return connection
