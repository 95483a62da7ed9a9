"""English names that the turns of a batch give away together.

A word that is capitalised inside a sentence and never occurs in lower case is a name wherever it
stands, also where it opens a sentence; people who write without capitals mean the same names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules import lexicon_people_en as people
from mnemis.consolidate.rules.bounds_en import (
    CONTRACTED,
    HUMAN_VERB,
    INTRODUCES,
    OF_PEOPLE,
    opens_sentence,
    shouts,
)
from mnemis.model.graph import EntityType

_CAPITALISED: Final = re.compile(r"(?<![\w'’-])[A-ZÀ-Þ][a-zß-ɏ]+(?![\w-])")
_LOWER: Final = re.compile(r"(?<![\w'’-])[a-zß-ɏ]{2,}(?![\w-])")
_BEFORE: Final = re.compile(r"([A-Z][\w'’]*)[ \t]$")
_COMMON: Final = (
    lex.NOT_NAMES
    | lex.WEAK
    | lex.KIN
    | lex.ROLES
    | lex.PETS
    | lex.ORGANISATION_WORDS
    | lex.PLACE_WORDS
    | lex.EVENT_WORDS
    | people.SUBJECTS
)
_DETERMINED: Final = (
    r"\b(?:an?|the|my|your|his|her|our|their|some|this|that|these|no|any|to|i|we|you|they|it|he|she|"
    r"can|could|would|should|might|must|did|does|do|very|so|too|more|not)\s+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """``names`` with what they name; ``casual`` are those of them met in lower case where nothing
    is capitalised; ``ordinary`` are words in lower case, which capitals only stress.
    """

    names: Mapping[str, EntityType] = field(default_factory=dict[str, EntityType])
    casual: frozenset[str] = frozenset()
    ordinary: frozenset[str] = frozenset()


NO_WORDS: Final = Words()


def is_casual(text: str) -> bool:
    """Whether a text begins without the capital that its first letter should have."""
    first = next((char for char in text if char.isalpha()), "")
    return first.islower() and first.isascii()


def words_of(texts: Sequence[str]) -> Words:
    """What these texts show together; in linear time."""
    inside: dict[str, set[int]] = defaultdict(set)
    opening: dict[str, set[int]] = defaultdict(set)
    human: set[str] = set()
    owning: set[str] = set()
    lower: set[str] = set()
    loose: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        casual = is_casual(text)
        for word in set(_LOWER.findall(text)):
            if casual:
                loose[word].append(number)
            else:
                lower.add(word)
        if shouts(text):
            continue
        for match in _CAPITALISED.finditer(text):
            word = match.group()
            if word.lower() in _COMMON:
                continue
            if opens_sentence(text, match.start()):
                opening[word].add(number)
            elif not _continues(text, match.start()):
                inside[word].add(number)
            if (
                HUMAN_VERB.match(text, match.end())
                or OF_PEOPLE.match(text, match.end())
                or INTRODUCES.search(text[max(0, match.start() - 24) : match.start()])
            ):
                human.add(word)
            elif text.startswith(("'s ", "’s "), match.end()) and not CONTRACTED.match(
                text, match.end()
            ):
                owning.add(word)
    names: dict[str, EntityType] = {}
    casual_names: set[str] = set()
    for word in {**inside, **opening}:
        low = word.lower()
        told = word in human
        shown = told or word in owning
        if low in lower or (word not in inside and not (shown and _recurs(word, opening, loose))):
            continue
        if low in loose:
            if low in people.ALSO_WORDS or any(
                re.search(rf"{_DETERMINED}{low}\b", texts[number]) for number in loose[low]
            ):
                continue
            casual_names.add(low)
        names[word] = "person" if told else "other"
    return Words(names=names, casual=frozenset(casual_names), ordinary=frozenset(lower))


def _continues(text: str, start: int) -> bool:
    """Whether the word before belongs to the same name or heading ("Data Privacy")."""
    before = _BEFORE.search(text[max(0, start - 24) : start])
    if before is None or before.group(1).endswith(("'s", "’s")):
        return False
    return before.group(1).lower() not in _COMMON and before.group(1).lower() not in people.TITLES


def _recurs(word: str, opening: Mapping[str, set[int]], loose: Mapping[str, Sequence[int]]) -> bool:
    turns = opening[word] | set(loose.get(word.lower(), ()))
    return len(turns) > 1 and not word.endswith(("ing", "ly"))
