"""Fifth stage: found facts become Fact nodes, each in its slot, with provenance and validity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from mnemis.consolidate.resolve import digest
from mnemis.consolidate.rules.bygone import tells_of_past
from mnemis.consolidate.rules.values import same_value
from mnemis.consolidate.validity.endings import (
    goes_back,
    is_successor,
    names_beside,
    names_ended,
    puts_end_to,
)
from mnemis.consolidate.validity.histories import (
    fact_of,
    identity_of,
    last_said,
    pairs_of,
    sayings_of,
    sources_of,
    stored_ending,
    value_of,
)
from mnemis.consolidate.validity.slots import (
    ANOTHER,
    Ending,
    Saying,
    adds_another,
    is_change,
    is_habit,
    is_mine,
    plain_value,
    replay,
    slot_key,
    slot_of_speaker,
    stands_beside,
    value_key,
)
from mnemis.model.graph import Edge, EdgeKey, Fact, Turn
from mnemis.model.relations import canonical
from mnemis.ports.extractor import FoundFact
from mnemis.text.normalise import language, name_key
from mnemis.text.tokenise import tokenise

_MOST_IN_SLOT: Final = 400
_LONGEST_CHAIN: Final = 4


@dataclass(slots=True)
class FactBook:
    """Facts touched while a batch is read. ``held``, ``fetch``, ``saying`` and ``overturning`` read
    what the memory has: fact ids of a slot, facts by id, ids of facts whose text has these tokens
    (best first), and the ``supersedes`` edges into facts. ``ended_at`` says when a fact that names
    one of another slot put an end to it. Not shared between threads.
    """

    held: Callable[[str], tuple[str, ...]]
    fetch: Callable[[Sequence[str]], Mapping[str, Fact]]
    saying: Callable[[Sequence[str]], Sequence[str]]
    overturning: Callable[[Sequence[str]], Mapping[str, Sequence[Edge]]]
    recorded: datetime
    facts: dict[str, Fact] = field(default_factory=dict[str, Fact])
    slots: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    changed: set[str] = field(default_factory=set[str])
    created: set[str] = field(default_factory=set[str])
    removed: set[str] = field(default_factory=set[str])
    linked: dict[EdgeKey, None] = field(default_factory=dict[EdgeKey, None])
    undone: set[EdgeKey] = field(default_factory=set[EdgeKey])
    ended_at: dict[EdgeKey, datetime | None] = field(
        default_factory=dict[EdgeKey, "datetime | None"]
    )
    _endings: dict[str, dict[str, Ending]] = field(default_factory=dict[str, dict[str, Ending]])

    def add(
        self, found: FoundFact, *, subject_id: str, object_id: str | None, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        """File one found fact; returns the ids of every fact that its slot now holds."""
        spoken = [turns[each] for each in found.turns if each in turns]
        relation = canonical(found.relation)
        if adds_another(relation, found):
            found = replace(found, aspect=found.aspect or ANOTHER)
        if not spoken or not found.object.strip():
            return ()
        first = spoken[0]
        template = Fact(
            id="",
            text=found.text,
            time=first.time,
            language=language(found.text) or first.language,
            importance=found.importance,
            subject=found.subject,
            relation=relation,
            object=found.object,
            subject_id=subject_id,
            object_id=object_id,
            aspect=found.aspect,
            polarity=found.polarity,
            confidence=found.confidence,
            speaker=first.speaker,
            recorded=self.recorded,
        )
        if found.valid_to is not None:
            return self._past(template, found, first)
        value = value_key(relation, found.object, found.polarity)
        habit = is_habit(relation, found.aspect)
        changes = is_change(found.text, found.replaces, habit=habit)
        sayings = [
            Saying(
                value=value,
                turn=turn.id,
                speaker=turn.speaker,
                place=turn.ordinal,
                said=turn.time,
                valid_from=found.valid_from if turn is first else turn.time,
                changes=changes,
                words=plain_value(found.object),
                denies=not found.polarity,
                bygone=tells_of_past(found.text, turn.time),
            )
            for turn in spoken
        ]
        slot = slot_key(
            subject_id, relation, found.aspect, found.object, topical=found.subject_type != "person"
        )
        touched = self._say(self._own_slot(slot, template), sayings, template, turns)
        newest = self._of_value(touched, value)
        if newest is not None and not sayings[0].bygone:
            touched += self._end_named(found, newest, sayings[0], touched, turns)
        return touched

    def _own_slot(self, slot: str, fact: Fact) -> str:
        """The slot, or the speaker's own of it: "my flight" of one is not that of another."""
        own = slot_of_speaker(slot, fact.speaker)
        if self._ids(own):
            return own
        if not is_mine(fact.text):
            return slot
        others = (
            each
            for each in self._in_slot(slot).values()
            if name_key(each.speaker) != name_key(fact.speaker)
        )
        return own if any(is_mine(each.text) for each in others) else slot

    def _past(self, template: Fact, found: FoundFact, turn: Turn) -> tuple[str, ...]:
        """What held once and no longer does competes with nothing."""
        subject, thing = template.subject_id or "", name_key(found.object)
        identity = f"fact:{digest(subject, template.relation, template.aspect, thing, 'past')}"
        old = self.get([identity]).get(identity)
        sources = tuple(dict.fromkeys((*(old.sources if old else ()), *turn.sources)))
        self._put(
            replace(
                template,
                id=identity,
                status="superseded",
                valid_from=found.valid_from,
                valid_to=found.valid_to,
                sources=sources,
            )
            if old is None
            else replace(old, sources=sources),
            old,
        )
        return (identity,)

    def _of_value(self, ids: Sequence[str], value: str) -> Fact | None:
        """The newest of these facts that has this value."""
        held = [fact for fact in self.get(ids).values() if value_of(fact) == value]
        return max(held, key=lambda fact: fact.version) if held else None

    def _end_named(
        self,
        found: FoundFact,
        newest: Fact,
        saying: Saying,
        touched: Sequence[str],
        turns: Mapping[str, Turn],
    ) -> tuple[str, ...]:
        """End what the fact names as over; when it goes back to an older value, what took the
        place of that one.
        """
        ended: dict[str, Fact] = {}
        subject = newest.subject_id or ""
        for named in (*names_ended(found), *names_beside(found)):
            for older in self._told(named):
                if puts_end_to(found, subject, named, older):
                    ended[older.id] = older
        if found.relation in ("costs", "scheduled_for"):
            for older in self._told(found.subject):
                if is_successor(found, older):
                    ended[older.id] = older
        if goes_back(found):
            ended.update(self._usurpers(found))
        ids: list[str] = []
        for identity, older in sorted(ended.items()):
            if identity not in touched and last_said(older) < saying.order:
                ids.extend(self._end(older, newest, saying, turns))
        return tuple(ids)

    def _told(self, named: str) -> list[Fact]:
        """Facts that may hold this value, stored or new."""
        tokens = tokenise(named)
        stored = self.get(self.saying(tokens)) if tokens else {}
        return list({**stored, **self.facts}.values())

    def _usurpers(self, found: FoundFact) -> dict[str, Fact]:
        """What stands in the place of the value that holds again, outside its slot."""
        fallen = [
            older.id
            for older in self._told(found.object)
            if older.status == "superseded"
            and older.relation not in ("scheduled_for", "costs", "lives_in")
            and same_value(found.object, older.object)
        ]
        heirs: dict[str, Fact] = {}
        for _ in range(_LONGEST_CHAIN):
            near = {by for each in fallen for by in self._overturned_by(each) if by not in heirs}
            if not near:
                break
            held = self.get(sorted(near))
            heirs.update(held)
            fallen = sorted(held)
        return {
            key: fact
            for key, fact in heirs.items()
            if fact.status == "current"
            and fact.polarity
            and not same_value(found.object, fact.object)
        }

    def _overturned_by(self, identity: str) -> tuple[str, ...]:
        stored = self.overturning([identity]).get(identity, ())
        found = [edge.source for edge in stored if edge.key not in self.undone]
        found += [key[0] for key in self.linked if key[1:] == (identity, "supersedes")]
        return tuple(dict.fromkeys(found))

    def _end(
        self, older: Fact, newer: Fact, saying: Saying, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        slot = self._slot_of(older)
        if slot is None:
            return ()
        old = self._in_slot(slot)
        endings = self._endings_of(old)
        ending = Ending(
            value=value_of(older),
            by=newer.id,
            turn=saying.turn,
            place=saying.place,
            said=saying.said,
            begins=saying.valid_from,
        )
        self._endings.setdefault(older.id, {})[newer.id] = ending
        return self._replay(slot, old, (), older, turns, before=endings)

    def _slot_of(self, fact: Fact) -> str | None:
        """The slot that holds a fact: whether its subject is a matter is not kept in it."""
        for topical in (False, True):
            slot = slot_key(
                fact.subject_id or "", fact.relation, fact.aspect, fact.object, topical=topical
            )
            for each in (slot, slot_of_speaker(slot, fact.speaker)):
                if fact.id in self._ids(each):
                    return each
        return None

    def _endings_of(self, old: Mapping[str, Fact]) -> list[Ending]:
        """What from outside ended facts of a slot: stored as edges, and new ones."""
        fresh = [each for each in old if each not in self._endings]
        if fresh:
            near = self.overturning([each for each in fresh if each not in self.created])
            for each in fresh:
                edges = [edge for edge in near.get(each, ()) if edge.source not in old]
                by = self.get([edge.source for edge in edges])
                self._endings[each] = {
                    edge.source: stored_ending(old[each], by[edge.source], edge)
                    for edge in edges
                    if edge.source in by
                }
        return [
            ending
            for each in old
            for by, ending in sorted(self._endings[each].items())
            if by not in self.removed
        ]

    def _in_slot(self, slot: str) -> dict[str, Fact]:
        return {
            each: fact
            for each, fact in self.get(self._ids(slot)).items()
            if "said" in fact.metadata
        }

    def _say(
        self, slot: str, sayings: Sequence[Saying], template: Fact, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        old = self._in_slot(slot)
        said = {(row.turn, row.value) for fact in old.values() for row in sayings_of(fact)}
        fresh = [each for each in sayings if (each.turn, each.value) not in said]
        if not fresh:
            return tuple(old)
        endings = self._endings_of(old)
        return self._replay(slot, old, fresh, template, turns, before=endings)

    def _replay(
        self,
        slot: str,
        old: Mapping[str, Fact],
        fresh: Sequence[Saying],
        template: Fact,
        turns: Mapping[str, Turn],
        *,
        before: Sequence[Ending],
    ) -> tuple[str, ...]:
        """Tell the slot's history anew; ``before`` are the endings that it was last told with."""
        known = [saying for fact in old.values() for saying in sayings_of(fact)]
        by_value = {
            value_of(fact): fact for fact in sorted(old.values(), key=lambda fact: fact.version)
        }
        owner = name_key(template.subject)
        beside = stands_beside(template.relation, template.aspect)
        endings = self._endings_of(old)
        runs = replay([*known, *fresh], owner=owner, endings=endings, beside=beside)
        for run in runs:
            held = old.get(identity_of(slot, run))
            base = held or by_value.get(run.value) or template
            sources = sources_of(run, held, turns, old)
            self._put(fact_of(run, base, identity_of(slot, run), sources, fresh, template), held)
        ids = tuple(identity_of(slot, run) for run in runs)
        for gone in set(old) - set(ids):
            self.removed.add(gone)
            self.facts.pop(gone, None)
            self.changed.discard(gone)
            for key in [each for each in self.linked if gone in each]:
                del self.linked[key]
        now = pairs_of(slot, runs)
        was = pairs_of(slot, replay(known, owner=owner, endings=before, beside=beside))
        self.linked.update(dict.fromkeys(now))
        for ending in endings:
            for run in runs:
                if run.ended_by == ending.by:
                    self.ended_at[(ending.by, identity_of(slot, run), "supersedes")] = ending.said
        for stale in was - now:
            self.linked.pop(stale, None)
            self.undone.add(stale)
        self.undone -= now
        self.slots[slot] = ids[-_MOST_IN_SLOT:]
        return ids

    def _ids(self, slot: str) -> tuple[str, ...]:
        if slot not in self.slots:
            self.slots[slot] = self.held(slot)
        return self.slots[slot]

    def get(self, ids: Sequence[str]) -> dict[str, Fact]:
        """Those of the facts that exist."""
        missing = [each for each in ids if each not in self.facts and each not in self.removed]
        if missing:
            self.facts.update(self.fetch(missing))
        return {each: self.facts[each] for each in ids if each in self.facts}

    def _put(self, fact: Fact, before: Fact | None) -> None:
        self.facts[fact.id] = fact
        self.removed.discard(fact.id)
        if before is None:
            self.created.add(fact.id)
        if fact != before:
            self.changed.add(fact.id)
