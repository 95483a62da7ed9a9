"""Evidence recall: does what answers a question come back, and how far up."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemis import Memory, Message
from mnemis.text.counting import TokenCounter, load_counter
from tests.benchmarks.baselines import (
    Baseline,
    BothFused,
    Memoised,
    VectorsAlone,
    WordsAlone,
    shown,
)
from tests.benchmarks.frameworks import framework_baselines
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import APART, Pool, Question, spread
from tests.benchmarks.scores import (
    Estimate,
    auroc,
    bootstrap,
    paired,
    recall_at,
    reciprocal_rank,
    whole_at,
)

OURS = "Mnemis"
DEPTH = 60
BUDGET = 1_000
_FOREIGN = 60  # questions of other pools asked of one pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question and every system's answer.

    ``ranked``: by system the distinct message ids, best first; ``contexts``: by system the ids
    whose text fits the token budget; ``confidence``: Mnemis's, in [0, 1].
    """

    set: str
    pool: str
    question: Question
    ranked: Mapping[str, tuple[str, ...]]
    contexts: Mapping[str, tuple[str, ...]]
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All answers; by set the confidences in questions of other pools; systems left out."""

    asked: tuple[Asked, ...]
    foreign: Mapping[str, tuple[float, ...]]
    left_out: tuple[str, ...]


METRICS: Mapping[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "R@5": lambda ranked, evidence: 100 * recall_at(ranked, evidence, k=5),
    "R@10": lambda ranked, evidence: 100 * recall_at(ranked, evidence, k=10),
    "R@50": lambda ranked, evidence: 100 * recall_at(ranked, evidence, k=50),
    "all@10": lambda ranked, evidence: 100 * whole_at(ranked, evidence, k=10),
    "MRR": lambda ranked, evidence: 100 * reciprocal_rank(ranked, evidence),
}
"""By name, in percent, of (ranked ids, evidence)."""


def measure(
    pools: Sequence[Pool],
    memories: Memories,
    *,
    others: Sequence[Pool],
    limit: int | None,
    tell: Callable[[str], None],
) -> Evidence:
    """Ask every system the questions of every pool, at most ``limit`` a pool, spread evenly.

    ``others``: the pools whose questions a pool of the same set cannot answer.
    """
    asked: list[Asked] = []
    foreign: dict[str, list[float]] = {}
    left_out: dict[str, None] = {}
    counter = load_counter()
    for pool in pools:
        questions = spread(pool.questions, limit)
        baselines, missing = _baselines(pool, memories)
        left_out.update(dict.fromkeys(missing))
        with memories.open(pool) as memory:
            tell(f"asking {pool.label} ({len(questions)} questions)")
            asking = _Asking(pool, memory, baselines, counter)
            asked.extend(asking.ask(question) for question in questions)
            unanswerable = strangers(pool, others, count=min(_FOREIGN, len(questions)))
            foreign.setdefault(pool.set, []).extend(_confidences(memory, unanswerable))
    return Evidence(
        asked=tuple(asked),
        foreign={name: tuple(values) for name, values in foreign.items()},
        left_out=tuple(left_out),
    )


def strangers(pool: Pool, pools: Sequence[Pool], *, count: int) -> list[Question]:
    """A seeded choice of answerable questions of the set's other pools; empty without others."""
    others = [
        question
        for other in pools
        if other.set == pool.set and other.name != pool.name
        for question in other.questions
        if question.kind != APART
    ]
    return random.Random(pool.label).sample(others, min(count, len(others)))


def in_budget(ranked: Sequence[str], costs: Mapping[str, int], *, budget: int) -> tuple[str, ...]:
    """The best ids whose costs fit together; one that is too long is passed over."""
    chosen: list[str] = []
    for each in ranked:
        if costs[each] <= budget:
            budget -= costs[each]
            chosen.append(each)
    return tuple(chosen)


def summarise(evidence: Evidence) -> dict[str, Any]:
    """Everything the tables show: set → figures by system, by kind, against the best baseline."""
    sets = dict.fromkeys(each.set for each in evidence.asked)
    return {name: _summary_of(name, evidence) for name in sets}


class _Asking:
    """Asks one pool's questions of Mnemis and of the baselines."""

    def __init__(
        self, pool: Pool, memory: Memory, baselines: Sequence[Baseline], counter: TokenCounter
    ) -> None:
        self._pool = pool
        self._memory = memory
        self._baselines = baselines
        self._costs = {each.id or "": _tokens(each, counter) for each in pool.messages}

    def ask(self, question: Question) -> Asked:
        recall = self._memory.recall(
            question.text, k=DEPTH, asked_at=question.asked_at, budget=BUDGET
        )
        found = dict.fromkeys(source for hit in recall.hits for source in hit.sources)
        ranked = {OURS: tuple(found)}
        contexts = {OURS: recall.context_sources}
        for baseline in self._baselines:
            ids = tuple(baseline.ask(question.text, k=DEPTH))
            ranked[baseline.name] = ids
            contexts[baseline.name] = in_budget(ids, self._costs, budget=BUDGET)
        return Asked(
            set=self._pool.set,
            pool=self._pool.name,
            question=question,
            ranked=ranked,
            contexts=contexts,
            confidence=recall.confidence,
        )


def _baselines(pool: Pool, memories: Memories) -> tuple[list[Baseline], list[str]]:
    embedder = Memoised(memories.embedder)
    vectors = VectorsAlone(pool.messages, embedder=embedder)
    lexical = WordsAlone(pool.messages, language=pool.language)
    others, missing = framework_baselines(
        pool.messages, embedder=embedder, folder=memories.folder()
    )
    return [lexical, vectors, BothFused(lexical, vectors), *others], missing


def _confidences(memory: Memory, questions: Sequence[Question]) -> list[float]:
    return [memory.recall(each.text, asked_at=each.asked_at).confidence for each in questions]


def _tokens(message: Message, counter: TokenCounter) -> int:
    return counter.count(shown(message)) + 1


def _summary_of(name: str, evidence: Evidence) -> dict[str, Any]:
    everything = [each for each in evidence.asked if each.set == name]
    answerable = [each for each in everything if each.question.kind != APART]
    kinds = dict.fromkeys(each.question.kind for each in everything)
    systems = list(everything[0].ranked)
    summary: dict[str, Any] = {
        "questions": len(answerable),
        "systems": {system: _figures(answerable, system) for system in systems},
        "kinds": {
            kind: {
                "questions": len(
                    some := [each for each in everything if each.question.kind == kind]
                ),
                "systems": {system: _figures(some, system) for system in systems},
            }
            for kind in kinds
        },
        "auroc": auroc([each.confidence for each in answerable], evidence.foreign.get(name, ())),
    }
    if answerable:
        summary["against"] = _against(answerable, summary["systems"], systems)
    return summary


def _figures(asked: Sequence[Asked], system: str) -> dict[str, Estimate | None]:
    figures = {metric: bootstrap(_values(asked, system, metric)) for metric in METRICS}
    whole = [100.0 * (set(each.question.evidence) <= set(each.contexts[system])) for each in asked]
    return figures | {"context": bootstrap(whole)}


def _against(
    asked: Sequence[Asked], figures: Mapping[str, Any], systems: Sequence[str]
) -> dict[str, Any]:
    """The paired difference to the baseline with the best R@10."""
    best = max(
        (each for each in systems if each != OURS), key=lambda each: figures[each]["R@10"].mean
    )
    return {
        "baseline": best,
        "difference": {
            metric: paired(_values(asked, OURS, metric), _values(asked, best, metric))
            for metric in METRICS
        },
    }


def _values(asked: Sequence[Asked], system: str, metric: str) -> list[float]:
    return [METRICS[metric](each.ranked[system], each.question.evidence) for each in asked]
