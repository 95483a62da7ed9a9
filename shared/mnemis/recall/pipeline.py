"""recall: text in, hits with paths out.

parse → similarity | relations | hierarchy (each with paths)
      → survey → rank → status → (rerank) → render
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mnemis.config import Config, RecallConfig
from mnemis.errors import MnemisError
from mnemis.model.change import Scope
from mnemis.model.filter import matches
from mnemis.model.graph import Category, Turn
from mnemis.model.query import Found, Query, Walk
from mnemis.model.recall import Recall, Route
from mnemis.ports.clock import Clock
from mnemis.ports.embedder import Embedder, embed_queries
from mnemis.ports.reranker import Reranker
from mnemis.ports.store import Floats, Store, View
from mnemis.recall.answer import Answerer, Candidate
from mnemis.recall.cache import ScopeCache
from mnemis.recall.confidence import is_weak, yardstick
from mnemis.recall.evidence import SESSION_RADIUS, Field, best_rows, survey
from mnemis.recall.hierarchy import Matcher, walk_hierarchy
from mnemis.recall.hop import Passages, bridges, named_passages
from mnemis.recall.observe import Observation, observe
from mnemis.recall.parse import parse
from mnemis.recall.rank import Ranking, rank, squash
from mnemis.recall.relations import walk_relations
from mnemis.recall.request import RecallRequest
from mnemis.recall.similarity import Probe, gather
from mnemis.recall.weights import SHIPPED, Weights
from mnemis.text.counting import TokenCounter
from mnemis.trace import Tracer

_SCOPES, _FIELDS, _ANSWERS = 1_000, 16, 256  # kept at most
_WHOLE = 3_000  # turns up to which a memory is ranked as one field
_HOP_FROM = 5  # hits a second hop starts from
_SPECIFIC = 0.5  # from which on a query goes by Route 1 alone
_MENTION = 2  # nodes of the walk entity → turn


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Reach:
    """What the routes found: paths a turn, each route's score a turn, which routes failed."""

    walks: Mapping[str, tuple[Found, ...]]
    scores: Mapping[str, Mapping[str, float]]


class Recaller:
    """Answers queries of any scope of one store. Thread-safe."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        reranker: Reranker | None,
        counter: TokenCounter,
        clock: Clock,
        config: Config,
        weights: Weights = SHIPPED,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._config = config
        self._weights = weights
        self._answerer = Answerer(reranker=reranker, counter=counter, config=config.recall)
        self._observed: ScopeCache[Observation] = ScopeCache(limit=_SCOPES)
        self._fields: ScopeCache[Field] = ScopeCache(limit=_FIELDS)
        self._answers: ScopeCache[Recall] = ScopeCache(limit=_ANSWERS)

    def recall(self, scope: Scope, request: RecallRequest) -> Recall:
        """One query. When a route fails the others answer and the trace names it; when none can
        answer the error is raised.
        """
        tracer = Tracer()
        with self._store.view(scope) as view:
            seen = self._observe(scope, view)
            with tracer.span("parse") as notes:
                query = parse(
                    request,
                    view,
                    speakers=seen.speakers,
                    asked_at=request.asked_at or self._clock.now(),
                    max_chars=self._config.recall.max_query_chars,
                )
                notes.update(_parse_notes(query))
            key = (query, request.k, request.budget, request.min_score)
            known_answer = self._answers.get(scope, key, seq=view.seq)
            if known_answer is not None:
                return replace(known_answer, trace=tracer.finish("recall", cached=True))
            probes = self._probes(query, tracer)
            reach = _routes(view, query, probes, self._config.recall, tracer)
            with tracer.span("rank") as notes:
                limit = self._answerer.wanted(request)
                candidates, known = self._candidates(scope, view, query, probes, reach, seen, limit)
                notes["candidates"] = len(candidates)
            answer = self._answerer.answer(
                view,
                query,
                candidates,
                known=known,
                middle=yardstick(seen),
                probe=probes[-1],
                request=request,
                tracer=tracer,
            )
            if all(probe.vector is not None for probe in probes):
                self._answers.put(scope, key, answer, seq=view.seq)
            return answer

    def _observe(self, scope: Scope, view: View) -> Observation:
        seen = self._observed.get(scope, None, seq=view.seq)
        if seen is None:
            seen = observe(view)
            self._observed.put(scope, None, seen, seq=view.seq)
        return seen

    def _field(self, scope: Scope, view: View, turns: Sequence[str], seen: Observation) -> Field:
        """What the turns are ranked within: a whole small memory (made once until it changes),
        the surroundings of the turns in a large one.
        """
        if view.stats().nodes.get("turn", 0) > _WHOLE:
            return survey(view, turns, radius=_radius(seen))
        field = self._fields.get(scope, None, seq=view.seq)
        if field is None:
            field = survey(view, [turn.id for turn in view.scan("turn")], radius=0)
            self._fields.put(scope, None, field, seq=view.seq)
        return field

    def _probes(self, query: Query, tracer: Tracer) -> tuple[Probe, ...]:
        texts = [part.text for part in query.parts]
        tokens = [part.tokens for part in query.parts]
        if len(texts) > 1:
            texts.append(" ".join(texts))
            tokens.append(tuple(dict.fromkeys(t for each in tokens for t in each)))
        with tracer.span("embed", questions=len(query.parts)) as notes:
            try:
                asked = [f"{text} {query.resolved}".strip() for text in texts]
                rows = embed_queries(self._embedder, asked)
            except MnemisError as error:
                notes["failed"] = f"{type(error).__name__}: {error}"
                rows = np.zeros((len(texts), 1), dtype=np.float32)
        return tuple(
            Probe(tokens=each, vector=row if np.isfinite(row).all() and np.any(row) else None)
            for each, row in zip(tokens, rows, strict=True)
        )

    def _candidates(
        self,
        scope: Scope,
        view: View,
        query: Query,
        probes: Sequence[Probe],
        reach: _Reach,
        seen: Observation,
        limit: int,
    ) -> tuple[list[Candidate], float]:
        turns = view.get(list(reach.walks))
        allowed = [turn for turn in reach.walks if _is_allowed(turns.get(turn), query)]
        if not allowed:
            return [], 0.0
        field, ranking = self._rank(scope, view, query, probes, allowed, reach, seen, Passages())
        if seen.document:
            passages = self._hop(view, query, field, ranking)
            reach = _join_bridges(reach, passages)
            turns = view.get([bridge.target for bridge in passages.bridges])
            fresh = [turn for turn in turns if _is_allowed(turns[turn], query)]
            allowed = list(dict.fromkeys([*allowed, *fresh]))
            field, ranking = self._rank(scope, view, query, probes, allowed, reach, seen, passages)
        return _to_candidates(
            field, ranking, allowed, reach, limit=limit, middle=yardstick(seen)
        ), ranking.known

    def _rank(
        self,
        scope: Scope,
        view: View,
        query: Query,
        probes: Sequence[Probe],
        allowed: Sequence[str],
        reach: _Reach,
        seen: Observation,
        passages: Passages,
    ) -> tuple[Field, Ranking]:
        field = self._field(scope, view, allowed, seen)
        routes = {name: _column(field, scores) for name, scores in reach.scores.items()}
        ranking = rank(
            view,
            field,
            query,
            probes,
            routes=routes,
            passages=passages,
            seen=seen,
            weights=self._weights,
        )
        return field, ranking

    def _hop(self, view: View, query: Query, field: Field, ranking: Ranking) -> Passages:
        asked = frozenset(entity.id for entity in query.entities)
        best = best_rows(ranking.raw, _HOP_FROM)
        return Passages(
            lifts=named_passages(
                view,
                sorted(asked),
                turns=view.stats().nodes.get("turn", 0),
                weights=self._weights,
            ),
            bridges=bridges(
                view, [field.ids[row] for row in best], asked=asked, weights=self._weights
            ),
        )


def _routes(
    view: View, query: Query, probes: Sequence[Probe], config: RecallConfig, tracer: Tracer
) -> _Reach:
    similar: list[Found] = []
    with tracer.span("similarity") as notes:
        for probe in probes:
            similar.extend(gather(view, probe, config=config, where=query.where))
        notes["found"] = len(similar)
    with tracer.span("relations", types=len(query.relations)) as notes:
        related = walk_relations(
            view, query, hops=config.hops, frontier=config.frontier, skip=config.skip_types
        )
        notes["found"] = len(related)
    topical: Sequence[Found] = ()
    with tracer.span("hierarchy", wanted=_is_wide(query)) as notes:
        if _is_wide(query):
            topical = walk_hierarchy(
                view,
                Matcher(tokens=probes[-1].tokens, vector=probes[-1].vector),
                roots=_roots(view),
                depth=config.depth,
                prune=config.prune,
                skip=config.skip_types,
            )
        notes["found"] = len(topical)
    return _join(similar, related, topical)


def _is_wide(query: Query) -> bool:
    """The light classifier (R11): a query that names what it wants needs no walk over topics."""
    return bool(query.intents & {"all", "vague"}) or query.specificity < _SPECIFIC


def _roots(view: View) -> tuple[Category, ...]:
    categories = [node for node in view.scan("category") if isinstance(node, Category)]
    parents = view.neighbours(
        [node.id for node in categories], types=("belongs_to",), direction="out"
    )
    return tuple(node for node in categories if not parents.get(node.id))


def _join(similar: Sequence[Found], related: Sequence[Found], topical: Sequence[Found]) -> _Reach:
    walks: dict[str, dict[Walk, Found]] = {}
    scores: dict[str, dict[str, float]] = {
        "similarity": {},
        "relations": {},
        "hierarchy": {},
        "fact": {},
        "mention": {},
    }
    for found in (*similar, *related, *topical):
        known = walks.setdefault(found.turn, {})
        if found.walk not in known or known[found.walk].score < found.score:
            known[found.walk] = found
        column = scores[_column_of(found)]
        column[found.turn] = max(column.get(found.turn, 0.0), found.score)
    return _Reach(walks={turn: tuple(each.values()) for turn, each in walks.items()}, scores=scores)


def _column_of(found: Found) -> str:
    """Which feature a walk feeds. A mere mention of a named entity feeds none: its words already
    count in every other feature.
    """
    if found.walk[0][0].startswith("fact:"):
        return "fact"
    if found.route == "relations" and len(found.walk) == _MENTION:
        return "mention"
    return found.route


def _join_bridges(reach: _Reach, passages: Passages) -> _Reach:
    walks = dict(reach.walks)
    for bridge in passages.bridges:
        walks[bridge.target] = (*walks.get(bridge.target, ()), bridge.found)
    return _Reach(walks=walks, scores=reach.scores)


def _radius(seen: Observation) -> int:
    if seen.dialogue:
        return SESSION_RADIUS
    return 1 if seen.assisted else 0


def _is_allowed(node: object, query: Query) -> bool:
    if not isinstance(node, Turn):
        return False
    if node.status == "archived" and not query.include_archived:
        return False
    if query.as_of is not None and node.time is not None and node.time > query.as_of:
        return False
    return query.where is None or matches(node, query.where)


def _column(field: Field, scores: Mapping[str, float]) -> Floats:
    column = np.zeros(len(field.ids), dtype=np.float32)
    for turn, score in scores.items():
        row = field.rows.get(turn)
        if row is not None:
            column[row] = score
    return column


def _to_candidates(
    field: Field,
    ranking: Ranking,
    allowed: Sequence[str],
    reach: _Reach,
    *,
    limit: int,
    middle: float,
) -> list[Candidate]:
    """The best ``limit`` of the allowed turns, best first, ties by id."""
    rows = [(field.rows[turn], turn) for turn in allowed if turn in field.rows]
    rows.sort(key=lambda each: (-ranking.raw[each[0]], each[1]))
    return [
        Candidate(
            turn=field.turns[row],
            raw=float(ranking.raw[row]),
            score=squash(float(ranking.raw[row])),
            covered=float(ranking.covered[row]),
            walks=reach.walks[turn],
            routes=_route_scores(turn, reach),
            weak=is_weak(float(ranking.raw[row]), middle=middle),
        )
        for row, turn in rows[:limit]
    ]


def _route_scores(turn: str, reach: _Reach) -> dict[Route, float]:
    names: tuple[Route, ...] = ("similarity", "relations", "hierarchy")
    return {name: reach.scores[name][turn] for name in names if turn in reach.scores[name]}


def _parse_notes(query: Query) -> dict[str, object]:
    return {
        "language": query.language,
        "questions": len(query.parts),
        "entities": len(query.entities),
        "speakers": len(query.speakers),
        "ranges": len(query.ranges),
        "intents": sorted(query.intents),
        "specificity": round(query.specificity, 2),
    }
