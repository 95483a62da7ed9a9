"""What facts tell of the turns that they rest on.

A fact resolves pronouns and names: it may answer a question whose words its turn never uses. It is
matched by its own vector and words, and the turn counts for as much as the better of the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mnemis.model.query import Found
from mnemis.ports.store import Floats, View
from mnemis.recall.evidence import Field, coverage, floats, ideal_bm25
from mnemis.recall.similarity import Probe
from mnemis.recall.weights import Weights


def facts_walked(walks: Mapping[str, Sequence[Found]]) -> dict[str, tuple[str, ...]]:
    """Fact → the turns that were reached from it."""
    found: dict[str, dict[str, None]] = {}
    for turn, each in walks.items():
        for walked in each:
            if walked.walk[0][0].startswith("fact:"):
                found.setdefault(walked.walk[0][0], {})[turn] = None
    return {fact: tuple(turns) for fact, turns in found.items()}


def told(
    view: View,
    field: Field,
    probe: Probe,
    facts: Mapping[str, Sequence[str]],
    *,
    weights: Weights,
) -> Floats:
    """For each row the best match of a fact that rests on it, in the unit of what a turn's own
    words and meaning count (``weights.part_best`` and the like); 0 where there is none.
    """
    best = np.zeros(len(field.ids), dtype=np.float32)
    if not facts:
        return best
    ids = tuple(facts)
    stats = view.term_stats(probe.tokens, kind="turn")
    counted = view.term_counts(ids, kind="fact", tokens=tuple(stats))
    idf = floats(list(stats.values()))
    average = max(1.0, float(counted.lengths.mean()))
    match = weights.bm25 * ideal_bm25(counted.counts, counted.lengths, idf, mean=average)
    match = match + weights.cover * coverage(counted.counts > 0, idf)
    if probe.vector is not None:
        near = view.score(ids, kind="fact", tokens=(), vector=probe.vector).similarity
        match = match + (weights.part_best + weights.part_mean) * near
    owners = [(turn, value) for value, ts in zip(match, facts.values(), strict=True) for turn in ts]
    rows = field.rows([turn for turn, _ in owners])
    there = rows >= 0
    np.maximum.at(best, rows[there], floats([value for _, value in owners])[there])
    return best
