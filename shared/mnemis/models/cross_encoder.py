"""A reranker by cross-encoder: a model that reads question and text together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Protocol, cast

import numpy as np

from mnemis.errors import MissingExtra, ModelError

_LIBRARY: Final = "sentence_transformers"


class CrossEncoderLike(Protocol):
    """What sentence-transformers' ``CrossEncoder`` offers."""

    def predict(self, sentences: Any, /) -> Any:
        """One number a (question, text) pair: a logit, or already within [0, 1]."""
        ...


class CrossEncoderReranker:
    """Scores every text by a cross-encoder; calls are made one at a time.

    ``model`` is a model with ``predict(pairs)``, or the name or folder of one that
    sentence-transformers loads at the first call (by itself this package downloads nothing).
    Raises MissingExtra for a name when sentence-transformers is not installed.
    """

    def __init__(self, model: CrossEncoderLike | str) -> None:
        if isinstance(model, str) and find_spec(_LIBRARY) is None:
            raise MissingExtra(
                f"loading the cross-encoder {model!r} needs: pip install sentence-transformers, "
                "or pass a model with predict(pairs)"
            )
        self._name = model if isinstance(model, str) else type(model).__name__
        self._model: CrossEncoderLike | None = None if isinstance(model, str) else model
        self._lock = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One relevance in [0, 1] a text; logits are put through the logistic function.

        Raises ModelError.
        """
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        with self._lock:
            model = self._load()
            try:
                raw = np.asarray(model.predict(pairs), dtype=np.float64)
            except Exception as error:
                raise ModelError(
                    f"the cross-encoder {self._name!r} failed on {len(pairs)} texts: "
                    f"{type(error).__name__}: {error}"
                ) from error
        return [float(mark) for mark in _within_bounds(raw, len(texts), self._name)]

    def _load(self) -> CrossEncoderLike:
        if self._model is None:
            try:
                library = import_module(_LIBRARY)
                self._model = cast("CrossEncoderLike", library.CrossEncoder(self._name))
            except Exception as error:
                raise ModelError(
                    f"the cross-encoder {self._name!r} cannot be loaded: {error}"
                ) from error
        return self._model


def _within_bounds(raw: Any, count: int, name: str) -> Any:
    if raw.size != count or raw.shape[0] != count:
        raise ModelError(
            f"the cross-encoder {name!r} returned shape {raw.shape} for {count} texts; "
            "one number a text is wanted"
        )
    marks = raw.reshape(count)
    if not np.isfinite(marks).all():
        raise ModelError(f"the cross-encoder {name!r} returned numbers that are not finite")
    if marks.min() >= 0.0 and marks.max() <= 1.0:
        return marks
    return 1.0 / (1.0 + np.exp(-np.clip(marks, -60.0, 60.0)))
