"""The newer of the first hits ahead, where the question is about the present.

People rarely say that something changed: they say the new thing ("we meet at Brona's, bring a
chair"), and no fact of the graph overturns the old one. Nothing is marked as superseded for that
and no other turn comes in: only the order among the first ten changes, by a bonus that fades with
age.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from typing import Final

from mnemis.model.query import Query
from mnemis.recall.candidate import Candidate

_FIRST: Final = 10  # hits among which the order changes
_AHEAD: Final = 0.7  # in raw: the newest over one that is old, as far as people talk
_FADES: Final = 60.0  # days after which it has faded to a third
_DAY: Final = 86_400

_PAST = re.compile(
    r"\b(?:did|was|were|had|ago|yesterday)\b|\blast (?:night|week|month|year|time|summer|winter"
    r"|spring|autumn|fall)\b|当时|上次|上回|去年|前年|昨天|昨晚|那时|那天|那次"
    r"|(?<![经通难超错路不])过(?![敏来去年程期滤道])|了(?!吗|呢|没|么|吧|[?？,，。!！\s]|$)",
    re.IGNORECASE,
)


def asks_of_the_present(query: Query) -> bool:
    """Whether the question is for what holds: not for what was or what happened, nor for all that
    was ever said of a topic.
    """
    if "now" in query.intents:
        return True
    wide_or_past = query.intents & {"before", "all"}
    return not wide_or_past and not query.ranges and not _PAST.search(query.text)


def newer_first(
    candidates: Sequence[Candidate], query: Query, *, dialogue: float
) -> list[Candidate]:
    """The candidates (best first) with the newer of the first ten ahead; which ten they are stays
    the same. ``dialogue`` in [0, 1]: how far people talk with each other; notes that stand for
    themselves do not follow from each other, and keep their order.
    """
    times = [each.turn.time.timestamp() for each in candidates[:_FIRST] if each.turn.time]
    if not dialogue or not times or not asks_of_the_present(query):
        return list(candidates)
    newest = max(times)
    first = [
        each.raised(each.raw + dialogue * _AHEAD * exp(-_days(newest - each.turn.time.timestamp())))
        if each.turn.time
        else each
        for each in candidates[:_FIRST]
    ]
    first.sort(key=lambda each: (-each.raw, each.turn.id))
    return [*first, *candidates[_FIRST:]]


def _days(seconds: float) -> float:
    """Age in units of the time in which the bonus fades."""
    return seconds / _DAY / _FADES
