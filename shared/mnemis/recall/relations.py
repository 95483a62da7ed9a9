"""Route 1, relations: from the query's entities along typed edges to turns.

A funnel: a cheap walk with capped frontiers first, the turns of survivors only afterwards. The
score of an entity falls with distance and rises with the number of ways it was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TypeAlias

from mnemis.model.graph import Edge, EdgeKey, Fact, Node
from mnemis.model.query import Query, Walk
from mnemis.model.relations import RELATIONS
from mnemis.ports.store import View
from mnemis.recall.leads import Feature, Leads

_DECAY = 0.6  # what a hop keeps
_CUED = 1.0  # weight of an edge whose type the query asks along
_UNCUED = 0.45
_HUB = 0.25  # exponent of degree normalisation: a hub's edges say little each
_SURVIVORS = 24
_TURNS = 12  # per survivor


_Way: TypeAlias = tuple[float, str, Edge]
"""The score that a node would get, from which node, along which edge."""
_ARRIVAL = itemgetter(0, 1)


_Came: TypeAlias = tuple[float, str, Edge | None]
"""A node's score, the node it was reached from, and the edge; itself and None at the start."""


def walk_relations(
    view: View, query: Query, *, hops: int, frontier: int, skip: Sequence[str]
) -> tuple[Leads, ...]:
    """Turns reached from the entities that the query names; none without names.

    Every path starts at a named entity and follows existing edges (source → … → turn).
    """
    if not query.entities:
        return ()
    reached = _walk(view, query, hops=hops, frontier=frontier, skip=skip)
    best = sorted((-score, node) for node, (score, _, _) in reached.items())
    return _to_turns(view, [node for _, node in best[:_SURVIVORS]], reached, skip=skip)


def _walk(
    view: View, query: Query, *, hops: int, frontier: int, skip: Sequence[str]
) -> dict[str, _Came]:
    types = [name for name in (*RELATIONS, "related_to", "mentions") if name not in skip]
    nodes = view.get([entity.id for entity in query.entities])
    reached: dict[str, _Came] = {
        entity.id: (1.0, entity.id, None) for entity in query.entities if entity.id in nodes
    }
    edge = list(reached)
    for _ in range(hops):
        links = view.neighbours(edge, types=types, direction="both", limit=frontier)
        proposals: dict[str, list[_Way]] = {}
        for here, touching in links.items():
            kept = reached[here][0] * _DECAY
            spread = max(1.0, len(touching)) ** _HUB
            for link in touching:
                there = link.source if link.source != here else link.target
                if there.startswith("turn:") or there in reached:
                    continue
                weight = _CUED if link.type in query.relations else _UNCUED
                score = kept * weight * link.weight**0.5 / spread
                known = proposals.get(there)
                if known is None:
                    proposals[there] = [(score, here, link)]
                else:
                    known.append((score, here, link))
        facts = view.get([each for each in proposals if each.startswith("fact:")])
        edge = _admit(facts, proposals, reached, query, limit=frontier)
        if not edge:
            break
    return reached


def _admit(
    facts: Mapping[str, Node],
    proposals: Mapping[str, list[_Way]],
    reached: dict[str, _Came],
    query: Query,
    *,
    limit: int,
) -> list[str]:
    """The best ``limit`` of the proposed entities and ``facts`` join those reached."""
    arrivals: list[tuple[float, str, str, Edge]] = []
    for each, ways in proposals.items():
        fact = facts.get(each)
        if fact is None and not each.startswith("entity:"):
            continue
        score, here, link = ways[0] if len(ways) == 1 else min(ways, key=_strongest)
        if isinstance(fact, Fact) and fact.relation in query.relations:
            score *= _CUED / _UNCUED
        if len(ways) > 1:
            score *= 1.0 + 0.25 * (len({way[1] for way in ways}) - 1)
        arrivals.append((-min(1.0, score), each, here, link))
    arrivals.sort(key=_ARRIVAL)
    reached.update((each, (-lost, here, link)) for lost, each, here, link in arrivals[:limit])
    return [each for _, each, _, _ in arrivals[:limit]]


def _walk_to(node: str, reached: Mapping[str, _Came]) -> Walk:
    """The steps from a named entity to a node that was reached."""
    _, here, link = reached[node]
    return ((node, None),) if link is None else (*_walk_to(here, reached), (node, link.key))


def _strongest(way: _Way) -> tuple[float, EdgeKey]:
    return (-way[0], way[2].key)


def _to_turns(
    view: View, survivors: Sequence[str], reached: Mapping[str, _Came], *, skip: Sequence[str]
) -> tuple[Leads, ...]:
    """The turns of the survivors, each by its best way. A mere mention of a named entity feeds no
    score: its words already count in every other feature.
    """
    types = [name for name in ("supports", "mentions") if name not in skip]
    links = view.neighbours(survivors, types=types, direction="in", limit=4 * _TURNS)
    best: dict[str, _Way] = {}
    for node in survivors:
        touching = [link for link in links.get(node, ()) if link.source.startswith("turn:")]
        own = reached[node][0]
        spread = max(1.0, len(touching)) ** _HUB
        for link in touching[:_TURNS]:
            turn, score = link.source, own * link.weight**0.5 / spread
            known = best.get(turn)
            if known is None or known[0] < score:
                best[turn] = (score, node, link)
    walks = {node: _walk_to(node, reached) for node in survivors}
    named = {turn: way for turn, way in best.items() if len(walks[way[1]]) == 1}
    further = {turn: way for turn, way in best.items() if turn not in named}
    return (_leads(named, walks, "mention"), _leads(further, walks, "relations"))


def _leads(best: Mapping[str, _Way], walks: Mapping[str, Walk], feature: Feature) -> Leads:
    return Leads(
        route="relations",
        feature=feature,
        turns=list(best),
        scores=[score for score, _, _ in best.values()],
        ways=[(walks[node], link) for _, node, link in best.values()],
    )
