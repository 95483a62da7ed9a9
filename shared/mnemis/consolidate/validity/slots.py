"""Where a newer fact may overturn an older one, and what a slot's history makes of its facts.

A slot is what can hold one value at a time: (subject, relation, aspect) of a single-valued
relation, (subject, taste, thing) for likes and dislikes, else (subject, relation, object), where
only the polarity can change. Habits share a slot in which values stand side by side until
somebody says that one took the place of the others. A value can also be ended from outside, by a
fact of another slot that names it as what it replaces. The history is replayed in the order of
saying, so that a message filled in later never overturns a newer one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from mnemis.consolidate.resolve import digest
from mnemis.consolidate.rules.claims import TASTE
from mnemis.consolidate.rules.cues import CHANGE
from mnemis.consolidate.rules.lexicon_habits import ASPECTS, CHANGES_HABIT
from mnemis.consolidate.rules.reversals import NO_DAY, NO_DAY_ZH
from mnemis.consolidate.rules.values import same_value
from mnemis.model.relations import RELATIONS
from mnemis.ports.extractor import FoundFact
from mnemis.text.normalise import fold, name_key

_NEEDS_ASPECT: Final = frozenset({"decided", "prefers"})
_CLOSE: Final = timedelta(days=7)
_EARLIEST: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One assertion of a value in a slot; ``place`` orders those of one time; ``words`` is the
    plain value; ``denies``: it is not so; ``bygone``: it is told of a year gone by.
    """

    value: str
    turn: str
    speaker: str
    place: int
    said: datetime | None
    valid_from: datetime | None
    changes: bool = False
    words: str = ""
    denies: bool = False
    bygone: bool = False

    @property
    def order(self) -> tuple[datetime, int, str, str]:
        """By time of saying, then by arrival."""
        return (self.said or _EARLIEST, self.place, self.turn, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """That a fact of another slot, ``by``, took the place of a value of this one."""

    value: str
    by: str
    turn: str
    place: int
    said: datetime | None
    begins: datetime | None

    @property
    def order(self) -> tuple[datetime, int, str, str]:
        """Among the sayings of this slot."""
        return (self.said or _EARLIEST, self.place, self.turn, self.value)


@dataclass(slots=True)
class Run:
    """A value held over a stretch of time; the ``version``-th time that this value holds."""

    value: str
    version: int
    sayings: list[Saying] = field(default_factory=list[Saying])
    status: Literal["current", "superseded", "disputed"] = "current"
    valid_to: datetime | None = None
    successor: Run | None = None
    rival: Run | None = None
    ended_by: str = ""

    @property
    def valid_from(self) -> datetime | None:
        """When it began to hold: the earliest that its sayings name."""
        starts = [each.valid_from for each in self.sayings if each.valid_from is not None]
        return min(starts) if starts else None


def slot_key(subject: str, relation: str, aspect: str, object: str, *, topical: bool) -> str:
    """The digest of the slot in which this fact competes; ``subject`` is an entity id.

    ``topical``: the subject is a matter ("storage"), not a person, so that a decision has its
    aspect in the subject already.
    """
    thing = name_key(object)
    if is_habit(relation, aspect):
        return digest(subject, relation, ASPECTS[aspect])
    if relation in TASTE and not (relation == "prefers" and aspect):
        return digest(subject, "taste", thing)
    single = relation in RELATIONS and RELATIONS[relation].single
    if single and (aspect or relation not in _NEEDS_ASPECT or (relation == "decided" and topical)):
        return digest(subject, relation, name_key(aspect) if aspect else "")
    return digest(subject, relation, name_key(aspect) if aspect else "", thing)


ANOTHER: Final = "another"
"""The aspect of what somebody has beside what a slot holds: a second job, a second supplier."""
_ADDS: Final = re.compile(
    r"\b(?:also|as\s+well|on\s+the\s+side|second\s+job|besides|too)\b|也|另外|还(?:在|有|兼)|兼职|副业",
    re.IGNORECASE,
)
_HELD_TWICE: Final = frozenset({"works_at", "works_as", "studies_at", "supplied_by"})


def adds_another(relation: str, found: FoundFact) -> bool:
    """Whether a fact says that something holds beside what held."""
    return (
        relation in _HELD_TWICE
        and not found.replaces
        and _ADDS.search(found.text) is not None
        and CHANGE.search(found.text) is None
    )


def slot_of_speaker(slot: str, speaker: str) -> str:
    """What one speaker calls theirs, in a slot where another calls something theirs too."""
    return digest(slot, name_key(speaker), "mine")


_MINE: Final = re.compile(
    r"^[^:]{1,40}:\s*(?:\w+,?\s+){0,2}?(?:my|our)\s+(?!plan\b)\w|^[^:：]{1,20}[:：]\s*我们?的",
    re.IGNORECASE,
)


def is_mine(text: str) -> bool:
    """Whether a fact's text opens with something of the speaker's own."""
    return _MINE.search(text) is not None


def is_habit(relation: str, aspect: str) -> bool:
    """Whether this is something done again and again, of which several may hold."""
    return relation == "uses" and aspect in ASPECTS


def stands_beside(relation: str, aspect: str) -> bool:
    """Whether several values of a slot may hold until a text says that one took another's place:
    habits, and what somebody works as (a teacher, and the head of the school).
    """
    return is_habit(relation, aspect) or relation == "works_as"


def plain_value(object: str) -> str:
    """A value without what does not matter to it: 6月23号 is 6月23日, "on June 4th" is "june 4"."""
    text = fold(object).strip(" .,;:!?\"'“”‘’。，；：！？")
    text = re.sub(r"(?<=[\d一二三四五六七八九十])号", "日", text)
    if re.search(r"[\u4e00-\u9fff]", text):
        text = re.sub(r"(?<=.)的(?=.)", "", text)
    text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text)
    text = re.sub(r"^(?:on|in|at|around|about|the|在|于|大约|大概)\s*", "", text)
    return re.sub(r"\s+", "" if re.search(r"[\u4e00-\u9fff]", text) else " ", text) or fold(object)


def value_key(relation: str, object: str, polarity: bool) -> str:
    """What makes two sayings in one slot the same fact."""
    return digest(relation, plain_value(object), str(polarity))


def is_change(text: str, replaces: str, *, habit: bool = False) -> bool:
    """Whether a text says that something changed, so that it overturns rather than disputes."""
    return bool(replaces) or (CHANGES_HABIT if habit else CHANGE).search(text) is not None


def replay(
    sayings: Sequence[Saying],
    *,
    owner: str,
    endings: Sequence[Ending] = (),
    beside: bool = False,
) -> tuple[Run, ...]:
    """The runs of a slot, oldest first. ``owner`` is the subject's name key: about oneself one
    cannot be contradicted by another, only by oneself. ``beside``: see ``stands_beside``.
    """
    runs: list[Run] = []
    counts: dict[str, int] = {}
    events: list[Saying | Ending] = [*dict.fromkeys(sayings), *dict.fromkeys(endings)]
    for event in sorted(events, key=lambda each: (each.order, isinstance(each, Ending))):
        same = next(
            (run for run in runs if run.value == event.value and run.status != "superseded"), None
        )
        if isinstance(event, Ending):
            if same is not None:
                _end(same, event)
            continue
        if same is not None:
            same.sayings.append(event)
            _settle(same, event)
            continue
        counts[event.value] = counts.get(event.value, 0) + 1
        run = Run(value=event.value, version=counts[event.value], sayings=[event])
        if beside and event.changes:
            _follow_up(runs, run)
        for held in [each for each in runs if each.status != "superseded"]:
            if _compatible(held.sayings[-1], event):
                continue
            about_one = held.sayings[-1].denies == event.denies
            if beside and about_one and not event.changes:
                continue
            if beside and held.sayings[-1].turn == event.turn:
                continue
            if event.bygone and not beside and _holds_later(held, event):
                _overturn(run, held, held.sayings[0])
                break
            if held.rival is None and _disputes(held, event, owner) and not beside:
                held.status = run.status = "disputed"
                held.rival, run.rival = run, held
            else:
                _overturn(held, run, event)
        runs.append(run)
    return tuple(runs)


def _follow_up(runs: Sequence[Run], newer: Run) -> None:
    """What was given up ("no more coffee") is succeeded by what is taken up ("tea now")."""
    for run in runs:
        if run.ended_by and run.successor is None and run.value != newer.value:
            run.successor = newer


def _end(run: Run, ending: Ending) -> None:
    if run.rival is not None and run.rival.rival is run:
        run.rival.status, run.rival.rival = "current", None
    run.status, run.rival, run.ended_by = "superseded", None, ending.by
    begins, start = ending.begins or ending.said, run.valid_from
    run.valid_to = ending.said if begins and start and begins < start else begins


_NO_VALUE: Final = frozenset({NO_DAY, NO_DAY_ZH})


def _compatible(held: Saying, later: Saying) -> bool:
    """Whether both may hold: one only says the other more exactly, or it denies another value
    ("I don't live in Lisbon" leaves Berlin as it is).
    """
    if held.denies and later.denies:
        return True
    if held.denies == later.denies:
        return _refines(held.words, later.words)
    denied, said = (held, later) if held.denies else (later, held)
    if denied.words in _NO_VALUE:
        return False
    return denied.words != said.words and not same_value(denied.words, said.words)


def _holds_later(held: Run, saying: Saying) -> bool:
    """Whether a run goes on after the year gone by of which a saying tells."""
    if not all(each.bygone for each in held.sayings):
        return True
    start = held.valid_from
    return start is not None and saying.valid_from is not None and saying.valid_from < start


def _refines(first: str, second: str) -> bool:
    """Whether one value only says the other more exactly (老师, 语文老师); figures never do."""
    if first == second or any(char.isdigit() for char in first + second):
        return False
    short, long = sorted((first, second), key=len)
    if len(short) < 2:
        return False
    return f" {short} " in f" {long} " if short.isascii() else short in long


def _disputes(held: Run, saying: Saying, owner: str) -> bool:
    last = held.sayings[-1]
    speakers = {name_key(last.speaker), name_key(saying.speaker)}
    if saying.changes or len(speakers) < 2 or owner in speakers:
        return False
    if last.said is None or saying.said is None:
        return True
    return saying.said - last.said <= _CLOSE


def _overturn(held: Run, run: Run, saying: Saying) -> None:
    held.status, held.successor, held.rival = "superseded", run, None
    begins = saying.valid_from or saying.said
    start = held.valid_from
    if begins is not None and start is not None and begins < start:
        begins = saying.said
    held.valid_to = begins


def _settle(run: Run, saying: Saying) -> None:
    """The other side of a dispute comes round: what both now say holds."""
    rival = run.rival
    if rival is None or run.status != "disputed":
        return
    if saying.changes or any(
        name_key(each.speaker) == name_key(saying.speaker) for each in rival.sayings
    ):
        run.status, run.rival = "current", None
        _overturn(rival, run, saying)
