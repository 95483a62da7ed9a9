"""Recall by class of question, beside pure vectors and the same recall without route 2.

Vague, relational and evolving questions, small talk as control, and requests for everything about
a topic, over the test data's own conversations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mnemis import Memory, Recall
from mnemis.recall.request import RecallRequest
from mnemis.text.counting import TokenCounter, load_counter
from tests.benchmarks.baselines import Memoised, VectorsAlone, shown
from tests.benchmarks.class_sets import ClassQuestion, ClassSet
from tests.benchmarks.evidence import OURS, in_budget
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool
from tests.benchmarks.variants import FULL, ids_of, recaller_of, without_route

VECTORS = VectorsAlone.name
FLAT = "without route 2"
DEPTHS = (10, 20)
BUDGETS = (1_000, 2_000)
_MANY = 100  # hits from which a context is cut, so that the budget alone decides


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What ten hits say of one evolving question.

    ``first``: the current turn came before every superseded one; ``top``: it is the first hit;
    of the superseded turns ``shown``, how many were ``flagged`` and how many ``led`` to the current
    turn, as their successor or among the hits.
    """

    first: bool
    top: bool
    shown: int
    flagged: int
    led: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question: by (system, depth) the ids of that many hits, by (system, budget) those in
    the context. Systems are ``OURS``, ``FLAT`` and ``VECTORS``.
    """

    question: ClassQuestion
    ranked: Mapping[tuple[str, int], tuple[str, ...]]
    contexts: Mapping[tuple[str, int], tuple[str, ...]]
    standing: Standing | None = None


def measure(
    found: ClassSet, memories: Memories, *, limit: int | None, tell: Callable[[str], None]
) -> list[Answered]:
    """Ask all questions, at most ``limit`` of each class."""
    answered: list[Answered] = []
    counter = load_counter()
    asked = _limited(found.questions, limit)
    for name, pool in found.pools.items():
        own = [each for each in asked if each.conversation == name]
        with memories.open(pool) as memory:
            tell(f"asking {pool.label} by class ({len(own)} questions)")
            asking = _Asking(pool, memory, memories, counter)
            answered.extend(asking.ask(each) for each in own)
    return sorted(answered, key=lambda each: asked.index(each.question))


def record(answered: Answered) -> dict[str, Any]:
    """What can be written down of one question: ids and figures, no text."""
    question = answered.question
    return {
        "id": question.id,
        "class": question.kind,
        "language": question.language,
        "evidence": question.evidence,
        "ranked": {f"{name} @{k}": ids for (name, k), ids in answered.ranked.items()},
        "contexts": {f"{name} {size}": ids for (name, size), ids in answered.contexts.items()},
        "standing": asdict(answered.standing) if answered.standing else None,
    }


def standing_of(recall: Recall, question: ClassQuestion) -> Standing:
    """How the hits tell what holds now from what no longer does."""
    ids = ids_of(recall)
    old = [hit for hit in recall.hits if set(hit.sources) & set(question.superseded)]
    ranks = [ids.index(each) for each in question.superseded if each in ids]
    current = ids.index(question.current) if question.current in ids else None
    led = [
        current is not None or any(question.current in each.sources for each in hit.successors)
        for hit in old
    ]
    return Standing(
        first=current is not None and current < min(ranks, default=len(ids)),
        top=current == 0,
        shown=len(old),
        flagged=sum(hit.status == "superseded" for hit in old),
        led=sum(led),
    )


class _Asking:
    """Asks one conversation's questions of every system."""

    def __init__(
        self, pool: Pool, memory: Memory, memories: Memories, counter: TokenCounter
    ) -> None:
        self._memory = memory
        self._recallers = {
            OURS: recaller_of(memory, FULL, counter=counter),
            FLAT: recaller_of(memory, without_route("hierarchy"), counter=counter),
        }
        self._vectors = VectorsAlone(pool.messages, embedder=Memoised(memories.embedder))
        self._costs = {each.id or "": counter.count(shown(each)) + 1 for each in pool.messages}

    def ask(self, question: ClassQuestion) -> Answered:
        vectors = tuple(self._vectors.ask(question.text, k=len(self._costs)))
        ranked = {(VECTORS, depth): vectors[:depth] for depth in DEPTHS}
        contexts = {
            (VECTORS, budget): in_budget(vectors, self._costs, budget=budget) for budget in BUDGETS
        }
        standing = None
        for name in self._recallers:
            for depth in DEPTHS:
                recall = self._recall(name, question, k=depth)
                ranked[name, depth] = ids_of(recall)
                if name == OURS and depth == DEPTHS[0] and question.current:
                    standing = standing_of(recall, question)
            for budget in BUDGETS:
                recall = self._recall(name, question, k=_MANY, budget=budget)
                contexts[name, budget] = recall.context_sources
        return Answered(question=question, ranked=ranked, contexts=contexts, standing=standing)

    def _recall(
        self, name: str, question: ClassQuestion, *, k: int, budget: int | None = None
    ) -> Recall:
        request = RecallRequest(query=question.text, k=k, asked_at=question.asked_at, budget=budget)
        return self._recallers[name].recall(self._memory.scope, request)


def _limited(questions: Sequence[ClassQuestion], limit: int | None) -> list[ClassQuestion]:
    kinds = dict.fromkeys(each.kind for each in questions)
    return [each for kind in kinds for each in [q for q in questions if q.kind == kind][:limit]]
