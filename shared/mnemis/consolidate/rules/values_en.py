""" "My X is Y" and "the X is Y": what it says depends on X and on the shape of Y."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.lexicon_professions import is_profession
from mnemis.consolidate.rules.subjects_en import NAME, person_noun
from mnemis.consolidate.rules.values import kind_of
from mnemis.model.graph import EntityType


def value_claims(
    name: str, aspect: str, owned: bool, kind: EntityType, target: str, negated: bool, subject: str
) -> Iterator[Claim]:
    """ "My X is Y" and "the X is Y": what it says depends on X and on the shape of Y."""
    low = aspect.lower()
    words = target.split()
    is_name = bool(NAME.match(target)) and words[0].lower() not in lex.NOT_NAMES
    base = Claim(
        subject=name,
        relation="has_value",
        object=target,
        text="",
        aspect=low,
        polarity=not negated,
        owned=owned,
        subject_type=kind,
    )
    if kind in ("person", "animal") and not aspect:
        if is_name and not owned and not negated and name.lower() in (lex.KIN | lex.ROLES):
            yield replace(base, relation="named", object_type="person")
        elif is_profession(target):
            yield replace(base, relation="works_as", aspect="")
        elif is_name and (owned or "'s " in name) and not negated:
            yield replace(base, relation="named", object_type=kind)
        elif name and kind == "person" and re.match(r"(?:our|my)\s", target):
            yield replace(base, relation="has_value", aspect="role")
        return
    if low.endswith(" name") or low == "name":
        yield from name_claims(base, low, is_name)
        return
    on_day = re.match(r"(?:on|at)\s+(?P<day>.+)$", target)
    if on_day and kind_of(on_day.group("day")) == "date" and not negated and "birth" not in low:
        event = low or name.lower()
        yield replace(
            base, relation="scheduled_for", object=on_day.group("day"), aspect="", subject=event
        )
        return
    if not is_value(target, subject) or (
        not aspect and subject[:1].isupper() and not says_what(target)
    ):
        return
    if low in ("birthday", "date of birth"):
        yield replace(
            base, relation="born_on", aspect="", object=re.sub(r"^(?:on|in)\s+", "", target)
        )
    elif (
        re.search(r"\b(?:phone|mobile|number|e-?mail|address|handle)\b", low)
        and not re.search(r"locker|room|order", low)
        and re.search(r"[\d@]", target)
    ):
        yield replace(
            base,
            relation="contact_is",
            aspect="phone" if re.search(r"phone|mobile|cell", low) else low,
        )
    elif re.search(r"(?:supplier|vendor)$", name.lower()) and is_name:
        yield replace(base, relation="supplied_by", object_type="organisation")
    elif re.search(r"(?:price|cost)$", low) or re.search(r"\b(?:price|cost)\b", name.lower()):
        yield replace(base, relation="costs", aspect="", subject=priced(name, low))
    else:
        yield base if aspect else replace(base, aspect="")


def says_what(target: str) -> bool:
    """Of a named thing only figures, names and "a ..." are worth a fact, not "cheaper"."""
    return any(char.isdigit() for char in target) or target[:1].isupper()


def priced(name: str, aspect: str) -> str:
    """What a price is of; "price" when that goes without saying."""
    whole = re.sub(
        r"\s*\b(?:price|cost)\b(?:\s+(?:of|for)\s+(?:the\s+)?)?", " ", f"{name} {aspect}"
    ).strip()
    return whole or "price"


def name_claims(base: Claim, low: str, is_name: bool) -> Iterator[Claim]:
    """ "My son's name is Leo"."""
    if not is_name:
        return
    owner = re.sub(r"(?:['’]s)?\s*name$", "", low).strip()
    if not owner:
        yield replace(base, relation="named", aspect="", object_type="other")
    elif base.subject == "" and person_noun(owner):
        yield replace(
            base,
            relation="named",
            subject=owner,
            aspect="",
            owned=True,
            subject_type="person",
            object_type="person",
        )
    else:
        yield replace(
            base,
            relation="named",
            subject=owner,
            aspect="",
            owned=base.subject == "",
            object_type="other",
        )


def is_value(target: str, subject: str) -> bool:
    """A value is short: a number, a name, a noun phrase; not a feeling and not an activity."""
    words = target.split()
    if any(char.isdigit() for char in target):
        return len(words) <= 8
    first = words[0].lower()
    if len(words) > 5 or first.endswith(("ing", "ly")) or first in NO_VALUE:
        return False
    if first in (
        "to",
        "that",
        "what",
        "where",
        "when",
        "how",
        "why",
        "not",
        "in",
        "on",
        "at",
        "for",
        "with",
    ):
        return False
    if subject.lower().startswith("the ") and not target[:1].isupper():
        return False
    return (
        len(words) > 1
        or target[:1].isupper()
        or (first not in lex.WEAK and not first.endswith(("ed", "ful", "ous", "ive", "able", "y")))
    )


NO_VALUE: Final = frozenset(
    "great good bad fine nice terrible awful amazing busy tired done here there back ready over so "
    "very too really just happy sad open closed full empty coming going good, better worse best late "
    "early sick ill well okay ok hard easy fun important different same right wrong true false "
    "beautiful lovely gone dead alive free still always never no everything all more less like "
    "about up down out off away able sure glad excited proud what it".split()
)
