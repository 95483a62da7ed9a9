"""Third stage, by rules: what an episode's turns name and assert, and what caused what.

Questions, suppositions, quotations, code and machines' words assert nothing; a turn of low
density names nothing unless it states a fact ("我住在成都").
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Final

from mnemis.consolidate.census import Census, census_of
from mnemis.consolidate.naming import entities_of
from mnemis.consolidate.resolve import key_of
from mnemis.consolidate.rules import amend_en as rules_amend_en
from mnemis.consolidate.rules import amend_zh as rules_amend_zh
from mnemis.consolidate.rules import en as rules_en
from mnemis.consolidate.rules import zh as rules_zh
from mnemis.consolidate.rules.bounds_zh import ALL_SURNAMES, is_addressed
from mnemis.consolidate.rules.causes import causes_of
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.clauses import own_clause
from mnemis.consolidate.rules.cues import EMPHASIS
from mnemis.consolidate.rules.events import dated_events
from mnemis.consolidate.rules.figures import figures
from mnemis.consolidate.rules.lexicon_habits import habit_aspect
from mnemis.consolidate.rules.pronouns import Antecedents
from mnemis.consolidate.rules.relations import plain, ties
from mnemis.consolidate.rules.replies import replies
from mnemis.consolidate.rules.reversals import with_reversals
from mnemis.consolidate.rules.speech import (
    Sentence,
    is_personal,
    sentences_of,
    visible,
    without_quotations,
)
from mnemis.consolidate.rules.values import kind_of, same_value
from mnemis.model.graph import Turn
from mnemis.model.usual import importance_of
from mnemis.ports.extractor import Extraction, FoundEntity, FoundFact
from mnemis.text.dates import find_dates
from mnemis.text.normalise import language

FILLER: Final = 0.2
"""Turns of this density or less are kept but name nothing, unless they state a fact."""

_UNDATED: Final = frozenset(
    {
        "scheduled_for",
        "plans",
        "wants",
        "born_on",
        "costs",
        "decided",
        "has_value",
        "contact_is",
        "named",
    }
)
_SAME_KIN: Final = {
    "dad": "father",
    "mom": "mother",
    "mum": "mother",
    "grandma": "grandmother",
    "granny": "grandmother",
    "grandpa": "grandfather",
    "父亲": "爸爸",
    "母亲": "妈妈",
    "妻子": "老婆",
    "爱人": "老婆",
    "丈夫": "老公",
}
_LONGEST_TEXT: Final = 200


class RuleExtractor:
    """The extractor that needs no model; English and Chinese.

    >>> RuleExtractor().name
    'rules'
    """

    @property
    def name(self) -> str:
        """``rules``."""
        return "rules"

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        """Everything found in these turns alone; never raises."""
        return extract_by_rules(turns, known=frozenset[str]())


class _Familiar(Set[str]):
    """Names known before and names met here, without copying the (large) former."""

    def __init__(self, known: Container[str], here: set[str]) -> None:
        self._known = known
        self.here = here

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (key in self.here or key in self._known)

    def __iter__(self) -> Iterator[str]:
        return iter(self.here)

    def __len__(self) -> int:
        return max(1, len(self.here))


def extract_by_rules(
    turns: Sequence[Turn], *, known: Container[str], census: Census | None = None
) -> Extraction:
    """Entities, facts and causes of one episode; ``known`` are name keys the memory has, ``census``
    what more turns than these show together.
    """
    census = census or census_of(turns)
    speakers = {key_of(part) for turn in turns if is_personal(turn) for part in _spoken_names(turn)}
    familiar = _Familiar(known, speakers | census.keys)
    entities: list[FoundEntity] = []
    facts: list[FoundFact] = []
    people: set[str] = set()
    meant = Antecedents()
    for index, turn in enumerate(turns):
        if turn.role in ("tool", "system"):
            continue
        found = entities_of(turn, known=familiar, census=census)
        if not is_personal(turn):
            found = [each for each in found if key_of(each.name) in familiar]
        people.update(each.name for each in found if each.type == "person")
        meant.meet(index, ((each.start, each.name) for each in found if each.type == "person"))
        told = list(_facts(turns, index, people=people, meant=meant)) if is_personal(turn) else []
        facts.extend(told)
        if not told and turn.density <= FILLER:
            continue
        entities.extend(found)
        familiar.here.update(
            key_of(word) for each in found for word in (each.name, *_words(each.name))
        )
    return Extraction(entities=tuple(entities), facts=tuple(facts), causes=causes_of(turns))


def _spoken_names(turn: Turn) -> tuple[str, ...]:
    return (turn.speaker, *_words(turn.speaker))


def _words(name: str) -> tuple[str, ...]:
    """Single words of a name that may stand for it (first and last; a Chinese given name)."""
    if name.isascii() or " " in name:
        return tuple(word for word in name.split() if word[:1].isupper() and len(word) > 2)
    return (
        (name[1:],) if len(name) == 3 and name[0] in ALL_SURNAMES and not is_addressed(name) else ()
    )


def _facts(
    turns: Sequence[Turn], index: int, *, people: Set[str], meant: Antecedents
) -> Iterator[FoundFact]:
    turn = turns[index]
    told = list(_told(turn, index, people=people, meant=meant))
    held = [claim for _, claim, _ in told]
    for each in _replied(turns, index, people=people):
        if not any(_one_value(claim, each[1]) for claim in held if claim.relation in _DATED):
            told.append(each)
    seen: set[tuple[str, str, str, str]] = set()
    for sentence, claim, rests_on in (ended := _with_endings(turn, told)):
        fact = _fact(turn, sentence, claim, [each for where, each, _ in ended if where == sentence])
        key = (fact.subject, fact.relation, fact.object, fact.aspect)
        if key not in seen:
            seen.add(key)
            yield replace(fact, turns=rests_on)


_DATED: Final = frozenset({"scheduled_for", "costs"})

_Told = tuple[Sentence, Claim, tuple[str, ...]]
"""A claim, the sentence that makes it and the turns that it rests on."""


def _told(turn: Turn, index: int, *, people: Set[str], meant: Antecedents) -> Iterator[_Told]:
    """What the turn says by itself."""
    for sentence in sentences_of(turn):
        if sentence.asks:
            continue
        text = meant.read(sentence.text, turn=index, start=sentence.start, speaker=turn.speaker)
        claims = _claims_in(text, people)
        meant.note(index, sentence.start, claims)
        for claim in claims:
            yield sentence, claim, (turn.id,)


def _claims_in(text: str, people: Set[str]) -> list[Claim]:
    said = without_quotations(text)
    chinese = language(text) == "zh"
    made = list(
        rules_zh.claims_of(said, people=people) if chinese else rules_en.claims_of(plain(said))
    )
    amended = rules_amend_zh.amendments(said) if chinese else rules_amend_en.amendments(said)
    known = {(each.subject, each.relation, each.object) for each in made}
    made.extend(
        each
        for each in ties(said, people=people)
        if (each.subject, each.relation, each.object) not in known
    )
    for claim in (*amended, *figures(said)):
        twin = next((each for each in made if _one_value(each, claim)), None)
        if twin is None:
            made.append(claim)
        elif claim.replaces and twin.subject == claim.replaces:  # 把华为换成小米: 华为 is no matter
            made[made.index(twin)] = claim
        elif claim.replaces and not twin.replaces:
            made[made.index(twin)] = replace(twin, replaces=claim.replaces)
    return [_as_habit(each) for each in with_reversals(said, made, chinese=chinese)]


def _one_value(first: Claim, second: Claim) -> bool:
    return first.polarity == second.polarity and (
        same_value(first.object, second.object) or same_value(second.object, first.object)
    )


def _as_habit(claim: Claim) -> Claim:
    """Using green tea is drinking it; a nurse at St. Mary's is a nurse."""
    if claim.relation == "works_as" and " at " in claim.object:
        return replace(claim, object=claim.object.partition(" at ")[0])
    if claim.relation == "uses" and not claim.aspect and claim.polarity:
        return replace(claim, aspect=habit_aspect(claim.object))
    return claim


def _replied(turns: Sequence[Turn], index: int, *, people: Set[str]) -> Iterator[_Told]:
    """What the turn says as a reply."""
    sentence = next(iter(sentences_of(turns[index])), None)
    for reply in replies(turns, index) if sentence is not None else ():
        if sentence is None:
            return
        if reply.claim is not None:
            yield sentence, reply.claim, reply.turns
        for claim in _claims_in(reply.statement, people) if reply.statement else ():
            yield sentence, claim, reply.turns
    for where, claim in dated_events(turns, index):
        yield where, claim, (turns[index].id,)


def _with_endings(turn: Turn, told: Sequence[_Told]) -> list[_Told]:
    """A value that the turn calls over is what its claim of the same kind replaces; where it has
    none, that it is over is a claim of its own.
    """
    text = without_quotations(visible(turn.text))
    gone = rules_amend_zh.over(text) if language(text) == "zh" else _gone_en(turn)
    left = list(told)
    for named in gone:
        kinds = _alike(named)
        place = next(
            (
                number
                for number, (_, claim, _) in reversed(list(enumerate(left)))
                if claim.polarity
                and not claim.replaces
                and kind_of(claim.object) in kinds
                and claim.relation in _REPLACING
                and not same_value(named, claim.object)
            ),
            None,
        )
        if place is not None:
            sentence, claim, rests_on = left[place]
            left[place] = (sentence, replace(claim, replaces=named), rests_on)
    # What is denied comes last, so that what took its place is what overturned it.
    return sorted(left, key=lambda each: not each[1].polarity)


def _gone_en(turn: Turn) -> tuple[str, ...]:
    return tuple(
        named
        for sentence in sentences_of(turn)
        if not sentence.asks
        for named in rules_amend_en.over(without_quotations(sentence.text))
    )


_REPLACING: Final = frozenset(
    "decided uses costs scheduled_for supplied_by made_by has_value located_in works_at".split()
)


def _alike(value: str) -> frozenset[str]:
    kind = kind_of(value)
    if kind in ("money", "number"):
        return frozenset({"money", "number"})
    return frozenset({kind}) if kind == "date" else frozenset({"name", "thing"})


def _fact(turn: Turn, sentence: Sentence, claim: Claim, beside: Sequence[Claim]) -> FoundFact:
    valid_from, valid_to = _validity(turn, sentence, claim)
    chinese = language(sentence.text) == "zh"
    said = turn.text[sentence.start : sentence.start + len(sentence.text)]
    whole = own_clause(said, claim, beside)
    importance = importance_of(claim.relation) + (0.2 if EMPHASIS.search(sentence.text) else 0.0)
    return FoundFact(
        turns=(turn.id,),
        subject=subject_name(turn.speaker, claim.subject, owned=claim.owned, chinese=chinese),
        relation=claim.relation,
        object=claim.object,
        text=spoken(turn.speaker, whole if len(whole) <= _LONGEST_TEXT else claim.text),
        aspect=claim.aspect,
        polarity=claim.polarity,
        confidence=0.7 if claim.corrects else 0.6,
        importance=min(1.0, importance),
        valid_from=valid_from,
        valid_to=valid_to,
        replaces=claim.replaces,
        subject_type="person" if not claim.subject else claim.subject_type,
        object_type=claim.object_type,
    )


def subject_name(speaker: str, subject: str, *, owned: bool, chinese: bool) -> str:
    """The surface name of a claim's subject: "my sister" of Ana's is "Ana's sister"."""
    if not subject:
        return speaker
    if not owned:
        return subject
    words = subject.split()
    subject = " ".join([*words[:-1], _SAME_KIN.get(words[-1], words[-1])])
    return f"{speaker}的{subject}" if chinese else f"{speaker}'s {subject}"


def spoken(speaker: str, text: str) -> str:
    """A sentence with who said it, so that "I" can be read."""
    return f"{speaker}: {text.strip()}"


def _validity(
    turn: Turn, sentence: Sentence, claim: Claim
) -> tuple[datetime | None, datetime | None]:
    if turn.time is None:
        return None, None
    if claim.past:
        return None, turn.time
    if claim.relation in _UNDATED or not turn.dated:
        return turn.time, None
    dates = [each for each in find_dates(sentence.text, anchor=turn.time) if not each.recurring]
    if dates and dates[0].grain not in ("minute", "hour") and dates[0].start <= turn.time:
        return dates[0].start, None
    return turn.time, None
