"""The newer of the first hits ahead, where the question is about the present.

People rarely say that something changed: they say the new thing ("we meet at Brona's, bring a
chair"), and no fact of the graph overturns the old one. Nothing is marked as superseded for that
and no other turn comes in: only the order among the first ten changes, by a bonus for the newer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mnemis.model.query import Query
from mnemis.recall.candidate import Candidate
from mnemis.recall.observe import MACHINES

_FIRST: Final = 10  # hits among which the order changes
_AHEAD: Final = 0.35  # in raw: the newest over the oldest of them, as far as people talk

_DID_EN = (
    r"\w+ed|gave|won|told|taught|broke|came|made|went|took|met|got|bought|sold|said|fell|lost"
    r"|found|left|wrote|built|brought|caught|chose|drove|felt|held|kept|paid|sent|sang|spoke|stole"
    r"|threw|thought"
)
_PAST = re.compile(
    r"\b(?:did|was|were|had|could)(?:n['’]t)?\b|\bago\b|\byesterday\b|\bas a (?:child|kid)\b"
    r"|\blast (?:night|week|month|year|time|summer|winter|spring|autumn|fall|trip|holiday|visit)\b"
    rf"|\b(?:who|what|which(?: \w+)?|whose \w+) (?:{_DID_EN})\b|\bwhen \w+ (?:\w+ed)\b"
    r"|(?:\bthe|['’]s) first (?:time|day|date|trip|job|visit)\b"
    r"|当时|上次|上回|去年|前年|年前|昨天|昨晚|当年|早年|过去|小时候|大学时|那[时天次年]|第一次|刚.{1,6}时候"
    r"|(?:谁|怎么|什么时候|哪[里儿年天月])[^,，。]{0,6}[^谁哪的]的[?？]?$"
    r"|(?<![经通难超错路不])过(?![敏来去年程期滤道生节户得几一夜冬日关])"
    r"|(?<![为除换改定订变成到])了(?!解|吗|呢|没|么|吧|[?？,，。!！\s]|$)",
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
    themselves do not follow from each other, and keep their order. What a machine said is never
    news. Days count in order, whatever lies between: one wrong date outweighs no others.
    """
    first = candidates[:_FIRST]
    days = sorted({each.turn.time.date() for each in first if each.turn.time})
    if not dialogue or len(days) < 2 or not asks_of_the_present(query):
        return list(candidates)
    share = {day: place / (len(days) - 1) for place, day in enumerate(days)}
    ahead = [
        each.raised(each.raw + dialogue * _AHEAD * share[each.turn.time.date()])
        if each.turn.time and each.turn.role not in MACHINES
        else each
        for each in first
    ]
    ahead.sort(key=lambda each: (-each.raw, each.turn.id))
    return [*ahead, *candidates[_FIRST:]]
