"""Append-only rows with ids, so that readers of an older state are never disturbed.

A replaced or deleted row dies and stays; a new one is appended. A published state is a number of
rows and a mask of the living, which no later write changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]


class RowTable:
    """Ids of rows, the living row of each id, and the rows it had before."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self.ids: list[str] = list(ids)
        self.alive_count = len(self.ids)
        self.killed = 0
        self._row_of: dict[str, int] = {row_id: row for row, row_id in enumerate(self.ids)}
        self._older: dict[int, int] = {}
        self._alive: Mask = np.ones(len(self.ids), dtype=np.bool_)
        self._shared = False

    def __len__(self) -> int:
        return len(self.ids)

    def append(self, row_id: str) -> int:
        """A new living row; an earlier one of this id must have been killed."""
        row = len(self.ids)
        if row == len(self._alive):
            more = np.zeros(max(row, 64), dtype=np.bool_)
            self._alive = np.concatenate([self._alive, more])
        before = self._row_of.get(row_id)
        if before is not None:
            self._older[row] = before
        self._alive[row] = True
        self.ids.append(row_id)
        self._row_of[row_id] = row
        self.alive_count += 1
        return row

    def kill(self, row_id: str) -> int:
        """End the living row of an id; returns it, or -1 when there is none."""
        row = self._row_of.get(row_id, -1)
        if row < 0 or not self._alive[row]:
            return -1
        if self._shared:
            self._alive = self._alive.copy()
            self._shared = False
        self._alive[row] = False
        self.alive_count -= 1
        self.killed += 1
        return row

    def living(self) -> Rows:
        """Rows that live, rising."""
        return np.flatnonzero(self._alive[: len(self.ids)])

    def publish(self) -> RowSnapshot:
        """The rows as they are now."""
        self._shared = True
        return RowSnapshot(self, self._alive[: len(self.ids)], all_alive=self._all_alive())

    def _all_alive(self) -> bool:
        return self.alive_count == len(self.ids)

    def find(self, row_id: str, *, before: int) -> int:
        """The newest row of an id among the first ``before`` rows, -1 when there is none."""
        row = self._row_of.get(row_id, -1)
        while row >= before:
            row = self._older.get(row, -1)
        return row

    def newest(self, ids: Sequence[str]) -> Rows:
        """The newest row of each id, -1 where unknown."""
        get = self._row_of.get
        return np.array([get(i, -1) for i in ids], dtype=np.int64)


class RowSnapshot:
    """A fixed number of rows and which of them live."""

    __slots__ = ("alive", "all_alive", "count", "killed", "table")

    def __init__(self, table: RowTable, alive: Mask, *, all_alive: bool) -> None:
        self.table = table
        self.alive = alive
        self.all_alive = all_alive
        self.count = len(alive)
        self.killed = table.killed

    def row(self, row_id: str) -> int:
        """The living row of an id, -1 when there is none."""
        row = self.table.find(row_id, before=self.count)
        return row if row >= 0 and self.alive[row] else -1

    def rows(self, ids: Sequence[str]) -> Rows:
        """The living row of each id, -1 where there is none."""
        rows = self.table.newest(ids)
        for place in np.flatnonzero(rows >= self.count).tolist():
            rows[place] = self.table.find(ids[place], before=self.count)
        if not self.all_alive:
            rows[(rows >= 0) & ~self.alive[rows]] = -1
        return rows

    def living(self, rows: Iterable[int]) -> list[int]:
        """Those of ``rows`` that are part of this state, in order."""
        return [row for row in rows if row < self.count and self.alive[row]]


def grow(array: npt.NDArray[np.float32], rows: int) -> npt.NDArray[np.float32]:
    """The same values in an array of at least ``rows`` rows, doubling."""
    if rows <= len(array):
        return array
    larger = np.zeros((max(rows, 2 * len(array)), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
