"""English sentences to claims: a subject, the first verb, and what the verb's rule makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules.asides_en import (
    COMMANDS,
    ORDERS,
    commanded,
    introductions,
    subject_first,
)
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.lexicon_professions import is_profession
from mnemis.consolidate.rules.objects_en import EMPTY_OBJECTS, tidy
from mnemis.consolidate.rules.subjects_en import read_subject, splits
from mnemis.consolidate.rules.values_en import value_claims
from mnemis.consolidate.rules.verbs_en import VERB_RULES, VerbRule
from mnemis.model.graph import EntityType
from mnemis.model.usual import object_type
from mnemis.text.dates import has_date

_HYPOTHETICAL: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|wish|pretend|would|could|might|maybe|perhaps|"
    r"should|in case|hypothetically|as if|jok(?:ed?|es|ing)|kidding|dream(?:t|ed)|in theory)\b",
    re.IGNORECASE,
)
_CORRECTION: Final = re.compile(
    r"^(?:(?:oh|oops|sorry|wait|no(?=\s*[,.:;!—-])|actually|correction|my mistake|i was wrong|i misspoke|scratch that|"
    r"i meant|wrong|not right|update|edit)\b[\s,:;.!—–-]*)+",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:and|but|so|well|also|plus|then|anyway|yes|yeah|yep|no|oh|ah|hey|hi|hello|thanks|thank you|"
    r"by the way|btw|fyi|for the record|note|reminder|good news|bad news|guess what|honestly|in fact|"
    r"to be honest|remember|please note|just so you know|as for me|now|currently|recently|today|"
    r"this year|these days|last (?:week|month|year|weekend|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|this morning|"
    r"(?:two|three|a few|\d+) (?:days|weeks|months|years) ago|in (?:19|20)\d\d|at work|at home|for work|ok|okay|sure|great|cool|because|since|"
    r"(?:as )?you know|i think|i guess|i said|as i said|like i said|like|please remember|that)\b[\s,:;!—–-]*)+",
    re.IGNORECASE,
)
_ADVERBS: Final = re.compile(
    r"\b(?:really|actually|just|also|still|currently|recently|finally|always|totally|absolutely|"
    r"definitely|already|officially|simply|honestly|truly|mostly|usually|certainly|kind of|sort of|"
    r"only|now(?!\s+on\b)|basically|generally|personally|both|all|so|right now|normally|quite|deeply|badly|severely|strongly)\s+",
    re.IGNORECASE,
)
_CONTRACTIONS: Final = (
    (re.compile(r"\b([Cc])an['’]t\b"), r"\1an not"),
    (re.compile(r"\b([Ww])on['’]t\b"), r"\1ill not"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\bI['’]m\b"), "I am"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"['’]d\b"), " would"),
    (re.compile(r"\b([Hh]e|[Ss]he|[Ii]t|[Tt]here|[Tt]hat)['’]s\b"), r"\1 is"),
)
_CLAUSE: Final = re.compile(
    r"\s*;\s*|\s+[—–-]\s+|,?\s+but\s+|,?\s+although\s+|,?\s+because\s+|,\s+(?=(?:launch|deadline|release|delivery|unless)\b)|,\s+(?:and|so|since|while)\s+(?=(?:I|we|my|our|the|[A-Z])\b)"
    r"|\s+and\s+(?=(?:lives|works|likes|loves|hates|moved|studies|plays|speaks|owns|prefers|live|work|hate|drive|drives|avoid|avoids)\b)"
    r"|\s+and\s+(?=(?:I|we|my|our|she|he|they|it)\b)|,\s+(?=(?:the|she|he|they|it)\s)|,\s+(?=(?:I|we|my|our)\b)|:\s+(?=(?:I|we|my|our|the|it|[A-Z])\b)|\s+\("
)
_OPINION: Final = re.compile(
    r"^(?:i['’]d say|i would say|i['’]d guess|i think|i believe|i suppose)\s+(?:that\s+)?",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|wish|whether)\b", re.IGNORECASE
)
_CARRIED: Final = frozenset(
    "lives works likes loves hates moved studies plays speaks owns prefers live work like love hate have has drive drives "
    "study prefer speak play own avoid avoids use uses".split()
)


def claims_of(sentence: str) -> tuple[Claim, ...]:
    """The claims of one English sentence that is neither asked, supposed nor quoted."""
    text = sentence.strip()
    corrects = bool(_CORRECTION.match(text))
    if corrects:
        text = _CORRECTION.sub("", text)
    claims: list[Claim] = [replace(each, corrects=corrects) for each in introductions(text)]
    carried = ""
    for part in _CLAUSE.split(text):
        clause = _OPINION.sub("", (part or "").strip(' .!,;:)("“”'))
        condition = _CONDITION.search(clause)
        if condition is not None:
            before = re.split(r"\s+and\s+", clause[: condition.start()])
            if condition.group().lower() == "unless":
                before = [clause[: condition.start()].rstrip(" ,"), ""]
            clause = before[0] if len(before) > 1 and not carried else ""
        if clause and not _HYPOTHETICAL.search(clause):
            if carried and clause.split()[0] in _CARRIED:
                clause = f"{carried} {clause}"
            claims.extend(_clause_claims(clause, corrects=corrects))
            carried = next((subject for subject, _ in splits(clause)), carried)
        if condition is not None:
            break
    return tuple(claims)


def _clause_claims(clause: str, *, corrects: bool) -> Iterator[Claim]:
    plain = clause
    for pattern, written in _CONTRACTIONS:
        plain = pattern.sub(written, plain)
    plain = _ADVERBS.sub("", _LEAD.sub("", plain)).strip()
    ordered = False
    for part in ORDERS.split(
        plain if not re.match(r"no more\b", clause, re.IGNORECASE) else clause
    ):
        if (wish := COMMANDS.match(part)) is not None and not subject_first(part):
            yield from commanded(wish, clause, corrects=corrects)
            ordered = True
    if ordered:
        return
    for subject, rest in splits(plain):
        past = bool(re.match(r"(?:used to|formerly|previously)\b", rest))
        negated, verb = _negation(re.sub(r"^(?:used to|formerly|previously)\s+", "", rest))
        for rule in VERB_RULES:
            match = rule.pattern.match(verb)
            made = list(_apply(rule, match, subject, negated)) if match else []
            if made:
                for claim in made:
                    yield replace(claim, text=clause, corrects=corrects, past=past)
                return


def _negation(verb: str) -> tuple[bool, str]:
    match = re.match(
        r"(?:(?:do|does|did|can|could|will|am|is|are|have|has|was|were)\s+not\s+|never\s+|no longer\s+)"
        r"(?:ever\s+|longer\s+)?",
        verb,
    )
    if match is None:
        return bool(re.search(r"\b(?:any ?more|any longer)$", verb)), re.sub(
            r"\s+any ?more$", "", verb
        )
    head = match.group().split()[0]
    rest = re.sub(r"\s+any ?more$", "", verb[match.end() :])
    return True, f"{head} {rest}" if head in ("am", "is", "are", "was", "were", "can") else rest


def _apply(rule: VerbRule, match: re.Match[str], subject: str, negated: bool) -> Iterator[Claim]:
    groups = match.groupdict()
    target = tidy(groups.get("o") or match.group(), keep_article=False)
    if not target or target.lower() in EMPTY_OBJECTS:
        return
    if rule.relation in _OF_THINGS and _POINTS.search(groups.get("o") or ""):
        return
    reading = read_subject(subject)
    if rule.relation == "has_value":
        yield from value_claims(*reading, target, negated, subject)
        return
    name, aspect, owned, kind = reading
    if rule.only_people and not _is_somebody(name, aspect, kind):
        return
    if rule.relation == "consumes" and not negated:
        yield from _consumed(match.group(), target, name, owned, kind)
        return
    if groups.get("s"):
        name, aspect, owned, kind = tidy(groups["s"] or "", keep_article=False), "", False, "other"
    elif aspect and rule.relation == "priced":
        yield Claim(
            subject=name,
            relation="has_value",
            aspect=aspect.lower(),
            object=target,
            text="",
            polarity=not negated,
        )
        return
    elif aspect:
        name, aspect = (f"{name}'s {aspect}" if name else aspect), ""
    if rule.relation in ("priced", "costs") and (
        priced := re.match(r"^(.*?)\s*\b(?:price|cost)$", name)
    ):
        name, of_what = "price", priced.group(1).lower()
        groups = {**groups, "a": of_what}
    if (
        rule.relation == "decided"
        and subject.lower() == "we"
        and (topic := tidy(groups.get("a") or "", keep_article=False))
    ):
        yield Claim(
            subject=topic.lower(),
            relation="decided",
            object=target,
            text="",
            polarity=not negated,
            subject_type="concept",
        )
        return
    meant = _meaning(
        rule.relation,
        target,
        groups,
        negated=negated,
        named=name[:1].isupper(),
        person=kind == "person",
    )
    if meant is None:
        return
    relation, target, polarity = meant
    if relation == "works_as" and (
        placed := re.match(r"^(.+?)\s+(?:at|for|with)\s+(?:the\s+)?([A-Z].+)$", target)
    ):
        target = placed.group(1)
        yield Claim(
            subject=name,
            relation="works_at",
            object=placed.group(2),
            text="",
            polarity=polarity,
            owned=owned,
            subject_type=kind,
            object_type="organisation",
        )
    yield Claim(
        subject=name,
        relation=relation,
        object=target,
        text="",
        aspect="diet"
        if rule.relation == "diet"
        else tidy(groups.get("a") or "", keep_article=False).lower(),
        polarity=polarity,
        replaces=tidy(groups.get("r") or "", keep_article=False),
        owned=owned,
        subject_type=kind,
        object_type=object_type(relation),
    )
    if rule.also and (other := tidy(groups.get(rule.also_group) or "", keep_article=False)):
        yield Claim(
            subject=name,
            relation=rule.also,
            object=other,
            text="",
            owned=owned,
            subject_type=kind,
            object_type=object_type(rule.also),
        )


_OF_THINGS: Final = frozenset(
    "likes dislikes uses owns works_on plans wants decided part_of avoids prefers bought".split()
)
_POINTS: Final = re.compile(
    r"^(?:that|this|these|those|it|them|something|everything|anything|more|how|what|the (?:idea|way|feeling|genre|fact))\b|"
    r"\b(?:it|them|this|that|these|those|you|your|him|her|us)(?:['’]s)?(?:\s+\w+){0,2}$|^(?:for|with|at|from)\b",
    re.IGNORECASE,
)
"""Objects that mean nothing without what was said before."""

_HOW_OFTEN: Final = re.compile(
    r"\s+(?:every|each|in\s+the|for|with|at|on|before|after|instead|to|again|twice|once|two|three|a\s+day|all|when|during)\b.*$",
    re.IGNORECASE,
)
_NO_FOOD: Final = frozenset(
    "breakfast lunch dinner supper brunch meals out well healthy lot more less too much enough anything everything "
    "home there here late early together like".split()
)


def _consumed(said: str, target: str, name: str, owned: bool, kind: EntityType) -> Iterator[Claim]:
    """ "I drink green tea in the morning": a habit, of which there may be several."""
    verb = said.split()[0].lower()
    thing = _HOW_OFTEN.sub("", target)
    words = thing.lower().split()
    if verb.startswith("smok") or not words or len(words) > 3 or _NO_FOOD & set(words):
        return
    if verb.startswith(("drink", "eat")):
        yield Claim(
            subject=name,
            relation="uses",
            object=thing,
            text="",
            aspect="drink" if verb.startswith("drink") else "food",
            owned=owned,
            subject_type=kind,
        )


def _is_somebody(name: str, aspect: str, kind: EntityType) -> bool:
    return kind in ("person", "animal") or (not aspect and (name == "" or name[:1].isupper()))


def _meaning(
    relation: str,
    target: str,
    groups: dict[str, str | None],
    *,
    negated: bool,
    named: bool,
    person: bool,
) -> tuple[str, str, bool] | None:
    """(relation of the vocabulary, object, polarity) for a rule's working name; None for nothing."""
    if relation == "moved_to" and person:
        target = _place(target)
    dated = has_date(target) or bool(_CLOCK.search(target))
    if relation in ("moved_to", "scheduled_for", "rescheduled", "changed"):
        if dated:
            return "scheduled_for", target, not negated
        if relation == "changed":
            return ("costs" if _MONEY.search(target) else "has_value"), target, not negated
        if relation == "moved_to" and person:
            return "lives_in", target, not negated
        return ("located_in", target, not negated) if named and relation != "rescheduled" else None
    if relation == "stands":
        return ("dislikes", target, True) if negated else None
    if relation == "consumes":
        return ("avoids", target, True) if negated else None
    if relation == "wants" and _IDLE_WISH.match(target):
        return None
    if relation == "uses":
        target = re.split(r"\s+(?:to|for|with|in|as|on)\s", target)[0]
        if target.split()[0].lower() in (
            "following",
            "same",
            "package",
            "api",
            "parameter",
            "code",
            "lot",
        ):
            return None
    if relation == "studies" and target.split()[0].lower() in (
        "lot",
        "bit",
        "more",
        "much",
        "from",
    ):
        return None
    if relation in ("avoids", "visited", "bought", "moved_from", "plans", "wants") and negated:
        return None
    if relation == "intolerant":
        return "allergic_to", "gluten" if "gluten" in target.lower() else "lactose", not negated
    if relation == "diet":
        return "has_value", target.split()[0].lower(), not negated
    if relation in ("priced", "costs"):
        amount = _AMOUNT.match(target)
        return ("costs", amount.group().strip(), not negated) if amount else None
    if relation == "joined":
        return (
            ("works_at" if target[:1].isupper() and "team" not in target else "member_of"),
            target,
            not negated,
        )
    if relation == "role":
        return ("works_as", target, not negated) if is_profession(target) else None
    if relation == "named" and negated:
        return None
    return relation, target, not negated


_WHEN: Final = re.compile(r"\s+(?:in|on|at|since|this|last|next|during|around)\s", re.IGNORECASE)


def _place(target: str) -> str:
    """Where somebody moved, without when: "Lisbon in 2010 for my studies" is Lisbon."""
    head = _WHEN.split(target)[0]
    return head if head != target and has_date(target) and not has_date(head) else target


_IDLE_WISH: Final = re.compile(
    r"(?:make sure|ensure|know|ask|say|tell|see if|get it|get this|help|do it|do this|share|check|hear|understand|be able|thank)\b",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm)\b|\b\d{1,2}:\d\d\b|\bQ[1-4]\b", re.IGNORECASE
)
_AMOUNT: Final = re.compile(
    r"(?:about\s+|only\s+|around\s+)?(?:[$€£¥]\s?\d[\d.,]*[kKmM]?|\d[\d.,]*(?:\s*(?:euros?|dollars?|pounds?|cents?|yuan|EUR|USD|€|\$|£))?|\w+\s+(?:euros?|dollars?|pounds?|cents?))"
    r"(?:\s*(?:a|an|per|each|/)\s*(?:month|year|week|day|piece|seat|user|unit|person|hour|kilo|kg)?)?",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(r"[$€£¥]\s?\d|\d\s?(?:euros?|dollars?|pounds?|cents?|yuan|EUR|USD|%)")
