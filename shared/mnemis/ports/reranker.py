"""The reranker port: how well each text answers the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Thread-safe."""

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One relevance in [0, 1] a text, in their order. Raises ModelError."""
        ...
