"""Which words tell what a text is about, for finding two turns about one matter."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

from mnemis.text.normalise import fold
from mnemis.text.tokenise import content_tokens, tokenise

_GENERAL: Final = frozenset(
    tokenise(
        "now new move moved change changed push pushed instead back time day date week month "
        "price cost name today tomorrow morning afternoon evening yes no ok fine well then thing "
        "things set done get going go play take meet come start begin may "
        "monday tuesday wednesday thursday friday saturday sunday "
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march "
        "april june july august september october november december "
        "现在改换推迟提前时间日期名字价格今天明天已经可以那就还是最后"
    )
)
"""Words that turns about any matter share."""

_CALENDAR: Final = re.compile(
    r"^\d+$|^[上下这周期拜][一二三四五六日天]$|^[一二三四五六七八九十两]+[月日号点]?$|^[月日号点][^子期程]$"
)


@lru_cache(maxsize=4_096)
def content_of(text: str) -> frozenset[str]:
    """Words, and of Chinese the pairs: a character alone tells no matter."""
    return frozenset(
        each
        for each in content_tokens(text)
        if len(each) > 1 and each not in _GENERAL and not _CALENDAR.search(each)
    )


def calls(text: str, name: str) -> bool:
    """Whether a text names this, or the first word of it."""
    low, head = fold(text), fold(name).split()[0]
    if head.isascii():
        return len(head) > 3 and re.search(rf"\b{re.escape(head)}\b", low) is not None
    return fold(name) in low


def share_words(one: str, two: str) -> bool:
    """Whether two texts have a word of their matters in common."""
    return bool(content_of(one) & content_of(two))


def surface_of(token: str, text: str) -> str:
    """The word of the text that a token was made of."""
    for word in re.findall(r"[^\W_]+", text):
        if token in tokenise(word) and (len(word) < 12 and word.isascii()):
            return str(word)
    return token


def idf_of_two(count: int) -> float:
    """The idf of a word that two of so many turns hold."""
    return math.log(1 + max(count - 1.5, 0.5) / 2.5)
