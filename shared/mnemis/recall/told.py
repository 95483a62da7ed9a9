"""What facts tell of the turns they rest on, in words of their own.

A turn says "He gave me the keys at last", the fact that somebody read out of it "Ana moved into the
flat in Porto". So the turn is found by both: its facts lend it their words and their vector
(document expansion, as in doc2query, Nogueira et al. 2019). A fact that only repeats what its turn
says, as those made by rules do, lends nothing.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.model.change import Vector
from mnemis.model.graph import Fact, Node, Turn
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
    """All facts of a scope that are told in words of their own at one sequence number, a line for
    each turn that one rests on; ``rows`` are of the columns.
    """

    seq: int
    entries: Located
    turns: tuple[str, ...]
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
    if kept is not None and kept.seq < view.seq and not _touched(view, kept.seq):
        return Told(
            seq=view.seq,
            entries=kept.entries,
            turns=kept.turns,
            rows=columns.rows_of(kept.turns),
        )
    facts = {node.id: node for node in view.scan("fact") if isinstance(node, Fact)}
    living = [each for each in facts if facts[each].status != "archived"]
    rests = view.neighbours(living, types=("supports",), direction="in")
    turns = view.get(sorted({edge.source for edges in rests.values() for edge in edges}))
    own = [
        (fact, turn.id)
        for fact, edges in rests.items()
        for turn in _told_by([turns.get(edge.source) for edge in edges], facts[fact].text)
    ]
    ids = tuple(turn for _, turn in own)
    return Told(
        seq=view.seq,
        entries=view.locate([fact for fact, _ in own], kind="fact"),
        turns=ids,
        rows=columns.rows_of(ids),
    )


def _touched(view: View, since: int) -> bool:
    """Whether facts may have changed; new turns alone change none."""
    return any(
        record.deleted or any(each.startswith("fact:") for each in record.nodes)
        for record in view.changes(since)
    )


def _told_by(rests_on: Sequence[Node | None], text: str) -> list[Turn]:
    """The turns that a fact rests on; none when it but repeats the clause of one of them."""
    turns = [each for each in rests_on if isinstance(each, Turn)]
    if any(text.removeprefix(f"{each.speaker}:").strip() in each.spoken for each in turns):
        return []
    return turns
