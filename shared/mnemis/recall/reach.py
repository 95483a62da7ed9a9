"""The three routes, walked one after the other, and what they found joined by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mnemis.config import RecallConfig
from mnemis.errors import MnemisError
from mnemis.model.graph import Category
from mnemis.model.query import Query
from mnemis.ports.store import View
from mnemis.recall.allowed import is_allowed
from mnemis.recall.hierarchy import Matcher, walk_hierarchy
from mnemis.recall.hop import Passages
from mnemis.recall.leads import Leads, Walks
from mnemis.recall.relations import walk_relations
from mnemis.recall.similarity import Probe, gather
from mnemis.trace import Tracer

_SPECIFIC = 0.5  # from which on a query goes by Route 1 alone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach:
    """What the routes found: the walks to each turn."""

    walks: Walks


def walk_routes(
    view: View, query: Query, probes: Sequence[Probe], config: RecallConfig, tracer: Tracer
) -> Reach:
    """Similarity for every question of the query; relations from the entities it names; the
    hierarchy only for a query that needs it.

    A route that fails is named in the trace and the others answer; when all that were tried
    failed, the last error is raised.
    """

    def similar() -> Sequence[Leads]:
        return [
            leads
            for probe in probes
            for leads in gather(view, probe, config=config, where=query.where)
        ]

    def related() -> Sequence[Leads]:
        return walk_relations(
            view, query, hops=config.hops, frontier=config.frontier, skip=config.skip_types
        )

    def topical() -> Sequence[Leads]:
        return walk_hierarchy(
            view,
            Matcher(tokens=probes[-1].tokens, vector=probes[-1].vector),
            roots=_roots(view),
            depth=config.depth,
            prune=config.prune,
            skip=config.skip_types,
            everything=bool(query.intents & {"all", "vague"}),
        )

    walks: dict[str, Callable[[], Sequence[Leads]]] = {"similarity": similar, "relations": related}
    if is_wide(query):
        walks["hierarchy"] = topical
    found: list[Leads] = []
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
            notes["found"] = sum(map(len, reached))
            found.extend(reached)
    if failures and len(failures) == len(tried):
        raise failures[-1]
    return Reach(walks=Walks(found))


def is_wide(query: Query) -> bool:
    """The light classifier: a query that names what it wants needs no walk over topics."""
    return bool(query.intents & {"all", "vague"}) or query.specificity < _SPECIFIC


def _roots(view: View) -> tuple[Category, ...]:
    categories = [node for node in view.scan("category") if isinstance(node, Category)]
    parents = view.neighbours(
        [node.id for node in categories], types=("belongs_to",), direction="out"
    )
    return tuple(node for node in categories if not parents.get(node.id))


def join_bridges(reach: Reach, passages: Passages) -> Reach:
    """The same with the walks of a second hop."""
    ways = [each.found for each in passages.bridges]
    more = Leads(
        route="relations",
        feature=None,
        turns=[each.turn for each in ways],
        scores=[each.score for each in ways],
        ways=[(each.before, each.edge) for each in ways if each.edge is not None],
    )
    return Reach(walks=reach.walks.joined(more))


def top_up(
    view: View, query: Query, reach: Reach, *, allowed: int, wanted: int
) -> tuple[Reach, int]:
    """The same with the newest other turns that the query allows, where fewer of those that the
    routes found are ``allowed`` than are wanted; and how many were added.
    """
    missing = wanted - allowed
    if missing <= 0:
        return reach, 0
    added: dict[str, None] = {}
    for limit in (4 * wanted + len(reach.walks), None):
        count = view.stats().nodes.get("turn", 0)
        for turn in reversed(view.tail(None, limit=count if limit is None else min(limit, count))):
            if len(added) == missing:
                break
            if turn.id not in reach.walks and is_allowed(turn, query):
                added[turn.id] = None
        if len(added) == missing or (limit is not None and limit >= count):
            break
    more = Leads(route="recency", feature=None, turns=tuple(added), scores=(0.0,) * len(added))
    return Reach(walks=reach.walks.joined(more)), len(added)
