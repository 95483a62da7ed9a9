"""English object phrases: up to the next clause, without time and article."""

from __future__ import annotations

import re
from typing import Final

CUT: Final = re.compile(
    r"\s*(?:,(?!\d{3}(?!\d))|;|:|\(|—|–|\s-\s|\s(?:because|but|since|when|while|after|before|although|though|where|which|who|if|"
    r"instead|rather than|anymore|any more|right now|these days|nowadays|currently|at the moment|so that|"
    r"so much|so|then|too|as well|together|again|already|though|until|unless|ever since|"
    r"and (?:I|we|he|she|they|it|my|our|then|now|that|also|so|it's|there|will|am|is|are|was|have|has|want|"
    r"need|love|like|hate|moved|live|work|lives|works|loves|likes|hates|wants|needs|plays|studies|speaks|runs|owns))\b|(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)[.!?]\s).*$",
    re.IGNORECASE,
)


TIME_TAIL: Final = re.compile(
    r"\s+(?:now|today|tonight|yesterday|tomorrow|lately|recently|soon|last \w+|next \w+|this (?:week|month|year|"
    r"morning|summer|spring|autumn|winter|weekend)|every (?:day|week|month|year)|(?:for|in) \d+ (?:years?|months?|weeks?)|"
    r"a (?:year|month|week|few \w+) ago|\w+ (?:years?|months?|weeks?|days?) ago|in (?:19|20)\d\d|since \w+|"
    r"for (?:a|two|three|four|five|ten|many|several) (?:years?|months?|weeks?)|the most|a lot|very much|at all)$",
    re.IGNORECASE,
)


ARTICLE: Final = re.compile(
    r"^(?:the|an?|my|our|your|some|any|this|that|these|those|to be)\s+", re.IGNORECASE
)


MOST_WORDS: Final = 9


def tidy(text: str, *, keep_article: bool) -> str:
    """The object phrase at the head of ``text``: up to the next clause, without time and article."""
    phrase = CUT.sub("", f"{text.strip()} ").strip(" .!,;:\"“”'’)")
    for _ in range(2):
        phrase = TIME_TAIL.sub("", phrase)
    if not keep_article:
        phrase = ARTICLE.sub("", phrase)
    phrase = phrase.strip(" .!,;:\"“”'’")
    return phrase if len(phrase.split()) <= MOST_WORDS else ""


EMPTY_OBJECTS: Final = frozenset(
    "it that this them these those him her you me us everything something anything nothing one "
    "there here what so all to i we they he she".split()
)
