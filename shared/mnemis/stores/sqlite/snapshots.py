"""The index file of one scope: what it covers, and whether it still fits the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from mnemis.indexes.entries import EntryTable
from mnemis.indexes.graph import GraphTable, dump_columns, load_columns
from mnemis.indexes.snapshot import Array, SnapshotUnusable, load, save
from mnemis.indexes.vectors import SUFFIX, VectorFile, described
from mnemis.model.change import ENTRY_KINDS, EntryKind
from mnemis.stores.sqlite.meta import read_identity

FORMAT = 2
OLDER = 1
"""Held the vectors itself; it is read once more, and written as FORMAT."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """Tables as of ``seq``."""

    seq: int
    tables: dict[EntryKind, EntryTable]
    graph: GraphTable


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFile:
    """Where one scope's indexes are kept; ``identity`` is that of the store."""

    folder: Path
    scope_id: int
    identity: str

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"scope-{self.scope_id}.npz"

    def write(
        self,
        tables: Mapping[EntryKind, EntryTable],
        graph: GraphTable,
        *,
        seq: int,
        epoch: int,
        stamp: str,
    ) -> None:
        """Replace the file; OSError leaves the older one. Vectors that are in their files already
        are not written again.
        """
        self.folder.mkdir(exist_ok=True)
        arrays: dict[str, Array] = {}
        files: dict[str, VectorFile] = {}
        for kind, table in tables.items():
            arrays.update((f"{kind}.{name}", array) for name, array in table.dump().items())
            file = table.save_vectors(self.folder, f"scope-{self.scope_id}.{kind}")
            if file is not None:
                files[kind] = file
        snapshot = graph.publish()
        columns = dump_columns(snapshot.living_columns())
        arrays.update((f"graph.{name}", array) for name, array in columns.items())
        head = {
            "format": FORMAT,
            "identity": self.identity,
            "scope": self.scope_id,
            "seq": seq,
            "epoch": epoch,
            "stamp": stamp,
            "vectors": {kind: file.described() for kind, file in files.items()},
        }
        save(self.path, head, arrays)
        self._remove_others({file.name for file in files.values()})

    def _remove_others(self, used: set[str]) -> None:
        """Files of vectors that no index file names any more."""
        for path in self.folder.glob(f"scope-{self.scope_id}.*{SUFFIX}"):
            if path.name not in used:
                path.unlink(missing_ok=True)

    def read(self, connection: sqlite3.Connection, *, seq: int, epoch: int) -> Loaded:
        """The indexes; SnapshotUnusable unless they lead to what this transaction sees."""
        head, arrays = load(self.path)
        covered = head.get("seq")
        wanted = (self.identity, self.scope_id, epoch)
        found = tuple(head.get(name) for name in ("identity", "scope", "epoch"))
        is_known = head.get("format") in (OLDER, FORMAT)
        if not is_known or found != wanted or not isinstance(covered, int) or covered > seq:
            raise SnapshotUnusable(f"it covers {found} to {covered}, not {wanted} to {seq}")
        row = connection.execute(
            "SELECT id FROM changes WHERE scope = ? AND seq = ?", (self.scope_id, covered)
        ).fetchone()
        if row is None or row[0] != head.get("stamp"):
            raise SnapshotUnusable(f"change {covered} is another one")
        try:
            files = dict(cast("Mapping[str, object]", head.get("vectors", {})))
            tables: dict[EntryKind, EntryTable] = {
                kind: EntryTable.load(
                    _part(arrays, kind),
                    by_owner=kind == "part",
                    folder=self.folder,
                    file=described(files[kind]) if kind in files else None,
                )
                for kind in ENTRY_KINDS
                if f"{kind}.ids" in arrays
            }
            graph = GraphTable(load_columns(_part(arrays, "graph")))
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise SnapshotUnusable(f"it is incomplete: {error}") from error
        return Loaded(seq=covered, tables=tables, graph=graph)


def open_file(folder: Path, scope_id: int, connection: sqlite3.Connection) -> SnapshotFile:
    """The index file of a scope of the store that ``connection`` reads."""
    return SnapshotFile(folder=folder, scope_id=scope_id, identity=read_identity(connection))


def _part(arrays: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    start = prefix + "."
    return {
        name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)
    }
