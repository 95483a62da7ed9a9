"""The embedder port: texts to unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What made a vector; stores refuse to mix vectors with different fingerprints."""

    model: str
    dimension: int
    version: str = ""


class Embedder(Protocol):
    """Thread-safe; a deterministic function of its input."""

    @property
    def fingerprint(self) -> Fingerprint:
        """Model, dimension and version."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of length 1 (or 0 for a text without content).

        Raises EmbedderError.
        """
        ...


@runtime_checkable
class QueryEmbedder(Embedder, Protocol):
    """An embedder whose model treats questions otherwise than what is searched."""

    def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As ``embed``, for texts that are asked rather than stored."""
        ...


def embed_queries(embedder: Embedder, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Vectors of questions, by ``embed_query`` where the embedder has it. Raises EmbedderError."""
    if isinstance(embedder, QueryEmbedder):
        return embedder.embed_query(texts)
    return embedder.embed(texts)
