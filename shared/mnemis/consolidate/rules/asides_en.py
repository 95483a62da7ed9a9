"""What English says beside the subject and its verb: who is whose, and what shall be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules import lexicon_en as lex
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.objects_en import tidy
from mnemis.model.graph import EntityType
from mnemis.text.dates import has_date

PROPER: Final = r"[A-ZÀ-Þ][\w’'-]+(?:\s[A-ZÀ-Þ][\w’'-]+){0,2}"


APPOSED: Final = re.compile(
    rf"\b(?P<name>{PROPER}),\s+(?:my|our)\s+(?P<noun>(?:[a-z-]+\s)?[a-z-]+)(?=\s+to be|[,.;!]|$)"
)


KIN_NAME: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)\s+(?P<noun>(?:[a-z-]+\s){{0,2}}?[a-z-]+),?\s+(?P<name>{PROPER})"
)


HAS_KIN: Final = re.compile(
    rf"\b(?P<who>I|[Ww]e|{PROPER})(?:,[^,]+,)?\s+(?:have|has|'ve got)\s+an?\s+(?P<noun>(?:[a-z-]+\s)?[a-z-]+),?\s+(?:called\s+|named\s+)?(?P<name>{PROPER})"
)


def introductions(text: str) -> Iterator[Claim]:
    """ "My brother Arjun", "Karin Lindqvist, my physio", "Duarte has a cousin, Inês": who is whose."""
    for pattern in (APPOSED, KIN_NAME, HAS_KIN):
        for match in pattern.finditer(text):
            noun, name = match.group("noun"), re.sub(r"['’]s$", "", match.group("name"))
            last = noun.split()[-1]
            if (
                last not in (lex.KIN | lex.ROLES | lex.CHILDREN | lex.PETS)
                or name.split()[0].lower() in lex.NOT_NAMES
            ):
                continue
            who = match.groupdict().get("who") or "I"
            kind: EntityType = "animal" if last in lex.PETS else "person"
            own = who.lower() in ("i", "we")
            yield Claim(
                subject=noun if own else f"{who}'s {noun}",
                relation="named",
                object=name,
                text=match.group(),
                owned=own,
                subject_type=kind,
                object_type=kind,
            )


ORDERS: Final = re.compile(r"\s+and\s+(?=(?:put|have|go|start|drop|use|keep|store|pick)\b)")


COMMANDS: Final = re.compile(
    r"^(?:(?P<day>.{3,40}?)\s+(?:is|will be)\s+(?:our|the|my)\s+(?P<event>[a-z ]{3,30}?(?:day|date|deadline))$"
    r"|no more\s+(?P<avoid>.+)|(?:let us\s+|let's\s+|we\s+)?go(?:es)?\s+with\s+(?P<go>(?-i:[A-Z]).+)"
    r"|we\s+(?:start\s+on|stick\s+with|stay\s+with|will\s+use|are\s+going\s+with|went\s+with|picked|pick)\s+(?P<pick>(?-i:[A-Z]).+)"
    r"|(?:we\s+)?(?:put|keep|store)\s+(?:the|our|my)\s+(?P<what>[\w ]+?)\s+(?:on|in|at|with)\s+(?P<on>(?-i:[A-Z]).+)"
    r"|(?:we\s+)?drop(?:ped)?\s+(?P<drop>(?-i:[A-Z]).+)"
    r"|(?:we\s+)?(?:have|get|had)\s+(?:the|our|my)\s+(?P<made>[\w ]+?)\s+(?:made|built|printed|produced)\s+by\s+(?P<by>(?-i:[A-Z]).+))",
    re.IGNORECASE,
)


def subject_first(plain: str) -> bool:
    """Whether a clause opens with somebody's name, so that it is a statement about them."""
    first = plain.split()[0] if plain.split() else ""
    return first[:1].isupper() and first.lower() in lex.GIVEN_NAMES


def commanded(match: re.Match[str], clause: str, *, corrects: bool) -> Iterator[Claim]:
    """The claim in a decision, an order or a vow ("no more coffee")."""
    groups = {
        key: tidy(value, keep_article=False) for key, value in match.groupdict().items() if value
    }
    made: Claim | None = None
    base = Claim(
        subject="",
        relation="decided",
        object="",
        text=clause,
        corrects=corrects,
        subject_type="person",
    )
    if groups.get("day") and has_date(groups["day"]):
        event = re.sub(r"\s+(?:day|date)$", "", groups["event"])
        made = replace(
            base,
            subject=event,
            relation="scheduled_for",
            object=groups["day"],
            subject_type="other",
        )
    elif groups.get("avoid"):
        made = replace(base, relation="avoids", object=groups["avoid"])
    elif target := groups.get("go") or groups.get("pick"):
        made = replace(base, object=target)
    elif groups.get("on"):
        made = replace(
            base, subject=groups["what"].lower(), object=groups["on"], subject_type="concept"
        )
    elif groups.get("drop"):
        made = replace(
            base, relation="uses", object=re.split(r"\s+and\s+", groups["drop"])[0], polarity=False
        )
    elif groups.get("by"):
        made = replace(
            base,
            subject=groups["made"],
            relation="made_by",
            object=groups["by"],
            subject_type="other",
            object_type="organisation",
        )
    if made is not None and made.object:
        yield made
