"""From what the routes found to a ranked shortlist."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mnemis.model.change import Scope
from mnemis.model.graph import Turn
from mnemis.model.query import Query
from mnemis.model.recall import Route
from mnemis.ports.store import Floats, View
from mnemis.recall.allowed import is_allowed
from mnemis.recall.answer import Candidate
from mnemis.recall.cache import ScopeCache
from mnemis.recall.columns import ColumnKeeper
from mnemis.recall.confidence import is_weak, yardstick
from mnemis.recall.evidence import SESSION_RADIUS, Field, Fit, best_rows, survey
from mnemis.recall.hop import Passages, bridges, named_passages
from mnemis.recall.observe import Observation
from mnemis.recall.rank import Ranking, rank, squash
from mnemis.recall.reach import Reach, join_bridges
from mnemis.recall.similarity import Probe
from mnemis.recall.told import ToldKeeper
from mnemis.recall.weights import Weights

_FIELDS, _SCOPES = 16, 64  # small memories, and scopes' columns, kept ready
_WHOLE = 3_000  # turns up to which a memory is ranked as one field
_HOP_FROM = 5  # hits a second hop starts from


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """A query on its way: what it says, what it searches with, what was found for it."""

    scope: Scope
    query: Query
    probes: tuple[Probe, ...]
    seen: Observation
    reach: Reach


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shortlist:
    """Candidates, best first; ``known``: share of the query's idf mass that the memory knows."""

    candidates: list[Candidate]
    known: float


@dataclass(frozen=True, slots=True, eq=False)
class _Keepers:
    """What is kept ready of a scope."""

    columns: ColumnKeeper = field(default_factory=ColumnKeeper)
    told: ToldKeeper = field(default_factory=ToldKeeper)


class Shortlister:
    """Ranks what the routes found. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._keepers: OrderedDict[Scope, _Keepers] = OrderedDict()
        self._fields: ScopeCache[Field] = ScopeCache(limit=_FIELDS)

    def shortlist(self, view: View, asked: Asked, *, weights: Weights, limit: int) -> Shortlist:
        """The best ``limit`` turns that the query allows; passages get a second hop."""
        allowed = self.allowed(view, asked.scope, asked.query, list(asked.reach.walks))
        if not allowed:
            return Shortlist(candidates=[], known=0.0)
        field = self._field(view, asked, allowed)
        reach = asked.reach
        passages = _named(view, asked, weights) if asked.seen.document else Passages()
        ranking = _rank(view, asked, field, reach, passages, weights)
        if asked.seen.document:
            passages = _hop(view, asked, field, ranking, passages, weights)
            reach = join_bridges(reach, passages)
            reached = [bridge.target for bridge in passages.bridges]
            fresh = self.allowed(view, asked.scope, asked.query, reached)
            allowed = list(dict.fromkeys([*allowed, *fresh]))
            wider = self._field(view, asked, allowed)
            known = ranking.fits if wider is field else ()
            field = wider
            ranking = _rank(view, asked, field, reach, passages, weights, known)
        candidates = _to_candidates(
            view, field, ranking, allowed, reach, limit=limit, middle=yardstick(asked.seen)
        )
        return Shortlist(candidates=candidates, known=ranking.known)

    def allowed(self, view: View, scope: Scope, query: Query, turns: Sequence[str]) -> list[str]:
        """Those of the turns that the query lets be hits, in the order given."""
        if query.where is None:
            return self._kept(scope).columns.at(view).allowed(turns, query)
        nodes = view.get(turns)
        return [turn for turn, node in nodes.items() if is_allowed(node, query)]

    def _field(self, view: View, asked: Asked, turns: Sequence[str]) -> Field:
        """What the turns are ranked within: a whole small memory (made once until it changes),
        the surroundings of the turns in a large one.
        """
        field = self._fields.get(asked.scope, None, seq=view.seq)
        if field is not None:
            return field
        kept = self._kept(asked.scope)
        columns = kept.columns.at(view)
        told = kept.told.at(view, columns)
        if len(columns.ids) > _WHOLE:
            near = columns.near(turns, radius=_radius(asked.seen))
            return survey(view, columns, near, told=told)
        field = survey(view, columns, columns.near(columns.ids, radius=0), told=told)
        self._fields.put(asked.scope, None, field, seq=view.seq)
        return field

    def _kept(self, scope: Scope) -> _Keepers:
        with self._guard:
            kept = self._keepers.setdefault(scope, _Keepers())
            self._keepers.move_to_end(scope)
            while len(self._keepers) > _SCOPES:
                self._keepers.popitem(last=False)
            return kept


def _rank(
    view: View,
    asked: Asked,
    field: Field,
    reach: Reach,
    passages: Passages,
    weights: Weights,
    fits: tuple[Fit, ...] = (),
) -> Ranking:
    return rank(
        view,
        field,
        asked.query,
        asked.probes,
        routes={name: _column(field, scores) for name, scores in reach.scores.items()},
        passages=passages,
        seen=asked.seen,
        weights=weights,
        fits=fits,
    )


def _named(view: View, asked: Asked, weights: Weights) -> Passages:
    named = sorted({entity.id for entity in asked.query.entities})
    count = view.stats().nodes.get("turn", 0)
    return Passages(lifts=named_passages(view, named, turns=count, weights=weights))


def _hop(
    view: View,
    asked: Asked,
    field: Field,
    ranking: Ranking,
    passages: Passages,
    weights: Weights,
) -> Passages:
    best = best_rows(ranking.raw, _HOP_FROM)
    return replace(
        passages,
        bridges=bridges(
            view,
            [field.ids[row] for row in best],
            asked=frozenset(entity.id for entity in asked.query.entities),
            weights=weights,
            probe=asked.probes[-1],
        ),
    )


def _radius(seen: Observation) -> int:
    if seen.dialogue:
        return SESSION_RADIUS
    return 1 if seen.assisted else 0


def _column(field: Field, scores: Mapping[str, float]) -> Floats:
    column = np.zeros(len(field.ids), dtype=np.float32)
    if scores:
        rows = field.rows(tuple(scores))
        there = rows >= 0
        column[rows[there]] = np.array(list(scores.values()), dtype=np.float32)[there]
    return column


def _to_candidates(
    view: View,
    field: Field,
    ranking: Ranking,
    allowed: Sequence[str],
    reach: Reach,
    *,
    limit: int,
    middle: float,
) -> list[Candidate]:
    """The best ``limit`` of the allowed turns, best first, ties by id."""
    places = field.rows(allowed)
    there = places >= 0
    ranked = sorted(
        zip(
            (-ranking.raw[places[there]]).tolist(),
            itertools.compress(allowed, there.tolist()),
            places[there].tolist(),
            strict=True,
        )
    )[:limit]
    nodes = view.get([turn for _, turn, _ in ranked])
    best = np.array([row for _, _, row in ranked], dtype=np.int64)
    covered, matched = ranking.covered[best].tolist(), ranking.matched[best].tolist()
    return [
        Candidate(
            turn=node,
            raw=-lost,
            score=squash(-lost),
            covered=covered[place],
            matched=matched[place],
            walks=reach.walks[turn],
            routes=_route_scores(turn, reach),
            weak=is_weak(-lost, middle=middle),
        )
        for place, (lost, turn, _) in enumerate(ranked)
        if isinstance(node := nodes.get(turn), Turn)
    ]


def _route_scores(turn: str, reach: Reach) -> dict[Route, float]:
    names: tuple[Route, ...] = ("similarity", "relations", "hierarchy")
    return {name: reach.scores[name][turn] for name in names if turn in reach.scores[name]}
