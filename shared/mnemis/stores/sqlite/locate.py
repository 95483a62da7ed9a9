"""Row numbers of entries, kept from one view to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.indexes.rows import Rows, RowSnapshot, RowTable
from mnemis.model.change import EntryKind
from mnemis.ports.store import Located


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """Row numbers hold in one table until a row of it dies; rows are only ever appended."""

    table: RowTable
    killed: int

    def holds(self, rows: RowSnapshot) -> bool:
        """Whether numbers of this state are those of ``rows``."""
        return self.table is rows.table and self.killed == rows.killed


def locate(
    rows: RowSnapshot | None, ids: Sequence[str], *, kind: EntryKind, known: Located | None
) -> Located:
    """The rows of ``ids``; those that ``known`` has already are not looked up."""
    asked = tuple(ids)
    if rows is None:
        return Located(ids=asked, kind=kind, rows=np.full(len(asked), -1, dtype=np.int64))
    state = _State(table=rows.table, killed=rows.killed)
    if known is not None and _continues(known, asked, rows, kind):
        fresh = rows.rows(asked[len(known) :])
        return Located(ids=asked, kind=kind, rows=np.concatenate([known.rows, fresh]), state=state)
    return Located(ids=asked, kind=kind, rows=rows.rows(asked), state=state)


def _continues(known: Located, ids: tuple[str, ...], rows: RowSnapshot, kind: EntryKind) -> bool:
    """Whether the first of ``ids`` are those of ``known`` and all of their numbers still hold (an
    entry that was missing may have come since).
    """
    return (
        known.kind == kind
        and isinstance(known.state, _State)
        and known.state.holds(rows)
        and bool((known.rows >= 0).all())
        and bool((known.rows < rows.count).all())
        and ids[: len(known)] == known.ids
    )


def rows_of(rows: RowSnapshot, entries: Sequence[str] | Located) -> Rows:
    """The living row of each entry, -1 where there is none."""
    if not isinstance(entries, Located):
        return rows.rows(entries)
    if not isinstance(entries.state, _State) or not entries.state.holds(rows):
        return rows.rows(entries.ids)
    found = np.where(entries.rows < rows.count, entries.rows, -1)
    missing = np.flatnonzero(entries.rows < 0)
    if len(missing):  # it may have come since
        found[missing] = rows.rows([entries.ids[place] for place in missing.tolist()])
    return found
