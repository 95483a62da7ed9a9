"""BM25 postings of one kind of entry, in memory (Robertson and Zaragoza 2009; k1=1.2, b=.75)."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mnemis.indexes.rows import Mask, RowSnapshot
from mnemis.indexes.snapshot import Array, Arrays, SnapshotUnusable, pack, unpack

K1, B = 1.2, 0.75

Doubles = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]
Posted = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]
"""The rows that hold a token, rising, and how often each does."""

_SHIFT = 16
_LOW = (1 << _SHIFT) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LexicalScores:
    """Scores of one query for every row: BM25, held idf mass, and each token's idf."""

    bm25: npt.NDArray[np.float32]
    held: Doubles
    idf: dict[str, float]

    @property
    def mass(self) -> float:
        """The query's whole idf mass."""
        return sum(self.idf.values())


class Postings:
    """For each token the rows that hold it and how often; rows only ever rise."""

    def __init__(self) -> None:
        self._of: dict[str, array[int]] = {}
        self._base: dict[str, int] = {}
        self._ends: Longs = np.zeros(1, dtype=np.int64)
        self._rows: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._counts: npt.NDArray[np.uint16] = np.zeros(0, dtype=np.uint16)
        self._lengths: npt.NDArray[np.int32] = np.zeros(64, dtype=np.int32)
        self.total = 0

    @classmethod
    def load(cls, arrays: Arrays) -> Postings:
        """From what ``dump`` gave."""
        made = cls()
        tokens = unpack(arrays["tokens"])
        made._base = {token: place for place, token in enumerate(tokens)}
        made._ends = arrays["ends"].astype(np.int64)
        packed = arrays["packed"].astype(np.int64, copy=False)
        # Kept apart and narrow: there are a dozen a turn.
        made._rows = (packed >> _SHIFT).astype(np.int32)
        made._counts = (packed & _LOW).astype(np.uint16)
        made._lengths = arrays["lengths"].astype(np.int32)
        made.total = int(made._lengths.sum())
        if len(made._ends) != len(tokens) + 1 or made._ends[-1] != len(packed):
            raise SnapshotUnusable("its postings do not fit together")
        return made

    def dump(self, living: Longs) -> dict[str, Array]:
        """Arrays of the living rows only, numbered anew in their order."""
        tokens = [*self._base, *(token for token in self._of if token not in self._base)]
        held = [self.of(token) for token in tokens]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *(rows for rows, _ in held)])
        counts = np.concatenate([np.zeros(0, dtype=np.int64), *(counts for _, counts in held)])
        token_of = np.repeat(np.arange(len(tokens)), [len(rows) for rows, _ in held])
        place = np.full(max(len(self._lengths), 1), -1, dtype=np.int64)
        place[living] = np.arange(len(living))
        rows = place[rows]
        keep = rows >= 0
        holding = np.bincount(token_of[keep], minlength=len(tokens))
        used = np.flatnonzero(holding)
        return {
            "tokens": pack([tokens[token] for token in used.tolist()]),
            "ends": np.concatenate([[0], np.cumsum(holding[used])]).astype(np.int64),
            "packed": (rows[keep] << _SHIFT) | counts[keep],
            "lengths": self._lengths[living],
        }

    def append(self, row: int, terms: Sequence[str]) -> None:
        """The tokens of a new row."""
        if row >= len(self._lengths):
            more = np.zeros(max(len(self._lengths), 64), dtype=np.int32)
            self._lengths = np.concatenate([self._lengths, more])
        self._lengths[row] = len(terms)
        self.total += len(terms)
        of = self._of
        high = row << _SHIFT
        for token, count in Counter(terms).items():
            packed = high | (count if count < _LOW else _LOW)
            try:
                of[token].append(packed)
            except KeyError:
                of[token] = array("q", (packed,))

    def forget(self, row: int) -> None:
        """A row died: its length no longer counts towards the mean."""
        self.total -= int(self._lengths[row])

    def publish(self, rows: RowSnapshot, *, living: int) -> LexicalSnapshot:
        """The postings as seen with these rows."""
        mean = self.total / living if living else 0.0
        return LexicalSnapshot(self, rows, self._lengths[: rows.count], living=living, mean=mean)

    def of(self, token: str) -> Posted:
        """Of a token; may hold rows newer than asked."""
        base = self._base.get(token)
        held = self._of.get(token)
        if base is None and not held:
            return self._rows[:0], self._counts[:0]
        start, end = (0, 0) if base is None else self._ends[base : base + 2].tolist()
        older = self._rows[start:end], self._counts[start:end]
        if not held:
            return older
        packed = np.frombuffer(held[:], dtype=np.int64)
        rows, counts = packed >> _SHIFT, packed & _LOW
        return np.concatenate([older[0], rows]), np.concatenate([older[1], counts])


class LexicalSnapshot:
    """Postings at one state."""

    __slots__ = ("_lengths", "_living", "_mean", "_norms", "_postings", "_rows")

    def __init__(
        self,
        postings: Postings,
        rows: RowSnapshot,
        lengths: npt.NDArray[np.int32],
        *,
        living: int,
        mean: float,
    ) -> None:
        self._postings = postings
        self._rows = rows
        self._lengths = lengths
        self._living = living
        self._mean = mean
        self._norms: Doubles | None = None

    @property
    def mean(self) -> float:
        """Mean number of terms of the living rows."""
        return self._mean

    @property
    def lengths(self) -> npt.NDArray[np.int32]:
        """Number of terms of each row."""
        return self._lengths

    def idf(self, holding: int) -> float:
        """Inverse document frequency of a token that ``holding`` living rows hold."""
        return math.log(1 + (self._living - holding + 0.5) / (holding + 0.5))

    def score(self, postings: Mapping[str, Posted]) -> LexicalScores:
        """Scores of every row from what ``find`` gave for each token of a query."""
        sizes = [len(rows) for rows, _ in postings.values()]
        idf = dict(zip(postings, map(self.idf, sizes), strict=True))
        if not any(sizes):
            nothing: Doubles = np.zeros(self._rows.count)
            return LexicalScores(bm25=nothing.astype(np.float32), held=nothing, idf=idf)
        # All tokens at once; a row's shares are added in their order.
        rows = np.concatenate([rows for rows, _ in postings.values()])
        counts = np.concatenate([counts for _, counts in postings.values()]).astype(np.float64)
        weights = np.repeat(np.array(list(idf.values())), sizes)
        shares = weights * counts * (K1 + 1) / (counts + self._norm_of_rows()[rows])
        bm25 = np.bincount(rows, weights=shares, minlength=self._rows.count)
        held = np.bincount(rows, weights=weights, minlength=self._rows.count)
        return LexicalScores(
            bm25=bm25.astype(np.float32), held=np.asarray(held, dtype=np.float64), idf=idf
        )

    def find(self, token: str) -> Posted:
        """The living rows that hold a token."""
        rows, counts = self._postings.of(token)
        if len(rows) and rows[-1] >= self._rows.count:
            end = int(np.searchsorted(rows, self._rows.count))
            rows, counts = rows[:end], counts[:end]
        if not self._rows.all_alive and len(rows):
            keep: Mask = self._rows.alive[rows]
            rows, counts = rows[keep], counts[keep]
        return rows, counts

    def _norm_of_rows(self) -> Doubles:
        if self._norms is None:
            mean = self._mean or 1.0
            self._norms = np.asarray(K1 * (1 - B + B * self._lengths / mean), dtype=np.float64)
        return self._norms
