"""Named things in text with Latin letters: capitalised runs, identifiers, quoted titles."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules import lexicon_people_en as people
from mnemis.consolidate.rules.bounds_en import (
    CONTRACTED,
    HUMAN_VERB,
    OF_PEOPLE,
    opens_sentence,
    shouts,
)
from mnemis.consolidate.rules.lexicon_professions import is_profession
from mnemis.consolidate.rules.recurring_en import NO_WORDS, Words, is_casual
from mnemis.model.graph import EntityType
from mnemis.text.normalise import name_key

_WORD: Final = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ɏ](?:[A-Za-z0-9À-ÖØ-öø-ɏ_]|[.&'’-](?=[A-Za-z0-9À-ɏ]))*(?:\+\+|#)?"
    r"|\d+(?:[.:]\d+)*(?:[A-Za-z]+)?"
)
_JOINERS: Final = frozenset(
    {"of", "the", "de", "da", "do", "del", "della", "van", "von", "der", "la", "le", "&", "for"}
)
_TITLE: Final = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Coach|Uncle|Aunt)\.?\s+$"
)
_NUMBERED: Final = re.compile(
    r"\b(" + "|".join(sorted(lex.NUMBERED)) + r")\s+(#?\d+(?:\.\d+)*[A-Za-z]?|[A-Z])\b(?!['’\w])",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“]([A-Z0-9][^\"”\n.!?]{1,60})[\"”]|《([^》\n]{1,40})》")
_BEFORE_PERSON: Final = re.compile(
    r"(?:\b(?:named|called|friend|sister|brother|son|daughter|wife|husband|partner|boss|manager|"
    r"colleague|cousin|aunt|uncle|niece|nephew|neighbou?r|doctor|teacher|coach|told|tell|asked|ask|"
    r"met|meet|thanks|thank you|hey|hi|hello|dear|girlfriend|boyfriend|with|and|by|landlord|roommate)"
    r"|,)\s+$",
    re.IGNORECASE,
)
_STRONG_BEFORE_PERSON: Final = re.compile(
    r"\b(?:friend|sister|brother|son|daughter|wife|husband|partner|boss|manager|colleague|cousin|"
    r"aunt|uncle|niece|nephew|neighbou?r|doctor|teacher|coach|told|tell|girlfriend|boyfriend|"
    r"landlord|roommate|hey|hi|hello|dear|admires|married)\s+$",
    re.IGNORECASE,
)
_BEFORE_PLACE: Final = re.compile(
    r"\b(?:live[sd]? in|living in|moved? to|moving to|move[sd]? from|went to|flew to|"
    r"fly to|trip to|travel(?:l?ed|l?ing)? to|drive to|drove to|visit(?:ed|ing)?|based in|born in|"
    r"stay(?:ed|ing)? in|arrived? in|land(?:ed)? in|weekend in|days in|weeks in|hiking in|hiked in|flat in|house in|leaving)\s+"
    r"(?:the\s+)?$",
    re.IGNORECASE,
)
_BEFORE_ORGANISATION: Final = re.compile(
    r"\b(?:work(?:s|ed|ing)? (?:at|for)|job at|joined|join|hired by|employed (?:at|by)|"
    r"intern(?:ed|ship)? at|offer from|savings are at|account at|supplier is|vendor is|contract with)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_BEFORE_PRODUCT: Final = re.compile(
    r"\b(?:use[sd]?|using|install(?:ed)?|switch(?:ed)? (?:to|from)|writ(?:e|es|ing)|code in|coding in|"
    r"program(?:ming)? in|written in|migrat(?:e|ed) to|bought an?|playing|watch(?:ed|ing)?|read(?:ing)?)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ACTING: Final = lex.KIN | lex.ROLES | lex.PETS | lex.ORGANISATION_WORDS | lex.PLACE_WORDS
_STRESSED: Final = lex.WEAK | lex.PETS | lex.KIN | lex.ROLES
_IN_PLACE: Final = re.compile(r"^\s+in\s+([A-Z][\w’'-]+(?:\s[A-Z][\w’'-]+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name in a text; ``start`` is its offset; ``sure`` is False where only position hints."""

    name: str
    start: int
    type: EntityType = "other"
    qualifier: str = ""
    sure: bool = True


def find_names(text: str, *, known: Set[str], words: Words = NO_WORDS) -> tuple[Mention, ...]:
    """Names in ``text`` (already masked), by offset, without overlaps.

    ``known`` are name keys (and single words of known names): they admit a capitalised word that
    opens a sentence, and spellings in lower case ("nodejs" for "Node.js"). ``words`` is what the
    turns around show together.
    """
    if not any("A" <= char <= "Z" or "À" <= char <= "Þ" for char in text) and not known:
        return ()
    taken: list[tuple[int, int]] = []
    found: list[Mention] = []
    for match in _QUOTED.finditer(text):
        title = (match.group(1) or match.group(2)).strip(" ,")
        if match.group(2) or _is_title(title):
            start = match.start(1) if match.group(1) else match.start(2)
            found.append(Mention(name=title, start=start, type="product"))
            taken.append((match.start(), match.end()))
    for match in _NUMBERED.finditer(text):
        if not _overlaps(taken, match.start(), match.end()) and match.group(2).upper() not in (
            "A",
            "I",
        ):
            label = match.group(1)
            found.append(Mention(name=label[0].upper() + match.group()[1:], start=match.start()))
            taken.append((match.start(), match.end()))
    shouting = shouts(text)
    for start, end in _runs(text, known, words, shouting):
        if not _overlaps(taken, start, end):
            found.extend(_mention(text, start, end, known))
    return tuple(sorted(found, key=lambda each: (each.start, each.name)))


def _is_title(title: str) -> bool:
    words = title.split()
    capitals = [word for word in words if word[:1].isupper() or word[:1].isdigit()]
    return 2 <= len(words) <= 8 and len(capitals) * 2 > len(words)


def _runs(text: str, known: Set[str], seen: Words, shouting: bool) -> list[tuple[int, int]]:
    """Spans of adjacent capitalised words, joined by "of" and the like."""
    casual = seen.casual if seen.casual and is_casual(text) else frozenset[str]()
    words = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(text)]
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        start, end, word = words[index]
        if word in casual or word[:-2] in casual:
            spans.append((start, end))
            index += 1
            continue
        if not _opens_name(text, words, index, known, seen, shouting):
            index += 1
            continue
        last = index
        while last + 1 < len(words) and text[words[last][1] : words[last + 1][0]] in (
            " ",
            " & ",
            "·",
        ):
            following = words[last + 1][2]
            if _owns(words[last][2], following, seen):
                break
            if (_is_capital(following) and following.lower() not in lex.NOT_NAMES) or _label(
                following
            ):
                last += 1
            elif (
                following in _JOINERS
                and last + 2 < len(words)
                and text[words[last + 1][1] : words[last + 2][0]] == " "
                and _is_capital(words[last + 2][2])
                and words[last + 2][2].lower()
                not in lex.NOT_NAMES - lex.ORGANISATION_WORDS - lex.PLACE_WORDS
                and following not in ("for", "the")
            ):
                last += 2
            elif _is_capital(following) and following.lower() in (
                lex.ORGANISATION_WORDS | lex.PLACE_WORDS | lex.EVENT_WORDS
            ):
                last += 1
            else:
                break
        end = words[last][1]
        spans.append((start, end))
        index = last + 1
    return spans


def _owns(word: str, following: str, seen: Words) -> bool:
    """ "Orla's Rafe" are two people; "St. Mary's Hospital" is one name."""
    bare = re.sub(r"['’]s$", "", word)
    return bare != word and bare in seen.names and re.sub(r"['’]s?$", "", following) in seen.names


def _opens_name(
    text: str,
    words: list[tuple[int, int, str]],
    index: int,
    known: Set[str],
    seen: Words,
    shouting: bool,
) -> bool:
    start, _, word = words[index]
    bare = re.sub(r"['’]s?$", "", word)
    low = bare.lower()
    if low in lex.NOT_NAMES or (len(bare) == 1 and not _is_language(text, bare)):
        return False
    if len(bare) > 2 and bare.isupper() and (low in seen.ordinary or low in _STRESSED):
        return False
    if _is_identifier(bare):
        return True
    if bare.islower() or not _is_capital(bare):
        return not bare[:1].isdigit() and len(low) > 2 and _distinct(low) and name_key(low) in known
    if shouting or re.search(r"['’](?:m|ll|d|ve|re|t)$", word):
        return False
    if not opens_sentence(text, start):
        return True
    if low.endswith(("ing", "ly")) and low not in lex.GIVEN_NAMES:
        return False
    follows = words[index + 1] if index + 1 < len(words) else None
    if (
        index + 2 < len(words)
        and words[index + 1][2] in ("do", "da", "de", "del", "van", "von")
        and _is_capital(words[index + 2][2])
    ):
        return True
    run = (
        follows is not None
        and text[words[index][1] : follows[0]] == " "
        and _is_capital(follows[2])
        and follows[2].lower() not in lex.NOT_NAMES - lex.ORGANISATION_WORDS - lex.PLACE_WORDS
    )
    if run and not low.endswith(("ing", "ly")):
        return True
    if _TITLE.search(text[:start]):
        return True
    if low in lex.GIVEN_NAMES or low in lex.PLACES or name_key(bare) in known:
        return True
    if len(bare) < 3 or low in lex.WEAK or low in seen.ordinary or low in people.SUBJECTS:
        return False
    if is_profession(low):
        return False
    if HUMAN_VERB.match(text, start + len(bare)) and not low.endswith("s") and low not in _ACTING:
        return True
    after = text[start + len(bare) : start + len(bare) + 24]
    return bool(re.match(r"['’]s\b", after)) and not CONTRACTED.match(after)


def _distinct(word: str) -> bool:
    """Whether a word in lower case can only be a name ("nodejs", not "java" or "bank")."""
    return word.endswith("js") or any(char.isdigit() for char in word)


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _label(word: str) -> bool:
    return word[:1].isdigit() and len(word) <= 4


def _is_language(text: str, word: str) -> bool:
    if text.count(f"{word}++") or text.count(f"{word}#"):
        return word == "C" and re.search(r"\bC\b(?![+#'’.])", text) is not None
    return (
        word in ("C", "R")
        and re.search(rf"\b(?:write|code|program|in|use)\s+{word}\b", text) is not None
    )


def _is_identifier(word: str) -> bool:
    if word.endswith(("++", "#")):
        return True
    if len(word) >= 2 and word.isupper() and word.isalpha():
        return word.lower() not in lex.NOT_NAMES and len(word) < 7
    inner = any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)
    digits = (
        any(char.isdigit() for char in word)
        and word[:1].isalpha()
        and any(char.isupper() for char in word)
    )
    return (inner and "-" not in word) or digits


def _mention(text: str, start: int, end: int, known: Set[str]) -> list[Mention]:
    name = re.sub(r"['’]s?$", "", text[start:end])
    if name.islower() and name.isalpha() and not _distinct(name):
        name = name.capitalize()
    before, after = (
        text[max(0, start - 40) : start],
        text[start + len(name) : start + len(name) + 40],
    )
    kind = type_of(name, before=before, after=after)
    qualifier = ""
    if kind == "organisation" and (place := _IN_PLACE.match(after)) and len(name.split()) > 1:
        qualifier = place.group(1)
    if not any(char.isalpha() for char in name):
        return []
    return [Mention(name=name, start=start, type=kind, qualifier=qualifier)]


def type_of(name: str, *, before: str, after: str) -> EntityType:
    """The type that the name itself or its neighbours give away; "other" without evidence."""
    words = name.lower().split()
    last = words[-1].strip(".")
    if last in lex.ORGANISATION_WORDS or (
        words[0] in ("university", "bank", "ministry") and len(words) > 1
    ):
        return "organisation"
    if len(words) > 1 and last in lex.PLACE_WORDS:
        return "place"
    if last in lex.EVENT_WORDS:
        return "event"
    if _TITLE.search(before) or _STRONG_BEFORE_PERSON.search(before):
        return "person"
    place = _BEFORE_PLACE.search(before)
    if all(word in lex.PLACES for word in words) or (
        words[0] in ("new", "san", "los") and len(words) > 1
    ):
        return "place"
    if words[0] in lex.GIVEN_NAMES and not place:
        return "person"
    if _BEFORE_ORGANISATION.search(before) and not OF_PEOPLE.match(after):
        return "organisation"
    if place and not name.isupper() and not _is_identifier(name):
        return "place"
    if _cued(before + after, lex.TRAVEL_CUES) and re.search(
        r"\b(?:on|in|around)\s+$", before, re.IGNORECASE
    ):
        return "place"
    if (
        _BEFORE_PRODUCT.search(before)
        or name.endswith(("++", "#"))
        or name.lower().endswith((".js", "js"))
    ):
        return "product"
    if HUMAN_VERB.match(after) and not name.isupper() and not any(char.isdigit() for char in name):
        return "person" if len(words) <= 3 and _is_plain(words) else "other"
    if _BEFORE_PERSON.search(before) and words[0] in lex.GIVEN_NAMES:
        return "person"
    return "other"


def _is_plain(words: list[str]) -> bool:
    return all(word.replace("-", "").replace(".", "").replace("'", "").isalpha() for word in words)


def _cued(around: str, cues: Set[str]) -> bool:
    return any(word in cues for word in re.findall(r"[a-z]+", around.lower()))


def _overlaps(taken: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < stop and begin < end for begin, stop in taken)
