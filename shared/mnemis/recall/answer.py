"""From ranked candidates to the answer: standing, successors, cut, rerank, context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mnemis.config import RecallConfig
from mnemis.errors import ModelError
from mnemis.model.filter import matches
from mnemis.model.graph import Category, Episode, NodeKind
from mnemis.model.query import Found, Query
from mnemis.model.recall import Hit, Path, Recall, Route, Step
from mnemis.ports.reranker import Reranker
from mnemis.ports.store import View
from mnemis.recall.candidate import Candidate
from mnemis.recall.confidence import confidence, heard, trust, yardstick
from mnemis.recall.labels import label_of, one_line
from mnemis.recall.nodes import find_nodes
from mnemis.recall.observe import Observation
from mnemis.recall.present import newer_first
from mnemis.recall.rank import squash
from mnemis.recall.render import Rendered, render
from mnemis.recall.request import RecallRequest
from mnemis.recall.similarity import Probe
from mnemis.recall.status import Standing, Successor, standings
from mnemis.recall.succession import lift_successors
from mnemis.text.counting import TokenCounter
from mnemis.trace import Tracer

_PATHS = 5  # shown a hit, best first, at least one of every route that found it
_MEANING_ALONE = 0.5  # the score of a node that words do not bear out
_LOOKED_AT = 40  # candidates beyond k whose standing may lift a successor
_TOPICAL = 0.2  # of the best hit's raw sum what else is shown of the topic has at least
_THREAD = 120  # the same for a query that wants a whole topic


class Answerer:
    """Turns candidates into a Recall. Thread-safe."""

    def __init__(
        self, *, reranker: Reranker | None, counter: TokenCounter, config: RecallConfig
    ) -> None:
        self._reranker = reranker
        self._counter = counter
        self._config = config

    def wanted_hits(self, request: RecallRequest) -> int:
        """How many hits the caller is to get, where the memory has them."""
        return self._config.auto_floor if request.k == "auto" else request.k

    def wanted(self, request: RecallRequest, query: Query) -> int:
        """How many ranked candidates ``answer`` can make use of."""
        k = self._config.auto_k if request.k == "auto" else request.k
        return max(k, self._config.rerank_from) + (
            _THREAD if query.intents & {"all", "vague"} else _LOOKED_AT
        )

    def answer(
        self,
        view: View,
        query: Query,
        candidates: list[Candidate],
        *,
        known: float,
        seen: Observation,
        probe: Probe,
        request: RecallRequest,
        tracer: Tracer,
    ) -> Recall:
        """The best k candidates (best first) as hits with status, successors and context;
        ``known``: share of the query's idf mass that the memory knows; ``seen``: what kind it is.
        """
        looked_at = [each.turn.id for each in candidates]
        k = self._config.auto_k if request.k == "auto" else request.k
        with tracer.span("status"):
            standing = standings(
                view,
                looked_at,
                tokens=probe.tokens,
                vector=probe.vector,
                relations=query.relations,
                as_of=query.as_of,
            )
            candidates = newer_first(candidates, query, dialogue=seen.dialogue)
            candidates = lift_successors(candidates, standing, query)
        best = max((each.matched for each in candidates), default=0.0)
        known = heard(known, turns=view.stats().nodes.get("turn", 0))
        strange = bool(query.strangers)
        middle = yardstick(seen)
        sure = confidence(best=best, known=known, middle=middle, strange=strange)
        top = max((each.raw for each in candidates), default=0.0)
        share = trust(raw=top, best=best, known=known, strange=strange)
        candidates = [replace(each, score=squash(each.raw * share)) for each in candidates]
        with tracer.span("rerank", model=self._reranker is not None) as notes:
            candidates = self._rerank(query, candidates, request, notes)
        chosen = self._cut(candidates, k, request, lost=sure < 0.5 and not query.entities)
        hits = to_hits(view, chosen, standing, query)
        with tracer.span("render") as notes:
            budget = self._config.context_tokens if request.budget is None else request.budget
            more = to_hits(view, thread_beyond(chosen, candidates, query), standing, query)
            rendered = self._render(view, query, (*hits, *more), sure >= 0.5, budget)
            notes["tokens"] = rendered.tokens
            notes["counter"] = self._counter.name
        return Recall(
            query=query.text,
            hits=hits,
            confident=bool(hits) and sure >= 0.5,
            confidence=sure if hits else 0.0,
            context=rendered.text,
            context_sources=rendered.sources,
            context_tokens=rendered.tokens,
            trace=tracer.finish("recall", k=request.k, seq=view.seq),
        )

    def answer_nodes(
        self,
        view: View,
        query: Query,
        probe: Probe,
        *,
        kinds: Sequence[NodeKind],
        request: RecallRequest,
        tracer: Tracer,
    ) -> Recall:
        """Facts, entities, episodes or categories as hits; confident when words fit too."""
        k = self._config.auto_k if request.k == "auto" else request.k
        with tracer.span("similarity") as notes:
            found = find_nodes(view, query, probe, kinds=kinds, k=k)
            hits = tuple(hit for hit in found if hit.score >= request.min_score)
            notes["found"] = len(hits)
        sure = hits[0].score if hits else 0.0
        budget = self._config.context_tokens if request.budget is None else request.budget
        rendered = self._render(view, query, hits, sure > _MEANING_ALONE, budget)
        return Recall(
            query=query.text,
            hits=hits,
            confident=sure > _MEANING_ALONE,
            confidence=sure,
            context=rendered.text,
            context_sources=rendered.sources,
            context_tokens=rendered.tokens,
            trace=tracer.finish("recall", k=request.k, seq=view.seq),
        )

    def _cut(
        self, candidates: Sequence[Candidate], k: int, request: RecallRequest, *, lost: bool
    ) -> list[Candidate]:
        """The first k; with ``"auto"`` those near the best, at least five, and the newest first
        when nothing fits (``lost``), their scores dealt out in the new order.
        """
        kept = [each for each in candidates if each.score >= request.min_score]
        if request.k != "auto":
            return kept[:k]
        floor = self._config.auto_floor
        top = kept[0].raw if kept else 0.0
        good = [each for each in kept[:k] if each.raw >= 0.5 * top]
        chosen = kept[: max(floor, len(good))]
        return _newest_first(chosen) if lost else chosen

    def _rerank(
        self,
        query: Query,
        candidates: list[Candidate],
        request: RecallRequest,
        notes: dict[str, object],
    ) -> list[Candidate]:
        """The reranker orders the first candidates; their scores are dealt out anew in its
        order, so that scores keep falling. A failing reranker changes nothing and is noted.
        """
        first = candidates[: self._config.rerank_from]
        if self._reranker is None or len(first) < 2:
            return candidates
        try:
            marks = self._reranker.score(query.text, [each.turn.spoken for each in first])
        except ModelError as error:
            notes["failed"] = str(error)
            return candidates
        if len(marks) != len(first):
            notes["failed"] = f"{len(marks)} marks for {len(first)} texts"
            return candidates
        order = sorted(range(len(first)), key=lambda i: (-marks[i], i))
        dealt = [
            replace(first[i], raw=slot.raw, score=slot.score)
            for i, slot in zip(order, first, strict=True)
        ]
        return [*dealt, *candidates[len(first) :]]

    def _render(
        self, view: View, query: Query, hits: Sequence[Hit], confident: bool, budget: int
    ) -> Rendered:
        return render(
            hits,
            topics=_topics(view, hits),
            language=query.language,
            confident=confident,
            budget=budget,
            counter=self._counter,
        )


def thread_beyond(
    chosen: Sequence[Candidate], candidates: Sequence[Candidate], query: Query
) -> list[Candidate]:
    """Who asks for everything, or hardly knows what for, gets the rest of the topic too, as far
    as the context's budget goes: ranked turns beyond the hits that are not much worse than the
    best of them, best first.
    """
    if not chosen or not query.intents & {"all", "vague"}:
        return []
    known = {each.turn.id for each in chosen}
    least = _TOPICAL * max(each.raw for each in chosen)
    return [each for each in candidates if each.turn.id not in known and each.raw >= least]


def _newest_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    ordered = sorted(candidates, key=lambda each: (-each.turn.ordinal, each.turn.id))
    return [
        replace(each, raw=slot.raw, score=slot.score)
        for each, slot in zip(ordered, candidates, strict=True)
    ]


def to_hits(
    view: View,
    candidates: Sequence[Candidate],
    standing: Mapping[str, Standing],
    query: Query,
) -> tuple[Hit, ...]:
    """Candidates as the caller sees them; only now do walks get the labels of their nodes."""
    kept = [best_walks(each.walks) for each in candidates]
    ids = {node for walks in kept for found in walks for node, _ in found.walk}
    labels = {key: label_of(node) for key, node in view.get(sorted(ids)).items()}
    return tuple(
        _to_hit(each, tuple(_path(found, labels) for found in walks), standing, query)
        for each, walks in zip(candidates, kept, strict=True)
    )


def best_walks(walks: Sequence[Found]) -> tuple[Found, ...]:
    """The best walk of every route first, those that explain most leading, then the next best; one
    from another hit tells less than how the turn itself was matched.
    """
    ordered = sorted(walks, key=lambda each: (-each.score, len(each.walk), each.walk))
    firsts = {each.route: each for each in reversed(ordered)}
    lead = sorted(
        firsts.values(),
        key=lambda each: (_TELLING[each.route] + 2 * _starts_at_a_hit(each), each.route),
    )
    rest = [each for each in ordered if each not in lead]
    return tuple([*lead, *rest][:_PATHS])


def _starts_at_a_hit(found: Found) -> bool:
    return bool(found.before) and found.before[0][0].startswith("turn:")


_TELLING: Mapping[Route, int] = {"hierarchy": 0, "relations": 1, "similarity": 2, "recency": 3}


def _path(found: Found, labels: Mapping[str, str]) -> Path:
    steps = tuple(
        Step(node=node, label=labels.get(node, node), edge=edge) for node, edge in found.walk
    )
    return Path(route=found.route, steps=steps, score=found.score)


def _to_hit(
    candidate: Candidate, paths: tuple[Path, ...], standing: Mapping[str, Standing], query: Query
) -> Hit:
    turn = candidate.turn
    stands = standing.get(turn.id) or Standing(status="current")
    status = "archived" if turn.status == "archived" else stands.status
    others = [
        each
        for each in (stands.successors if status == "superseded" else stands.opposed)
        if query.where is None or matches(each.turn, query.where)
    ]
    extra = tuple(each.path for each in candidate.lifted_by)
    return Hit(
        id=turn.id,
        text=turn.spoken,
        kind="turn",
        score=candidate.score,
        sources=turn.sources,
        paths=(*paths, *extra),
        why=_why(candidate, paths, stands, query),
        time=turn.time,
        speaker=turn.speaker,
        session=turn.session,
        status=status,
        successors=tuple(_successor_hit(each, candidate.score) for each in others),
        weak=candidate.weak,
        route_scores=candidate.routes,
        metadata=turn.metadata,
    )


def _successor_hit(successor: Successor, score: float) -> Hit:
    turn = successor.turn
    return Hit(
        id=turn.id,
        text=turn.spoken,
        kind="turn",
        score=score,
        sources=turn.sources,
        paths=(successor.path,),
        why=one_line(str(successor.path), limit=160),
        time=turn.time,
        speaker=turn.speaker,
        session=turn.session,
        metadata=turn.metadata,
    )


def _why(candidate: Candidate, paths: Sequence[Path], standing: Standing, query: Query) -> str:
    routes = ", ".join(dict.fromkeys(path.route for path in paths))
    shares = f"holds {candidate.covered:.0%} of the query's weight in words"
    told = f"; {standing.status}" if standing.status != "current" else ""
    if query.language == "zh":
        shares = f"含查询词权重的{candidate.covered:.0%}"
    best = one_line(str(paths[0]), limit=90) if paths else ""
    return one_line(f"{routes}: {best}; {shares}{told}", limit=200)


def _topics(view: View, hits: Sequence[Hit]) -> dict[str, str]:
    """Each hit's episode, under its first category: the heading it is shown under."""
    ids = [hit.id for hit in hits]
    up = view.neighbours(ids, types=("belongs_to",), direction="out", limit=1)
    episodes = {turn: edges[0].target for turn, edges in up.items() if edges}
    above = view.neighbours(
        sorted(set(episodes.values())), types=("belongs_to",), direction="out", limit=1
    )
    nodes = view.get([*episodes.values(), *(edges[0].target for edges in above.values() if edges)])
    topics: dict[str, str] = {}
    for turn, episode in episodes.items():
        node = nodes.get(episode)
        if not isinstance(node, Episode):
            continue
        edges = above.get(episode, ())
        parent = nodes.get(edges[0].target) if edges else None
        lead = f"{label_of(parent)} > " if isinstance(parent, Category) else ""
        topics[turn] = f"{lead}{label_of(node)}"
    return topics
