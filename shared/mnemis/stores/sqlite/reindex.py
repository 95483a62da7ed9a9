"""Putting another embedder's vectors in place of the stored ones."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from mnemis.model.change import ENTRY_KINDS, EntryKind, Scope, Vector
from mnemis.ports.embedder import Fingerprint
from mnemis.stores.checks import check_vector, unit
from mnemis.stores.codec import encode_scope
from mnemis.stores.sqlite.connect import mapped, open_reader
from mnemis.stores.sqlite.folder import Folder, inspect
from mnemis.stores.sqlite.meta import check_readable, read_fingerprint, set_fingerprint


def stored_fingerprint(path: str | os.PathLike[str]) -> Fingerprint | None:
    """Whose vectors a folder holds; None when it holds no memory, or none of any embedder.

    Nothing is written or locked. Raises StoreError, NotAStore for a file that is no memory.
    """
    folder = Folder(Path(path))
    if not folder.database.is_file():
        return None
    inspect(folder, read_only=True)
    with mapped(folder):
        connection = open_reader(folder)
        try:
            check_readable(connection, folder)
            return read_fingerprint(connection)
        finally:
            connection.close()


def replace_vectors(
    connection: sqlite3.Connection,
    fingerprint: Fingerprint,
    vectors: Iterable[tuple[Scope, Mapping[str, Vector]]],
) -> None:
    """Inside the caller's transaction; every index file is out of date after it."""
    connection.execute("UPDATE entries SET vector = NULL WHERE vector IS NOT NULL")
    for scope, found in vectors:
        for entry_id, vector in found.items():
            check_vector(vector, dimension=fingerprint.dimension, what=f"entry {entry_id!r}")
        connection.executemany(
            "UPDATE entries SET vector = ?"
            " WHERE scope = (SELECT id FROM scopes WHERE labels = ?) AND id = ?",
            (
                (np.ascontiguousarray(unit(v), dtype="<f4").tobytes(), encode_scope(scope), i)
                for i, v in found.items()
            ),
        )
    set_fingerprint(connection, fingerprint)
    connection.execute("UPDATE scopes SET epoch = epoch + 1")


def entry_ids(
    connection: sqlite3.Connection, scope: Scope
) -> tuple[tuple[str, EntryKind, str], ...]:
    """(id, kind, owner) of every entry of a scope, in the order they were put."""
    rows = connection.execute(
        "SELECT entries.id, kind, owner FROM entries JOIN scopes ON scopes.id = entries.scope"
        " WHERE labels = ? ORDER BY row",
        (encode_scope(scope),),
    )
    return tuple((entry_id, ENTRY_KINDS[int(kind)], owner) for entry_id, kind, owner in rows)
