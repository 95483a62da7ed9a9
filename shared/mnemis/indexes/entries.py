"""All index entries of one kind in one scope: rows, vectors, postings, names."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mnemis.indexes.approximate import ApproximateCollection
from mnemis.indexes.lexical import LexicalSnapshot, Postings
from mnemis.indexes.rows import Mask, Rows, RowSnapshot, RowTable, grow
from mnemis.indexes.snapshot import Array, Arrays, SnapshotUnusable, pack, unpack
from mnemis.indexes.vectors import VectorFile, create
from mnemis.model.change import IndexEntry, Vector

Floats = npt.NDArray[np.float32]

_KEEP_DEAD = 2_000


class EntryTable:
    """Written by one thread at a time; what ``publish`` returned is never disturbed.

    The vectors of the first ``covered`` rows are in ``collection`` too; an index file ``claimed``
    that so many were.
    """

    def __init__(self, *, by_owner: bool) -> None:
        self.rows = RowTable()
        self.owners: list[str] = []
        self.names: dict[str, list[int]] = {}
        self.by_owner: dict[str, list[int]] | None = {} if by_owner else None
        self._postings = Postings()
        self._by_owner = by_owner
        self.covered = 0
        self.claimed = 0
        self.collection: ApproximateCollection | None = None
        self._vectors: Floats | None = None
        self._saved: tuple[VectorFile, int, int] | None = None  # with its rows and deaths then
        self._has_vector: Mask = np.zeros(64, dtype=np.bool_)

    @classmethod
    def load(
        cls,
        arrays: Arrays,
        *,
        by_owner: bool,
        folder: Path = Path(),
        file: VectorFile | None = None,
    ) -> EntryTable:
        """From what ``dump`` gave and the file of its vectors (older index files hold them
        themselves); SnapshotUnusable when it does not fit together.
        """
        made = cls(by_owner=by_owner)
        ids = [sys.intern(text) for text in unpack(arrays["ids"])]
        made.rows = RowTable(ids)
        made.owners = [sys.intern(text) for text in unpack(arrays["owners"])]
        made._postings = Postings.load(arrays)
        made.claimed = int(arrays["covered"][0])
        made._has_vector = arrays["has_vector"].astype(np.bool_)
        made._vectors = arrays.get("vectors") if file is None else file.read(folder)
        made._saved = None if file is None else (file, file.rows, 0)
        sizes = {len(ids), len(made.owners), len(made._has_vector), len(arrays["lengths"])}
        vectors_fit = made._vectors is None or made._vectors.shape[0] == len(ids)
        if len(sizes) != 1 or not vectors_fit:
            raise SnapshotUnusable("its columns differ in length")
        for name, row in zip(unpack(arrays["names"]), arrays["named"].tolist(), strict=True):
            made.names.setdefault(name, []).append(int(row))
        if made.by_owner is not None:
            for row, owner in enumerate(made.owners):
                made.by_owner.setdefault(owner, []).append(row)
        return made

    def dump(self) -> dict[str, Array]:
        """Arrays of the living entries only, in the order they were put."""
        living = self.rows.living()
        place: dict[int, int] = {row: new for new, row in enumerate(living.tolist())}
        named = [(name, place[r]) for name, rows in self.names.items() for r in rows if r in place]
        arrays: dict[str, Array] = {
            "ids": pack([self.rows.ids[row] for row in place]),
            "owners": pack([self.owners[row] for row in place]),
            "names": pack([name for name, _ in named]),
            "named": np.array([row for _, row in named], dtype=np.int64),
            "has_vector": self._has_vector[living],
            "covered": np.array([np.searchsorted(living, self.covered)], dtype=np.int64),
            **self._postings.dump(living),
        }
        return arrays

    def save_vectors(self, folder: Path, stem: str) -> VectorFile | None:
        """The file with the vectors of the living entries, in the order of ``dump``: the one there
        was with what is new, or another when an entry of it died. None without any vector.
        """
        if self._vectors is None:
            return None
        living, killed = self.rows.living(), self.rows.killed
        if self._saved is None or self._saved[2] != killed:
            file = create(folder, stem, self._vectors[living])
        else:
            file, known, _ = self._saved
            more = living[living >= known]
            if len(more):
                file = file.appended(folder, self._vectors[more])
        self._saved = (file, len(self.rows), killed)
        return file

    def forget_file(self) -> None:
        """Its vectors are in no file any more."""
        self._saved = None

    def compacted(self) -> EntryTable:
        """The living entries in a new table; this one stays for those who read it."""
        arrays = self.dump()
        if self._vectors is not None:
            arrays["vectors"] = self._vectors[self.rows.living()]
        made = EntryTable.load(arrays, by_owner=self._by_owner)
        made.covered, made.collection = made.claimed, self.collection
        return made

    def cover(self, rows: int, collection: ApproximateCollection) -> None:
        """The vectors of the first ``rows`` rows are in ``collection`` now."""
        self.collection = collection
        self.covered = rows

    def uncover(self) -> None:
        """Search exactly again."""
        self.covered = self.claimed = 0
        self.collection = None

    @property
    def wasteful(self) -> bool:
        """Whether most rows are dead."""
        return len(self.rows) > _KEEP_DEAD + 2 * self.rows.alive_count

    def put(self, entry: IndexEntry) -> None:
        """Append an entry whose id has no living row."""
        row = self.rows.append(sys.intern(entry.id))
        self.owners.append(sys.intern(entry.owner))
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
            more = np.zeros(max(len(self._has_vector), 64), dtype=np.bool_)
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

    def cosines(self, query: Vector, rows: Rows | None = None) -> Floats:
        """Cosine of the unit ``query`` with these (or all) rows, 0 where one has no vector.

        einsum, unlike BLAS, gives equal rows equal sums wherever they stand, and stays on this
        thread.
        """
        if self.vectors is None:
            return np.zeros(self.rows.count if rows is None else len(rows), dtype=np.float32)
        vectors = self.vectors if rows is None else self.vectors[rows]
        return np.asarray(np.einsum("ij,j->i", vectors, query), dtype=np.float32)

    def searchable(self) -> Mask:
        """Rows that live and have a vector."""
        return self.rows.alive & self._has_vector

    def vector(self, row: int) -> Vector | None:
        """The stored vector of a living row."""
        if self.vectors is None or not self._has_vector[row]:
            return None
        return np.array(self.vectors[row], dtype=np.float32)

    def owners_named(self, name: str) -> set[str]:
        """Owners of the living entries filed under a name."""
        owners = self.table.owners
        return {owners[row] for row in self.rows.living(tuple(self.table.names.get(name, ())))}

    def ids_of_owner(self, owner: str) -> tuple[str, ...]:
        """Living entries of an owner in the order they were put; needs ``by_owner``."""
        held = (self.table.by_owner or {}).get(owner, ())
        return tuple(self.table.rows.ids[row] for row in self.rows.living(tuple(held)))
