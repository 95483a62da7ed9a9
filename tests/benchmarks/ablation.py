"""What each route and each feature is worth: recall with one of them switched off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from mnemis import Memory
from mnemis.model.relations import RELATIONS
from mnemis.recall.request import RecallRequest
from mnemis.recall.weights import Weights
from tests.benchmarks.class_sets import ClassSet
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import APART, Pool, Question, spread
from tests.benchmarks.scores import paired, recall_at
from tests.benchmarks.variants import (
    FULL,
    Variant,
    ids_of,
    recaller_of,
    without_route,
    without_weight,
)

_K = 20  # hits; enough for ten distinct ids

_EDGES: Mapping[str, tuple[str, ...]] = {
    "edges of facts": ("supports",),
    "edges of neighbours": ("next", "answers"),
    "edges of relations": (*RELATIONS, "related_to", "mentions"),
    "edges of topics": ("belongs_to",),
    "whole graph": (
        "belongs_to", "supports", "next", "answers", *RELATIONS, "related_to", "mentions",
    ),
}  # fmt: skip

GROUPS: Mapping[str, tuple[str, ...]] = {
    "meaning": ("part_best", "part_mean"),
    "words": ("bm25", "cover"),
    "window": ("bm25_window", "cover_window", "bm25_stretch"),
    "session": ("bm25_session", "session_best"),
    "reply structure": ("answers", "previous", "following", "question"),
    "who and when": ("speaker", "when_word", "time_fit", "recency"),
    "worth": ("length", "importance", "central"),
    "assistant chats": ("user", "reply"),
    "facts and relations": ("fact", "cause", "relations"),
    "topics": ("hierarchy", "hierarchy_all", "hierarchy_vague", "thread"),
    "second hop": (
        "titled",
        "named",
        "hop_title",
        "hop_name",
        "hop_talk",
        "hop_fact",
        "hop_base",
        "hop_note",
    ),
    "form of the query": ("whole", "diverse"),
}
"""What weights that stand for one idea are called together; weights of none stand alone."""


def variants(*, groups_only: bool) -> list[Variant]:
    """Every route off, the edges it walks off, every group of weights at nought; then every weight
    by itself, in their own order.
    """
    found = [without_route(route) for route in FULL.config.routes]
    found.extend(
        Variant(name=name, config=replace(FULL.config, skip_types=types))
        for name, types in _EDGES.items()
    )
    found.extend(
        replace(without_weight(*names), name=f"group {name}") for name, names in grouped().items()
    )
    if not groups_only:
        found.extend(without_weight(each.name) for each in fields(Weights))
    return found


def grouped() -> dict[str, tuple[str, ...]]:
    """The groups, and a group "others" of the weights that are in none."""
    held = {name for names in GROUPS.values() for name in names}
    others = tuple(each.name for each in fields(Weights) if each.name not in held)
    return {**GROUPS, **({"others": others} if others else {})}


def class_pools(found: ClassSet) -> list[Pool]:
    """The conversations of the questions by class, one set a class, as pools with questions."""
    return [
        replace(
            pool,
            set=kind,
            questions=tuple(
                Question(
                    id=each.id, text=each.text, kind=kind, evidence=each.evidence,
                    asked_at=each.asked_at,
                )
                for each in found.questions
                if each.kind == kind and each.conversation == name
            ),
        )
        for kind in dict.fromkeys(each.kind for each in found.questions)
        for name, pool in found.pools.items()
    ]  # fmt: skip


def measure(
    pools: Sequence[Pool],
    memories: Memories,
    *,
    limit: int | None,
    groups_only: bool,
    tell: Callable[[str], None],
) -> dict[str, Any]:
    """Set → variant → paired difference in R@10 (points) to the full recall.

    ``limit``: questions a pool, spread evenly; adversarial ones are left out.
    """
    chosen = variants(groups_only=groups_only)
    whole: dict[str, list[float]] = {}
    without: dict[tuple[str, str], list[float]] = {}
    for pool in pools:
        answerable = [each for each in pool.questions if each.kind != APART]
        questions = spread(answerable, limit)
        tell(f"ablation on {pool.label} ({len(questions)} questions × {len(chosen) + 1})")
        with memories.open(pool) as memory:
            whole.setdefault(pool.set, []).extend(_ask(memory, questions, FULL))
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
    recaller = recaller_of(memory, variant)
    values: list[float] = []
    for question in questions:
        request = RecallRequest(query=question.text, k=_K, asked_at=question.asked_at)
        ranked = ids_of(recaller.recall(memory.scope, request))
        values.append(100 * recall_at(ranked, question.evidence, k=10))
    return values
