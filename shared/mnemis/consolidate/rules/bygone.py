"""Whether a statement tells of a year gone by, so that it says nothing of what holds now.

"In 2010 I moved to Lisbon", 2010年我搬到上海: said in 2025, neither overturns where one lives. "Since
2010" and "in 2010, and I still live there" reach to now.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

_YEAR: Final = re.compile(
    r"(?<!since )(?<!from )\b(?:(?:back|again|early|late|around|about|summer|spring|autumn|fall|winter|january|february|march|"
    r"april|may|june|july|august|september|october|november|december)\s+)*(?:in|of|during|until|till|by|around)\s+"
    r"(?:(?:early|late|mid|the\s+year|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)[\s-]+)*(?P<y>(?:19|20)\d\d)(?!\d)|(?<!自)(?<!自从)(?<!从)(?P<z>(?:19|20)\d\d)\s?年(?!以?[来后]|起|开始|至今|到现在)",
    re.IGNORECASE,
)
_REACHES: Final = re.compile(
    r"\b(?:since|still|now|nowadays|currently|today|ever\s+since|to\s+this\s+day)\b|现在|至今|如今|目前|还[在住是]|一直|以来|到今天",
    re.IGNORECASE,
)


def tells_of_past(text: str, said: datetime | None) -> bool:
    """Whether ``text``, said then, is about a year before that time's own."""
    if said is None or _REACHES.search(text):
        return False
    years = [int(match.group("y") or match.group("z")) for match in _YEAR.finditer(text)]
    return bool(years) and max(years) < said.year
