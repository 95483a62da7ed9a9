"""The tables of ``mnemis.db`` and how an older file becomes a current one.

Scopes become integers here and nowhere else; every table starts its key with that integer.
"""

from __future__ import annotations

import sqlite3

from mnemis.errors import FormatError, StoreDamaged, StoreError

APPLICATION_ID = 0x4D4E4D53  # "MNMS"
MINIMUM_SQLITE = (3, 38, 0)  # json_each is always built in from here on

_FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('identity', lower(hex(randomblob(16))));
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE,
    seq INTEGER NOT NULL DEFAULT 0, epoch INTEGER NOT NULL DEFAULT 0,
    stamp TEXT NOT NULL DEFAULT '');
CREATE TABLE nodes (
    row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL,
    version INTEGER NOT NULL, time INTEGER, ordinal INTEGER NOT NULL, session TEXT, message TEXT,
    body TEXT NOT NULL);
CREATE UNIQUE INDEX nodes_by_id ON nodes (scope, id);
CREATE INDEX nodes_by_order ON nodes (scope, kind, ordinal, id);
CREATE INDEX nodes_by_time ON nodes (scope, time, ordinal, id) WHERE time IS NOT NULL;
CREATE INDEX nodes_by_session ON nodes (scope, session, ordinal, id) WHERE kind = 0;
CREATE INDEX nodes_by_message ON nodes (scope, message) WHERE kind = 0;
CREATE TABLE sources (
    scope INTEGER NOT NULL, source TEXT NOT NULL, node TEXT NOT NULL,
    PRIMARY KEY (scope, source, node)) WITHOUT ROWID;
CREATE TABLE edges (
    row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    type TEXT NOT NULL, weight REAL NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL);
CREATE UNIQUE INDEX edges_by_key ON edges (scope, source, target, type);
CREATE INDEX edges_by_target ON edges (scope, target);
CREATE INDEX edges_by_version ON edges (scope, version);
CREATE TABLE entries (
    row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL,
    owner TEXT NOT NULL, version INTEGER NOT NULL, terms TEXT NOT NULL, names TEXT NOT NULL,
    sources TEXT NOT NULL, vector BLOB);
CREATE UNIQUE INDEX entries_by_id ON entries (scope, id);
CREATE INDEX entries_by_owner ON entries (scope, owner);
CREATE INDEX entries_by_version ON entries (scope, version);
CREATE TABLE state (
    scope INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (scope, key)) WITHOUT ROWID;
CREATE TABLE changes (
    scope INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, purpose TEXT NOT NULL,
    time TEXT NOT NULL, nodes TEXT NOT NULL, deleted TEXT NOT NULL, deleted_entries TEXT NOT NULL,
    deleted_edges TEXT NOT NULL, PRIMARY KEY (scope, seq)) WITHOUT ROWID;
CREATE UNIQUE INDEX changes_by_id ON changes (scope, id);
CREATE TABLE jobs (
    row INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, kind TEXT NOT NULL,
    status TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, queued_at TEXT NOT NULL,
    leased_until TEXT, owner TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '');
CREATE UNIQUE INDEX jobs_waiting ON jobs (scope, kind) WHERE status = 'queued';
"""

MIGRATIONS: tuple[str, ...] = (_FIRST,)
"""Script i brings a file of version i to version i + 1; never edited once released."""

VERSION = len(MIGRATIONS)


def check_library() -> None:
    """StoreError when the SQLite that Python was built with is too old."""
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        wanted = ".".join(map(str, MINIMUM_SQLITE))
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} is too old; use a Python built with {wanted} or newer"
        )


def check_version(version: int, *, path: str) -> None:
    """FormatError for a file that a newer release wrote."""
    if version > VERSION:
        raise FormatError(
            f"{path!r} has format {version}, this release reads up to {VERSION}; upgrade mnemis"
        )


def migrate(connection: sqlite3.Connection, *, path: str) -> None:
    """Bring an open file to ``VERSION``, one transaction a step; a current one is not written."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    check_version(version, path=path)
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise StoreDamaged(f"{path!r} has tables but no format version; it was left untouched")
    for step in range(version, VERSION):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[step].split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {step + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
