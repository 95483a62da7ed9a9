"""Which earlier fact of another slot a new fact puts an end to, because it names it.

"49 euros instead of 59", "we leave Haoran", 奶茶戒了: a value called by name is overturned wherever
it was stated, if it is a value of the same kind and of the same matter. Nothing else ends a fact
outside its slot: what is not named may still hold.
"""

from __future__ import annotations

import re
from typing import Final

from mnemis.consolidate.rules.cues import GENERAL, GOES_BACK, MATTER_CHANGES, SWITCHES, TOGETHER
from mnemis.consolidate.rules.reversals import NO_DAY, NO_DAY_ZH
from mnemis.consolidate.rules.values import kind_of, same_value
from mnemis.consolidate.validity.slots import is_habit, is_mine
from mnemis.model.graph import Fact
from mnemis.ports.extractor import FoundFact
from mnemis.text.normalise import fold, name_key
from mnemis.text.tokenise import content_tokens

_FIGURES: Final = frozenset({"costs", "scheduled_for", "has_value", "decided"})
_MATTERS: Final = frozenset(
    {"decided", "uses", "made_by", "supplied_by", "has_value", "located_in", "works_at", "prefers"}
)
_PERSONAL: Final = frozenset({"uses", "likes", "prefers", "decided"})
_OFFICES: Final = frozenset({"works_as", "manages", "has_value", "works_on"})


def goes_back(found: FoundFact) -> bool:
    """Whether a fact says that an earlier value holds again."""
    return found.polarity and GOES_BACK.search(found.text) is not None


def names_ended(found: FoundFact) -> tuple[str, ...]:
    """The values that a fact says are over, as it calls them."""
    ended: list[str] = []
    if found.replaces and found.polarity:
        ended.append(found.replaces)
    if (found.relation == "avoids" and found.polarity) or (
        not found.polarity
        and found.relation in (*_PERSONAL, "scheduled_for", "costs", "partner_of")
    ):
        ended.append(found.object)
    if is_habit(found.relation, found.aspect) and found.polarity:
        ended.append(found.object)
    return tuple(dict.fromkeys(ended))


_NAMES: Final = re.compile(r"[A-ZÀ-Þ][\w&+.-]*\w(?:\s[A-ZÀ-Þ][\w&+.-]*\w){0,3}")


def names_beside(found: FoundFact) -> tuple[str, ...]:
    """Other names in a sentence that says something was switched: one may be what was left."""
    if found.relation not in ("decided", "uses", "supplied_by") or not found.polarity:
        return ()
    if found.replaces or SWITCHES.search(found.text) is None:
        return ()
    said = found.text.partition(": ")[2] or found.text
    names = dict.fromkeys(match.group() for match in _NAMES.finditer(said))
    return tuple(each for each in names if not same_value(each, found.object))


def puts_end_to(found: FoundFact, subject: str, named: str, older: Fact) -> bool:
    """Whether ``found``, about the entity ``subject``, ends ``older`` by naming its value."""
    if older.status == "superseded" or not older.polarity:
        return False
    eats = is_habit(found.relation, found.aspect) and named == found.object
    if eats:
        return (
            older.relation == "avoids"
            and older.subject_id == subject
            and (same_value(named, older.object))
        )
    if found.replaces and same_value(named, older.subject):  # "Nadia takes over from Karl as …"
        return older.relation in _OFFICES and same_value(found.subject, older.object)
    if found.relation == "partner_of":
        return _is_partner(found, named, older)
    if not same_value(named, older.object):
        return False
    if kind_of(older.object) in ("money", "number", "date"):
        return older.relation in _FIGURES and _same_matter(found, subject, older)
    if older.subject_id == subject:
        return older.relation in (_MATTERS | _PERSONAL)
    if older.relation not in _MATTERS or found.relation not in _MATTERS:
        return False
    about_us = TOGETHER.search(found.text) is not None
    return about_us and (
        older.relation in ("made_by", "supplied_by", "located_in")
        or TOGETHER.search(older.text) is not None
        or not _is_speaker(older)
    )


_PARTNER: Final = re.compile(
    r"(?:['’]s\s+|的)(?P<role>girlfriend|boyfriend|wife|husband|partner|fianc\S+|女朋友|男朋友|女友|男友|老婆|老公|妻子|丈夫|爱人|对象|未婚妻|未婚夫)$"
)


def _is_partner(found: FoundFact, named: str, older: Fact) -> bool:
    """Whether ``older`` says who the partner is whom ``found`` parted from."""
    if found.polarity or older.relation not in ("partner_of", "named"):
        return False
    if older.relation == "partner_of":
        return name_key(older.subject) == name_key(found.subject) and same_value(
            named, older.object
        )
    role = _PARTNER.search(older.subject)
    if role is None or name_key(older.subject[: role.start()]) != name_key(found.subject):
        return False
    return same_value(named, older.object) or name_key(named) == name_key(role.group("role"))


def is_successor(found: FoundFact, older: Fact) -> bool:
    """Whether a changed price, day or quantity takes the place of an older one of the same matter
    that was called a little differently ("the big white loaf", "the white").
    """
    if (
        older.status != "current"
        or older.relation != found.relation
        or found.relation not in ("costs", "scheduled_for")
        or not (older.polarity and (found.polarity or found.object in (NO_DAY, NO_DAY_ZH)))
        or name_key(older.aspect) != name_key(found.aspect)
        or same_value(found.object, older.object)
        or found.subject_type == "person"
        or (found.polarity and MATTER_CHANGES.search(found.text) is None)
    ):
        return False
    one, two = _parts(found.subject), _parts(older.subject)
    if not one or not two or _of_two_speakers(found.text, older):
        return False
    # "the launch" may be the launch of the app; the launch party is no launch.
    wider = name_key(found.subject).startswith(f"{name_key(older.subject)} of ")
    if wider and _OF_OTHERS.search(found.subject):
        return False
    return one <= two or (two <= one and wider)


_OF_OTHERS: Final = re.compile(
    r"\sof\s+(?:(?:my|our|his|her|their|a|an|the)\s+)?(?:\w+\s)?(?:competitor|rival|neighbou?r|friend|colleague|boss|client|customer|"
    r"cousin|brother|sister|mother|father|mum|mom|dad|parent|son|daughter|uncle|aunt|niece|nephew|flatmate|roommate)s?$",
    re.IGNORECASE,
)
"""A matter of somebody else's is not the one that was spoken of: "the launch of our rival"."""


def _of_two_speakers(text: str, older: Fact) -> bool:
    """Whether each of two speakers tells of something of the own."""
    speaker = text.partition(":")[0]
    both = is_mine(text) and is_mine(older.text)
    return both and name_key(speaker) != name_key(older.speaker)


def _parts(subject: str) -> frozenset[str]:
    """The words of a matter; a Chinese one is looked at whole and by pairs of characters."""
    return frozenset(content_tokens(fold(subject)))


def _is_speaker(fact: Fact) -> bool:
    return name_key(fact.subject) == name_key(fact.speaker)


def _same_matter(found: FoundFact, subject: str, older: Fact) -> bool:
    """Figures and dates are many: they must be of one thing, as far as either says of what."""
    if older.subject_id == subject and name_key(older.aspect) == name_key(found.aspect):
        return True
    one = _words(f"{found.subject} {found.aspect}", found.relation == "decided")
    two = _words(f"{older.subject} {older.aspect}", older.relation == "decided")
    if not one or not two:
        return True
    said = set(content_tokens(fold(older.text))), set(content_tokens(fold(found.text)))
    return bool(one & two) or bool(one & said[0]) or bool(two & said[1])


def _words(text: str, personal: bool) -> set[str]:
    """What a subject names, without words that any price or date could have."""
    if personal:
        return set()
    return {word for word in content_tokens(fold(text)) if word not in _GENERAL_STEMS}


_GENERAL_STEMS: Final = frozenset(
    token for word in GENERAL for token in (word, *content_tokens(word))
)
