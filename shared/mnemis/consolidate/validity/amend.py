"""Last word on what changed: a value said to be new overturns the one that an earlier turn gave
to the same matter, where neither turn need name it as the other does.

The matter is found by what the turns about both values share, weighed by rarity, or by the turn
before, which names the old value ("is 23 May still fine?" – "No, 13 June"). Only values of one
kind compete, only the speaker's own overturn each other, and of what is supposed, asked, wished or
added nothing is overturned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.rules import lexicon_en
from mnemis.consolidate.rules.bygone import tells_of_past
from mnemis.consolidate.rules.events import EVENT, EVENT_ZH
from mnemis.consolidate.rules.news import (
    Given,
    alike,
    denies,
    given,
    is_name_of,
    matter_of,
    owners,
    renames,
    says_change,
)
from mnemis.consolidate.rules.speech import is_personal, visible, without_quotations
from mnemis.consolidate.validity.contrasts import are_two, one_event, same_people
from mnemis.consolidate.validity.matters import (
    calls,
    content_of,
    idf_of_two,
    share_words,
    surface_of,
)
from mnemis.consolidate.validity.pairs import Place, Told, file_pair
from mnemis.consolidate.validity.shifts import Shifter
from mnemis.consolidate.validity.standing_facts import fact_giving
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold, name_key
from mnemis.text.tokenise import tokenise

_RELATIONS: Final = {"day": "scheduled_for", "week": "scheduled_for", "clock": "scheduled_for"} | {
    "money": "costs",
    "code": "has_value",
    "measure": "has_value",
    "title": "named",
    "choice": "decided",
    "person": "has_value",
}
_NEAR: Final = 24
_ENOUGH: Final = 3.2
_SHARE: Final = 0.8
"""Shared idf from which on two turns are about one matter (in a small memory, this share of what a
word of two turns has): one rare word in both clauses, or a few common ones."""
_BEFORE: Final = 0.5
"""What a word counts that stands only in the turn before."""
_BACK: Final = 3
_NAMES: Final = frozenset({"title", "choice"})
_COMPANIONS: Final = frozenset({"money", "code", "measure"})
_WHO: Final = frozenset(
    {*lexicon_en.ROLES, "carer", "nanny", "cleaner", "driver", "chef", "surgeon", "editor", "agent"}
)
_LONGEST: Final = 600
_LONGEST_MATTER: Final = 400
_EVENT: Final = re.compile(f"{EVENT}|{EVENT_ZH}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Older:
    turn: Turn
    value: Given
    shared: float
    matter: str
    echoed: bool


@dataclass(slots=True)
class Amender:
    """Finds, for the turns of a batch, what they overturn, and files it in the book."""

    view: View
    knowledge: Knowledge
    turns: Mapping[str, Turn]

    def amend(self) -> dict[str, Turn]:
        """File what every turn overturns, in their order; earlier turns that took part, by id."""
        used: dict[str, Turn] = {}
        ordered = sorted(self.turns.values(), key=lambda turn: turn.ordinal)
        for turn in ordered:
            if not is_personal(turn) or turn.role == "document" or not says_change(turn.text):
                continue
            filed: list[Given] = []
            for older, new in self._overturned(turn):
                if any(_one_phrase(new, each) for each in filed):
                    continue
                filed.append(new)
                self._file(turn, new, older)
                used[older.turn.id] = older.turn
        shifter = Shifter(view=self.view, knowledge=self.knowledge, turns=self.turns)
        return {**used, **shifter.shift()}

    def _file(self, turn: Turn, new: Given, older: _Older) -> None:
        """Both values in one slot: the older's own, else the newer's own, else the matter's."""
        held = self._slot(older.turn, older.value)
        own = self._slot(turn, new)
        if held is not None and own is not None and held.subject_id != own.subject_id:
            # Both name their matter: whether it is one is for the rules of slots to say.
            if share_words(own.subject, turn.text) and not older.echoed:
                return
        basis = held or own
        if basis is None:
            name = older.matter or self._telling(older)
            subject = self.knowledge.matter(name, older.turn)
            kind, _, unit = new.kind.partition(":")
            relation = _RELATIONS[kind]
            aspect = unit or (kind if relation == "has_value" and kind != "person" else "")
        else:
            name, relation, aspect = basis.subject, basis.relation, basis.aspect
            subject = basis.subject_id
        if subject is None:
            return
        before = older.value.value if held is None else held.object
        after = new.value if own is None else own.object
        file_pair(
            self.knowledge,
            Told(turn=older.turn, clause=older.value.clause, value=before),
            Told(turn=turn, clause=new.clause, value=after),
            place=Place(subject=subject, name=name, relation=relation, aspect=aspect),
            confidence=0.55,
        )

    def _telling(self, older: _Older) -> str:
        """What an older value is about, by its clause: an event, else the rarest word."""
        if event := _EVENT.search(older.value.clause):
            return event.group().lower()
        words = self._matter(older.value, older.turn) or self._around(older.turn, None)
        idf = self.view.term_stats(sorted(words), kind="turn")
        rarest = max(words, key=lambda each: (idf.get(each, 0.0), each), default="")
        return surface_of(rarest, older.turn.text)

    def _slot(self, turn: Turn, value: Given) -> Fact | None:
        """The fact by which this turn already gives this value to something."""
        return fact_giving(self.view, self.knowledge, turn, value.value)

    def _overturned(self, turn: Turn) -> Iterator[tuple[_Older, Given]]:
        values = given(_said(turn))
        if not any(each.changes or each.kind == "title" for each in values):
            if not values or not denies(turn.text):
                return
        back = self._back(turn)
        echoed = _echoed(turn, back[0] if back else None)
        renamed = any(renames(each.text) for each in (turn, *back))
        for new in values:
            named = next((each for each in echoed if _rivals(new, each)), None)
            told = named is not None and denies(turn.text)
            if new.supposed or tells_of_past(new.clause, turn.time):
                continue
            if not (new.changes or told or (new.kind == "title" and renamed)):
                continue
            older = self._older(turn, new, back, named)
            if older is not None:
                yield older, new
                yield from _companions(older, new, values)

    def _back(self, turn: Turn) -> list[Turn]:
        """The turns before, latest first."""
        found: list[Turn] = []
        while len(found) < _BACK and (before := self._before([(found or [turn])[-1].id])):
            found.extend(before.values())
        return found

    def _older(
        self, turn: Turn, new: Given, back: Sequence[Turn], named: Given | None
    ) -> _Older | None:
        own = self._matter(new, turn)
        wider = self._around(turn, back[0] if back else None) - own
        alone = self._around(turn, None) - own if own else wider
        if not own:
            own = wider
        told = " ".join([turn.text, *(each.text for each in back)]) if new.kind in _NAMES else ""
        search = [*own, *wider, *tokenise(named.value if named is not None else told[:_LONGEST])]
        if not search:
            return None
        hits = self.view.search(search, k=_NEAR, kinds=("turn",))
        nodes = self.view.get([hit.owner for hit in hits])
        earlier = [
            each
            for each in nodes.values()
            if isinstance(each, Turn)
            and each.ordinal < turn.ordinal
            and is_personal(each)
            and name_key(each.speaker) == name_key(turn.speaker)
            and not (new.kind == "title" and renames(each.text))
        ]
        if new.kind == "person":
            return _predecessor(turn, new, earlier)
        befores = self._before([each.id for each in earlier])
        idf = self.view.term_stats(sorted({*own, *wider}), kind="turn")

        def echoes(value: Given) -> bool:
            if named is not None and alike(named, value):
                return True
            return bool(told) and len(value.value) > 1 and calls(told, value.value)

        enough = min(_ENOUGH, _SHARE * idf_of_two(self.view.stats().entries.get("turn", 0)))
        enough *= _BEFORE if new.kind == "title" else 1.0
        found = [
            _Older(
                turn=each,
                value=value,
                shared=shared,
                matter=surface_of(matter, f"{each.text} {turn.text}"),
                echoed=echoes(value),
            )
            for each in earlier
            for value in given(_said(each))
            if _rivals(new, value)
            and not value.supposed
            and one_event(new.clause, value.clause)
            and not are_two(new.clause, value.clause)
            and (same_people(new.clause, value.clause) or echoes(value))
            and owners(new) <= owners(value)
            for beside in [alone if back and each.id == back[0].id else wider]
            for shared, matter in [
                self._shared(own, beside, each, value, befores.get(each.id), idf)
            ]
            if (shared >= enough or echoes(value))
            and is_name_of(value, _text(befores.get(each.id)))
        ]
        return max(
            found,
            key=lambda each: (
                round(each.shared + enough * each.echoed, 3),
                each.turn.ordinal,
                each.value.value,
            ),
            default=None,
        )

    def _shared(
        self,
        own: frozenset[str],
        wider: frozenset[str],
        old: Turn,
        value: Given,
        before: Turn | None,
        idf: Mapping[str, float],
    ) -> tuple[float, str]:
        """How much two values' surroundings share, and the word of it that tells most."""
        there = self._matter(value, old)
        around = self._around(old, before)
        weight = {
            token: idf.get(token, 0.0)
            * (1.0 if token in own else _BEFORE)
            * (1.0 if token in there else _BEFORE)
            for token in (own | wider) & (there | around)
        }
        value_words = frozenset(tokenise(value.value))
        telling = [each for each in weight if each not in value_words]
        return (
            sum(weight.values()),
            max(telling, key=lambda each: (weight[each], each), default=""),
        )

    def _matter(self, value: Given, turn: Turn) -> frozenset[str]:
        """The words of a value's clause that are not the value."""
        return self._words(matter_of(value)) - frozenset(tokenise(turn.speaker))

    def _around(self, turn: Turn, before: Turn | None) -> frozenset[str]:
        """The words of the turn and of the one before it."""
        return (self._words(turn.text) - frozenset(tokenise(turn.speaker))) | (
            self._words(before.text) if before is not None else frozenset[str]()
        )

    def _words(self, text: str) -> frozenset[str]:
        return content_of(without_quotations(text)[:_LONGEST_MATTER])

    def _before(self, ids: Sequence[str]) -> dict[str, Turn]:
        """The turn before each, in its session."""
        if not ids:
            return {}
        edges = self.view.neighbours(ids, types=("next",), direction="in")
        sources = {each: found[0].source for each, found in edges.items() if found}
        nodes = self.view.get(sorted(set(sources.values())))
        return {
            each: node
            for each, source in sources.items()
            if isinstance(node := nodes.get(source), Turn)
        }


def _text(turn: Turn | None) -> str:
    return turn.text if turn is not None else ""


def _said(turn: Turn) -> str:
    return without_quotations(visible(turn.text)[:_LONGEST])


def _companions(
    older: _Older, new: Given, values: Sequence[Given]
) -> Iterator[tuple[_Older, Given]]:
    """What the same two sentences say beside the value: a new plot has another size too."""
    there = given(_said(older.turn))
    for value in values:
        if value.clause != new.clause or value.kind == new.kind or value.supposed:
            continue
        same = [each for each in there if each.clause == older.value.clause]
        rival = next((each for each in same if _rivals(value, each)), None)
        if rival is not None and value.kind.partition(":")[0] in _COMPANIONS:
            yield replace(older, value=rival), value


def _predecessor(turn: Turn, new: Given, earlier: Sequence[Turn]) -> _Older | None:
    """The first turn that told who the one is that left, in which role."""
    name = re.compile(rf"\b{re.escape(new.replaces)}\b(?:\s[A-ZÀ-Þ]\w+)?")
    for old in sorted(earlier, key=lambda each: each.ordinal):
        match = name.search(old.text)
        roles = [word for word in re.findall(r"[a-z]+", old.text.lower()) if word in _WHO]
        role = new.role if new.role in _WHO else next(iter(roles), "")
        if match is not None and role and (role in roles or not new.role):
            value = Given(kind="person", value=match.group(), clause=old.text)
            return _Older(turn=old, value=value, shared=1.0, matter=role, echoed=True)
    return None


def _echoed(turn: Turn, before: Turn | None) -> tuple[Given, ...]:
    """Values that the other names in the turn before."""
    if before is None or name_key(before.speaker) == name_key(turn.speaker):
        return ()
    return given(visible(before.text)[:_LONGEST], asked=True)


def _rivals(new: Given, old: Given) -> bool:
    return new.kind == old.kind and not alike(new, old)


def _one_phrase(new: Given, other: Given) -> bool:
    """Whether one phrase is read as two values: "Monday, 10 March" is no day and a weekday."""
    if new.clause != other.clause:
        return False
    same = _RELATIONS.get(new.kind, new.kind) == _RELATIONS.get(other.kind, other.kind)
    one, two = fold(new.value), fold(other.value)
    return same or one in two or two in one
