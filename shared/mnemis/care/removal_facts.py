"""Facts when messages go: dropped, stripped of what came from them, or current again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from mnemis.care.removing import Removing
from mnemis.care.words import clean_metadata, holds, supported, words_of_turns
from mnemis.consolidate.relate import relation_edge
from mnemis.consolidate.validity.slots import value_key
from mnemis.model.graph import Edge, Fact, Turn
from mnemis.model.message import Json
from mnemis.model.relations import RELATIONS

_STEP = 0.1
_LEAST = 0.05
_OVERTURNS = ("supersedes", "contradicts")


def strip_facts(work: Removing) -> None:
    """Decide on every fact concerned, then settle what superseded or contradicted what."""
    for fact in list(work.of_kind(Fact)):
        if work.gone & set(fact.sources):
            _strip(work, fact)
    _settle(work)


def _strip(work: Removing, fact: Fact) -> None:
    kept = work.kept(fact.sources)
    turns = work.turns_of(kept)
    if not turns:
        work.delete([fact.id])
        return
    lost = work.lost_words(turns)
    said = _sayings_left(fact, work.gone_turns)
    told = holds((fact.subject, fact.object, fact.aspect), lost)
    text = _wording(fact, turns, lost)
    if told or not text or said == []:
        work.delete([fact.id])
        work.redo_turns(turn.id for turn in turns)
        return
    metadata = clean_metadata(fact.metadata, lost)
    if said is not None:
        metadata["said"] = said
    first = turns[0]
    begins = _begins(fact, first, said, work)
    renewed = replace(
        fact,
        text=text,
        sources=kept,
        time=first.time if fact.sources[0] in work.gone else fact.time,
        valid_from=begins,
        speaker=fact.speaker if any(t.speaker == fact.speaker for t in turns) else first.speaker,
        confidence=max(_LEAST, round(fact.confidence - _STEP * _said_less(fact, kept), 6)),
        metadata=metadata,
    )
    work.rewrite(renewed, text=renewed.text)


def _said_less(fact: Fact, kept: Sequence[str]) -> int:
    return len(fact.sources) - len(kept)


def _sayings_left(fact: Fact, gone: frozenset[str]) -> list[Json] | None:
    """The kept sayings of the turns that stay; None when the fact keeps none at all."""
    rows = fact.metadata.get("said")
    if not isinstance(rows, list):
        return None
    return [row for row in rows if not (isinstance(row, list) and len(row) > 2 and row[2] in gone)]


def _begins(
    fact: Fact, first: Turn, said: Sequence[Json] | None, work: Removing
) -> datetime | None:
    """When it began to hold by what is still said of it."""
    if said is not None:
        rows = [cast("list[Json]", row) for row in said]
        starts = [datetime.fromisoformat(str(row[4])) for row in rows if len(row) > 4 and row[4]]
        return min(starts) if starts else None
    return first.time if fact.sources[0] in work.gone else fact.valid_from


def _wording(fact: Fact, turns: Sequence[Turn], lost: frozenset[str]) -> str:
    """Its text where what stays says it too, under the name of who still says it.

    A model may have put into other words what only a turn that goes said, so the words must be
    those of the turns that stay.
    """
    told = words_of_turns(turns)
    said = fact.text.removeprefix(f"{fact.speaker}: ")
    if holds([said], lost) or not supported(said, told):
        return _sentence(fact)
    if said == fact.text or any(turn.speaker == fact.speaker for turn in turns):
        return fact.text
    return f"{turns[0].speaker}: {said}"


def _sentence(fact: Fact) -> str:
    """The plain statement, for a fact whose wording goes; "" when it cannot be put plainly."""
    relation = RELATIONS.get(fact.relation)
    if relation is None or not fact.polarity or fact.aspect:
        return ""
    if fact.language == "zh":
        if "…" in relation.zh:
            return f"{fact.subject}{relation.zh.replace('…', fact.object)}。"
        return f"{fact.subject}{relation.zh}{fact.object}。"
    return f"{fact.subject} {relation.en} {fact.object}."


def _settle(work: Removing) -> None:
    """Undo what dropped facts overturned; a value that comes to follow itself is redone."""
    while True:
        edges = _overturning(work)
        follows = {each: _heirs(each, edges, work) for each in _overturned(edges, work)}
        echoes = [
            (older, newer)
            for older, heirs in follows.items()
            for newer in heirs
            if _same_value(work, older, newer)
        ]
        if not echoes:
            break
        for pair in echoes:
            for each in pair:
                fact = work.now(each)
                if isinstance(fact, Fact):
                    work.redo_turns(turn.id for turn in work.turns_of(fact.sources))
            work.delete(pair)
    for older, heirs in sorted(follows.items()):
        _follow(work, older, heirs, edges)
    _calm(work, edges)


def _overturning(work: Removing) -> Mapping[str, tuple[Edge, ...]]:
    """Complete knowledge of what overturns what around the facts that go or change."""
    seen: dict[str, tuple[Edge, ...]] = {}
    changed = [*work.deleted, *work.rewritten]
    frontier = [each for each in changed if isinstance(work.nodes.get(each), Fact)]
    while frontier:
        found = work.view.neighbours(frontier, types=_OVERTURNS)
        seen.update({each: found.get(each, ()) for each in frontier})
        ends = {end for edges in found.values() for edge in edges for end in edge.key[:2]}
        work.load(ends)
        frontier = sorted(each for each in ends - seen.keys() if each in work.deleted)
    return seen


def _overturned(edges: Mapping[str, Sequence[Edge]], work: Removing) -> list[str]:
    """Facts that stay and that a dropped one superseded."""
    found = {
        edge.target
        for each, touching in edges.items()
        if each in work.deleted
        for edge in touching
        if edge.type == "supersedes" and edge.source == each
    }
    return sorted(each for each in found if isinstance(work.now(each), Fact))


def _heirs(older: str, edges: Mapping[str, Sequence[Edge]], work: Removing) -> list[str]:
    """Facts that stay and that now directly supersede ``older``."""
    heirs: dict[str, None] = {}
    seen = {older}
    frontier: list[str] = [older]
    while frontier:
        near = work.view.neighbours(frontier, types=("supersedes",), direction="in")
        frontier = []
        for found in near.values():
            for edge in found:
                if edge.source in seen:
                    continue
                seen.add(edge.source)
                work.load([edge.source])
                if edge.source in work.deleted:
                    frontier.append(edge.source)
                elif isinstance(work.now(edge.source), Fact):
                    heirs[edge.source] = None
    return list(heirs)


def _same_value(work: Removing, older: str, newer: str) -> bool:
    first, second = work.now(older), work.now(newer)
    if not isinstance(first, Fact) or not isinstance(second, Fact):
        return False
    return value_key(first.relation, first.object, first.polarity) == value_key(
        second.relation, second.object, second.polarity
    )


def _follow(
    work: Removing, older: str, heirs: Sequence[str], edges: Mapping[str, Sequence[Edge]]
) -> None:
    fact = work.now(older)
    if not isinstance(fact, Fact):
        return
    newer = [each for key in heirs if isinstance(each := work.now(key), Fact)]
    if not newer:
        status = "current" if fact.status == "superseded" else fact.status
        again = replace(fact, status=status, valid_to=None)
        work.rewrite(again, text=None)
        work.reinstated.add(older)
        edge, _ = relation_edge(again)
        if edge is not None:
            work.edges[edge.key] = edge
        return
    heir = min(newer, key=lambda each: (_stamp(each), each.id))
    work.edges[(heir.id, older, "supersedes")] = Edge(
        source=heir.id,
        target=older,
        type="supersedes",
        time=heir.time,
        sources=tuple(dict.fromkeys((*heir.sources, *work.kept(fact.sources)))),
    )
    work.rewrite(replace(fact, valid_to=heir.valid_from or heir.time), text=None)


def _calm(work: Removing, edges: Mapping[str, Sequence[Edge]]) -> None:
    """A dispute of which one side is gone is none; an end date follows its successor's start."""
    for each, touching in edges.items():
        for edge in touching:
            other = work.now(edge.target if edge.source == each else edge.source)
            if not isinstance(other, Fact):
                continue
            if edge.type == "contradicts" and each in work.deleted and other.status == "disputed":
                if not _still_disputed(work, other.id):
                    calmed = replace(other, status="current")
                    work.rewrite(calmed, text=None)
            elif edge.type == "supersedes" and edge.source == each and each in work.rewritten:
                before, after = work.nodes[each], work.now(each)
                if isinstance(before, Fact) and isinstance(after, Fact):
                    if other.valid_to is not None and other.valid_to == before.valid_from:
                        moved = replace(other, valid_to=after.valid_from or after.time)
                        work.rewrite(moved, text=None)


def _still_disputed(work: Removing, fact: str) -> bool:
    near = work.view.neighbours([fact], types=("contradicts",)).get(fact, ())
    ends = {end for edge in near for end in edge.key[:2]} - {fact}
    work.load(ends)
    return any(work.now(each) is not None for each in ends)


def _stamp(fact: Fact) -> float:
    time = fact.valid_from or fact.time
    return time.timestamp() if time else 0.0
