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
_POSSESSED: Final = re.compile(r"^([A-ZÀ-Þ][\w’'.-]*(?:\s[A-ZÀ-Þ][\w.-]*){0,2})['’]s\s+(.+)$")
_NAME: Final = re.compile(
    r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s+)?[A-ZÀ-Þ][\w.+#&-]*(?:\s(?:[A-ZÀ-Þ][\w.+#&-]*|\d+[\w.]*)){0,3}$"
)
_LONGEST_SUBJECT: Final = 6


def claims_of(sentence: str) -> tuple[Claim, ...]:
    """The claims of one English sentence that is neither asked, supposed nor quoted."""
    text = sentence.strip()
    corrects = bool(_CORRECTION.match(text))
    if corrects:
        text = _CORRECTION.sub("", text)
    claims: list[Claim] = [replace(each, corrects=corrects) for each in _introductions(text)]
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
            carried = next((subject for subject, _ in _splits(clause)), carried)
        if condition is not None:
            break
    return tuple(claims)


_PROPER: Final = r"[A-ZÀ-Þ][\w’'-]+(?:\s[A-ZÀ-Þ][\w’'-]+){0,2}"
_APPOSED: Final = re.compile(
    rf"\b(?P<name>{_PROPER}),\s+(?:my|our)\s+(?P<noun>(?:[a-z-]+\s)?[a-z-]+)(?=\s+to be|[,.;!]|$)"
)
_KIN_NAME: Final = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur)\s+(?P<noun>(?:[a-z-]+\s){{0,2}}?[a-z-]+),?\s+(?P<name>{_PROPER})"
)
_HAS_KIN: Final = re.compile(
    rf"\b(?P<who>I|[Ww]e|{_PROPER})(?:,[^,]+,)?\s+(?:have|has|'ve got)\s+an?\s+(?P<noun>(?:[a-z-]+\s)?[a-z-]+),?\s+(?:called\s+|named\s+)?(?P<name>{_PROPER})"
)


def _introductions(text: str) -> Iterator[Claim]:
    """ "My brother Arjun", "Karin Lindqvist, my physio", "Duarte has a cousin, Inês": who is whose."""
    for pattern in (_APPOSED, _KIN_NAME, _HAS_KIN):
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


def _clause_claims(clause: str, *, corrects: bool) -> Iterator[Claim]:
    plain = clause
    for pattern, written in _CONTRACTIONS:
        plain = pattern.sub(written, plain)
    plain = _ADVERBS.sub("", _LEAD.sub("", plain)).strip()
    ordered = False
    for part in _ORDERS.split(
        plain if not re.match(r"no more\b", clause, re.IGNORECASE) else clause
    ):
        if (wish := _COMMANDS.match(part)) is not None and not subject_first(part):
            yield from _commanded(wish, clause, corrects=corrects)
            ordered = True
    if ordered:
        return
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


_ORDERS: Final = re.compile(r"\s+and\s+(?=(?:put|have|go|start|drop|use|keep|store|pick)\b)")
_COMMANDS: Final = re.compile(
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


def _commanded(match: re.Match[str], clause: str, *, corrects: bool) -> Iterator[Claim]:
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


def _splits(plain: str) -> Iterator[tuple[str, str]]:
    """Every way to read a subject and a known first verb, leftmost first."""
    words = plain.split()
    for index, word in enumerate(words[: _LONGEST_SUBJECT + 1]):
        if index and word.lower() in _HEADS:
            subject = " ".join(words[:index])
            if (
                word.lower() in _PLAIN_FORMS
                and subject.lower() not in ("i", "we")
                and not _is_plural(subject)
            ):
                continue
            if _is_subject(subject):
                yield subject, " ".join(words[index:])


def _is_plural(subject: str) -> bool:
    """Whether "we"-like: several people, or a plural noun."""
    last = subject.split()[-1].lower()
    return (
        " and " in subject
        or last.endswith("s")
        or last in ("people", "children", "parents", "kids")
    )


def _is_subject(subject: str) -> bool:
    low = subject.lower()
    if low in ("i", "we") or low in _BARE:
        return True
    if low in lex.NOT_NAMES or "," in subject:
        return False
    first = low.split()[0]
    if first in ("my", "our", "the"):
        rest = low.split()[1:]
        return len(rest) > 0 and not any(word in _NOT_IN_SUBJECT for word in rest)
    if _POSSESSED.match(subject):
        return True
    if first.endswith("ing"):
        return False
    return bool(_NAME.match(subject)) and first not in lex.NOT_NAMES - {
        "task",
        "room",
        "version",
        "desk",
    }


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
    relation: str,
    target: str,
    groups: dict[str, str | None],
    *,
    negated: bool,
    named: bool,
    person: bool,
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


_PLAIN_FORMS: Final = frozenset(
    "live work like love hate prefer use want need manage lead run study own eat drink play know plan write code program "
    "report speak enjoy adore fancy dislike detest attend avoid smoke cost have am do switch move push set cut go".split()
)
_BARE: Final = frozenset(
    "launch deadline release meeting wedding delivery exam party trip kickoff kick-off demo interview appointment rent".split()
)
_NOT_IN_SUBJECT: Final = frozenset(
    "i you he she it we they them us me that which who where when is are was were have has had do does did can will and "
    "or but to so if not".split()
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
    named_person = words[0].lower() in lex.GIVEN_NAMES or first.rstrip(".") in (
        "mr",
        "mrs",
        "ms",
        "dr",
    )
    if subject.lower() in _BARE:
        return subject.lower(), "", False, "other"
    return subject, "", False, "person" if named_person else "other"


def person_noun(noun: str) -> bool:
    """Whether "my NOUN" is a person (sister, old boss, in-laws' neighbour)."""
    words = [word.lower() for word in noun.split()]
    return any(word in lex.KIN or word in lex.ROLES or word in lex.CHILDREN for word in words[:3])


def _values(
    name: str, aspect: str, owned: bool, kind: EntityType, target: str, negated: bool, subject: str
) -> Iterator[Claim]:
    """ "My X is Y" and "the X is Y": what it says depends on X and on the shape of Y."""
    low = aspect.lower()
    words = target.split()
    is_name = bool(_NAME.match(target)) and words[0].lower() not in lex.NOT_NAMES
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
        yield from _name_claims(base, low, is_name)
        return
    if not _is_value(target, subject) or (
        not aspect and subject[:1].isupper() and not _says_what(target)
    ):
        return
    if low in ("birthday", "date of birth"):
        yield replace(
            base, relation="born_on", aspect="", object=re.sub(r"^(?:on|in)\s+", "", target)
        )
    elif re.search(r"\b(?:phone|mobile|number|e-?mail|address|handle)\b", low) and not re.search(
        r"locker|room|order", low
    ):
        yield replace(
            base,
            relation="contact_is",
            aspect="phone" if re.search(r"phone|mobile|cell", low) else low,
        )
    elif re.search(r"(?:supplier|vendor)$", name.lower()) and is_name:
        yield replace(base, relation="supplied_by", object_type="organisation")
    elif re.search(r"(?:price|cost)$", low) or re.search(r"\b(?:price|cost)\b", name.lower()):
        yield replace(base, relation="costs", aspect="", subject=_priced(name, low))
    else:
        yield base if aspect else replace(base, aspect="")


def _says_what(target: str) -> bool:
    """Of a named thing only figures, names and "a ..." are worth a fact, not "cheaper"."""
    return any(char.isdigit() for char in target) or target[:1].isupper()


def _priced(name: str, aspect: str) -> str:
    whole = re.sub(
        r"\s*\b(?:price|cost)\b(?:\s+(?:of|for)\s+(?:the\s+)?)?", " ", f"{name} {aspect}"
    ).strip()
    return whole or "price"


def _name_claims(base: Claim, low: str, is_name: bool) -> Iterator[Claim]:
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


def _is_value(target: str, subject: str) -> bool:
    """A value is short: a number, a name, a noun phrase; not a feeling and not an activity."""
    words = target.split()
    if any(char.isdigit() for char in target):
        return len(words) <= 8
    first = words[0].lower()
    if len(words) > 5 or first.endswith(("ing", "ly")) or first in _NO_VALUE:
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


_CUT: Final = re.compile(
    r"\s*(?:,|;|:|\(|—|–|\s-\s|\s(?:because|but|since|when|while|after|before|although|though|where|which|who|if|"
    r"instead|rather than|anymore|any more|right now|these days|nowadays|currently|at the moment|so that|"
    r"so much|so|then|too|as well|together|again|already|though|until|unless|ever since|"
    r"and (?:I|we|he|she|they|it|my|our|then|now|that|also|so|it's|there|will|am|is|are|was|have|has|want|"
    r"need|love|like|hate|moved|live|work|lives|works|loves|likes|hates|wants|needs|plays|studies|speaks|runs|owns))\b|(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)[.!?]\s).*$",
    re.IGNORECASE,
)
_TIME_TAIL: Final = re.compile(
    r"\s+(?:now|today|tonight|yesterday|tomorrow|lately|recently|soon|last \w+|next \w+|this (?:week|month|year|"
    r"morning|summer|spring|autumn|winter|weekend)|every (?:day|week|month|year)|(?:for|in) \d+ (?:years?|months?|weeks?)|"
    r"a (?:year|month|week|few \w+) ago|\w+ (?:years?|months?|weeks?|days?) ago|in (?:19|20)\d\d|since \w+|"
    r"for (?:a|two|three|four|five|ten|many|several) (?:years?|months?|weeks?)|the most|a lot|very much|at all)$",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(
    r"^(?:the|an?|my|our|your|some|any|this|that|these|those|to be)\s+", re.IGNORECASE
)
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
