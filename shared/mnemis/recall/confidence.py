"""Knowing what one does not know.

Raw sums compare across queries of one memory, so the best one tells how well anything fits; a
word that nobody ever said tells that the question is about something else. Their product separates
answerable from unanswerable questions better than either. How high a good sum is depends on how
much evidence there can be: a dialogue has surroundings that speak, a notebook has none. And in a
memory of a few turns most words were never said, whatever the question: there an unknown word
tells little.
"""

from __future__ import annotations

from math import exp, sqrt

from mnemis.recall.observe import Observation

_PLAIN = 1.1  # a sum at which an answer is as likely as not, where turns stand alone
_DIALOGUE = 0.2  # more, where surroundings count
_ASSISTED = 0.4  # more, where replies count
_SLOPE = 3.0
_UNHEARD = 0.1  # what a query of unknown words is still worth: meaning may cross languages
_LEAST = 0.02  # of its idf mass known: less than this share tells no more
_FEW = 20  # turns at which unknown words count half of what they do in a large memory
_STRANGE = 0.45  # at most so sure of an answer about somebody never heard of
_WEAK = 0.7  # of the yardstick: below it a hit is doubtful by itself


def yardstick(seen: Observation) -> float:
    """The raw sum of a hit that is as likely right as wrong, in this kind of memory."""
    return _PLAIN + _DIALOGUE * seen.dialogue + _ASSISTED * seen.assisted


def heard(known: float, *, turns: int) -> float:
    """How much a query's words are worth as evidence, in [0, 1]: the share of its idf mass that
    the memory ``known``, to a power that rises from 0 to 1 with the memory's ``turns``.
    """
    return float(max(known, _LEAST) ** (turns / (turns + _FEW)))


def confidence(*, best: float, known: float, middle: float, strange: bool = False) -> float:
    """How likely the best hit answers, in [0, 1].

    ``best``: the highest raw sum; ``known``: what the query's words are worth, as ``heard`` tells;
    ``middle``: the memory's yardstick; ``strange``: the query names what was never heard of.
    """
    if best <= 0:
        return 0.0
    sure = 1.0 / (1.0 + exp(-_SLOPE * (best * known**0.5 - middle)))
    return sure * _STRANGE if strange else sure


def trust(*, raw: float, best: float, known: float, strange: bool = False) -> float:
    """The share of a query's raw sums that stands on its own evidence, in (0, 1]; scores are
    scaled by it, so that the best score of a question about something else is low too.

    ``raw``: the highest raw sum; ``best``: the highest without what walks add, which lead
    somewhere from any question; ``known`` and ``strange`` as in ``confidence``. One number a
    query: it changes no order.
    """
    if raw <= 0 or best <= 0:
        return 1.0
    share = min(1.0, best / raw) * sqrt(max(known, _UNHEARD))
    return share * _STRANGE if strange else share


def is_weak(raw: float, *, middle: float) -> bool:
    """Whether a hit of this raw sum is doubtful by itself."""
    return raw < _WEAK * middle
