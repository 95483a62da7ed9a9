"""What stands around a name in Chinese, which has neither gaps nor capitals to show where it ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemis.consolidate.rules import lexicon_people_zh as people
from mnemis.consolidate.rules import lexicon_zh as lex

ALL_SURNAMES: Final = lex.SURNAMES | people.RARER_SURNAMES


def _filed(words: Iterable[str], *, place: int) -> dict[str, tuple[str, ...]]:
    """Words by one of their characters, the longest first."""
    ordered = sorted(frozenset(words), key=lambda word: (-len(word), word))
    filed: dict[str, tuple[str, ...]] = {}
    for word in ordered:
        filed[word[place]] = (*filed.get(word[place], ()), word)
    return filed


_VERBS: Final = _filed(lex.PERSON_VERBS, place=0)
_LEFT: Final = _filed(lex.NAME_LEFT, place=-1)
_ADDRESSES: Final = _filed(people.ADDRESSES, place=0)
_NOT_NAMES: Final = _filed(lex.NOT_NAMES | people.NOT_PEOPLE, place=0)


def is_common_word(text: str, at: int) -> bool:
    """Whether the surname's character at ``at`` belongs to an ordinary word, begun or ended there."""
    if at and text[at - 1 : at + 1] in people.WORDS_BEFORE:
        return True
    return any(text.startswith(word, at) for word in _NOT_NAMES.get(text[at], ()))


def surname_at(text: str, at: int) -> str:
    """The surname that may begin at ``at``; empty when none does."""
    compound = next((name for name in lex.COMPOUND_SURNAMES if text.startswith(name, at)), "")
    return compound or (text[at] if text[at] in ALL_SURNAMES else "")


def address_at(text: str, at: int) -> str:
    """The form of address that begins at ``at``: 院长, or 总 where no longer word begins with it."""
    short = text[at : at + 1]
    for word in _ADDRESSES.get(short, ()):
        if text.startswith(word, at):
            return word
    if short and short in people.SHORT_ADDRESSES and text[at : at + 2] not in people.NOT_ADDRESSED:
        return short
    return ""


def is_addressed(name: str) -> bool:
    """Whether a name is a surname with a form of address, 裴医生, and so has no given name."""
    surname = surname_at(name, 0) if name else ""
    rest = name[len(surname) :]
    return bool(surname and rest) and address_at(rest, 0) == rest


def right_of(text: str, stop: int, end: int) -> tuple[bool, bool]:
    """Whether what follows may follow a person's name, and whether little else may precede it."""
    if stop >= end:
        return True, False
    if text[stop] == "的" and text.startswith(lex.OF_PEOPLE, stop + 1):
        return True, True
    for verb in _VERBS.get(text[stop], ()):
        if text.startswith(verb, stop):
            return True, verb in lex.STRONG_VERBS
    return False, False


def left_of(text: str, begin: int, at: int) -> tuple[bool, bool]:
    """Whether what precedes may precede a person's name, and whether it announces one."""
    if at == begin:
        return True, False
    before = text[max(begin, at - 4) : at]
    for word in _LEFT.get(before[-1], ()):
        if before.endswith(word):
            return True, word in lex.STRONG_LEFT
    return before[-1] in "的了在是我你他她和与就都也被让给到把过", False
