"""From what the routes found to a ranked shortlist."""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemis.model.change import Scope
from mnemis.model.graph import Turn
from mnemis.model.query import Query
from mnemis.model.recall import Route
from mnemis.ports.store import Floats, View
from mnemis.recall.allowed import is_allowed
from mnemis.recall.cache import ScopeCache
from mnemis.recall.candidate import Candidate
from mnemis.recall.columns import ColumnKeeper, Columns, Ints
from mnemis.recall.confidence import is_weak, yardstick
from mnemis.recall.evidence import SESSION_RADIUS, Field, Fit, best_rows, survey
from mnemis.recall.hop import Passages, bridges, named_passages
from mnemis.recall.leads import FEATURES, Doubles, Feature, Walks
from mnemis.recall.observe import Observation
from mnemis.recall.rank import Ranking, rank, squash
from mnemis.recall.reach import Reach, join_bridges
from mnemis.recall.similarity import Probe
from mnemis.recall.told import ToldKeeper
from mnemis.recall.weights import Weights

_Shown: TypeAlias = Literal["similarity", "relations", "hierarchy"]

_FIELDS, _SCOPES = 16, 64  # small memories, and scopes' columns, kept ready
_WHOLE = 3_000  # turns up to which a memory is ranked as one field
_HOP_FROM = 5  # hits a second hop starts from
_ROUTES: Final[tuple[_Shown, ...]] = ("similarity", "relations", "hierarchy")  # a hit tells


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """A query on its way: what it says, what it searches with, what was found for it; whether it
    ``hops`` on from good hits along the names that they mention.
    """

    scope: Scope
    query: Query
    probes: tuple[Probe, ...]
    seen: Observation
    reach: Reach
    hops: bool


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Reached:
    """The turns that the routes found, as columns: their ``rows`` among all turns (-1 for none),
    which are ``allowed`` as hits, their best score by feature (below 0 for none).
    """

    turns: tuple[str, ...]
    rows: Ints
    allowed: npt.NDArray[np.bool_]
    scores: Mapping[Feature, Doubles]
    walks: Walks


class Shortlister:
    """Ranks what the routes found. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._keepers: OrderedDict[Scope, _Keepers] = OrderedDict()
        self._fields: ScopeCache[Field] = ScopeCache(limit=_FIELDS)

    def shortlist(self, view: View, asked: Asked, *, weights: Weights, limit: int) -> Shortlist:
        """The best ``limit`` turns that the query allows, after a second hop from the best: the
        best ranked, or, where people talk and the memory is large, the most similar, for then the
        surroundings of all that is found are looked at once.
        """
        reach = self._reached(view, asked, asked.reach)
        if not reach.allowed.any():
            return Shortlist(candidates=[], known=0.0)
        passages = _named(view, asked, weights) if asked.seen.document else Passages()
        talks = asked.hops and asked.seen.dialogue > 0
        talk_at_large = talks and not self._is_whole(view, asked)
        if talk_at_large:
            passages = _hop(view, asked, _most_similar(reach), passages, weights)
            reach = self._reached(view, asked, join_bridges(asked.reach, passages))
        field = self._field(view, asked, reach)
        ranking = _rank(view, asked, field, reach, passages, weights)
        if (asked.hops and asked.seen.document) or (talks and not talk_at_large):
            best = _best_ranked(field, ranking, reach)
            passages = _hop(view, asked, best, passages, weights)
            reach = self._reached(view, asked, join_bridges(asked.reach, passages))
            wider = self._field(view, asked, reach)
            known = ranking.fits if wider is field else ()
            field = wider
            ranking = _rank(view, asked, field, reach, passages, weights, known)
        candidates = _to_candidates(
            view, field, ranking, reach, limit=limit, middle=yardstick(asked.seen)
        )
        return Shortlist(candidates=candidates, known=ranking.known)

    def allowed(self, view: View, scope: Scope, query: Query, turns: Sequence[str]) -> list[str]:
        """Those of the turns that the query lets be hits, in the order given."""
        columns = self._kept(scope).columns.at(view)
        fits = _allowed(view, query, columns, turns, columns.rows_of(turns))
        return list(itertools.compress(turns, fits.tolist()))

    def _reached(self, view: View, asked: Asked, reach: Reach) -> _Reached:
        columns = self._kept(asked.scope).columns.at(view)
        turns = tuple(reach.walks)
        rows = columns.rows_of(turns)
        return _Reached(
            turns=turns,
            rows=rows,
            allowed=_allowed(view, asked.query, columns, turns, rows),
            scores={name: reach.walks.best(name) for name in FEATURES},
            walks=reach.walks,
        )

    def _field(self, view: View, asked: Asked, reach: _Reached) -> Field:
        """What the turns are ranked within: a whole small memory (made once until it changes),
        the surroundings of the allowed turns in a large one.
        """
        field = self._fields.get(asked.scope, None, seq=view.seq)
        if field is not None:
            return field
        kept = self._kept(asked.scope)
        columns = kept.columns.at(view)
        told = kept.told.at(view, columns)
        if not self._is_whole(view, asked):
            rows = reach.rows[reach.allowed & (reach.rows >= 0)]
            return survey(columns, columns.near(rows, radius=_radius(asked.seen)), told=told)
        field = survey(columns, columns.order, told=told)
        self._fields.put(asked.scope, None, field, seq=view.seq)
        return field

    def _is_whole(self, view: View, asked: Asked) -> bool:
        """Whether the memory is ranked as one field."""
        return len(self._kept(asked.scope).columns.at(view).ids) <= _WHOLE

    def _kept(self, scope: Scope) -> _Keepers:
        with self._guard:
            kept = self._keepers.setdefault(scope, _Keepers())
            self._keepers.move_to_end(scope)
            while len(self._keepers) > _SCOPES:
                self._keepers.popitem(last=False)
            return kept


def _allowed(
    view: View, query: Query, columns: Columns, turns: Sequence[str], rows: Ints
) -> npt.NDArray[np.bool_]:
    """Which of these turns, whose rows these are, the query lets be hits."""
    if query.where is None:
        return columns.allowed(rows, query)
    nodes = view.get(turns)
    return np.array([is_allowed(nodes.get(turn), query) for turn in turns], dtype=np.bool_)


def _rank(
    view: View,
    asked: Asked,
    field: Field,
    reach: _Reached,
    passages: Passages,
    weights: Weights,
    fits: tuple[Fit, ...] = (),
) -> Ranking:
    places = field.at(reach.rows)
    return rank(
        view,
        field,
        asked.query,
        asked.probes,
        routes={name: _column(field, places, scores) for name, scores in reach.scores.items()},
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
    view: View, asked: Asked, best: Sequence[str], passages: Passages, weights: Weights
) -> Passages:
    found = bridges(
        view,
        best,
        asked=frozenset(entity.id for entity in asked.query.entities),
        weights=weights,
        probe=asked.probes[-1],
        talk=asked.seen.dialogue,
    )
    return replace(passages, bridges=found)


def _best_ranked(field: Field, ranking: Ranking, reach: _Reached) -> list[str]:
    """The best turns that the query lets be hits: what it leaves out leads nowhere."""
    places = field.at(reach.rows)
    rows = places[reach.allowed & (places >= 0)]
    return [field.ids[int(rows[at])] for at in best_rows(ranking.raw[rows], _HOP_FROM)]


def _most_similar(reach: _Reached) -> list[str]:
    """The same before anything is ranked."""
    scores = np.where(reach.allowed, reach.scores["similarity"], -1.0)
    order = np.argsort(-scores, kind="stable")[:_HOP_FROM]
    return [reach.turns[place] for place in order.tolist() if scores[place] >= 0]


def _radius(seen: Observation) -> int:
    if seen.dialogue:
        return SESSION_RADIUS
    return 1 if seen.assisted else 0


def _column(field: Field, places: Ints, scores: Doubles) -> Floats:
    column = np.zeros(len(field.ids), dtype=np.float32)
    there = (places >= 0) & (scores >= 0)
    column[places[there]] = scores[there]
    return column


def _to_candidates(
    view: View, field: Field, ranking: Ranking, reach: _Reached, *, limit: int, middle: float
) -> list[Candidate]:
    """The best ``limit`` of the allowed turns, best first, ties by id."""
    places = field.at(reach.rows)
    numbers = np.flatnonzero(reach.allowed & (places >= 0))
    raw = ranking.raw[places[numbers]]
    if 0 < limit < len(raw):
        numbers = numbers[raw >= np.partition(raw, len(raw) - limit)[len(raw) - limit]]
    raw = ranking.raw[places[numbers]]
    ranked = sorted(
        zip(
            (-raw).tolist(),
            map(reach.turns.__getitem__, numbers.tolist()),
            numbers.tolist(),
            strict=True,
        )
    )[:limit]
    turns = [turn for _, turn, _ in ranked]
    numbers = np.array([number for _, _, number in ranked], dtype=np.int64)
    nodes, walks = view.get(turns), reach.walks.to(turns)
    covered = ranking.covered[places[numbers]].tolist()
    matched = ranking.matched[places[numbers]].tolist()
    by_route: dict[Route, list[float]] = {
        name: reach.scores[name][numbers].tolist() for name in _ROUTES
    }
    return [
        Candidate(
            turn=node,
            raw=-lost,
            score=squash(-lost),
            covered=covered[place],
            matched=matched[place],
            walks=walks[turn],
            routes={name: by[place] for name, by in by_route.items() if by[place] >= 0},
            weak=is_weak(-lost, middle=middle),
        )
        for place, (lost, turn, _) in enumerate(ranked)
        if isinstance(node := nodes.get(turn), Turn)
    ]
