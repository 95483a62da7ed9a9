"""recall: text in, hits with paths out.

parse → similarity | relations | hierarchy (each with paths)
      → shortlist (survey → rank) → status → (rerank) → render
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mnemis.config import Config
from mnemis.errors import MnemisError
from mnemis.model.change import Scope
from mnemis.model.query import Query
from mnemis.model.recall import Recall
from mnemis.ports.clock import Clock
from mnemis.ports.embedder import Embedder
from mnemis.ports.reranker import Reranker
from mnemis.ports.store import Store, View
from mnemis.recall.answer import Answerer
from mnemis.recall.cache import ScopeCache
from mnemis.recall.nodes import kinds_wanted
from mnemis.recall.observe import Observation, observe
from mnemis.recall.parse import parse
from mnemis.recall.reach import top_up, walk_routes
from mnemis.recall.request import RecallRequest
from mnemis.recall.shortlist import Asked, Shortlister
from mnemis.recall.similarity import Probe
from mnemis.recall.vectors import QuestionVectors
from mnemis.recall.weights import SHIPPED, TUNED, Weights, read_weights
from mnemis.text.counting import TokenCounter
from mnemis.trace import Tracer

_SCOPES, _ANSWERS = 1_000, 256  # kept at most


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What is known of a scope before any query."""

    seen: Observation
    weights: Weights


class Recaller:
    """Answers queries of any scope of one store. Thread-safe.

    ``weights`` None means the shipped ones, or those that were tuned for the scope.
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        reranker: Reranker | None,
        counter: TokenCounter,
        clock: Clock,
        config: Config,
        weights: Weights | None = None,
    ) -> None:
        self._store = store
        self._vectors = QuestionVectors(embedder)
        self._clock = clock
        self._config = config
        self._weights = weights
        self._shortlister = Shortlister()
        self._answerer = Answerer(reranker=reranker, counter=counter, config=config.recall)
        self._scopes: ScopeCache[_Known] = ScopeCache(limit=_SCOPES)
        self._answers: ScopeCache[Recall] = ScopeCache(limit=_ANSWERS)

    def recall(self, scope: Scope, request: RecallRequest) -> Recall:
        """One query. When a route fails the others answer and the trace names it; when none can
        answer the error is raised.
        """
        tracer = Tracer()
        with self._store.view(scope) as view:
            known = self._know(scope, view)
            query = self._parse(view, request, known.seen, tracer)
            key = (query, request.k, request.budget, request.min_score)
            answer = self._answers.get(scope, key, seq=view.seq)
            if answer is not None:
                return replace(answer, trace=tracer.finish("recall", cached=True))
            kinds = kinds_wanted(query.where)
            if kinds != ("turn",):
                probe = self._probes(query, tracer)[-1]
                return self._answerer.answer_nodes(
                    view, query, probe, kinds=kinds, request=request, tracer=tracer
                )
            wanted = self._answerer.wanted_hits(request)
            asked = self._ask(scope, view, query, known.seen, wanted, tracer)
            with tracer.span("rank") as notes:
                found = self._shortlister.shortlist(
                    view, asked, weights=known.weights, limit=self._answerer.wanted(request, query)
                )
                notes["candidates"] = len(found.candidates)
            answer = self._answerer.answer(
                view,
                query,
                found.candidates,
                known=found.known,
                seen=known.seen,
                probe=asked.probes[-1],
                request=request,
                tracer=tracer,
            )
            if all(probe.vector is not None for probe in asked.probes):
                self._answers.put(scope, key, answer, seq=view.seq)
            return answer

    def prepare(self, scope: Scope, request: RecallRequest) -> Asked:
        """Everything up to ranking, which can then be tried with several weights."""
        tracer = Tracer()
        with self._store.view(scope) as view:
            seen = self._know(scope, view).seen
            query = self._parse(view, request, seen, tracer)
            return self._ask(scope, view, query, seen, 0, tracer)

    def order(self, asked: Asked, *, weights: Weights, limit: int) -> tuple[str, ...]:
        """The message ids that these weights rank first, best first."""
        with self._store.view(asked.scope) as view:
            found = self._shortlister.shortlist(view, asked, weights=weights, limit=limit)
        sources = (source for each in found.candidates for source in each.turn.sources)
        return tuple(dict.fromkeys(sources))

    def _know(self, scope: Scope, view: View) -> _Known:
        known = self._scopes.get(scope, None, seq=view.seq)
        if known is None:
            tuned = self._weights or read_weights(view.state(TUNED)) or SHIPPED
            known = _Known(seen=observe(view), weights=tuned)
            self._scopes.put(scope, None, known, seq=view.seq)
        return known

    def _parse(
        self, view: View, request: RecallRequest, seen: Observation, tracer: Tracer
    ) -> Query:
        with tracer.span("parse") as notes:
            query = parse(
                request,
                view,
                speakers=seen.speakers,
                asked_at=request.asked_at or self._clock.now(),
                max_chars=self._config.recall.max_query_chars,
            )
            notes.update(_parse_notes(query))
        return query

    def _ask(
        self,
        scope: Scope,
        view: View,
        query: Query,
        seen: Observation,
        wanted: int,
        tracer: Tracer,
    ) -> Asked:
        probes = self._probes(query, tracer)
        reach = walk_routes(view, query, probes, self._config.recall, tracer)
        with tracer.span("recency") as notes:
            allowed = self._shortlister.allowed(view, scope, query, list(reach.walks))
            reach, notes["found"] = top_up(view, query, reach, allowed=len(allowed), wanted=wanted)
        config = self._config.recall
        hops = "relations" in config.routes and "mentions" not in config.skip_types
        return Asked(scope=scope, query=query, probes=probes, seen=seen, reach=reach, hops=hops)

    def _probes(self, query: Query, tracer: Tracer) -> tuple[Probe, ...]:
        texts = [part.text for part in query.parts]
        tokens = [part.tokens for part in query.parts]
        if len(texts) > 1:
            texts.append(" ".join(texts))
            tokens.append(tuple(dict.fromkeys(t for each in tokens for t in each)))
        with tracer.span("embed", questions=len(query.parts)) as notes:
            try:
                asked = [f"{text} {query.resolved}".strip() for text in texts]
                rows = self._vectors.of(asked)
            except MnemisError as error:
                notes["failed"] = f"{type(error).__name__}: {error}"
                rows = np.zeros((len(texts), 1), dtype=np.float32)
        return tuple(
            Probe(tokens=each, vector=row if np.isfinite(row).all() and np.any(row) else None)
            for each, row in zip(tokens, rows, strict=True)
        )


def _parse_notes(query: Query) -> dict[str, object]:
    return {
        "language": query.language,
        "questions": len(query.parts),
        "entities": len(query.entities),
        "speakers": len(query.speakers),
        "strangers": len(query.strangers),
        "ranges": len(query.ranges),
        "intents": sorted(query.intents),
        "specificity": round(query.specificity, 2),
    }
