"""Knowing what one does not know.

Raw sums compare across queries, so the best one tells how well anything fits; a word that nobody
ever said tells that the question is about something else. Their product separates answerable from
unanswerable questions better than either.
"""

from __future__ import annotations

from math import exp

_MIDDLE = 1.6  # at which an answer is as likely as not
_SLOPE = 3.0
_WEAK = 1.0


def confidence(*, best: float, known: float) -> float:
    """How likely the best hit answers, in [0, 1].

    ``best``: the highest raw sum; ``known``: share of the query's idf mass that occurs at all.
    """
    if best <= 0:
        return 0.0
    return 1.0 / (1.0 + exp(-_SLOPE * (best * known**0.5 - _MIDDLE)))


def is_weak(raw: float) -> bool:
    """Whether a hit of this raw sum is doubtful by itself."""
    return raw < _WEAK
