"""A deterministic embedder for tests: tokens hashed to signed dimensions. Knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from mnemis.ports.embedder import Fingerprint
from mnemis.text.tokenise import tokenise


class HashingEmbedder:
    """Texts that share tokens are near each other; everything else is orthogonal by chance."""

    def __init__(self, *, dimension: int = 64) -> None:
        self._dimension = dimension

    @property
    def fingerprint(self) -> Fingerprint:
        """``hashing`` with the chosen dimension."""
        return Fingerprint(model="hashing", dimension=self._dimension, version="1")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), unit rows; texts without tokens give zero rows."""
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for token in tokenise(text):
                digest = blake2b(token.encode("utf-8", "replace"), digest_size=8).digest()
                sign = 1.0 if digest[7] & 1 else -1.0
                vectors[row, int.from_bytes(digest[:6], "big") % self._dimension] += sign
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: npt.NDArray[np.float32] = np.divide(
            vectors, norms, out=np.zeros_like(vectors), where=norms > 0
        )
        return unit
