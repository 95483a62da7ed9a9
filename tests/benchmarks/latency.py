"""How long one recall takes, by kind of query and stage, beside a plain vector search; with and
without kept answers, and with and without the light classifier that spares route 2.

Both are timed in turns in one process with one BLAS thread, so their ratio holds on a busy machine;
processor time beside the wall clock's tells how busy it was.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from threadpoolctl import threadpool_limits

from mnemis import Memory, Message, Recall
from mnemis.recall import reach
from mnemis.trace import Span
from tests.benchmarks.baselines import VectorsAlone
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool, Question, spread
from tests.benchmarks.scores import percentile

CLASSES = ("compound", "when", "all", "vague", "relational", "named", "plain", "with recent")
_K = 10
_RECENT = 4  # turns handed over with a question
_FORMS: Mapping[str, tuple[str, str, str]] = {
    "zh": ("关于这个我们都说过什么:{}", "好像提过什么来着:{}", "那个呢?{}"),
    "en": ("Tell me everything about this: {}", "There was something, I think: {}", "That one: {}"),
}
"""A pool's own questions put widely, vaguely, and leaning on recent turns: few pools hold such, and
none may be a question that was asked before, whose answer is kept.
"""
_WARM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One query: its class, seconds of the recall (wall clock and processor) and of the vector
    search, seconds by stage.

    ``again``: asked a second time, answered from the cache; ``uncached``: the same with another k,
    for which no answer is kept; ``unsorted``: route 2 walked whatever the query is. ``own`` is
    False for a question in a form made here.
    """

    kind: str
    recall: float
    processor: float
    vectors: float
    stages: Mapping[str, float]
    again: float = 0.0
    uncached: float = 0.0
    unsorted: float = 0.0
    own: bool = True


def measure(pool: Pool, memories: Memories, *, limit: int | None) -> list[Timed]:
    """Ask up to ``limit`` questions, spread evenly over the pool's, after a few not timed; then a
    fifth of them widely, vaguely, and with recent turns.
    """
    chosen = spread(pool.questions, limit)
    if not chosen:
        return []
    wide, vague, leaning = _FORMS["zh" if pool.language == "zh" else "en"]
    fifth = spread(chosen, max(1, len(chosen) // 5))
    with threadpool_limits(1), memories.open(pool) as memory:
        asking = _Asking(memory, VectorsAlone(pool.messages, embedder=memories.embedder))
        for question in chosen[:_WARM]:
            asking.warm(question)
        timed = [asking.time(each) for each in chosen]
        for form in (wide, vague):
            made = [replace(each, text=form.format(each.text)) for each in fifth]
            timed.extend(replace(asking.time(each), own=False) for each in made)
        recent = pool.messages[-_RECENT:]
        timed.extend(
            replace(
                asking.time(replace(each, text=leaning.format(each.text)), recent=recent),
                kind="with recent",
                own=False,
            )
            for each in fifth
        )
    return timed


class _Asking:
    """Times one question in all the ways."""

    def __init__(self, memory: Memory, vectors: VectorsAlone) -> None:
        self._memory = memory
        self._vectors = vectors

    def warm(self, question: Question) -> None:
        """Load what the first questions load, and keep no answer that will be timed."""
        self._vectors.ask(question.text, k=_K)
        self._recall(question, (), k=_K + 1)

    def time(self, question: Question, *, recent: Sequence[Message] = ()) -> Timed:
        began = time.perf_counter()
        self._vectors.ask(question.text, k=_K)
        searched = time.perf_counter()
        # Every k has answers of its own: what is asked for the first time is never kept already.
        used = time.process_time()
        recall, seconds = self._recall(question, recent, k=_K)
        used = time.process_time() - used
        _, again = self._recall(question, recent, k=_K)
        _, uncached = self._recall(question, recent, k=_K - 1)
        with patch.object(reach, "is_wide", return_value=True):
            _, unsorted = self._recall(question, recent, k=_K - 2)
        return Timed(
            kind=class_of(recall.trace),
            recall=seconds,
            processor=used,
            vectors=searched - began,
            stages=stages_of(recall.trace),
            again=again,
            uncached=uncached,
            unsorted=unsorted,
        )

    def _recall(
        self, question: Question, recent: Sequence[Message], *, k: int
    ) -> tuple[Recall, float]:
        began = time.perf_counter()
        recall = self._memory.recall(question.text, k=k, asked_at=question.asked_at, recent=recent)
        return recall, time.perf_counter() - began


def class_of(trace: Span) -> str:
    """What made the query dear, by what the parse stage noted: the first of CLASSES that fits."""
    parse = trace.find("parse")
    notes: Mapping[str, Any] = parse.notes if parse else {}
    intents = notes.get("intents", ())
    if notes.get("questions", 1) > 1:
        return "compound"
    for intent in ("when", "all", "vague"):
        if intent in intents:
            return intent
    walked = trace.find("relations")
    if walked is not None and walked.notes.get("found"):
        return "relational"
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
        "all": _times([each for each in timed if each.own]),
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
        "again_p50": percentile([1_000 * each.again for each in timed], 0.5),
        "uncached_p50": percentile([1_000 * each.uncached for each in timed], 0.5),
        "unsorted_p50": percentile([1_000 * each.unsorted for each in timed], 0.5),
        "ratio_p50": middle / plain if middle and plain else None,
    }
