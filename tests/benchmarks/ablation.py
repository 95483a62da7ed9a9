"""What each route and each feature is worth: recall with one of them switched off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from mnemis import Memory
from mnemis.config import RecallConfig
from mnemis.model.relations import RELATIONS
from mnemis.recall.pipeline import Recaller
from mnemis.recall.request import RecallRequest
from mnemis.recall.weights import SHIPPED, Weights
from mnemis.text.counting import load_counter
from tests.benchmarks.memories import CONFIG, Memories
from tests.benchmarks.pools import APART, Pool, Question, spread
from tests.benchmarks.scores import paired, recall_at

_K = 20  # hits; enough for ten distinct ids

_ROUTES: Mapping[str, tuple[str, ...]] = {
    "route hierarchy": ("belongs_to",),
    "route relations": (*RELATIONS, "related_to", "mentions"),
    "facts": ("supports",),
    "neighbours": ("next", "answers"),
    "whole graph": (
        "belongs_to",
        "supports",
        "next",
        "answers",
        *RELATIONS,
        "related_to",
        "mentions",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A recall that lacks one thing."""

    name: str
    config: RecallConfig
    weights: Weights


def variants(*, routes_only: bool) -> list[Variant]:
    """Every route off by the edges it walks; then every weight at nought, in their own order."""
    found = [
        Variant(name=name, config=replace(CONFIG.recall, skip_types=types), weights=SHIPPED)
        for name, types in _ROUTES.items()
    ]
    if not routes_only:
        found.extend(
            Variant(
                name=f"weight {each.name}",
                config=CONFIG.recall,
                weights=replace(SHIPPED, **{each.name: 0.0}),
            )
            for each in fields(Weights)
        )
    return found


def measure(
    pools: Sequence[Pool],
    memories: Memories,
    *,
    limit: int | None,
    routes_only: bool,
    tell: Callable[[str], None],
) -> dict[str, Any]:
    """Set → variant → paired difference in R@10 (points) to the full recall.

    ``limit``: questions a pool, spread evenly; adversarial ones are left out.
    """
    chosen = variants(routes_only=routes_only)
    whole: dict[str, list[float]] = {}
    without: dict[tuple[str, str], list[float]] = {}
    for pool in pools:
        answerable = [each for each in pool.questions if each.kind != APART]
        questions = spread(answerable, limit)
        tell(f"ablation on {pool.label} ({len(questions)} questions × {len(chosen) + 1})")
        with memories.open(pool) as memory:
            full = Variant(name="full", config=CONFIG.recall, weights=SHIPPED)
            whole.setdefault(pool.set, []).extend(_ask(memory, questions, full))
            for each in chosen:
                values = without.setdefault((pool.set, each.name), [])
                values.extend(_ask(memory, questions, each))
    return {
        name: {
            "questions": len(full_values),
            "R@10": sum(full_values) / max(1, len(full_values)),
            "without": {
                each.name: paired(without[name, each.name], full_values) for each in chosen
            },
        }
        for name, full_values in whole.items()
    }


def _ask(memory: Memory, questions: Sequence[Question], variant: Variant) -> list[float]:
    """R@10 in percent a question, of a recaller made for this variant over the open store."""
    mnemis = memory.mnemis
    recaller = Recaller(
        mnemis.store,
        embedder=mnemis.embedder,
        reranker=None,
        counter=load_counter(),
        clock=mnemis.clock,
        config=replace(mnemis.config, recall=variant.config),
        weights=variant.weights,
    )
    values: list[float] = []
    for question in questions:
        request = RecallRequest(query=question.text, k=_K, asked_at=question.asked_at)
        recall = recaller.recall(memory.scope, request)
        ranked = [source for hit in recall.hits for source in hit.sources]
        values.append(100 * recall_at(ranked, question.evidence, k=10))
    return values
