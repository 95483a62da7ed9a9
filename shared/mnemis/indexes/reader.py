"""Scores of one kind's entries for one view: what was computed for a query is kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mnemis.indexes.approximate import ApproximateUnusable
from mnemis.indexes.entries import EntrySnapshot, Floats
from mnemis.indexes.lexical import LexicalScores, Longs, Posted
from mnemis.indexes.rows import Mask
from mnemis.model.change import Vector

Hit = tuple[float, str, int]
"""(-score, id, row): sorts best first, ties by id."""

_DENSE_ROWS = 200_000
_DENSE_VECTORS = 8_000
_SPARE = 64
_SAMPLED = 8
"""Of many scores every so manieth tells about how high the best are, for a tenth of the work."""
_MANY = 3_000
_FARTHEST = 1_000
"""More than this is not asked of the approximate index; it would be slower than all rows."""


class EntryReader:
    """Belongs to one view and one thread; queries repeat within a view, so scores are kept."""

    def __init__(self, entries: EntrySnapshot) -> None:
        self.entries = entries
        self._cosines: dict[bytes, Floats] = {}
        self._lexical: dict[tuple[str, ...], LexicalScores] = {}
        self._postings: dict[str, Posted] = {}

    @property
    def count(self) -> int:
        """Rows, dead ones too."""
        return self.entries.rows.count

    def nearest(self, query: Vector, k: int) -> list[Hit]:
        """At least the k best by cosine, all that tie with the k-th included."""
        if self.entries.vectors is None or k <= 0:
            return []
        if query.tobytes() not in self._cosines:
            found = self._nearest_approximately(query, k)
            if len(found) >= k:
                return found
        return self._best(self.cosines(query), self.entries.searchable(), k)

    def _nearest_approximately(self, query: Vector, k: int) -> list[Hit]:
        """Candidates out of the collection and all rows it does not cover, scored exactly."""
        table = self.entries.table
        covered, collection = min(table.covered, self.count), table.collection
        reach = 2 * k + _SPARE
        if collection is None or reach > _FARTHEST or reach * 8 > covered:
            return []
        try:
            ids = collection.nearest(query, reach)
        except ApproximateUnusable:
            table.uncover()
            return []
        rows = self.entries.rows.rows(ids)
        rows = np.concatenate(
            [rows[(rows >= 0) & (rows < covered)], np.arange(covered, self.count)]
        )
        rows = rows[self.entries.searchable()[rows]]
        scores = self.entries.cosines(query, rows)
        return self._hits(rows, -scores)[:k]

    def search(self, tokens: tuple[str, ...], k: int) -> list[Hit]:
        """At least the k best by BM25 above 0, all that tie with the k-th included."""
        scores = self.lexical(tokens).bm25
        return self._best(scores, scores > 0, k)

    def cosines(self, query: Vector) -> Floats:
        """Cosine with every row."""
        key = query.tobytes()
        found = self._cosines.get(key)
        if found is None:
            found = self._cosines[key] = self.entries.cosines(query)
        return found

    def cosines_at(self, query: Vector, rows: Longs) -> Floats:
        """Cosine with some rows; all of them are computed only where that costs little."""
        if self.count <= _DENSE_VECTORS or query.tobytes() in self._cosines:
            return self.cosines(query)[rows]
        return self.entries.cosines(query, rows)

    def lexical(self, tokens: tuple[str, ...]) -> LexicalScores:
        """BM25 and held idf mass of every row; ``tokens`` are distinct."""
        found = self._lexical.get(tokens)
        if found is None:
            postings = {token: self._find(token) for token in tokens}
            found = self._lexical[tokens] = self.entries.lexical.score(postings)
        return found

    def idf(self, token: str) -> float:
        """The token's inverse document frequency."""
        return self.entries.lexical.idf(len(self._find(token)[0]))

    def counts(self, rows: Longs, tokens: Sequence[str]) -> tuple[Floats, Floats]:
        """How often each token occurs in each row's entry (shape (rows, tokens), a token's
        counts side by side), and the entries' lengths; -1 (no entry) has none.
        """
        counts = np.zeros((len(tokens), len(rows)), dtype=np.float32)
        if not self.count:
            return counts.T, np.zeros(len(rows), dtype=np.float32)
        complete = bool((rows >= 0).all())
        wanted = rows if complete else np.maximum(rows, 0)
        for place, token in enumerate(tokens):
            self._count_into(counts[place], wanted, token)
        lengths = self.entries.lexical.lengths[wanted].astype(np.float32)
        if not complete:
            counts[:, rows < 0] = 0
            lengths[rows < 0] = 0
        return counts.T, lengths

    def _count_into(self, counts: Floats, wanted: Longs, token: str) -> None:
        rows, held = self._find(token)
        if not len(rows):
            return
        if self.count <= _DENSE_ROWS:
            dense = np.zeros(self.count, dtype=np.float32)
            dense[rows] = held
            dense.take(wanted, out=counts, mode="clip")
            return
        places = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
        counts[:] = np.where(rows[places] == wanted, held[places], 0)

    def _find(self, token: str) -> Posted:
        found = self._postings.get(token)
        if found is None:
            found = self._postings[token] = self.entries.lexical.find(token)
        return found

    def _best(self, scores: Floats, eligible: Mask, k: int) -> list[Hit]:
        rows = _best_rows(scores, eligible, k)
        return self._hits(rows, -scores[rows])

    def _hits(self, rows: Longs, values: Floats) -> list[Hit]:
        """Rows with their negated scores, best first, ties by id."""
        ids, held = self.entries.table.rows.ids, rows.tolist()
        return sorted(zip(values.tolist(), map(ids.__getitem__, held), held, strict=True))


def _best_rows(scores: Floats, eligible: Mask, k: int) -> npt.NDArray[np.int64]:
    """Rows of the k highest scores and of all that tie with the k-th, in no order."""
    everyone = bool(eligible.all())
    rows = None if everyone else np.flatnonzero(eligible)
    chosen = scores if rows is None else scores[rows]
    if k < len(chosen):
        places = _near_the_best(chosen, k)
        least = np.partition(chosen[places], len(places) - k)[len(places) - k]
        places = places[chosen[places] >= least]
    else:
        places = np.arange(len(chosen))
    return places if rows is None else rows[places]


def _near_the_best(scores: Floats, k: int) -> npt.NDArray[np.int64]:
    """Places of the k highest scores, of all that tie with the k-th, and of some more: those above
    a bar that a sample tells, where enough are.
    """
    sample = scores[::_SAMPLED]
    reach = (2 * k + _SPARE) // _SAMPLED
    if len(scores) > _MANY and reach < len(sample):
        bar = np.partition(sample, len(sample) - reach)[len(sample) - reach]
        places = np.flatnonzero(scores >= bar)
        if len(places) >= k:
            return places
    return np.arange(len(scores))
