"""The three routes, walked one after the other, and what they found joined by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mnemis.config import RecallConfig
from mnemis.errors import MnemisError
from mnemis.model.graph import Category, Edge
from mnemis.model.query import Found, Query
from mnemis.ports.store import View
from mnemis.recall.allowed import is_allowed
from mnemis.recall.hierarchy import Matcher, walk_hierarchy
from mnemis.recall.hop import Passages
from mnemis.recall.relations import walk_relations
from mnemis.recall.similarity import Probe, gather
from mnemis.trace import Tracer

_SPECIFIC = 0.5  # from which on a query goes by Route 1 alone
_MENTION = 2  # nodes of the walk entity → turn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """What the routes found: the walks to each turn, and each route's score of a turn by name
    ("similarity", "relations", "hierarchy", "fact", "mention", "cause").
    """

    walks: Mapping[str, tuple[Found, ...]]
    scores: Mapping[str, Mapping[str, float]]


def walk_routes(
    view: View, query: Query, probes: Sequence[Probe], config: RecallConfig, tracer: Tracer
) -> Reach:
    """Similarity for every question of the query; relations from the entities it names; the
    hierarchy only for a query that needs it.

    A route that fails is named in the trace and the others answer; when all that were tried
    failed, the last error is raised.
    """

    def similar() -> Sequence[Found]:
        return [
            found
            for probe in probes
            for found in gather(view, probe, config=config, where=query.where)
        ]

    def related() -> Sequence[Found]:
        return walk_relations(
            view, query, hops=config.hops, frontier=config.frontier, skip=config.skip_types
        )

    def topical() -> Sequence[Found]:
        return walk_hierarchy(
            view,
            Matcher(tokens=probes[-1].tokens, vector=probes[-1].vector),
            roots=_roots(view),
            depth=config.depth,
            prune=config.prune,
            skip=config.skip_types,
            everything=bool(query.intents & {"all", "vague"}),
        )

    walks: dict[str, Callable[[], Sequence[Found]]] = {"similarity": similar, "relations": related}
    if is_wide(query):
        walks["hierarchy"] = topical
    found: list[Found] = []
    failures: list[MnemisError] = []
    tried = [name for name in walks if name in config.routes]
    for name in tried:
        with tracer.span(name) as notes:
            try:
                reached = walks[name]()
            except MnemisError as error:
                notes["failed"] = f"{type(error).__name__}: {error}"
                failures.append(error)
                continue
            notes["found"] = len(reached)
            found.extend(reached)
    if failures and len(failures) == len(tried):
        raise failures[-1]
    return _join(found)


def is_wide(query: Query) -> bool:
    """The light classifier: a query that names what it wants needs no walk over topics."""
    return bool(query.intents & {"all", "vague"}) or query.specificity < _SPECIFIC


def _roots(view: View) -> tuple[Category, ...]:
    categories = [node for node in view.scan("category") if isinstance(node, Category)]
    parents = view.neighbours(
        [node.id for node in categories], types=("belongs_to",), direction="out"
    )
    return tuple(node for node in categories if not parents.get(node.id))


def _join(every: Sequence[Found]) -> Reach:
    walks: dict[str, list[Found]] = {}
    scores: dict[str, dict[str, float]] = {
        "similarity": {},
        "relations": {},
        "hierarchy": {},
        "fact": {},
        "mention": {},
        "cause": {},
    }
    for found in every:
        turn, score = found.turn, found.score
        known = walks.get(turn)
        if known is None:
            walks[turn] = [found]
        else:
            _take(found, known)
        column = scores[_column_of(found)]
        if column.get(turn, 0.0) <= score:
            column[turn] = score
    return Reach(walks={turn: tuple(each) for turn, each in walks.items()}, scores=scores)


def _take(found: Found, known: list[Found]) -> None:
    """Each walk once, at its best score, where it came first."""
    for place, other in enumerate(known):
        if other.before == found.before and _is_same(other.edge, found.edge):
            if other.score < found.score:
                known[place] = found
            return
    known.append(found)


def _is_same(one: Edge | None, other: Edge | None) -> bool:
    return one is other or (one is not None and other is not None and one.key == other.key)


def _column_of(found: Found) -> str:
    """Which feature a walk feeds. A mere mention of a named entity feeds none: its words already
    count in every other feature.
    """
    before, edge = found.before, found.edge
    if not before or edge is None:
        return found.route
    if before[0][0].startswith("fact:"):
        return "fact"
    if edge.type == "causes":
        return "cause"
    if len(before) == _MENTION - 1 and found.route == "relations":
        return "mention"
    return found.route


def join_bridges(reach: Reach, passages: Passages) -> Reach:
    """The same with the walks of a second hop."""
    walks = dict(reach.walks)
    for bridge in passages.bridges:
        walks[bridge.target] = (*walks.get(bridge.target, ()), bridge.found)
    return Reach(walks=walks, scores=reach.scores)


def top_up(
    view: View, query: Query, reach: Reach, *, allowed: int, wanted: int
) -> tuple[Reach, int]:
    """The same with the newest other turns that the query allows, where fewer of those that the
    routes found are ``allowed`` than are wanted; and how many were added.
    """
    missing = wanted - allowed
    if missing <= 0:
        return reach, 0
    walks = dict(reach.walks)
    added = 0
    for limit in (4 * wanted + len(walks), None):
        count = view.stats().nodes.get("turn", 0)
        for turn in reversed(view.tail(None, limit=count if limit is None else min(limit, count))):
            if added == missing:
                break
            if turn.id not in walks and is_allowed(turn, query):
                walks[turn.id] = (Found(turn=turn.id, route="recency", score=0.0),)
                added += 1
        if added == missing or (limit is not None and limit >= count):
            break
    return Reach(walks=walks, scores=reach.scores), added
