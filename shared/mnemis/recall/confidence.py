"""Knowing what one does not know: from the best raw sum and the words it covers."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from mnemis.model.query import Query

_MIDDLE = 1.15  # a raw sum plus coverage at which the answer is a coin's toss
_SLOPE = 4.0
_WEAK = 0.75


def confidence(query: Query, best: Sequence[tuple[float, float]]) -> float:
    """How likely the best hit answers, in [0, 1]; 0 without hits.

    ``best`` holds (raw sum, share of the query's idf covered) of the best candidates.
    """
    if not best:
        return 0.0
    raw = max(each for each, _ in best)
    covered = max(share for _, share in best)
    return 1.0 / (1.0 + exp(-_SLOPE * (0.6 * raw + covered - _MIDDLE)))


def is_weak(raw: float) -> bool:
    """Whether a hit of this raw sum is doubtful by itself."""
    return raw < _WEAK
