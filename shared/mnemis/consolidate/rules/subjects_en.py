"""Whom or what an English clause speaks of, and where its verb begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules.verbs_en import VERB_RULES
from mnemis.model.graph import EntityType

POSSESSED: Final = re.compile(r"^([A-ZÀ-Þ][\w’'.-]*(?:\s[A-ZÀ-Þ][\w.-]*){0,2})['’]s\s+(.+)$")


NAME: Final = re.compile(
    r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+)?[A-ZÀ-Þ][\w.+#&-]*(?:\s(?:[A-ZÀ-Þ][\w.+#&-]*|\d+[\w.]*)){0,3}$"
)


LONGEST_SUBJECT: Final = 6


def splits(plain: str) -> Iterator[tuple[str, str]]:
    """Every way to read a subject and a known first verb, leftmost first."""
    words = plain.split()
    for index, word in enumerate(words[: LONGEST_SUBJECT + 1]):
        if index and word.lower() in HEADS:
            subject = " ".join(words[:index])
            if (
                word.lower() in PLAIN_FORMS
                and subject.lower() not in ("i", "we")
                and not is_plural(subject)
            ):
                continue
            if is_subject(subject):
                yield subject, " ".join(words[index:])


def is_plural(subject: str) -> bool:
    """Whether "we"-like: several people, or a plural noun."""
    words = subject.split()
    last = words[-1].lower()
    if len(words) == 1:
        return False
    return (
        " and " in subject
        or last.endswith("s")
        or last in ("people", "children", "parents", "kids")
    )


def is_subject(subject: str) -> bool:
    """Whether words before a verb can be what it speaks of."""
    low = subject.lower()
    if low in ("i", "we") or low in BARE:
        return True
    if low in lex.NOT_NAMES or "," in subject:
        return False
    first = low.split()[0]
    if first in ("my", "our", "the"):
        rest = low.split()[1:]
        return len(rest) > 0 and not any(word in NOT_IN_SUBJECT for word in rest)
    if POSSESSED.match(subject):
        return True
    if first.endswith("ing"):
        return False
    return bool(NAME.match(subject)) and first not in lex.NOT_NAMES - {
        "task",
        "room",
        "version",
        "desk",
    }


PLAIN_FORMS: Final = frozenset(
    "live work like love hate prefer use want need manage lead run study own eat drink play know plan write code program "
    "report speak enjoy adore fancy dislike detest attend avoid smoke cost have am do switch move push set cut go".split()
)


BARE: Final = frozenset(
    "launch deadline release meeting wedding delivery exam party trip kickoff kick-off demo interview appointment rent "
    "lunch dinner standup stand-up workshop training rehearsal practice retro".split()
)


NOT_IN_SUBJECT: Final = frozenset(
    "i you he she it we they them us me that which who where when is are was were have has had do does did can will and "
    "or but to so if not".split()
)


def read_subject(subject: str) -> tuple[str, str, bool, EntityType]:
    """(name, aspect, owned by the speaker, type); the name of "I" and "we" is ""."""
    if subject.lower() in ("i", "we"):
        return "", "", False, "person"
    words = subject.split()
    first = words[0].lower()
    if first in ("my", "our"):
        noun = " ".join(words[1:])
        if proper := re.match(r"^(?:[a-z-]+\s)+?([A-ZÀ-Þ][\w-]+(?:\s[A-ZÀ-Þ][\w-]+)?)$", noun):
            return proper.group(1), "", False, "person" if person_noun(noun) else "other"
        if person_noun(noun):
            return noun, "", True, "person"
        if words[-1].lower() in lex.PETS:
            return noun, "", True, "animal"
        if first == "our":
            return noun, "", False, "other"
        return "", noun, False, "other"
    if first == "the":
        return " ".join(words[1:]), "", False, "other"
    if possessed := POSSESSED.match(subject):
        noun = possessed.group(2)
        if proper := re.match(r"^(?:[a-z-]+\s)+([A-ZÀ-Þ][\w-]+(?:\s[A-ZÀ-Þ][\w-]+)?)$", noun):
            return proper.group(1), "", False, "person" if person_noun(noun) else "other"
        if person_noun(noun) or noun.lower() in lex.PETS:
            return f"{possessed.group(1)}'s {noun}", "", False, "person"
        return possessed.group(1), noun, False, "other"
    named_person = words[0].lower() in lex.GIVEN_NAMES or first.rstrip(".") in (
        "mr",
        "mrs",
        "ms",
        "dr",
    )
    if subject.lower() in BARE:
        return subject.lower(), "", False, "other"
    return subject, "", False, "person" if named_person else "other"


def person_noun(noun: str) -> bool:
    """Whether "my NOUN" is a person (sister, old boss, in-laws' neighbour)."""
    words = [word.lower() for word in noun.split()]
    return any(word in lex.KIN or word in lex.ROLES or word in lex.CHILDREN for word in words[:3])


HEADS: Final = frozenset(word for rule in VERB_RULES for word in rule.heads) | frozenset(
    "do does did can will am is are was were have has never no used formerly previously".split()
)
