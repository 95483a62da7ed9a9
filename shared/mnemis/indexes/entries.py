"""All index entries of one kind in one scope: rows, vectors, postings, names."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mnemis.indexes.lexical import LexicalSnapshot, Postings
from mnemis.indexes.rows import Mask, RowSnapshot, RowTable, grow
from mnemis.model.change import IndexEntry, Vector

Floats = npt.NDArray[np.float32]


class EntryTable:
    """Written by one thread at a time; what ``publish`` returned is never disturbed."""

    def __init__(self, *, by_owner: bool) -> None:
        self.rows = RowTable()
        self.owners: list[str] = []
        self.names: dict[str, list[int]] = {}
        self.by_owner: dict[str, list[int]] | None = {} if by_owner else None
        self._postings = Postings()
        self._vectors: Floats | None = None
        self._has_vector: Mask = np.zeros(64, dtype=np.bool_)

    def put(self, entry: IndexEntry) -> None:
        """Append an entry whose id has no living row."""
        row = self.rows.append(entry.id)
        self.owners.append(entry.owner)
        self._postings.append(row, entry.terms)
        for name in entry.names:
            self.names.setdefault(name, []).append(row)
        if self.by_owner is not None:
            self.by_owner.setdefault(entry.owner, []).append(row)
        self._put_vector(row, entry.vector)

    def delete(self, entry_id: str) -> None:
        """End an entry, if it is there."""
        row = self.rows.kill(entry_id)
        if row >= 0:
            self._postings.forget(row)

    def publish(self) -> EntrySnapshot:
        """The entries as they are now."""
        rows = self.rows.publish()
        lexical = self._postings.publish(rows, living=self.rows.alive_count)
        vectors = None if self._vectors is None else self._vectors[: rows.count]
        return EntrySnapshot(self, rows, lexical, vectors, self._has_vector[: rows.count])

    def _put_vector(self, row: int, vector: Vector | None) -> None:
        if row >= len(self._has_vector):
            more = np.zeros(len(self._has_vector), dtype=np.bool_)
            self._has_vector = np.concatenate([self._has_vector, more])
        if self._vectors is None:
            if vector is None:
                return
            self._vectors = np.zeros((max(64, row + 1), len(vector)), dtype=np.float32)
        if row >= len(self._vectors):
            self._vectors = grow(self._vectors, row + 1)
        if vector is not None:
            self._vectors[row] = vector
            self._has_vector[row] = True


class EntrySnapshot:
    """The entries of one kind at one state."""

    __slots__ = ("_has_vector", "lexical", "rows", "table", "vectors")

    def __init__(
        self,
        table: EntryTable,
        rows: RowSnapshot,
        lexical: LexicalSnapshot,
        vectors: Floats | None,
        has_vector: Mask,
    ) -> None:
        self.table = table
        self.rows = rows
        self.lexical = lexical
        self.vectors = vectors
        self._has_vector = has_vector

    def cosines(self, query: Vector) -> Floats:
        """Cosine of the unit ``query`` with every row, 0 where a row has no vector.

        einsum, unlike BLAS, gives equal rows equal sums wherever they stand, and stays on this
        thread.
        """
        if self.vectors is None:
            return np.zeros(self.rows.count, dtype=np.float32)
        return np.einsum("ij,j->i", self.vectors, query)

    def searchable(self) -> Mask:
        """Rows that live and have a vector."""
        return self.rows.alive & self._has_vector

    def vector(self, row: int) -> Vector | None:
        """The stored vector of a living row."""
        if self.vectors is None or not self._has_vector[row]:
            return None
        return self.vectors[row].copy()

    def owners_named(self, name: str) -> set[str]:
        """Owners of the living entries filed under a name."""
        owners = self.table.owners
        return {owners[row] for row in self.rows.living(tuple(self.table.names.get(name, ())))}

    def ids_of_owner(self, owner: str) -> tuple[str, ...]:
        """Living entries of an owner in the order they were put; needs ``by_owner``."""
        held = (self.table.by_owner or {}).get(owner, ())
        return tuple(self.table.rows.ids[row] for row in self.rows.living(tuple(held)))
