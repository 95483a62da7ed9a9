"""A question's vectors, made once however many scopes, levels or filters it is asked of."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from mnemis.ports.embedder import Embedder, embed_queries
from mnemis.ports.store import Floats

_MOST = 64  # questions


class QuestionVectors:
    """The vectors of the questions asked last. Safe to use from many threads."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._guard = threading.Lock()
        self._known: OrderedDict[tuple[str, ...], Floats] = OrderedDict()

    def of(self, texts: Sequence[str]) -> Floats:
        """As ``embed_queries``; the rows are not to be changed. Raises EmbedderError, and asks
        again the next time.
        """
        key = tuple(texts)
        with self._guard:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        rows = np.array(embed_queries(self._embedder, list(texts)))
        rows.setflags(write=False)
        with self._guard:
            self._known[key] = rows
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return rows
