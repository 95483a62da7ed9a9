"""working: what is at hand of one session, read anew from one view at each call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from mnemis.care.working_notes import notes_of
from mnemis.care.working_text import render_working
from mnemis.consolidate.ahead import facts_of, homes_of, read_ahead, summaries_of
from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.resources import Resources
from mnemis.consolidate.summarise import main_language
from mnemis.errors import InputError
from mnemis.model.graph import Episode, Fact, Turn
from mnemis.model.marks import RESERVED
from mnemis.model.message import Message
from mnemis.model.working import Working
from mnemis.ports.store import View
from mnemis.text.counting import TokenCounter
from mnemis.text.normalise import clean

_REACH: Final = 120
"""Turns before the latest ones that are summed up and searched for notes: what an answer costs must
not grow with the session."""

_READ: Final = 50
"""Turns, the latest, of which the rules read those that wait: as many as wait at most by default"""

_TOLD: Final = 4
"""Stretches that are told in sentences; what was said before those is told in keywords."""

_NAMED: Final = 8
_OVER: Final = {"en": " [no longer holds]", "zh": "〔已失效〕"}
_SHORTEST: Final = 5
"""Characters from which on words stand for the fact that was told with them."""

_EARLIER: Final = {"en": ("Earlier: ", "; "), "zh": ("更早谈到：", "；")}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingRequest:
    """See ``Memory.working`` for what each field means."""

    session: str | None
    turns: int
    budget: int

    @classmethod
    def checked(
        cls, session: str | None, *, turns: int, budget: int | None, usual: int
    ) -> WorkingRequest:
        """``usual`` is the budget where none is given. Raises InputError."""
        if session is not None and not isinstance(session, str):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"session must be text or None, got {session!r:.60}")
        for name, value in (("turns", turns), ("budget", 0 if budget is None else budget)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
                raise InputError(f"{name} must be a whole number >= 0, got {value!r:.60}")
        return cls(
            session=None if session is None else clean(session),
            turns=turns,
            budget=usual if budget is None else budget,
        )


def working(
    view: View, request: WorkingRequest, *, resources: Resources, counter: TokenCounter
) -> Working:
    """The working memory of a session; empty for one in which nothing was said.

    ``resources`` says how turns that wait are read; its extractor should be None, the rules.
    """
    session = _at_hand(view) if request.session is None else request.session
    held = () if session is None else view.tail(session, limit=request.turns + _REACH)
    if not held:
        return Working(session=session or "")
    border = max(0, len(held) - request.turns)
    homes = homes_of(view, held)
    recent = held[-max(_READ, request.turns) :]
    knowledge = read_ahead(view, recent, homes, resources)
    facts = facts_of(view, held, homes, knowledge)
    _weigh(knowledge, held, facts)
    newest = view.tail(None, limit=1)
    language = _language(held[border:], held)
    noted = notes_of(held, facts, now=newest[-1].time if newest else None)
    notes = tuple(
        replace(note, text=_with_fates(note.text, facts, language))
        if note.kind == "pinned"
        else note
        for note in noted
    )
    told = _said_before(view, held[:border], homes, knowledge, resources, language)
    lines = tuple(_with_fates(line, facts, language) for line in told)
    text, tokens = render_working(
        held[border:],
        notes,
        lines,
        language=language,
        budget=request.budget,
        counter=counter,
    )
    return Working(
        session=held[-1].session,
        turns=tuple(message_of(turn) for turn in held[border:]),
        summary="\n".join(lines),
        notes=notes,
        text=text,
        tokens=tokens,
    )


def message_of(turn: Turn) -> Message:
    """The message of a turn as it can be given to ``recall(recent=…)``; of a document, a chunk."""
    return Message(
        role=turn.role,
        text=turn.text,
        speaker=turn.speaker,
        time=turn.time,
        session=turn.session or None,
        id=turn.message_id,
        metadata={k: v for k, v in turn.metadata.items() if not k.startswith(RESERVED)},
        parts=turn.parts,
    )


def _at_hand(view: View) -> str | None:
    """The session of the turn that was stored last, whenever it was said: a turn need not have a
    time. A document that was added is not what is spoken of, unless there is nothing else near.
    """
    newest = view.tail(None, limit=1)
    if newest and newest[-1].role == "document":
        back = view.tail(None, limit=_REACH)
        newest = tuple(turn for turn in back if turn.role != "document") or newest
    return newest[-1].session if newest else None


def _language(latest: Sequence[Turn], held: Sequence[Turn]) -> str:
    """What the user speaks now, "en" or "zh"."""
    for turns in (latest, held):
        asked = main_language([turn for turn in turns if turn.role == "user"] or turns)
        if asked != "und":
            return "zh" if asked == "zh" else "en"
    return "en"


def _weigh(knowledge: Knowledge, turns: Sequence[Turn], facts: Sequence[Fact]) -> None:
    """Turns with known facts weigh as much in a summary as when those were found."""
    by_message = {turn.message_id: turn.id for turn in turns}
    for fact in facts:
        for turn in (by_message[each] for each in fact.sources if each in by_message):
            weight = knowledge.fact_turns.get(turn, 0.0)
            knowledge.fact_turns[turn] = max(weight, 0.5 + fact.importance / 2)


def _with_fates(line: str, facts: Sequence[Fact], language: str) -> str:
    """The text with a mark behind each sentence that tells a superseded fact and no other."""
    holds = {fact.text for fact in facts if fact.status != "superseded"}
    for text in sorted({fact.text for fact in facts if fact.status == "superseded"} - holds):
        said = text.partition(": ")[2]
        if len(said) > _SHORTEST and line.count(said) == 1:
            line = line.replace(said, said + _OVER[language])
    return line


def _said_before(
    view: View,
    before: Sequence[Turn],
    homes: Mapping[str, str],
    knowledge: Knowledge,
    resources: Resources,
    language: str,
) -> tuple[str, ...]:
    """A line for each of the last stretches before the latest turns, headed by what the earlier
    ones were about. Whole episodes have their summaries; the rest is summed up here.
    """
    found = view.get(sorted({homes[turn.id] for turn in before if turn.id in homes}))
    episodes = {key: node for key, node in found.items() if isinstance(node, Episode)}
    ended = {turn.id for turn in before}
    told: dict[str, None] = {}
    pieces: list[tuple[str, str]] = []
    for home, group in groupby(before, key=lambda turn: homes.get(turn.id)):
        turns = list(group)
        episode = None if home is None else episodes.get(home)
        if episode is None or episode.turns[-1] not in ended:
            made = summaries_of(view, turns, knowledge, resources)
            pieces.extend((each.title, each.text) for each in made)
        elif episode.id not in told:
            told[episode.id] = None
            pieces.append((episode.title, episode.text))
    lines = [text for _, text in pieces[-_TOLD:] if text]
    titles = dict.fromkeys(title for title, _ in pieces[:-_TOLD] if title)
    if titles:
        lead, between = _EARLIER[language]
        lines.insert(0, lead + between.join(list(titles)[-_NAMED:]))
    return tuple(lines)
