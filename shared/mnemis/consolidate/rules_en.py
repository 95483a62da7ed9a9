"""English sentences to claims: a subject, the first verb, and what the verb's rule makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mnemis.consolidate import lexicon_en as lex
from mnemis.consolidate.claims import OBJECT_TYPES, Claim
from mnemis.consolidate.verbs_en import VERB_RULES, VerbRule, is_profession
from mnemis.model.graph import EntityType
from mnemis.text.dates import has_date

_HYPOTHETICAL: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|wish|pretend|would|could|might|maybe|perhaps|"
    r"should|in case|hypothetically|as if|joking|kidding|in theory)\b",
    re.IGNORECASE,
)
_CORRECTION: Final = re.compile(
    r"^(?:(?:oh|oops|sorry|wait|no|actually|correction|my mistake|i was wrong|i misspoke|scratch that|"
    r"i meant|wrong|not right|update|edit)\b[\s,:;.!—–-]*)+",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:(?:and|but|so|well|also|plus|then|anyway|yes|yeah|yep|no|oh|ah|hey|hi|hello|thanks|thank you|"
    r"by the way|btw|fyi|for the record|note|reminder|good news|bad news|guess what|honestly|in fact|"
    r"to be honest|remember|please note|just so you know|as for me|now|currently|recently|today|"
    r"this year|these days|at work|at home|for work|ok|okay|sure|great|cool|because|since|"
    r"(?:as )?you know|i think|i guess|i said|as i said|like i said|like|please remember|that)\b[\s,:;!—–-]*)+",
    re.IGNORECASE,
)
_ADVERBS: Final = re.compile(
    r"\b(?:really|actually|just|also|still|currently|recently|finally|always|totally|absolutely|"
    r"definitely|already|officially|simply|honestly|truly|mostly|usually|certainly|kind of|sort of|"
    r"only|basically|generally|personally|both|all|so|right now|normally|quite|deeply|badly|severely|strongly)\s+",
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
    r"\s*;\s*|\s+[—–-]\s+|,?\s+but\s+|,?\s+although\s+|,?\s+because\s+|,\s+(?:and|so|since|while)\s+(?=(?:I|we|my|our|the|[A-Z])\b)"
    r"|\s+and\s+(?=(?:I|we|my|our)\b)|,\s+(?=(?:I|we|my|our)\b)|:\s+(?=(?:I|we|my|our|the|it|[A-Z])\b)|\s+\("
)
_POSSESSED: Final = re.compile(r"^([A-ZÀ-Þ][\w’'.-]*(?:\s[A-ZÀ-Þ][\w.-]*){0,2})['’]s\s+(.+)$")
_NAME: Final = re.compile(r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+)?[A-ZÀ-Þ][\w.+#&-]*(?:\s(?:[A-ZÀ-Þ][\w.+#&-]*|\d+[\w.]*)){0,3}$")
_LONGEST_SUBJECT: Final = 6


def claims_of(sentence: str) -> tuple[Claim, ...]:
    """The claims of one English sentence that is neither asked, supposed nor quoted."""
    text = sentence.strip()
    corrects = bool(_CORRECTION.match(text))
    if corrects:
        text = _CORRECTION.sub("", text)
    claims: list[Claim] = []
    for clause in _CLAUSE.split(text):
        if clause and not _HYPOTHETICAL.search(clause):
            claims.extend(_clause_claims(clause.strip(" .!,;:)(\"“”"), corrects=corrects))
        elif clause and re.search(r"\b(?:if|unless|suppose|imagine|wish)\b", clause, re.IGNORECASE):
            break
    return tuple(claims)


def _clause_claims(clause: str, *, corrects: bool) -> Iterator[Claim]:
    plain = clause
    for pattern, written in _CONTRACTIONS:
        plain = pattern.sub(written, plain)
    plain = _ADVERBS.sub("", _LEAD.sub("", plain)).strip()
    for subject, rest in _splits(plain):
        past = bool(re.match(r"(?:used to|formerly|previously)\b", rest))
        negated, verb = _negation(re.sub(r"^(?:used to|formerly|previously)\s+", "", rest))
        for rule in VERB_RULES:
            match = rule.pattern.match(verb)
            made = list(_apply(rule, match, subject, negated)) if match else []
            if made:
                for claim in made:
                    yield replace(claim, text=clause, corrects=corrects, past=past)
                return


def _splits(plain: str) -> Iterator[tuple[str, str]]:
    """Every way to read a subject and a known first verb, leftmost first."""
    words = plain.split()
    for index, word in enumerate(words[: _LONGEST_SUBJECT + 1]):
        if index and word.lower() in _HEADS:
            subject = " ".join(words[:index])
            if _is_subject(subject):
                yield subject, " ".join(words[index:])


def _is_subject(subject: str) -> bool:
    low = subject.lower()
    if low in ("i", "we"):
        return True
    if low in lex.NOT_NAMES or "," in subject:
        return False
    first = low.split()[0]
    if first in ("my", "our", "the"):
        return len(subject.split()) > 1
    if _POSSESSED.match(subject):
        return True
    return bool(_NAME.match(subject)) and first not in lex.NOT_NAMES - {"task", "room", "version", "desk"}


def _negation(verb: str) -> tuple[bool, str]:
    match = re.match(
        r"(?:(?:do|does|did|can|could|will|am|is|are|have|has|was|were)\s+not\s+|never\s+|no longer\s+)"
        r"(?:ever\s+|longer\s+)?",
        verb,
    )
    if match is None:
        return bool(re.search(r"\b(?:any ?more|any longer)$", verb)), re.sub(r"\s+any ?more$", "", verb)
    head = match.group().split()[0]
    rest = re.sub(r"\s+any ?more$", "", verb[match.end() :])
    return True, f"{head} {rest}" if head in ("am", "is", "are", "was", "were", "can") else rest


def _apply(rule: VerbRule, match: re.Match[str], subject: str, negated: bool) -> Iterator[Claim]:
    groups = match.groupdict()
    target = tidy(groups.get("o") or match.group(), keep_article=False)
    if not target or target.lower() in _EMPTY_OBJECTS:
        return
    reading = _read_subject(subject)
    if rule.relation == "has_value":
        yield from _values(*reading, target, negated, subject)
        return
    name, aspect, owned, kind = reading
    if rule.only_people and not _is_somebody(name, aspect, kind):
        return
    if groups.get("s"):
        name, aspect, owned, kind = tidy(groups["s"] or "", keep_article=False), "", False, "other"
    elif aspect and rule.relation == "priced":
        yield Claim(subject=name, relation="has_value", aspect=aspect.lower(), object=target, text="", polarity=not negated)
        return
    elif aspect:
        name, aspect = (f"{name}'s {aspect}" if name else aspect), ""
    meant = _meaning(rule.relation, target, groups, negated=negated, named=name[:1].isupper(), person=kind == "person")
    if meant is None:
        return
    relation, target, polarity = meant
    yield Claim(
        subject=name,
        relation=relation,
        object=target,
        text="",
        aspect="diet" if rule.relation == "diet" else tidy(groups.get("a") or "", keep_article=False).lower(),
        polarity=polarity,
        replaces=tidy(groups.get("r") or "", keep_article=False),
        owned=owned,
        subject_type=kind,
        object_type=OBJECT_TYPES.get(relation, "other"),
    )
    if rule.also and (other := tidy(groups.get(rule.also_group) or "", keep_article=False)):
        yield Claim(
            subject=name,
            relation=rule.also,
            object=other,
            text="",
            owned=owned,
            subject_type=kind,
            object_type=OBJECT_TYPES.get(rule.also, "other"),
        )


def _is_somebody(name: str, aspect: str, kind: EntityType) -> bool:
    return kind in ("person", "animal") or (not aspect and (name == "" or name[:1].isupper()))


def _meaning(
    relation: str, target: str, groups: dict[str, str | None], *, negated: bool, named: bool, person: bool
) -> tuple[str, str, bool] | None:
    """(relation of the vocabulary, object, polarity) for a rule's working name; None for nothing."""
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
    if relation in ("avoids", "visited", "bought", "moved_from", "plans", "wants") and negated:
        return None
    if relation == "intolerant":
        return "allergic_to", "gluten" if "gluten" in target.lower() else "lactose", not negated
    if relation == "diet":
        return "has_value", target.split()[0].lower(), not negated
    if relation == "priced":
        return "costs", target, not negated
    if relation == "joined":
        return ("works_at" if target[:1].isupper() and "team" not in target else "member_of"), target, not negated
    if relation == "role":
        return ("works_as", target, not negated) if is_profession(target) else None
    if relation == "named" and negated:
        return None
    return relation, target, not negated


_CLOCK: Final = re.compile(r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm)\b|\b\d{1,2}:\d\d\b|\bQ[1-4]\b", re.IGNORECASE)
_MONEY: Final = re.compile(r"[$€£¥]\s?\d|\d\s?(?:euros?|dollars?|pounds?|cents?|yuan|EUR|USD|%)")


def _read_subject(subject: str) -> tuple[str, str, bool, EntityType]:
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
    if possessed := _POSSESSED.match(subject):
        noun = possessed.group(2)
        if person_noun(noun) or noun.lower() in lex.PETS:
            return f"{possessed.group(1)}'s {noun}", "", False, "person"
        return possessed.group(1), noun, False, "other"
    named_person = words[0].lower() in lex.GIVEN_NAMES or first.rstrip(".") in ("mr", "mrs", "ms", "dr")
    return subject, "", False, "person" if named_person else "other"


def person_noun(noun: str) -> bool:
    """Whether "my NOUN" is a person (sister, old boss, in-laws' neighbour)."""
    words = [word.lower() for word in noun.split()]
    return any(word in lex.KIN or word in lex.ROLES or word in lex.CHILDREN for word in words[:3])


def _values(
    name: str, aspect: str, owned: bool, kind: EntityType, target: str, negated: bool, subject: str
) -> Iterator[Claim]:
    """"My X is Y" and "the X is Y": what it says depends on X and on the shape of Y."""
    low = aspect.lower()
    words = target.split()
    is_name = bool(_NAME.match(target)) and words[0].lower() not in lex.NOT_NAMES
    base = Claim(
        subject=name, relation="has_value", object=target, text="", aspect=low, polarity=not negated,
        owned=owned, subject_type=kind,
    )
    if kind in ("person", "animal") and not aspect:
        if is_profession(target):
            yield replace(base, relation="works_as", aspect="")
        elif is_name and owned and not negated:
            yield replace(base, relation="named", object_type=kind)
        elif name and kind == "person" and re.match(r"(?:our|my)\s", target):
            yield replace(base, relation="has_value", aspect="role")
        return
    if low.endswith(" name") or low == "name":
        yield from _name_claims(base, low, is_name)
        return
    if not _is_value(target, subject):
        return
    if low in ("birthday", "date of birth"):
        yield replace(base, relation="born_on", aspect="")
    elif re.search(r"\b(?:phone|mobile|number|e-?mail|address|handle)\b", low) and not re.search(r"locker|room|order", low):
        yield replace(base, relation="contact_is", aspect=low)
    elif re.search(r"(?:supplier|vendor)$", name.lower()) and is_name:
        yield replace(base, relation="supplied_by", object_type="organisation")
    elif re.search(r"(?:price|cost)$", low) or re.search(r"\b(?:price|cost)\b", name.lower()):
        yield replace(base, relation="costs", aspect="", subject=_priced(name, low))
    else:
        yield base if aspect else replace(base, aspect="")


def _priced(name: str, aspect: str) -> str:
    whole = re.sub(r"\s*\b(?:price|cost)\b(?:\s+(?:of|for)\s+(?:the\s+)?)?", " ", f"{name} {aspect}").strip()
    return whole or "price"


def _name_claims(base: Claim, low: str, is_name: bool) -> Iterator[Claim]:
    if not is_name:
        return
    owner = re.sub(r"(?:['’]s)?\s*name$", "", low).strip()
    if not owner:
        yield replace(base, relation="named", aspect="", object_type="other")
    elif base.subject == "" and person_noun(owner):
        yield replace(base, relation="named", subject=owner, aspect="", owned=True, subject_type="person", object_type="person")
    else:
        yield replace(base, relation="named", subject=owner, aspect="", owned=base.subject == "", object_type="other")


def _is_value(target: str, subject: str) -> bool:
    """A value is short: a number, a name, a noun phrase; not a feeling and not an activity."""
    words = target.split()
    if any(char.isdigit() for char in target):
        return len(words) <= 8
    first = words[0].lower()
    if len(words) > 5 or first.endswith(("ing", "ly")) or first in _NO_VALUE:
        return False
    if first in ("to", "that", "what", "where", "when", "how", "why", "not", "in", "on", "at", "for", "with"):
        return False
    if subject.lower().startswith("the ") and not target[:1].isupper():
        return False
    return len(words) > 1 or target[:1].isupper() or first not in lex.WEAK and not first.endswith(("ed", "ful", "ous", "ive", "able", "y"))


_CUT: Final = re.compile(
    r"\s*(?:,|;|:|\(|—|–|\s-\s|\s(?:because|but|since|when|while|after|before|although|though|where|which|who|if|"
    r"instead|rather than|anymore|any more|right now|these days|nowadays|currently|at the moment|so that|"
    r"so much|so|then|too|as well|together|again|already|though|until|unless|ever since|"
    r"and (?:I|we|he|she|they|it|my|our|then|now|that|also|so|it's|there|will|am|is|are|was|have|has|want|"
    r"need|love|like|hate|moved|live|work))\b|[.!?]\s).*$",
    re.IGNORECASE,
)
_TIME_TAIL: Final = re.compile(
    r"\s+(?:now|today|tonight|yesterday|tomorrow|lately|recently|soon|last \w+|next \w+|this (?:week|month|year|"
    r"morning|summer|spring|autumn|winter|weekend)|every (?:day|week|month|year)|(?:for|in) \d+ (?:years?|months?|weeks?)|"
    r"a (?:year|month|week|few \w+) ago|\w+ (?:years?|months?|weeks?|days?) ago|in (?:19|20)\d\d|since \w+|"
    r"for (?:a|two|three|four|five|ten|many|several) (?:years?|months?|weeks?)|the most|a lot|very much|at all)$",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"^(?:the|an?|my|our|your|some|any|this|that|these|those|to be)\s+", re.IGNORECASE)
_MOST_WORDS: Final = 9


def tidy(text: str, *, keep_article: bool) -> str:
    """The object phrase at the head of ``text``: up to the next clause, without time and article."""
    phrase = _CUT.sub("", f"{text.strip()} ").strip(" .!,;:\"“”'’)")
    for _ in range(2):
        phrase = _TIME_TAIL.sub("", phrase)
    if not keep_article:
        phrase = _ARTICLE.sub("", phrase)
    phrase = phrase.strip(" .!,;:\"“”'’")
    return phrase if len(phrase.split()) <= _MOST_WORDS else ""


_EMPTY_OBJECTS: Final = frozenset(
    "it that this them these those him her you me us everything something anything nothing one "
    "there here what so all to i we they he she".split()
)
_NO_VALUE: Final = frozenset(
    "great good bad fine nice terrible awful amazing busy tired done here there back ready over so "
    "very too really just happy sad open closed full empty coming going good, better worse best late "
    "early sick ill well okay ok hard easy fun important different same right wrong true false "
    "beautiful lovely gone dead alive free still always never no everything all more less like "
    "about up down out off away able sure glad excited proud what it".split()
)
_HEADS: Final = frozenset(word for rule in VERB_RULES for word in rule.heads) | frozenset(
    "do does did can will am is are was were have has never no used formerly previously".split()
)
