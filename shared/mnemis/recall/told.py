"""What facts tell of the turns they rest on, in words of their own.

A turn says "He gave me the keys at last", the fact that somebody read out of it "Ana moved into the
flat in Porto". So the turn is found by both: its facts lend it their words and their vector
(document expansion, as in doc2query, Nogueira et al. 2019). A fact that only repeats what its turn
says, as those made by rules do, lends nothing.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.model.change import Vector
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import Floats, Located, View
from mnemis.recall.columns import Columns, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lent:
    """Facts of some rows: those of ``rows[i]`` begin at ``starts[i]`` in ``entries``."""

    entries: Located
    rows: Ints
    starts: Ints

    def words(self, view: View, tokens: Sequence[str]) -> Floats:
        """How often the facts of each row say each token, shape (tokens, rows)."""
        counts = view.term_counts(self.entries, kind="fact", tokens=tokens).counts
        return np.add.reduceat(np.ascontiguousarray(counts.T), self.starts, axis=1)

    def likeness(self, view: View, vector: Vector) -> Floats:
        """The cosine of the best fact of each row."""
        told = view.score(self.entries, kind="fact", tokens=(), vector=vector)
        return np.maximum.reduceat(told.similarity, self.starts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """All facts of a scope that are told in words of their own at one sequence number.

    ``lines``: the turns that each fact rests on; ``entries``: the facts, once for each such turn,
    and ``rows`` the turns' rows in the columns.
    """

    seq: int
    lines: Mapping[str, tuple[str, ...]]
    entries: Located
    rows: Ints

    def of(self, places: Ints) -> Lent | None:
        """The facts of a field's rows (``places``: the field's row of each row of the columns, -1
        where it has none); None where there are none.
        """
        rows = np.where(self.rows >= 0, places[self.rows], -1)
        order = np.argsort(rows, kind="stable")
        order = order[rows[order] >= 0]
        if not len(order):
            return None
        unique, starts = np.unique(rows[order], return_index=True)
        ids = tuple(map(self.entries.ids.__getitem__, order.tolist()))
        return Lent(entries=self.entries.take(order, ids=ids), rows=unique, starts=starts)


class ToldKeeper:
    """Keeps one scope's facts ready. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._kept: Told | None = None

    def at(self, view: View, columns: Columns) -> Told:
        """The facts as of the view, whose columns these are."""
        with self._guard:
            kept = self._kept
            if kept is None or kept.seq != view.seq:
                kept = self._kept = _read(view, columns, kept)
            return kept


def told_of(view: View, tokens: Sequence[str]) -> frozenset[str]:
    """The tokens that some fact holds."""
    unseen = math.log(1 + (view.stats().entries.get("fact", 0) + 0.5) / 0.5) - 1e-6
    stats = view.term_stats(tokens, kind="fact")
    return frozenset(token for token, idf in stats.items() if idf < unseen)


def _read(view: View, columns: Columns, kept: Told | None) -> Told:
    lines: Mapping[str, tuple[str, ...]]
    if kept is None or kept.seq > view.seq:
        lines = _lines(view, [node for node in view.scan("fact") if isinstance(node, Fact)])
        entries = _located(view, lines)
    elif touched := _touched(view, kept.seq):
        fresh = [node for node in view.get(sorted(touched)).values() if isinstance(node, Fact)]
        left = {fact: turns for fact, turns in kept.lines.items() if fact not in touched}
        lines = {**left, **_lines(view, fresh)}
        entries = _located(view, lines)
    else:
        lines, entries = kept.lines, kept.entries
    turns = [turn for each in lines.values() for turn in each]
    return Told(seq=view.seq, lines=lines, entries=entries, rows=columns.rows_of(turns))


def _located(view: View, lines: Mapping[str, tuple[str, ...]]) -> Located:
    return view.locate([fact for fact, turns in lines.items() for _ in turns], kind="fact")


def _touched(view: View, since: int) -> frozenset[str]:
    """The facts that came, changed or went; one that gains or loses a turn changes."""
    return frozenset(
        each
        for record in view.changes(since)
        for each in (*record.nodes, *record.deleted)
        if each.startswith("fact:")
    )


def _lines(view: View, facts: Sequence[Fact]) -> dict[str, tuple[str, ...]]:
    """For each living fact with words of its own the turns that it rests on."""
    texts = {fact.id: fact.text for fact in facts if fact.status != "archived"}
    rests = view.neighbours(list(texts), types=("supports",), direction="in")
    nodes = view.get(sorted({edge.source for edges in rests.values() for edge in edges}))
    lines: dict[str, tuple[str, ...]] = {}
    for fact, edges in rests.items():
        found = [nodes.get(edge.source) for edge in edges]
        turns = [each for each in found if isinstance(each, Turn)]
        if turns and not any(_says(each, texts[fact]) for each in turns):
            lines[fact] = tuple(each.id for each in turns)
    return lines


def _says(turn: Turn, text: str) -> bool:
    """Whether the text is but a clause of the turn's own."""
    return text.removeprefix(f"{turn.speaker}:").strip() in turn.spoken
