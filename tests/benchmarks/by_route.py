"""Questions that were written for one route each, with every route off in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemis import Memory
from mnemis.recall.pipeline import Recaller
from mnemis.recall.request import RecallRequest
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool, Question
from tests.benchmarks.scores import bootstrap, paired, recall_at
from tests.benchmarks.variants import FULL, ids_of, recaller_of, without_route

DEPTHS = (10, 20)
_OFF = tuple(without_route(route) for route in FULL.config.routes)


def measure(
    pool: Pool, memories: Memories, *, limit: int | None, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Kind of question → R@10 and R@20 of the whole recall, and by route the paired difference
    without it and the number of questions whose first ten ids are others.
    """
    kinds = dict.fromkeys(each.kind for each in pool.questions if each.kind.startswith("route "))
    with memories.open(pool) as memory:
        tell(f"asking {pool.label} with each route off")
        recallers = {each.name: recaller_of(memory, each) for each in (FULL, *_OFF)}
        summary: dict[str, Any] = {}
        for kind in kinds:
            questions = [each for each in pool.questions if each.kind == kind][:limit]
            ranked = {
                name: [_ids(recaller, memory, each) for each in questions]
                for name, recaller in recallers.items()
            }
            summary[kind] = _figures(ranked, [each.evidence for each in questions])
    return summary


def _ids(recaller: Recaller, memory: Memory, question: Question) -> tuple[str, ...]:
    request = RecallRequest(query=question.text, k=max(DEPTHS), asked_at=question.asked_at)
    return ids_of(recaller.recall(memory.scope, request))


def _figures(
    ranked: Mapping[str, Sequence[Sequence[str]]], evidence: Sequence[Sequence[str]]
) -> dict[str, Any]:
    values = {
        (name, depth): [
            100 * recall_at(ids, wanted, k=depth)
            for ids, wanted in zip(lists, evidence, strict=True)
        ]
        for name, lists in ranked.items()
        for depth in DEPTHS
    }
    return {
        "questions": len(evidence),
        **{f"R@{depth}": bootstrap(values[FULL.name, depth]) for depth in DEPTHS},
        "without": {
            each.name: {
                **{
                    f"R@{depth}": paired(values[each.name, depth], values[FULL.name, depth])
                    for depth in DEPTHS
                },
                "changed": sum(
                    set(mine[:10]) != set(full[:10])
                    for mine, full in zip(ranked[each.name], ranked[FULL.name], strict=True)
                ),
            }
            for each in _OFF
        },
    }
