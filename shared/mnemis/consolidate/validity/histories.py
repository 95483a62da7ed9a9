"""A slot's history as it is kept in its facts: sayings in their metadata, endings in edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, cast

from mnemis.consolidate.resolve import digest
from mnemis.consolidate.validity.slots import Ending, Run, Saying
from mnemis.model.graph import Edge, EdgeKey, Fact, Turn
from mnemis.model.message import Json

_STEP: Final = 0.1
_MOST_CONFIDENT: Final = 0.95
_MOST_SAYINGS: Final = 64
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def fact_of(
    run: Run,
    base: Fact,
    identity: str,
    sources: tuple[str, ...],
    fresh: Sequence[Saying],
    template: Fact,
) -> Fact:
    """The fact that a run of its slot is, told from ``base``."""
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


def identity_of(slot: str, run: Run) -> str:
    """The id of the fact that a run is."""
    return f"fact:{digest(slot, run.value, str(run.version))}"


def pairs_of(slot: str, runs: Sequence[Run]) -> set[EdgeKey]:
    """Edges between the facts of a slot: the newer supersedes, or contradicts, the older."""
    places = {id(run): number for number, run in enumerate(runs)}
    pairs: set[EdgeKey] = set()
    for run in runs:
        if run.ended_by:
            pairs.add((run.ended_by, identity_of(slot, run), "supersedes"))
        if run.successor is not None:
            pairs.add((identity_of(slot, run.successor), identity_of(slot, run), "supersedes"))
        if run.rival is not None and places[id(run.rival)] > places[id(run)]:
            pairs.add((identity_of(slot, run.rival), identity_of(slot, run), "contradicts"))
    return pairs


def stored_ending(fact: Fact, by: Fact, edge: Edge) -> Ending:
    """What an edge from another slot tells: who said it when is in the newer fact's sayings."""
    rows = sayings_of(by)
    row = next((each for each in rows if each.said == edge.time), rows[0] if rows else None)
    return Ending(
        value=value_of(fact),
        by=by.id,
        turn=row.turn if row else "",
        place=row.place if row else 0,
        said=row.said if row else by.time,
        begins=row.valid_from if row else by.valid_from,
    )


def last_said(fact: Fact) -> tuple[datetime, int, str, str]:
    """When a fact was last said, as sayings are ordered; without a history never before."""
    orders = [each.order for each in sayings_of(fact)]
    return max(orders) if orders else (_NEVER, 0, "", "")


def _first_confidence(fact: Fact) -> float:
    kept = fact.metadata.get("first_confidence")
    return kept if isinstance(kept, float) else fact.confidence


def sources_of(
    run: Run, before: Fact | None, turns: Mapping[str, Turn], old: Mapping[str, Fact]
) -> tuple[str, ...]:
    """The messages on which a run rests."""
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
        saying.bygone,
    ]


def value_of(fact: Fact) -> str:
    """The value key that a fact was filed under; "" without a history."""
    return str(fact.metadata.get("value", ""))


def sayings_of(fact: Fact) -> list[Saying]:
    """The sayings that a fact keeps, in the order they were kept."""
    rows = fact.metadata.get("said")
    found: list[Saying] = []
    for row in rows if isinstance(rows, list) else []:
        said, place, turn, speaker, begins, changes, words, *rest = cast("list[Json]", row)
        found.append(
            Saying(
                value=value_of(fact),
                turn=str(turn),
                speaker=str(speaker),
                place=int(cast("int", place)),
                said=datetime.fromisoformat(str(said)) if said else None,
                valid_from=datetime.fromisoformat(str(begins)) if begins else None,
                changes=bool(changes),
                words=str(words),
                denies=not fact.polarity,
                bygone=bool(rest and rest[0]),
            )
        )
    return found
