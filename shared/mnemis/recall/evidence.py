"""The table of evidence: for every turn in reach, how well it and its surroundings fit one
question. All arrays have one row a turn, in the order of ``Field.ids``.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mnemis.model.change import Vector
from mnemis.ports.store import Floats, Located, View
from mnemis.recall.columns import Columns, Ints, Picked
from mnemis.recall.similarity import Probe
from mnemis.recall.told import Lent, Told, told_of

_K1, _B = 1.2, 0.75
_STRETCH = 4
_CLOSER = 0.5  # how far a fact that fits better moves the mean: the turn says other things too
SESSION_RADIUS = 24  # of a long session this much stands for the whole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """Turns in reach and what is known of them before any question, by (session, place).

    ``stretch``: number of the adjoining stretch of a session, ``starts`` where each begins;
    ``previous`` / ``following``: row of the neighbour, -1 at an edge; ``voice``: index in
    ``speakers``; ``asking``: share that is bare question; ``answers``: a reply to another
    speaker's question; ``seconds``: time since the epoch, NaN when unknown. ``parts``: those of
    the long turns, of ``part_rows[i]`` beginning at ``part_starts[i]``. ``lent``: what facts tell
    in words of their own.
    """

    ids: Sequence[str]
    entries: Located
    columns: Columns
    places: Ints
    stretch: Ints
    starts: Ints
    previous: Ints
    following: Ints
    voice: Ints
    speakers: tuple[str, ...]
    asking: Floats
    answers: npt.NDArray[np.bool_]
    dated: Floats
    length: Floats
    importance: Floats
    seconds: npt.NDArray[np.float64]
    machine: npt.NDArray[np.bool_]
    parts: Located
    part_rows: Ints
    part_starts: Ints
    lent: Lent | None = None

    def row(self, turn: str) -> int:
        """The row of a turn, -1 when it is not in reach."""
        row = self.columns.rows[turn]
        return int(self.places[row]) if 0 <= row < len(self.places) else -1

    def rows(self, turns: Sequence[str]) -> Ints:
        """The row of each turn, -1 where one is not in reach."""
        return self.at(self.columns.rows_of(turns))

    def at(self, rows: Ints) -> Ints:
        """The row here of each row of the columns, -1 where one is not in reach."""
        return np.where(rows >= 0, self.places[rows], -1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """How well each row fits one question; every array is a share of the best possible.

    ``has``: which rows hold which token, shape (rows, tokens); ``idf`` of those tokens;
    ``known``: share of the question's idf mass that the memory knows at all.
    """

    best: Floats
    mean: Floats
    bm25: Floats
    cover: Floats
    window: Floats
    window_cover: Floats
    stretch: Floats
    session: Floats
    has: npt.NDArray[np.bool_]
    idf: Floats
    known: float


def floats(values: npt.ArrayLike) -> Floats:
    """As one array of single precision."""
    return np.asarray(values, dtype=np.float32)


def best_rows(values: Floats, count: int) -> list[int]:
    """The rows with the highest values, best first, ties in row order."""
    rows = np.arange(len(values))
    if 0 < count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        rows = np.flatnonzero(values >= least)
    ordered: list[int] = rows[np.argsort(-values[rows], kind="stable")][:count].tolist()
    return ordered


def survey(columns: Columns, rows: Ints, *, told: Told | None = None) -> Field:
    """These rows of the columns, given by (session, place), as a field of their own; with what
    facts tell of them.
    """
    count = len(rows)
    ids = Picked(columns.ids, rows)
    session, place = columns.session[rows], columns.place[rows]
    first = np.ones(count, dtype=bool)
    first[1:] = (session[1:] != session[:-1]) | (place[1:] != place[:-1] + 1)
    numbers = np.arange(count, dtype=np.int64)
    places = np.full(len(columns.ids), -1, dtype=np.int64)
    places[rows] = numbers
    voice, asking = columns.voice[rows], columns.asking[rows]
    changes = np.append(False, voice[1:] != voice[:-1])[:count]
    asked_before = np.append(np.float32(0), asking)[:count] > 0
    parts, part_rows, part_starts = _parts(columns, places)
    return Field(
        ids=ids,
        entries=columns.entries.take(rows, ids=ids),
        columns=columns,
        places=places,
        stretch=np.cumsum(first) - 1,
        starts=np.flatnonzero(first),
        previous=np.where(first, -1, numbers - 1),
        following=np.where(np.append(first[1:], True)[:count], -1, numbers + 1),
        voice=voice,
        speakers=columns.speakers,
        asking=asking,
        answers=changes & ~first & asked_before,
        dated=columns.dated[rows],
        length=columns.length[rows],
        importance=columns.importance[rows],
        seconds=columns.seconds[rows],
        machine=columns.machine[rows],
        parts=parts,
        part_rows=part_rows,
        part_starts=part_starts,
        lent=None if told is None else told.of(places),
    )


def _parts(columns: Columns, places: Ints) -> tuple[Located, Ints, Ints]:
    """The parts of the rows that have a place, by place; the places, and where each one's begin."""
    owners = places[columns.part_of]
    order = np.argsort(owners, kind="stable")
    order = order[owners[order] >= 0]
    rows, starts = np.unique(owners[order], return_index=True)
    ids = Picked(columns.parts.ids, order)
    return columns.parts.take(order, ids=ids), rows, starts


def fit(view: View, field: Field, probe: Probe, *, surroundings: bool) -> Fit:
    """Score one question against every row; context features only with ``surroundings``."""
    tokens, idf, known = known_terms(view, probe.tokens, facts=field.lent is not None)
    said = view.term_counts(field.entries, kind="turn", tokens=tokens)
    # A token's counts side by side, shape (tokens, rows): there are few tokens and many rows.
    counts, lengths = np.ascontiguousarray(said.counts.T), said.lengths
    best, mean = _meaning(view, field, probe)
    if field.lent is not None:
        counts[:, field.lent.rows] += field.lent.words(view, tokens)
        if probe.vector is not None:
            told = _told(view, field, field.lent, probe.vector, exchange=surroundings)
            best = np.maximum(best, told)
            mean = floats(mean + _CLOSER * np.maximum(told - mean, 0))
    zero = np.zeros(len(field.ids), dtype=np.float32)
    average = view.stats().mean_terms or 1.0
    bm25 = ideal_bm25(counts, lengths, idf, mean=average)
    has = counts > 0
    cover = coverage(has, idf)
    window = window_cover = stretch = session = zero
    if surroundings and len(tokens):
        pair = counts + _before(counts, field.starts)
        pair_length = lengths + _before(lengths, field.starts)
        window = ideal_bm25(pair, pair_length, idf, mean=2 * average)
        window_cover = coverage(pair + _after(counts, field.starts) > 0, idf)
        stretch, session = _wider(field, counts, lengths, idf)
    return Fit(
        best=best,
        mean=mean,
        bm25=bm25,
        cover=cover,
        window=window,
        window_cover=window_cover,
        stretch=stretch,
        session=session,
        has=has.T,
        idf=idf,
        known=known,
    )


def ideal_bm25(counts: Floats, lengths: Floats, idf: Floats, *, mean: float) -> Floats:
    """BM25 (Robertson & Zaragoza 2009) as a share of what the query could get at most; ``counts``
    has shape (tokens, rows).
    """
    if not len(idf):
        return np.zeros(len(lengths), dtype=np.float32)
    norm = _K1 * (1 - _B + _B * lengths / max(mean, 1e-6))
    saturated = counts / (counts + np.maximum(norm, 1e-6))
    return np.asarray(idf @ saturated / idf.sum(), dtype=np.float32)


def coverage(has: npt.NDArray[np.bool_], idf: Floats) -> Floats:
    """Share of the query's idf mass that each row holds; ``has`` has shape (tokens, rows)."""
    if not len(idf) or idf.sum() <= 0:
        return np.zeros(int(has.shape[1]), dtype=np.float32)
    return np.asarray(idf @ floats(has) / idf.sum(), dtype=np.float32)


def known_terms(
    view: View, tokens: Sequence[str], *, facts: bool
) -> tuple[tuple[str, ...], Floats, float]:
    """The tokens that occur at all (what nobody said cannot tell turns apart), their idf, and
    their share of the idf mass of all but the seams between Chinese words.
    """
    stats = view.term_stats(tokens, kind="turn")
    total = view.stats().entries.get("turn", 0)
    unseen = math.log(1 + (total + 0.5) / 0.5) - 1e-6
    told = told_of(view, tokens) if facts else frozenset[str]()
    known = {token: idf for token, idf in stats.items() if idf < unseen or token in told}
    mass = sum(known.values())
    unknown = sum(stats[token] for token in _unheard(tuple(stats), known))
    return tuple(known), floats(list(known.values())), mass / (mass + unknown or 1.0)


def _unheard(tokens: Sequence[str], known: Container[str]) -> list[str]:
    """The tokens that nobody said, without the seams: a Chinese pair that begins where a known
    pair ends, or ends where one begins, is but where two words of the query meet.
    """
    pairs = [token for token in tokens if len(token) == 2 and not token.isascii()]
    ends = {pair[1] for pair in pairs if pair in known}
    starts = {pair[0] for pair in pairs if pair in known}
    seams = {pair for pair in pairs if pair[0] in ends or pair[1] in starts}
    return [token for token in tokens if token not in known and token not in seams]


def _told(view: View, field: Field, lent: Lent, vector: Vector, *, exchange: bool) -> Floats:
    """How well each row's best fact fits; among people that talk a fact tells of the exchange, the
    turns beside the one it was read out of. -1 where there is none.
    """
    fits = np.full(len(field.ids), -1, dtype=np.float32)
    fits[lent.rows] = lent.likeness(view, vector)
    if not exchange:
        return fits
    beside = np.maximum(_before(fits + 1, field.starts), _after(fits + 1, field.starts)) - 1
    return floats(np.maximum(fits, beside))


def _meaning(view: View, field: Field, probe: Probe) -> tuple[Floats, Floats]:
    if probe.vector is None:
        zero = np.zeros(len(field.ids), dtype=np.float32)
        return zero, zero
    told = view.score(field.entries, kind="turn", tokens=(), vector=probe.vector)
    best = told.similarity.copy()
    mean = best.copy()
    if len(field.parts):
        raw = view.score(field.parts, kind="part", tokens=(), vector=probe.vector).similarity
        counts = np.diff(np.append(field.part_starts, len(field.parts)))
        best[field.part_rows] = np.maximum.reduceat(raw, field.part_starts)
        mean[field.part_rows] = np.add.reduceat(raw, field.part_starts) / counts
    return best, mean


def _wider(field: Field, counts: Floats, lengths: Floats, idf: Floats) -> tuple[Floats, Floats]:
    """BM25 of the ±4 stretch about each row, and of the whole stretch it lies in."""
    count = len(lengths)
    summed = np.zeros((len(counts), count + 1), dtype=np.float32)
    np.cumsum(counts, axis=1, out=summed[:, 1:])
    length = np.zeros(count + 1, dtype=np.float32)
    np.cumsum(lengths, out=length[1:])
    ends = np.append(field.starts[1:], count)
    rows = np.arange(count)
    low = np.maximum(rows - _STRETCH, field.starts[field.stretch])
    high = np.minimum(rows + _STRETCH + 1, ends[field.stretch])
    sizes = length[high] - length[low]
    near = summed.take(high, axis=1, mode="clip")
    near -= summed.take(low, axis=1, mode="clip")
    stretch = ideal_bm25(near, sizes, idf, mean=float(sizes.mean()))
    whole = summed[:, ends] - summed[:, field.starts]
    whole_length = length[ends] - length[field.starts]
    holding = (whole > 0).sum(axis=1)
    rarity = np.log(1 + (len(ends) - holding + 0.5) / (holding + 0.5)).astype(np.float32)
    session = ideal_bm25(whole, whole_length, rarity, mean=float(whole_length.mean()))
    return stretch, session[field.stretch]


def _before(values: Floats, starts: Ints) -> Floats:
    """The values of the row before each, along the last axis; zero where a stretch begins."""
    shifted = np.empty_like(values)
    shifted[..., 1:] = values[..., :-1]
    shifted[..., starts] = 0
    return shifted


def _after(values: Floats, starts: Ints) -> Floats:
    """The values of the row after each, along the last axis; zero where a stretch ends."""
    shifted = np.zeros_like(values)
    shifted[..., :-1] = values[..., 1:]
    shifted[..., starts[1:] - 1] = 0
    return shifted
