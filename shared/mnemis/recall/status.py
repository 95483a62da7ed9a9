"""What became of what a turn says: current, superseded (and by what), disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemis.model.change import Vector
from mnemis.model.graph import Edge, Fact, Node, Status, Turn
from mnemis.model.recall import Path, Step
from mnemis.ports.store import View
from mnemis.recall.labels import label_of

_LONGEST_CHAIN = 8
_AS_WELL = 0.1  # of the best fit: what is that near fits about as well
_LEAST_FIT = 0.5  # a best fit below counts as this much
_ASKED = 2.0  # more than any fit of words: the query asks along this relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor:
    """A turn that overturned another, and the walk from the old turn to it."""

    turn: Turn
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A turn's status by the fact of it that fits the query best; successors oldest first.

    ``opposed`` are turns that say otherwise, for disputed ones.
    """

    status: Status
    fact: Fact | None = None
    successors: tuple[Successor, ...] = ()
    opposed: tuple[Successor, ...] = ()


_CURRENT = Standing(status="current")


def standings(
    view: View,
    turns: Sequence[str],
    *,
    tokens: Sequence[str],
    vector: Vector | None,
    relations: Sequence[str],
    as_of: datetime | None,
) -> dict[str, Standing]:
    """Every given turn's standing at ``as_of`` (now for None), by the fact of it that the query
    is about: one of the ``relations`` it asks along, then the one whose words fit best; an
    overturned one goes before others that fit about as well.
    """
    supports = view.neighbours(turns, types=("supports",), direction="out")
    ids = sorted({edge.target for edges in supports.values() for edge in edges})
    if not ids:
        return dict.fromkeys(turns, _CURRENT)
    facts = {key: node for key, node in view.get(ids).items() if isinstance(node, Fact)}
    raw = view.score(list(facts), kind="fact", tokens=tokens, vector=vector)
    fit = {
        key: float(similarity + coverage) + (_ASKED if facts[key].relation in relations else 0.0)
        for key, similarity, coverage in zip(facts, raw.similarity, raw.coverage, strict=True)
    }
    result = dict.fromkeys(turns, _CURRENT)
    for turn, edges in supports.items():
        own = [edge for edge in edges if edge.target in facts]
        if not own:
            continue
        overturned = (
            _standing(view, turn, edge, facts[edge.target], as_of=as_of)
            for edge in _overturned(own, facts, fit)
        )
        best = max(own, key=lambda edge: _rank(edge, facts, fit))
        partly = next((each for each in overturned if each.successors), None)
        result[turn] = partly or _standing(view, turn, best, facts[best.target], as_of=as_of)
    return result


def _rank(edge: Edge, facts: Mapping[str, Fact], fit: Mapping[str, float]) -> tuple[object, ...]:
    return (round(fit[edge.target], 6), facts[edge.target].status == "current", edge.target)


def _overturned(
    own: Sequence[Edge], facts: Mapping[str, Fact], fit: Mapping[str, float]
) -> list[Edge]:
    """Overturned facts that fit about as well as the best, best first: a turn of which a part no
    longer holds is not shown as if all of it did. What a turn overturns itself does not count
    (it has no successor in another turn).
    """
    top = max(fit[edge.target] for edge in own)
    near = [
        edge
        for edge in own
        if fit[edge.target] >= top - _AS_WELL * max(top, _LEAST_FIT)
        and facts[edge.target].status == "superseded"
        and facts[edge.target].valid_from is not None
    ]
    return sorted(near, key=lambda edge: (round(fit[edge.target], 6), edge.target), reverse=True)


def _standing(
    view: View, turn: str, support: Edge, fact: Fact, *, as_of: datetime | None
) -> Standing:
    if fact.status == "superseded" and not _held_at(fact, as_of):
        chain = _chain(view, turn, support, fact, as_of=as_of)
        return Standing(status="superseded", fact=fact, successors=chain)
    if fact.status == "disputed":
        return Standing(status="disputed", fact=fact, opposed=_opposed(view, turn, support, fact))
    return Standing(status="current", fact=fact)


def _held_at(fact: Fact, as_of: datetime | None) -> bool:
    return as_of is not None and (fact.valid_to is None or as_of < fact.valid_to)


def _chain(
    view: View, turn: str, support: Edge, fact: Fact, *, as_of: datetime | None
) -> tuple[Successor, ...]:
    steps = _start(view, turn, support, fact)
    chain: list[Successor] = []
    seen = {fact.id}
    for _ in range(_LONGEST_CHAIN):
        edges = view.neighbours([fact.id], types=("supersedes",), direction="in").get(fact.id, ())
        newer = _facts(view, [edge.source for edge in edges])
        options = [
            (newer[edge.source], edge)
            for edge in edges
            if edge.source in newer
            and edge.source not in seen
            and (as_of is None or (newer[edge.source].valid_from or as_of) <= as_of)
        ]
        if not options:
            break
        fact, edge = max(options, key=lambda each: (_stamp(each[0]), each[0].id))
        seen.add(fact.id)
        steps = (*steps, Step(node=fact.id, label=label_of(fact), edge=edge.key))
        chain.extend(_sayers(view, fact, steps))
    return _distinct(chain, turn)


def _distinct(found: Sequence[Successor], turn: str) -> tuple[Successor, ...]:
    """Each turn once, where it comes last, and never the turn itself."""
    latest = {each.turn.id: each for each in found if each.turn.id != turn}
    return tuple(each for each in found if latest.get(each.turn.id) is each)


def _opposed(view: View, turn: str, support: Edge, fact: Fact) -> tuple[Successor, ...]:
    steps = _start(view, turn, support, fact)
    edges = view.neighbours([fact.id], types=("contradicts",), direction="both").get(fact.id, ())
    others = _facts(view, [_other(edge, fact.id) for edge in edges])
    found: list[Successor] = []
    for edge in edges:
        other = others.get(_other(edge, fact.id))
        if other is not None:
            step = Step(node=other.id, label=label_of(other), edge=edge.key)
            found.extend(_sayers(view, other, (*steps, step)))
    return _distinct(found, turn)


def _sayers(view: View, fact: Fact, steps: tuple[Step, ...]) -> list[Successor]:
    """The latest turn that states the fact."""
    edges = view.neighbours([fact.id], types=("supports",), direction="in").get(fact.id, ())
    nodes: Mapping[str, Node] = view.get([edge.source for edge in edges])
    stated = [(node, edge) for edge in edges if isinstance(node := nodes.get(edge.source), Turn)]
    if not stated:
        return []
    turn, edge = max(stated, key=lambda each: each[0].ordinal)
    step = Step(node=turn.id, label=label_of(turn), edge=edge.key)
    return [Successor(turn=turn, path=Path(route="relations", steps=(*steps, step), score=1.0))]


def _start(view: View, turn: str, support: Edge, fact: Fact) -> tuple[Step, ...]:
    node = view.get([turn])[turn]
    return (
        Step(node=turn, label=label_of(node)),
        Step(node=fact.id, label=label_of(fact), edge=support.key),
    )


def _facts(view: View, ids: Sequence[str]) -> dict[str, Fact]:
    return {key: node for key, node in view.get(ids).items() if isinstance(node, Fact)}


def _other(edge: Edge, here: str) -> str:
    return edge.target if edge.source == here else edge.source


def _stamp(fact: Fact) -> float:
    return fact.valid_from.timestamp() if fact.valid_from else 0.0
