"""The single questions of a query, without the small talk around them."""

from __future__ import annotations

import re

from mnemis.text.questions import split_compound
from mnemis.text.tokenise import content_tokens

_REAL_QUESTION = re.compile(
    r"(?:(?:真正|实际|其实|本来|到底)[^，,。？?：:]{0,5}(?:想|要|问题)[^，,。？?：:]{0,8}"
    r"|我想问(?:的是|一下|问)?"
    r"|(?:really|actually) (?:want(?:ed)?|meant|mean) to (?:ask|know)(?: is| was)?"
    r"|(?:real|actual) question (?:is|was))(?:(?:[，,]?这个)?[，,：:\s]+)",
    re.IGNORECASE,
)
_ALSO = re.compile(
    r"(?:(?<=[?？。.])|(?<=^))\s*"
    r"(?:另外|还有|顺便|此外|[Aa]lso|[Aa]nd also|[Bb]y the way)[，,：:\s]+"
)
_SENTENCE_END = re.compile(r"(?<=[。！？!?])\s*|(?<=[.])\s+")
_TALKATIVE = 3  # sentences from which on all but the last are taken for small talk
_ENOUGH = 3  # tokens that a last sentence needs to stand alone


def clauses(text: str) -> list[str]:
    """The questions of a query in order, each reduced to what it really asks; at least one."""
    found: list[str] = []
    spoken = [each for each in _ALSO.split(text) if each.strip()]
    for focused in (part.strip() for each in spoken for part in split_compound(focus(each))):
        if found and len(content_tokens(focused)) < 2 and not focused.endswith(("?", "？")):
            found[-1] = f"{found[-1]} {focused}"
        elif focused:
            found.append(focused)
    return found or [text]


def focus(text: str) -> str:
    """What follows "what I really want to ask is", or a last question after several sentences."""
    marks = list(_REAL_QUESTION.finditer(text))
    if marks and len(text) - marks[-1].end() > 4:
        return text[marks[-1].end() :]
    told = [each.strip() for each in _SENTENCE_END.split(text) if each.strip()]
    asked = sum(each.endswith(("?", "？")) for each in told)
    if len(told) >= _TALKATIVE and asked == 1 and told[-1].endswith(("?", "？")):
        if len(content_tokens(told[-1])) >= _ENOUGH:
            return told[-1]
    return text
