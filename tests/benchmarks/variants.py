"""Recalls that differ from the shipped one in a single thing, over a memory that is open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mnemis import Memory, Recall
from mnemis.config import RecallConfig
from mnemis.recall.pipeline import Recaller
from mnemis.recall.weights import SHIPPED, Weights
from mnemis.text.counting import TokenCounter, load_counter
from tests.benchmarks.memories import CONFIG


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A recall by these settings and weights; ``name`` says what it lacks."""

    name: str
    config: RecallConfig = CONFIG.recall
    weights: Weights = SHIPPED


FULL = Variant(name="full")


def without_route(route: str) -> Variant:
    """Everything but one of ``RecallConfig.routes``."""
    kept = tuple(each for each in CONFIG.recall.routes if each != route)
    return Variant(name=f"route {route}", config=replace(CONFIG.recall, routes=kept))


def without_weight(*names: str) -> Variant:
    """These weights at nought."""
    return Variant(
        name=f"weight {', '.join(names)}", weights=replace(SHIPPED, **dict.fromkeys(names, 0.0))
    )


def recaller_of(
    memory: Memory, variant: Variant = FULL, *, counter: TokenCounter | None = None
) -> Recaller:
    """A fresh one, with empty caches, over the memory's own store, embedder and clock."""
    mnemis = memory.mnemis
    return Recaller(
        mnemis.store,
        embedder=mnemis.embedder,
        reranker=None,
        counter=counter or load_counter(),
        clock=mnemis.clock,
        config=replace(mnemis.config, recall=variant.config),
        weights=variant.weights,
    )


def ids_of(recall: Recall) -> tuple[str, ...]:
    """The distinct message ids that the hits rest on, best first."""
    return tuple(dict.fromkeys(source for hit in recall.hits for source in hit.sources))
