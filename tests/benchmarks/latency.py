"""How long one recall takes, by kind of query and stage, beside a plain vector search.

Both are timed in turns in one process with one BLAS thread, so their ratio holds on a busy machine;
processor time beside the wall clock's tells how busy it was.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from mnemis.trace import Span
from tests.benchmarks.baselines import VectorsAlone
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool, spread
from tests.benchmarks.scores import percentile

CLASSES = ("compound", "when", "all", "named", "plain")
_K = 10
_WARM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One query: its class, seconds of the recall (wall clock and processor) and of the vector
    search, seconds by stage.
    """

    kind: str
    recall: float
    processor: float
    vectors: float
    stages: Mapping[str, float]


def measure(pool: Pool, memories: Memories, *, limit: int | None) -> list[Timed]:
    """Ask up to ``limit`` questions, spread evenly over the pool's, after a few not timed."""
    chosen = spread(pool.questions, limit)
    if not chosen:
        return []
    timed: list[Timed] = []
    with threadpool_limits(1), memories.open(pool) as memory:
        vectors = VectorsAlone(pool.messages, embedder=memories.embedder)
        for question in [*chosen[:_WARM], *chosen]:
            began = time.perf_counter()
            vectors.ask(question.text, k=_K)
            searched, used = time.perf_counter(), time.process_time()
            recall = memory.recall(question.text, k=_K, asked_at=question.asked_at)
            done, used = time.perf_counter(), time.process_time() - used
            timed.append(
                Timed(
                    kind=class_of(recall.trace),
                    recall=done - searched,
                    processor=used,
                    vectors=searched - began,
                    stages=stages_of(recall.trace),
                )
            )
    return timed[min(_WARM, len(chosen)) :]


def class_of(trace: Span) -> str:
    """What made the query dear, by what the parse stage noted: the first of CLASSES that fits."""
    parse = trace.find("parse")
    notes: Mapping[str, Any] = parse.notes if parse else {}
    intents = notes.get("intents", ())
    if notes.get("questions", 1) > 1:
        return "compound"
    for intent in ("when", "all"):
        if intent in intents:
            return intent
    return "named" if notes.get("entities") or notes.get("speakers") else "plain"


def stages_of(trace: Span) -> dict[str, float]:
    """Seconds by top-level stage, in order; what no stage covers is ``rest``."""
    stages: dict[str, float] = {}
    for child in trace.children:
        stages[child.name] = stages.get(child.name, 0.0) + child.seconds
    stages["rest"] = max(0.0, trace.seconds - sum(stages.values()))
    return stages


def summarise(timed: Sequence[Timed]) -> dict[str, Any]:
    """Milliseconds and ratios: of all queries, by class, and the mean of each stage."""
    stages = dict.fromkeys(name for each in timed for name in each.stages)
    classes = [name for name in CLASSES if any(each.kind == name for each in timed)]
    return {
        "all": _times(timed),
        "classes": {
            name: _times([each for each in timed if each.kind == name]) for name in classes
        },
        "stages": {
            name: 1_000 * sum(each.stages.get(name, 0.0) for each in timed) / len(timed)
            for name in stages
        },
    }


def _times(timed: Sequence[Timed]) -> dict[str, Any]:
    ours = [1_000 * each.recall for each in timed]
    theirs = [1_000 * each.vectors for each in timed]
    middle, plain = percentile(ours, 0.5), percentile(theirs, 0.5)
    return {
        "queries": len(timed),
        "p50": middle,
        "p95": percentile(ours, 0.95),
        "processor_p50": percentile([1_000 * each.processor for each in timed], 0.5),
        "vectors_p50": plain,
        "vectors_p95": percentile(theirs, 0.95),
        "ratio_p50": middle / plain if middle and plain else None,
    }
