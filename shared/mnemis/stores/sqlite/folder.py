"""The folder of an embedded store: what lies in it, whether it is one, and who may write."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mnemis.errors import NotAStore, StoreDamaged, StoreError, StoreFull, StoreLocked
from mnemis.stores.sqlite.schema import APPLICATION_ID, check_version

DATABASE = "mnemis.db"
LOCK = "mnemis.lock"
INDEXES = "indexes"
_OWN = frozenset({DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", LOCK, INDEXES})
_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Folder:
    """Paths inside one store's folder."""

    path: Path

    @property
    def database(self) -> Path:
        """The truth."""
        return self.path / DATABASE

    @property
    def wal(self) -> Path:
        """SQLite's write-ahead log."""
        return self.path / f"{DATABASE}-wal"

    @property
    def indexes(self) -> Path:
        """Everything that can be rebuilt."""
        return self.path / INDEXES


def inspect(folder: Folder, *, read_only: bool) -> None:
    """Look at a folder without touching it.

    Raises NotAStore for a file, a folder with foreign files, or (read-only) nothing at all;
    StoreDamaged when ``mnemis.db`` is no database; FormatError when it is from a newer release.
    """
    path = folder.path
    if path.exists() and not path.is_dir():
        raise NotAStore(f"{str(path)!r} is a file; a memory is a folder")
    if folder.database.exists():
        _check_header(folder)
        return
    present = sorted(os.listdir(path)) if path.exists() else []
    foreign = [name for name in present if name not in _OWN]
    if foreign:
        raise NotAStore(f"{str(path)!r} holds {foreign[0]!r} and no memory; choose an empty folder")
    if read_only:
        raise NotAStore(f"{str(path)!r} holds no memory yet; open it for writing once")


@contextmanager
def reachable(folder: Folder) -> Generator[None]:
    """Turn what the file system refuses while a store is opened into this project's errors."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreFull(f"no space left to open {str(folder.path)!r} ({error})") from error
        raise StoreError(
            f"{str(folder.path)!r} cannot be opened ({error}); check the rights on it, or open it "
            "with read_only=True"
        ) from error


def _check_header(folder: Folder) -> None:
    with folder.database.open("rb") as file:
        header = file.read(100)
    if not header:
        return
    name = str(folder.database)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise StoreDamaged(f"{name!r} is not a SQLite file any more; restore it from a backup")
    application = int.from_bytes(header[68:72], "big")
    if application not in (0, APPLICATION_ID):
        raise NotAStore(f"{name!r} belongs to another application ({application:#x})")
    check_version(int.from_bytes(header[60:64], "big"), path=name)


class WriterLock:
    """The writer's lock of a folder, held by one open file; the system frees it on any death."""

    def __init__(self, folder: Folder, *, timeout: float) -> None:
        """Raises StoreLocked when another holder stays for ``timeout`` seconds."""
        self._file: IO[str] | None = (folder.path / LOCK).open("a+", encoding="utf-8")
        deadline = time.monotonic() + timeout
        while not _try_lock(self._file):
            if time.monotonic() >= deadline:
                holder = _read_holder(self._file)
                self._file.close()
                raise StoreLocked(
                    f"{str(folder.path)!r} is being written by {holder}; "
                    "close it there, or open it here with read_only=True"
                )
            time.sleep(0.02)
        self._file.seek(0)
        self._file.truncate()
        self._file.write(f"process {os.getpid()}")
        self._file.flush()

    def release(self) -> None:
        """Let others write; may be called twice."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _read_holder(file: IO[str]) -> str:
    file.seek(0)
    return file.read(64) or "another process"


if os.name == "nt":  # pragma: no cover - exercised on Windows only
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        try:
            # Far behind the text, because a locked byte cannot be read by others.
            file.seek(1 << 20)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue] Windows only
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
