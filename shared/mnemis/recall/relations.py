"""Route 1, relations: from the query's entities along typed edges to turns.

A funnel: a cheap walk with capped frontiers first, the turns of survivors only afterwards. The
score of an entity falls with distance and rises with the number of ways it was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

from mnemis.model.graph import Edge, EdgeKey, Entity, Fact, Node
from mnemis.model.query import Found, Query, Walk
from mnemis.model.relations import RELATIONS
from mnemis.ports.store import View

_DECAY = 0.6  # what a hop keeps
_CUED = 1.0  # weight of an edge whose type the query asks along
_UNCUED = 0.45
_HUB = 0.25  # exponent of degree normalisation: a hub's edges say little each
_SURVIVORS = 24
_TURNS = 12  # per survivor


_Way: TypeAlias = tuple[float, str, Edge]
"""The score that a node would get, from which node, along which edge."""
_ARRIVAL = itemgetter(0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reached:
    node: str
    score: float
    walk: Walk


def walk_relations(
    view: View, query: Query, *, hops: int, frontier: int, skip: Sequence[str]
) -> tuple[Found, ...]:
    """Turns reached from the entities that the query names, best first; none without names.

    Every path starts at a named entity and follows existing edges (source → … → turn).
    """
    if not query.entities:
        return ()
    reached = _walk(view, query, hops=hops, frontier=frontier, skip=skip)
    survivors = sorted(reached.values(), key=lambda each: (-each.score, each.node))[:_SURVIVORS]
    return _to_turns(view, survivors, skip=skip)


def _walk(
    view: View, query: Query, *, hops: int, frontier: int, skip: Sequence[str]
) -> dict[str, _Reached]:
    types = [name for name in (*RELATIONS, "related_to", "mentions") if name not in skip]
    nodes = view.get([entity.id for entity in query.entities])
    reached = {
        entity.id: _Reached(
            node=entity.id,
            score=1.0,
            walk=((entity.id, None),),
        )
        for entity in query.entities
        if entity.id in nodes
    }
    edge = list(reached)
    for _ in range(hops):
        links = view.neighbours(edge, types=types, direction="both", limit=frontier)
        proposals: dict[str, list[_Way]] = {}
        for here, touching in links.items():
            spread = max(1.0, len(touching)) ** _HUB
            kept = reached[here].score * _DECAY
            for link in touching:
                there = link.target if link.source == here else link.source
                if there in reached or there.startswith("turn:"):
                    continue
                weight = _CUED if link.type in query.relations else _UNCUED
                score = kept * weight * link.weight**0.5 / spread
                known = proposals.get(there)
                if known is None:
                    proposals[there] = [(score, here, link)]
                else:
                    known.append((score, here, link))
        edge = _admit(view.get(list(proposals)), proposals, reached, query, limit=frontier)
        if not edge:
            break
    return reached


def _admit(
    nodes: Mapping[str, Node],
    proposals: Mapping[str, list[_Way]],
    reached: dict[str, _Reached],
    query: Query,
    *,
    limit: int,
) -> list[str]:
    """The best ``limit`` of the proposed nodes join those reached."""
    arrivals: list[tuple[float, str, str, Edge]] = []
    for each, node in nodes.items():
        if not isinstance(node, (Entity, Fact)):
            continue
        ways = proposals[each]
        score, here, link = ways[0] if len(ways) == 1 else min(ways, key=_strongest)
        if isinstance(node, Fact) and node.relation in query.relations:
            score *= _CUED / _UNCUED
        bonus = 1.0 + 0.25 * (len({way[1] for way in ways}) - 1)
        arrivals.append((-min(1.0, score * bonus), each, here, link))
    arrivals.sort(key=_ARRIVAL)
    for lost, each, here, link in arrivals[:limit]:
        walk = (*reached[here].walk, (each, link.key))
        reached[each] = _Reached(node=each, score=-lost, walk=walk)
    return [each for _, each, _, _ in arrivals[:limit]]


def _best_first(found: Found) -> tuple[float, str]:
    return (-found.score, found.turn)


def _strongest(way: _Way) -> tuple[float, EdgeKey]:
    return (-way[0], way[2].key)


def _to_turns(
    view: View, survivors: Sequence[_Reached], *, skip: Sequence[str]
) -> tuple[Found, ...]:
    types = [name for name in ("supports", "mentions") if name not in skip]
    links = view.neighbours(
        [each.node for each in survivors], types=types, direction="in", limit=4 * _TURNS
    )
    best: dict[str, tuple[float, _Reached, Edge]] = {}
    for each in survivors:
        touching = [link for link in links.get(each.node, ()) if link.source.startswith("turn:")]
        spread = max(1.0, len(touching)) ** _HUB
        for link in touching[:_TURNS]:
            score = each.score * link.weight**0.5 / spread
            known = best.get(link.source)
            if known is None or known[0] < score:
                best[link.source] = (score, each, link)
    found = [
        Found(turn=turn, route="relations", score=score, before=each.walk, edge=link)
        for turn, (score, each, link) in best.items()
    ]
    found.sort(key=_best_first)
    return tuple(found)
