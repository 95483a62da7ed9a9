"""Words by which a sentence about a change says that it has not come about: a modal, a denial, a
plan, a fear, a joke, another year, a stand-in for a while.

A sentence so hedged neither begins a value nor states the older one.
"""

from __future__ import annotations

import re
from typing import Final

_ACTS: Final = r"(?:rais\w+|mov\w+|chang\w+|tak\w+|took|hand\w*|go(?:ne|ing)?|went|increas\w+|lower\w*|reduc\w+|cut|pass\w*|inherit\w*|put|renam\w+|relocat\w+)"
_HEDGED: Final = re.compile(
    r"\b(?-i:may)\s+(?:\w+\s+)?[a-z]{2,}"
    rf"|\b(?:want(?:s|ed)?|plan(?:s|ned|ning)?|intend(?:s|ed)?|hop(?:e|es|ed|ing)|threat\w+|propos\w+|suggest\w*|refus\w+|declin\w+|forb\w+|offer(?:s|ed)|tr(?:y|ies|ied|ying)|demand\w*|ask(?:s|ed)?|would\s+like|vow\w*|fail(?:s|ed)?|not\s+allowed)\s+(?:[\w'’]+\s+){{0,3}}?(?:to|that)\s+(?:[\w'’]+\s+){{0,3}}?{_ACTS}\b"
    r"|\b(?:afraid|fear(?:s|ed|ing)?|worr(?:y|ies|ied)|jok(?:e|es|ed|ing)|pretend\w*|dream(?:t|ed|s)?|rumou?r\w*|allegedly|supposedly)\b"
    rf"|(?:n['’]t|\b(?:not|never|nobody|no\s+one))\s+(?:yet\s+|even\s+|ever\s+|be\s+|been\s+|being\s+|going\s+to\s+|have\s+|to\s+)*{_ACTS}\b(?!.*\b(?:any\s?more|longer)\b)"
    rf"|\b(?:was|were)\s+(?:going|supposed|meant|about)\s+to\s+{_ACTS}\b|\b(?:stop(?:s|ped)?|prevent(?:s|ed)?|kept|keeps?|saved)\s+(?:\w+\s+){{1,3}}from\b|\bout\s+of\s+{_ACTS}\b"
    r"|\b(?:years?|decades?|ages)\s+(?:ago|back)\b|\b(?:last\s+century|as\s+a\s+(?:child|kid|student)|when\s+I\s+was|in\s+the\s+(?:\w*ties|\d\ds))\b"
    r"|\bdid(?:n['’]t|\s+not)\s*[.!]|\bon\s+average\b|\bnationwide\b|\bnext\s+door\b|\belsewhere\b"
    r"|可能|也许|申请|请求|本来要|原本要|[一二三四五六七八九十几多\d]年(?:以)?前|小时候|上个?世纪|当年|不(?:涨|降|接手|接管|换|搬)(?!.{0,6}了)|想(?:要)?(?:接|涨|换|改|搬|让|把|转|提|降|加)|打算|计划|威胁|提议|建议|拒绝|不肯|不愿|不想(?!.{0,6}了)|不会|不准|不许|禁止"
    r"|没(?:有)?(?:接手|接管|接过|涨|换|改|搬|交给|转给|提[高到]|降|移|挪)|并没|未(?:接|涨|换|改)|没能|担心|害怕|怕.{0,8}[涨降]|以为|玩笑|谣|传言|听说|梦见|假装|平均",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"\bonly\s+(?:while|until|for|this|next)\b|\bwhile\s+(?:[\w'’]+\s+){1,3}?(?:is|are)\s+(?:away|off|ill|sick|travel\w+|on\s+\w+)|\btemporar\w+"
    r"|\bfor\s+(?:an?|one|two|three|this|next)\s+(?:day|week|month|year|weekend|term)s?\b|\b(?:this|next)\s+week\s+only\b|\buntil\s+\w+\s+(?:is|gets?|comes?)\s+back\b"
    r"|暂时|临时|暂代|代管|代班|期间|只(?:是|管|做|替)?.{0,4}(?:这|下)(?:个)?[周月]|的时候先|等.{1,4}回来|(?:管|做|带|负责|接手)过?[一两三几半]+(?:个)?(?:天|周|月|年)",
    re.IGNORECASE,
)
_TAKEN_BACK: Final = re.compile(
    r"\b(?:joking|kidding|a\s+joke|april\s+fools?\w*|not\s+true|n['’]t\s+true|nonsense|made\s+(?:it|that)\s+up)\b|开玩笑|骗你|不是真的|胡说|愚人节",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(
    r"\b(?:in|during|around|by|from|until|before)\s+(?:\w+\s+)?((?:19|20)\d\d)\b(?!\s*(?:euros?|dollars?|pounds?|[a-z]*\s?street))|((?:19|20)\d\d)年",
    re.IGNORECASE,
)


def is_hedged(sentence: str) -> bool:
    """Whether a sentence wishes, fears, plans, denies or jokes rather than says.

    >>> is_hedged("They may raise the rent."), is_hedged("They raised the rent in May.")
    (True, False)
    """
    return _HEDGED.search(sentence) is not None


def is_passing(sentence: str) -> bool:
    """Whether a sentence says that something holds for a while only."""
    return _PASSING.search(sentence) is not None


def takes_back(sentence: str) -> bool:
    """Whether a sentence says of the one before that it was no truth."""
    return _TAKEN_BACK.search(sentence) is not None


def is_of_another_year(sentence: str, year: int | None) -> bool:
    """Whether a sentence dates what it tells to a year, and not to this one."""
    return any(
        year is None or int(match.group(1) or match.group(2)) != year
        for match in _YEAR.finditer(sentence)
    )
