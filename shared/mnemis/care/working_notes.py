"""What a session settled and still holds: facts of the kinds that bind a task, pinned turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from mnemis.care.working_cues import (
    MOVED,
    TAKEN_BACK,
    binding,
    is_day_alone,
    is_joke,
    is_long_ago,
    is_reported,
)
from mnemis.consolidate.rules.cues import CHANGE
from mnemis.consolidate.rules.speech import is_personal, sentences_of
from mnemis.model.graph import Fact, Turn
from mnemis.model.marks import is_pinned
from mnemis.model.working import Note
from mnemis.text.dates import find_dates
from mnemis.text.normalise import language, name_key
from mnemis.text.tokenise import content_tokens

NOTED: Final = (
    "decided",
    "scheduled_for",
    "plans",
    "wants",
    "prefers",
    "likes",
    "dislikes",
    "avoids",
    "allergic_to",
    "has_condition",
    "costs",
    "has_value",
)
"""Relations that bind a task: decisions, dates, plans, wishes, tastes, constraints, figures."""

_TASTES: Final = frozenset({"prefers", "likes", "dislikes"})
"""They bind when the speaker's own: what a colleague likes is worth knowing, but no part of it."""

_BOUND: Final = re.compile(
    r"\b(?:budget|deadline|due|limit|max(?:imum)?|min(?:imum)?|goal|target|requirement|quota)s?\b"
    r"|预算|截止|期限|时限|上限|下限|目标|要求|额度|限额",
    re.IGNORECASE,
)
"""What a figure must be of to bind a task; others ("her phone number is …") are only facts."""

_FIGURES: Final = frozenset({"costs", "has_value"})
_VALUES: Final = _FIGURES | {"scheduled_for"}
"""Their subject tells what they are about, and not their value."""

_PASSING: Final = frozenset({"scheduled_for", "plans", "wants"})
"""Over once the time that they name is."""

_ANY: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""To find that a day is named, for turns of unknown time; which day it is does not matter."""

_PAST: Final = frozenset({"decided", "plans", "wants"})
"""They bind nobody any more when told of another time."""

_READ: Final = 6_000
"""Characters of a turn that are looked at for words of change, as many as the rules read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A sentence with words of change, in the turn at ``place``; ``takes_back``: strong ones;
    ``moves``: something to another day.
    """

    place: int
    words: frozenset[str]
    takes_back: bool
    moves: bool


def notes_of(
    turns: Sequence[Turn], facts: Sequence[Fact], *, now: datetime | None
) -> tuple[Note, ...]:
    """Notes of these turns of a session, in the order in which they were last said.

    A fact counts while it is current, its time has not passed at ``now``, and nobody took it back
    since. One sentence makes one note, though several facts may tell it; a pinned turn says what
    its facts say.
    """
    place = {turn.message_id: number for number, turn in enumerate(turns)}
    pinned = {turn.message_id: turn for turn in turns if is_pinned(turn) and turn.spoken.strip()}
    notes = [
        (place[key], Note(kind="pinned", text=_said(turn), time=turn.time, sources=turn.sources))
        for key, turn in pinned.items()
    ]
    changes = _changes(turns)
    told: set[str] = set()
    for fact in sorted((each for each in facts if _binds(each, now)), key=_rank):
        said = [place[each] for each in fact.sources if each in place]
        if not said or fact.text in told or set(fact.sources) <= pinned.keys():
            continue
        told.add(fact.text)
        last = max(said)
        if _is_taken_back(fact, changes, after=last):
            continue
        note = Note(
            kind=fact.relation, text=_told(fact), time=turns[last].time, sources=fact.sources
        )
        notes.append((last, note))
    said_in_full = {note.text for _, note in notes}
    notes += [
        (number, note)
        for number, note in _spoken_notes(turns, changes)
        if note.text not in said_in_full and not pinned.keys() & set(note.sources)
    ]
    notes.sort(key=lambda each: (each[0], each[1].text, each[1].kind))
    return tuple(note for _, note in notes)


def _spoken_notes(turns: Sequence[Turn], changes: Sequence[_Change]) -> Iterator[tuple[int, Note]]:
    """What users ruled out, preferred or settled in so many words, with the place of the turn; the
    last saying of it where it was said again.
    """
    found: dict[str, tuple[int, Note]] = {}
    for place, turn in enumerate(turns):
        if turn.role != "user":
            continue
        for sentence in sentences_of(turn):
            bound = None if sentence.asks else binding(sentence.text)
            if bound is None:
                continue
            kind, matter = bound
            text = f"{turn.speaker}: {sentence.text}" if turn.speaker else sentence.text
            if not _is_overturned(matter, changes, after=place):
                note = Note(kind=kind, text=text, time=turn.time, sources=turn.sources)
                found[text] = (place, note)
    yield from found.values()


def _is_overturned(matter: str, changes: Sequence[_Change], *, after: int) -> bool:
    telling = _telling(matter)
    return any(each.place > after and each.takes_back and telling & each.words for each in changes)


def _binds(fact: Fact, now: datetime | None) -> bool:
    if fact.status != "current" or fact.relation not in NOTED or _is_over(fact, now):
        return False
    if not _is_meant(fact):
        return False
    if fact.relation in _FIGURES:
        return _BOUND.search(f"{fact.subject} {fact.aspect}") is not None
    return fact.relation not in _TASTES or _is_own(fact)


def _is_meant(fact: Fact) -> bool:
    """Whether the speaker says it in earnest, in person, and of the present."""
    said = fact.text.removeprefix(f"{fact.speaker}: ")
    if is_joke(said) or (is_reported(said) and _is_own(fact)):
        return False
    anchor = fact.time or fact.recorded
    return not (fact.relation in _PAST and anchor and is_long_ago(said, anchor.year))


def _is_own(fact: Fact) -> bool:
    return name_key(fact.subject) == name_key(fact.speaker)


def _is_over(fact: Fact, now: datetime | None) -> bool:
    """Whether all times lie behind that were still to come when the fact was told."""
    if fact.relation not in _PASSING or now is None or fact.time is None:
        return False
    named = find_dates(fact.text, anchor=fact.time)
    coming = [span.end for span in named if not span.recurring and span.end > fact.time]
    return bool(coming) and max(coming) <= now


def _changes(turns: Sequence[Turn]) -> list[_Change]:
    """Sentences of people that tell of a change, in order."""
    return [
        _Change(
            place=place,
            words=frozenset(content_tokens(sentence.text)),
            takes_back=TAKEN_BACK.search(sentence.text) is not None,
            moves=MOVED.search(sentence.text) is not None
            and bool(find_dates(sentence.text, anchor=turn.time or _ANY)),
        )
        for place, turn in enumerate(turns)
        if is_personal(turn) and _tells_of_change(turn.text[:_READ])
        for sentence in sentences_of(turn)
        if not sentence.asks and _tells_of_change(sentence.text)
    ]


def _tells_of_change(text: str) -> bool:
    return CHANGE.search(text) is not None or TAKEN_BACK.search(text) is not None


def _is_taken_back(fact: Fact, changes: Sequence[_Change], *, after: int) -> bool:
    """Whether somebody spoke of the matter in words of change after that turn. Where the rules find
    what took its place the fact is superseded; this is for what they do not understand: a note too
    few does less harm than one that is wrong.
    """
    is_value = fact.relation in _VALUES
    named = f"{'' if _is_own(fact) else fact.subject} {fact.aspect}" if is_value else fact.object
    telling = _telling(named)
    is_day = fact.relation == "decided" and _is_day(fact)
    return any(
        each.place > after
        and ((is_day and each.moves) or ((is_value or each.takes_back) and telling & each.words))
        for each in changes
    )


def _telling(matter: str) -> set[str]:
    words = set(content_tokens(matter))
    return {word for word in words if word.isascii() or len(word) > 1} or words


def _is_day(fact: Fact) -> bool:
    """Whether a day is all that was decided; what is to be on that day was said elsewhere."""
    rest = fact.object
    spans = find_dates(rest, anchor=fact.time or _ANY)
    for span in reversed(spans):
        rest = rest[: span.span[0]] + " " + rest[span.span[1] :]
    return bool(spans) and is_day_alone(rest)


def _rank(fact: Fact) -> tuple[int, str]:
    return (NOTED.index(fact.relation), fact.id)


def _told(fact: Fact) -> str:
    """What the fact says, with what it is about where only the question named that."""
    matter = fact.subject
    for lead in (f"{fact.speaker}'s ", f"{fact.speaker}的"):
        matter = matter.removeprefix(lead)
    if _is_own(fact) or set(content_tokens(matter)) <= set(content_tokens(fact.text)):
        return fact.text
    return f"{fact.text}（{matter}）" if language(fact.text) == "zh" else f"{fact.text} ({matter})"


def _said(turn: Turn) -> str:
    return f"{turn.speaker}: {turn.spoken}" if turn.speaker else turn.spoken
