"""Mnemis and, in the same run over the same store, what it must beat."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from mnemis import Memory
from mnemis.model.graph import Turn
from mnemis.ports.store import Scored, View
from mnemis.text.tokenise import tokenise

DEPTH = 60
_RRF = 60


def ask_mnemis(
    memory: Memory, query: str, asked_at: datetime | None
) -> tuple[tuple[str, ...], float]:
    """Distinct message ids, best first, and the seconds of the call."""
    began = time.perf_counter()
    recall = memory.recall(query, k=DEPTH, asked_at=asked_at)
    seconds = time.perf_counter() - began
    return tuple(dict.fromkeys(each for hit in recall.hits for each in hit.sources)), seconds


def ask_baselines(memory: Memory, query: str) -> dict[str, tuple[tuple[str, ...], float]]:
    """Words alone, vectors alone, and both by reciprocal ranks, over turns."""
    began = time.perf_counter()
    with memory.mnemis.store.view(memory.scope) as view:
        words = view.search(tokenise(query), k=DEPTH, kinds=("turn",))
        read = time.perf_counter()
        (vector,) = memory.mnemis.embedder.embed([query])
        vectors = view.nearest(vector, k=DEPTH, kinds=("turn",))
        done = time.perf_counter()
        return {
            "words": (_messages(view, [each.owner for each in words]), read - began),
            "vectors": (_messages(view, [each.owner for each in vectors]), done - read),
            "words+vectors": (_messages(view, _fused(words, vectors)), done - began),
        }


def _fused(*rankings: Sequence[Scored]) -> list[str]:
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for rank, scored in enumerate(ranking, start=1):
            scores[scored.owner] += 1 / (_RRF + rank)
    return sorted(scores, key=lambda owner: (-scores[owner], owner))


def _messages(view: View, owners: Sequence[str]) -> tuple[str, ...]:
    nodes = view.get(owners)
    turns = (nodes[owner] for owner in owners if owner in nodes)
    return tuple(turn.message_id for turn in turns if isinstance(turn, Turn))
