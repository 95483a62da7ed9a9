"""Connections to ``mnemis.db`` and the meaning of their errors."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from mnemis.errors import (
    InputError,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLocked,
)
from mnemis.stores.sqlite.folder import Folder

WAL_LIMIT = 64 * 1024 * 1024


@contextmanager
def mapped(folder: Folder) -> Generator[None]:
    """Turn SQLite's errors into this project's."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, str(folder.database)) from error
    except UnicodeEncodeError as error:
        raise InputError(f"text that is not valid Unicode cannot be stored: {error}") from error


def _translate(error: sqlite3.Error, path: str) -> StoreError:
    code: int = getattr(error, "sqlite_errorcode", 0) or 0
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL or code in (
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    ):
        return StoreFull(f"no space left for {path!r} ({error}); nothing of the change was kept")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamaged(f"{path!r} cannot be read ({error}); restore it from a backup")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(f"{path!r} is locked by another process ({error}); try again")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreError(
            f"{path!r} cannot be opened ({error}); check the rights on the folder, or close it "
            "where it is being written so that its log is folded in"
        )
    return StoreError(f"{path!r}: {error}")


def open_writer(folder: Folder) -> sqlite3.Connection:
    """The one connection that writes: WAL, every commit synced, deleted bytes overwritten."""
    connection = sqlite3.connect(
        folder.database, isolation_level=None, check_same_thread=False, timeout=1.0
    )
    try:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -32000")
        connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_reader(folder: Folder) -> sqlite3.Connection:
    """A connection that cannot write.

    In a folder this user cannot write to, SQLite cannot share its log's index; without a log the
    file is complete and is read as it stands.
    """
    address = folder.database.absolute().as_uri() + "?mode=ro"
    if _is_protected(folder) and not _has_log(folder):
        address += "&immutable=1"
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, check_same_thread=False, timeout=1.0
    )
    try:
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _is_protected(folder: Folder) -> bool:
    return not os.access(folder.path, os.W_OK)


def _has_log(folder: Folder) -> bool:
    try:
        return folder.wal.stat().st_size > 0
    except FileNotFoundError:
        return False


class ReaderPool:
    """Idle read connections, reused by whichever thread opens a view next."""

    def __init__(self, folder: Folder, *, keep: int = 8) -> None:
        self._folder = folder
        # What is read as it stands must be opened anew to show what others wrote since.
        self._keep = 0 if _is_protected(folder) else keep
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def lend(self) -> Generator[sqlite3.Connection]:
        """A connection outside any transaction; what was begun on it is rolled back."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def close(self) -> None:
        """Close idle connections; lent ones close when they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise StoreClosed("this store was closed; open it again")
            if self._idle:
                return self._idle.pop()
        return open_reader(self._folder)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            connection.close()
            return
        with self._lock:
            if not self._closed and len(self._idle) < self._keep:
                self._idle.append(connection)
                return
        connection.close()


def id_list(ids: Iterable[str]) -> str:
    """Ids as one parameter for ``IN (SELECT value FROM json_each(?))``: one statement, any size."""
    return json.dumps(list(ids), ensure_ascii=False)
