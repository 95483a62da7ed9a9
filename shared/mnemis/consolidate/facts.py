"""Fifth stage: found facts become Fact nodes, each in its slot, with provenance and validity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, cast

from mnemis.consolidate.resolve import digest
from mnemis.consolidate.slots import (
    Run,
    Saying,
    is_change,
    plain_value,
    replay,
    slot_key,
    value_key,
)
from mnemis.model.graph import EdgeKey, Fact, Turn
from mnemis.model.message import Json
from mnemis.model.relations import canonical
from mnemis.ports.extractor import FoundFact
from mnemis.text.normalise import language, name_key

_STEP: Final = 0.1
_MOST_CONFIDENT: Final = 0.95
_MOST_SAYINGS: Final = 64
_MOST_IN_SLOT: Final = 400


@dataclass(slots=True)
class FactBook:
    """Facts touched while a batch is read. ``held`` and ``fetch`` read what the memory has:
    fact ids of a slot, and facts by id. Not shared between threads.
    """

    held: Callable[[str], tuple[str, ...]]
    fetch: Callable[[Sequence[str]], Mapping[str, Fact]]
    recorded: datetime
    facts: dict[str, Fact] = field(default_factory=dict[str, Fact])
    slots: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    changed: set[str] = field(default_factory=set[str])
    created: set[str] = field(default_factory=set[str])
    removed: set[str] = field(default_factory=set[str])
    linked: dict[EdgeKey, None] = field(default_factory=dict[EdgeKey, None])
    undone: set[EdgeKey] = field(default_factory=set[EdgeKey])

    def add(
        self, found: FoundFact, *, subject_id: str, object_id: str | None, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        """File one found fact; returns the ids of every fact that its slot now holds."""
        spoken = [turns[each] for each in found.turns if each in turns]
        relation = canonical(found.relation)
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
        changes = is_change(found.text, found.replaces)
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
            )
            for turn in spoken
        ]
        touched = self._say(
            slot_key(
                subject_id,
                relation,
                found.aspect,
                found.object,
                topical=found.subject_type != "person",
            ),
            sayings,
            template,
            turns,
        )
        if found.replaces and relation in ("uses", "prefers", "likes"):
            touched += self._close(template, found.replaces, sayings[0], turns)
        return touched

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

    def _close(
        self, template: Fact, replaced: str, saying: Saying, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        """ "From A to B" ends A where A was stated in a slot of its own."""
        slot = slot_key(
            template.subject_id or "", template.relation, template.aspect, replaced, topical=False
        )
        if not self._ids(slot):
            return ()
        ended = replace(template, object=replaced, object_id=None, polarity=False)
        value = value_key(template.relation, replaced, False)
        return self._say(
            slot,
            [replace(saying, value=value, changes=True, words=f"no {plain_value(replaced)}")],
            ended,
            turns,
        )

    def _say(
        self, slot: str, sayings: Sequence[Saying], template: Fact, turns: Mapping[str, Turn]
    ) -> tuple[str, ...]:
        old = {
            each: fact
            for each, fact in self.get(self._ids(slot)).items()
            if "said" in fact.metadata
        }
        known = [saying for fact in old.values() for saying in _sayings(fact)]
        said = {(each.turn, each.value) for each in known}
        fresh = [each for each in sayings if (each.turn, each.value) not in said]
        if not fresh:
            return tuple(old)
        by_value = {
            _value(fact): fact for fact in sorted(old.values(), key=lambda fact: fact.version)
        }
        owner = name_key(template.subject)
        runs = replay([*known, *fresh], owner=owner)
        for run in runs:
            before = old.get(_identity(slot, run))
            base = before or by_value.get(run.value) or template
            sources = _sources(run, before, turns, old)
            self._put(_fact(run, base, _identity(slot, run), sources, fresh, template), before)
        ids = tuple(_identity(slot, run) for run in runs)
        for gone in set(old) - set(ids):
            self.removed.add(gone)
            self.facts.pop(gone, None)
            self.changed.discard(gone)
            for key in [each for each in self.linked if gone in each]:
                del self.linked[key]
        now, was = _pairs(slot, runs), _pairs(slot, replay(known, owner=owner))
        self.linked.update(dict.fromkeys(now))
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


def _fact(
    run: Run,
    base: Fact,
    identity: str,
    sources: tuple[str, ...],
    fresh: Sequence[Saying],
    template: Fact,
) -> Fact:
    kept = run.sayings if len(run.sayings) <= _MOST_SAYINGS else run.sayings[-_MOST_SAYINGS:]
    repeats = len({each.turn for each in run.sayings}) - 1
    renewed = any(each.value == run.value for each in fresh)
    importance = max(base.importance, template.importance) if renewed else base.importance
    return replace(
        base,
        id=identity,
        status=run.status,
        version=run.version,
        time=run.sayings[0].said,
        valid_from=run.valid_from,
        valid_to=run.valid_to if run.status == "superseded" else None,
        speaker=run.sayings[0].speaker,
        sources=sources or base.sources,
        importance=importance,
        confidence=min(_MOST_CONFIDENT, _first_confidence(base) + _STEP * repeats),
        metadata={
            "first_confidence": _first_confidence(base),
            "said": [_said(each) for each in kept],
            "value": run.value,
        },
    )


def _identity(slot: str, run: Run) -> str:
    return f"fact:{digest(slot, run.value, str(run.version))}"


def _pairs(slot: str, runs: Sequence[Run]) -> set[EdgeKey]:
    """Edges between the facts of a slot: the newer supersedes, or contradicts, the older."""
    places = {id(run): number for number, run in enumerate(runs)}
    pairs: set[EdgeKey] = set()
    for run in runs:
        if run.successor is not None:
            pairs.add((_identity(slot, run.successor), _identity(slot, run), "supersedes"))
        if run.rival is not None and places[id(run.rival)] > places[id(run)]:
            pairs.add((_identity(slot, run.rival), _identity(slot, run), "contradicts"))
    return pairs


def _first_confidence(fact: Fact) -> float:
    kept = fact.metadata.get("first_confidence")
    return kept if isinstance(kept, float) else fact.confidence


def _sources(
    run: Run, before: Fact | None, turns: Mapping[str, Turn], old: Mapping[str, Fact]
) -> tuple[str, ...]:
    held = dict.fromkeys(before.sources if before is not None else ())
    for saying in run.sayings:
        if saying.turn in turns:
            held.update(dict.fromkeys(turns[saying.turn].sources))
        elif before is None:
            for fact in old.values():
                held.update(
                    dict.fromkeys(s for s in fact.sources if saying.turn.startswith(f"turn:{s}"))
                )
    return tuple(held)


def _said(saying: Saying) -> list[Json]:
    return [
        saying.said.isoformat() if saying.said else "",
        saying.place,
        saying.turn,
        saying.speaker,
        saying.valid_from.isoformat() if saying.valid_from else "",
        saying.changes,
        saying.words,
    ]


def _value(fact: Fact) -> str:
    return str(fact.metadata.get("value", ""))


def _sayings(fact: Fact) -> list[Saying]:
    rows = fact.metadata.get("said")
    found: list[Saying] = []
    for row in rows if isinstance(rows, list) else []:
        said, place, turn, speaker, begins, changes, words = cast("list[Json]", row)
        found.append(
            Saying(
                value=_value(fact),
                turn=str(turn),
                speaker=str(speaker),
                place=int(cast("int", place)),
                said=datetime.fromisoformat(str(said)) if said else None,
                valid_from=datetime.fromisoformat(str(begins)) if begins else None,
                changes=bool(changes),
                words=str(words),
            )
        )
    return found
