"""The embedder port: texts to unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

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
