"""What stands around a name in English: the beginning of a sentence, and what people do."""

from __future__ import annotations

import re
from typing import Final

ENDS: Final = re.compile(r"[.!?…:;\n\"“”(•\-–—]\s*$")
HUMAN_VERB: Final = re.compile(
    r"\s+(?:said|says|told|thinks|thought|reckons|reckoned|wants|wanted|hates|hated|loves|loved|likes|"
    r"asked|asks|rang|phoned|texted|emailed|promised|laughed|cried|smiled|shouted|swears|swore|insists|"
    r"insisted|proposed|knows|knew|met|forgot|apologised|apologized|admitted|joked|believes|hopes|wishes|"
    r"agreed|refused|quit|married|remembered|remembers|decided|suggested|recommended|brought|cooked|"
    r"visited|teaches|studies|lives|joined|prefers|admires|avoids|wrote|was born|is (?:my|allergic|married))\b"
)
"""What only people do, with the blank before it."""

OF_PEOPLE: Final = re.compile(
    r"['’]s\s+(?:\w+\s+)?(?:mum|mom|mother|dad|father|sister|brother|son|daughter|wife|husband|partner|"
    r"girlfriend|boyfriend|cousin|uncle|aunt|niece|nephew|kids?|birthday|boss|landlord|flatmate|friend)\b"
)
"""Whom only people have."""

INTRODUCES: Final = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Coach|Uncle|Aunt|Auntie|Aunty|Nurse|Sister|"
    r"friend|sister|brother|son|daughter|wife|husband|partner|boss|manager|colleague|cousin|uncle|aunt|"
    r"niece|nephew|neighbou?r|doctor|dentist|teacher|coach|girlfriend|boyfriend|fianc[eé]e?|landlord|"
    r"landlady|roommate|flatmate|told|hey|hi|hello|married|man called|woman called|lad called|guy called|"
    r"girl called|boy called|man named|woman named)\.?,?\s+$",
    re.IGNORECASE,
)
"""What announces a person's name, with the blank after it."""

CONTRACTED: Final = re.compile(
    r"['’]s\s+(?:off|on|not|been|an?|the|got|back|here|there|gone|going|in|out|up|down|too|so|very|ready|"
    r"done|over|just|still|also|only|more|less|all|fine|good|bad|better|great|nice|open|closed|broken|dead|"
    r"full|late|early|about|at|to|being|getting|coming|started|finished|always|never|really|quite|looking|"
    r"that|what|my|your|our|their|his|her|due|cold|hot|wet|dry|low|high|mad|awful|terrible|lovely)\b|['’]s[.,!?]?$"
)
"""An "s" that stands for "is" or "has", not for whose something is."""


def opens_sentence(text: str, start: int) -> bool:
    """Whether a capital at ``start`` may be there only because a sentence begins."""
    before = text[max(0, start - 4) : start]
    return not text[:start].strip() if start <= 4 else bool(ENDS.search(before))


def shouts(text: str) -> bool:
    """Whether most of a text is in capitals, so that they tell nothing."""
    letters = [char for char in text if char.isalpha() and char.isascii()]
    upper = sum(char.isupper() for char in letters)
    return len(letters) > 12 and upper * 10 > len(letters) * 6
