"""What a session settled and still holds: facts of the kinds that bind a task, pinned turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

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

_TAKEN_BACK: Final = re.compile(
    r"\b(?:no longer|any ?more|instead|never ?mind|on second thoughts?|scrap(?:ped)?|forget"
    r"|cancel(?:led|ed)?|called off|dropped?|changed (?:my|our) minds?|not going (?:to|with))\b"
    r"|[不别没].{0,12}了|算了|取消|作废|不再|改主意|而不是|[改换](?:成|用|为|坐|去|到)",
    re.IGNORECASE,
)
"""Said of a decision or a wish, it no longer holds, whether or not a fact tells what does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A sentence with words of change, in the turn at ``place``; ``takes_back``: strong ones."""

    place: int
    words: frozenset[str]
    takes_back: bool


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
    notes.sort(key=lambda each: (each[0], each[1].text, each[1].kind))
    return tuple(note for _, note in notes)


def _binds(fact: Fact, now: datetime | None) -> bool:
    if fact.status != "current" or fact.relation not in NOTED or _is_over(fact, now):
        return False
    if fact.relation in _FIGURES:
        return _BOUND.search(f"{fact.subject} {fact.aspect}") is not None
    return fact.relation not in _TASTES or _is_own(fact)


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
            takes_back=_TAKEN_BACK.search(sentence.text) is not None,
        )
        for place, turn in enumerate(turns)
        if is_personal(turn) and _tells_of_change(turn.text)
        for sentence in sentences_of(turn)
        if not sentence.asks and _tells_of_change(sentence.text)
    ]


def _tells_of_change(text: str) -> bool:
    return CHANGE.search(text) is not None or _TAKEN_BACK.search(text) is not None


def _is_taken_back(fact: Fact, changes: Sequence[_Change], *, after: int) -> bool:
    """Whether somebody spoke of the matter in words of change after that turn. Where the rules find
    what took its place the fact is superseded; this is for what they do not understand: a note too
    few does less harm than one that is wrong.
    """
    is_value = fact.relation in _VALUES
    named = f"{'' if _is_own(fact) else fact.subject} {fact.aspect}" if is_value else fact.object
    words = set(content_tokens(named))
    telling = {word for word in words if word.isascii() or len(word) > 1} or words
    return any(
        each.place > after and (is_value or each.takes_back) and telling & each.words
        for each in changes
    )


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
