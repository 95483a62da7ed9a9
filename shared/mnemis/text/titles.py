"""Titles that stand over a text, and stretches of a text that could be a name."""

from __future__ import annotations

import re

_LONGEST = 90
_WORD = re.compile(r"[^\W_]+(?:[.'&+#-]+[^\W_]+)*[+#]*")
_CJK_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
MAX_WORDS = 6
_MAX_CJK = 8


def title_line(text: str) -> str:
    """The first line, when it stands over a text as its title; else nothing.

    >>> title_line("Brand (play)\\nBrand is a play by Henrik Ibsen.")
    'Brand (play)'
    """
    head, _, rest = text.partition("\n")
    is_title = rest.strip() and len(head) <= _LONGEST and head[-1:] not in ".!?。！？:："
    return head.strip() if is_title else ""


def name_candidates(text: str) -> tuple[str, ...]:
    """Every stretch of up to 6 words (8 Chinese characters) that could be a name, longest first,
    ties in alphabetical order.
    """
    words = word_spans(text)
    found = han_stretches(text)
    for first, (start, _) in enumerate(words):
        for _, end in words[first : first + MAX_WORDS]:
            found.add(text[start:end])
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word starts and ends; what "AT&T" or "St.John's" joins is one word."""
    return [match.span() for match in _WORD.finditer(text)]


def han_stretches(text: str) -> set[str]:
    """Every stretch of 2 to 8 Chinese characters."""
    found: set[str] = set()
    for run in _CJK_RUN.finditer(text):
        chars = run.group()
        for start in range(len(chars)):
            for end in range(start + 2, min(len(chars), start + _MAX_CJK) + 1):
                found.add(chars[start:end])
    return found
