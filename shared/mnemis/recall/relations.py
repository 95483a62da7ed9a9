"""Route 1, relations: from the query's entities along typed edges to turns.

A funnel: a cheap walk with capped frontiers first, the turns of survivors only afterwards. The
score of an entity falls with distance and rises with the number of ways it was reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemis.model.graph import Edge, Entity, Fact, Node
from mnemis.model.query import Found, Query, Walk
from mnemis.model.relations import RELATIONS
from mnemis.ports.store import View

_DECAY = 0.6  # what a hop keeps
_CUED = 1.0  # weight of an edge whose type the query asks along
_UNCUED = 0.45
_HUB = 0.25  # exponent of degree normalisation: a hub's edges say little each
_SURVIVORS = 24
_TURNS = 12  # per survivor


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
    nodes = dict(view.get([entity.id for entity in query.entities]))
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
        proposals: dict[str, list[tuple[float, str, Edge]]] = {}
        for here, touching in links.items():
            spread = max(1.0, len(touching)) ** _HUB
            for link in touching:
                there = link.target if link.source == here else link.source
                if there in reached or there.startswith("turn:"):
                    continue
                weight = _CUED if link.type in query.relations else _UNCUED
                score = reached[here].score * _DECAY * weight * link.weight**0.5 / spread
                proposals.setdefault(there, []).append((score, here, link))
        fresh = list(proposals)
        nodes.update(view.get(fresh))
        edge = _admit(fresh, proposals, nodes, reached, query, limit=frontier)
        if not edge:
            break
    return reached


def _admit(
    fresh: Sequence[str],
    proposals: Mapping[str, list[tuple[float, str, Edge]]],
    nodes: Mapping[str, Node],
    reached: dict[str, _Reached],
    query: Query,
    *,
    limit: int,
) -> list[str]:
    arrivals: list[_Reached] = []
    for each in fresh:
        node = nodes.get(each)
        if not isinstance(node, Entity | Fact):
            continue
        ways = sorted(proposals[each], key=lambda way: (-way[0], way[2].key))
        score, here, link = ways[0]
        if isinstance(node, Fact) and node.relation in query.relations:
            score *= _CUED / _UNCUED
        bonus = 1.0 + 0.25 * (len({way[1] for way in ways}) - 1)
        arrivals.append(
            _Reached(
                node=each,
                score=min(1.0, score * bonus),
                walk=(*reached[here].walk, (each, link.key)),
            )
        )
    arrivals.sort(key=lambda each: (-each.score, each.node))
    for arrival in arrivals[:limit]:
        reached[arrival.node] = arrival
    return [arrival.node for arrival in arrivals[:limit]]


def _to_turns(
    view: View, survivors: Sequence[_Reached], *, skip: Sequence[str]
) -> tuple[Found, ...]:
    types = [name for name in ("supports", "mentions") if name not in skip]
    links = view.neighbours(
        [each.node for each in survivors], types=types, direction="in", limit=4 * _TURNS
    )
    best: dict[str, Found] = {}
    for each in survivors:
        touching = [link for link in links.get(each.node, ()) if link.source.startswith("turn:")]
        spread = max(1.0, len(touching)) ** _HUB
        for link in touching[:_TURNS]:
            score = each.score * link.weight**0.5 / spread
            if link.source in best and best[link.source].score >= score:
                continue
            walk = (*each.walk, (link.source, link.key))
            best[link.source] = Found(turn=link.source, route="relations", walk=walk, score=score)
    return tuple(sorted(best.values(), key=lambda found: (-found.score, found.turn)))
