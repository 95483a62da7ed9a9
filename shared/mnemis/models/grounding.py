"""A model's reading checked against the passage: what the turns do not say is not taken.

Every entity, object and quote must stand in its turn, a subject there or before; a turn number
must exist; a tool's, system's or assistant's words assert nothing. So neither an invention nor an
instruction that hides in a text becomes a memory. What is dropped is told in ``warnings``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mnemis.model.graph import Turn
from mnemis.model.usual import importance_of, object_type, subject_type
from mnemis.models.spans import Searched
from mnemis.ports.extractor import Extraction, FoundCause, FoundEntity, FoundFact
from mnemis.prompts.passage import is_asserting, longest, shown_text
from mnemis.prompts.reading import ReadCause, ReadEntity, ReadFact, Reading
from mnemis.text.normalise import clean, fold, name_key
from mnemis.text.tokenise import content_tokens

_LONGEST_TEXT: Final = 200
_CONFIDENCE: Final = 0.6  # before it is confirmed; a model's own word on that counts for nothing
_UNQUOTED: Final = 0.5
_MOST_WARNINGS: Final = 20
_SPEAKER: Final = frozenset(
    "i me my myself we us our user speaker author narrator".split()
    + "我 我们 咱们 本人 用户 说话人 作者".split()
)
_MINE: Final = re.compile(r"^(?:my|our|the user's|user's)\s+(?P<en>.+)$", re.IGNORECASE)
_MINE_ZH: Final = re.compile(r"^(?:我们|我|用户)的?(?P<zh>.+)$")


@dataclass(slots=True)
class _Passage:
    """The turns with what of them is shown, and the warnings so far."""

    turns: Sequence[Turn]
    shown: list[Searched] = field(default_factory=list[Searched])
    warnings: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.shown = [Searched.of(shown_text(turn)) for turn in self.turns]

    def turn(self, number: int) -> Turn | None:
        """The turn of a number from 1; None for one that does not exist."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None

    def warn(self, what: str) -> None:
        """Tell, a bounded number of times."""
        self.warnings.append(what)


def ground(reading: Reading, turns: Sequence[Turn]) -> Extraction:
    """What of a reading the turns bear out; without costs. Never raises."""
    passage = _Passage(turns=turns, warnings=list(reading.warnings))
    facts: dict[tuple[object, ...], FoundFact] = {}
    for read in reading.facts:
        fact = _fact(read, passage)
        if fact is not None:
            key = (fact.turns, fact.subject, fact.relation, fact.object, fact.aspect, fact.polarity)
            facts.setdefault(key, fact)
    entities: dict[tuple[str, str], FoundEntity] = {}
    for entity in (_entity(each, passage) for each in reading.entities):
        if entity is not None:
            entities.setdefault((entity.turn, name_key(entity.name)), entity)
    causes = [each for read in reading.causes if (each := _cause(read, passage)) is not None]
    _warn_of_pages(passage)
    order = {turn.id: number for number, turn in enumerate(turns)}
    return Extraction(
        entities=tuple(
            sorted(entities.values(), key=lambda each: (order[each.turn], each.start, each.name))
        ),
        facts=tuple(facts.values()),
        causes=tuple(dict.fromkeys(causes)),
        warnings=_bounded(passage.warnings),
    )


def _entity(read: ReadEntity, passage: _Passage) -> FoundEntity | None:
    """The name as the turn writes it; of the turn that is named, else of the first that has it."""
    named = [read.turn] if passage.turn(read.turn) is not None else []
    for number in [*named, *range(1, len(passage.turns) + 1)]:
        turn = passage.turns[number - 1]
        span = passage.shown[number - 1].find(read.name)
        if span is None:
            continue
        name = fold_quotes(passage.shown[number - 1].text[span[0] : span[1]])
        if span[0] >= len(turn.text) or not name:
            continue
        return FoundEntity(turn=turn.id, name=name, start=span[0], type=read.type)
    passage.warn(f"no turn names {_short(read.name)}; the entity is left out")
    return None


def _fact(read: ReadFact, passage: _Passage) -> FoundFact | None:
    told = f"{_short(read.subject)} {read.relation} {_short(read.object)}"
    number = read.turn or _turn_of(read, passage)
    turn = passage.turn(number)
    if turn is None:
        passage.warn(f"turn {number} does not exist; the fact {told} is left out")
        return None
    if not is_asserting(turn):
        passage.warn(f"turn {number} is a {turn.role}'s; the fact {told} is left out")
        return None
    shown = passage.shown[number - 1]
    subject = _subject(read.subject, number, passage)
    missing = [
        name
        for name, found in (
            ("subject", subject),
            ("object", _occurs(read.object, shown)),
            ("quote", not read.quote or shown.find(read.quote) is not None),
        )
        if not found
    ]
    if missing or subject is None:
        passage.warn(f"turn {number} does not say the {missing[0]} of the fact {told}; left out")
        return None
    replaces = read.replaces
    if replaces and not _occurs(replaces, shown):
        passage.warn(f"turn {number} does not say that {told} replaces {_short(replaces)}")
        replaces = ""
    by_speaker = name_key(subject) == name_key(turn.speaker)
    return FoundFact(
        turns=(turn.id,),
        subject=subject,
        relation=read.relation,
        object=_written(read.object, shown),
        text=f"{turn.speaker}: {_said(read, shown)}",
        aspect=clean(read.aspect)[:60],
        polarity=read.polarity,
        confidence=_confidence(read),
        importance=importance_of(read.relation),
        valid_from=None if read.past else turn.time,
        valid_to=turn.time if read.past else None,
        replaces=replaces,
        subject_type="person"
        if by_speaker and turn.role == "user"
        else subject_type(read.relation),
        object_type=object_type(read.relation),
    )


def _confidence(read: ReadFact) -> float:
    return _CONFIDENCE if read.quote and read.relation != "related_to" else _UNQUOTED


def _turn_of(read: ReadFact, passage: _Passage) -> int:
    """The number of the first person's turn that says a fact which names none; 0 for none."""
    for number, (turn, shown) in enumerate(zip(passage.turns, passage.shown, strict=True), 1):
        if is_asserting(turn) and _occurs(read.quote or read.object, shown):
            return number
    return 0


def _subject(name: str, number: int, passage: _Passage) -> str | None:
    """The surface name of a subject; None when neither the turn nor one before it has it."""
    turn = passage.turns[number - 1]
    said = fold_quotes(name)
    if fold(said).removeprefix("the ") in _SPEAKER or name_key(said) == name_key(turn.speaker):
        return turn.speaker
    heard = [*passage.shown[:number], *(Searched.of(each.speaker) for each in passage.turns)]
    if mine := _MINE.match(said):
        thing = mine.group("en")
        return f"{turn.speaker}'s {thing}" if _all_occur(thing, heard) else None
    if mine := _MINE_ZH.match(said):
        thing = mine.group("zh")
        return f"{turn.speaker}的{thing}" if _all_occur(thing, heard) else None
    for shown in reversed(heard):
        if span := shown.find(said):
            return fold_quotes(shown.text[span[0] : span[1]])
    return said if _all_occur(said, heard) else None


def _all_occur(phrase: str, heard: Sequence[Searched]) -> bool:
    """Whether each content word is heard somewhere ("Ana's sister": Ana speaks, of a sister)."""
    wanted = content_tokens(phrase)
    known = {token for shown in heard for token in content_tokens(shown.text)}
    return bool(wanted) and known.issuperset(wanted)


def _occurs(phrase: str, shown: Searched) -> bool:
    """Whether a turn says a phrase, as it stands or with its words inflected or apart."""
    return shown.find(phrase) is not None or _all_occur(phrase, [shown])


def _written(phrase: str, shown: Searched) -> str:
    span = shown.find(phrase)
    return fold_quotes(phrase if span is None else shown.text[span[0] : span[1]])


def _said(read: ReadFact, shown: Searched) -> str:
    """The sentences of the turn that say it, else the turn's beginning: never the model's words."""
    span = shown.find(read.quote) or shown.find(read.object)
    if span is None:
        return " ".join(clean(shown.text).split())[:_LONGEST_TEXT]
    whole = " ".join(clean(shown.sentence_at(span)).split())
    if len(whole) <= _LONGEST_TEXT:
        return whole
    return " ".join(clean(shown.text[span[0] : span[1]]).split())[:_LONGEST_TEXT]


def _cause(read: ReadCause, passage: _Passage) -> FoundCause | None:
    cause, effect = passage.turn(read.cause), passage.turn(read.effect)
    told = f"that turn {read.cause} brought about turn {read.effect}"
    if cause is None or effect is None:
        passage.warn(f"{told} names a turn that does not exist; left out")
        return None
    if not (is_asserting(cause) and is_asserting(effect)):
        passage.warn(f"{told} rests on what no person said; left out")
        return None
    for number in (read.effect, read.cause):
        shown = passage.shown[number - 1]
        if read.quote and (span := shown.find(read.quote)):
            text = " ".join(clean(shown.sentence_at(span)).split())[:_LONGEST_TEXT]
            return FoundCause(cause=cause.id, effect=effect.id, text=text)
    passage.warn(f"neither turn says {told}; left out")
    return None


def _warn_of_pages(passage: _Passage) -> None:
    long = [turn for turn in passage.turns if is_asserting(turn) and len(turn.text) > longest(turn)]
    for turn in long:
        read = f"the first {longest(turn)} of {len(turn.text)} characters"
        passage.warn(f"of turn {turn.id!r} {read} were read")


def _bounded(warnings: Sequence[str]) -> tuple[str, ...]:
    told = list(dict.fromkeys(warnings))
    if len(told) > _MOST_WARNINGS:
        rest = len(told) - _MOST_WARNINGS
        told = [*told[:_MOST_WARNINGS], f"… and {rest} more that were left out"]
    return tuple(told)


def fold_quotes(name: str) -> str:
    """A name without surrounding quotes and with single blanks."""
    return " ".join(clean(name).split()).strip("\"'“”‘’「」『』 ").strip()


def _short(text: str) -> str:
    line = " ".join(clean(text).split())
    return repr(line if len(line) <= 40 else line[:39] + "…")
