"""What ``mnemis.db`` says about itself: its format and whose vectors it holds."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict

from mnemis.errors import EmbedderMismatch, StoreError
from mnemis.ports.embedder import Fingerprint
from mnemis.stores.sqlite.folder import Folder
from mnemis.stores.sqlite.schema import VERSION, check_version


def check_readable(connection: sqlite3.Connection, folder: Folder) -> None:
    """FormatError when the file is newer than this release, StoreError when it is older."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    path = str(folder.database)
    check_version(version, path=path)
    if version < VERSION:
        raise StoreError(f"{path!r} has the older format {version}; open it once for writing")


def read_identity(connection: sqlite3.Connection) -> str:
    """A random text that no other store has."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
    return str(row[0])


def read_fingerprint(connection: sqlite3.Connection) -> Fingerprint | None:
    """The embedder of the stored vectors, None before one was named."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'fingerprint'").fetchone()
    return None if row is None else Fingerprint(**json.loads(row[0]))


def set_fingerprint(connection: sqlite3.Connection, fingerprint: Fingerprint) -> None:
    """Name the embedder of the stored vectors."""
    if read_fingerprint(connection) != fingerprint:
        connection.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('fingerprint', ?)",
            (json.dumps(asdict(fingerprint)),),
        )


def check_fingerprint(
    connection: sqlite3.Connection, given: Fingerprint | None, folder: Folder
) -> None:
    """EmbedderMismatch when the vectors come from another embedder than ``given``."""
    stored = read_fingerprint(connection)
    if given is not None and stored is not None and stored != given:
        raise EmbedderMismatch(
            f"the vectors in {str(folder.path)!r} come from {stored}, not from {given}; "
            "open it with that embedder, or run `mnemis reindex` to replace them"
        )
