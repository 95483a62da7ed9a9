"""What Mnemis must beat, in the same run, over the same messages, with the same embedder.

None of these uses the library's own text or index code, so that a change there moves one side only.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import snowballstemmer

from mnemis import Message
from mnemis.ports.embedder import Embedder, Fingerprint
from tests.benchmarks.scores import fused, top

_TOKEN = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+")
_K1, _B = 1.5, 0.75
_STEMMER: Any = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType] - untyped library


class Baseline(Protocol):
    """A finished index of one pool."""

    name: str

    def ask(self, query: str, *, k: int) -> list[str]:
        """Message ids, best first, at most ``k``."""
        ...


def shown(message: Message) -> str:
    """A message as the baselines index it: "speaker: text"."""
    return f"{message.speaker}: {message.text}" if message.speaker else message.text


def dated(message: Message, *, language: str) -> str:
    """The same after its date, for word search."""
    if message.time is None:
        return shown(message)
    day = f"{message.time:%Y-%m-%d}" if language == "zh" else f"{message.time:%-d %B %Y}"
    return f"{day} {shown(message)}"


class VectorsAlone:
    """Exact cosine search in numpy."""

    name = "vectors"

    def __init__(self, messages: Sequence[Message], *, embedder: Embedder) -> None:
        self._ids = [message.id or "" for message in messages]
        self._embedder = embedder
        self._rows = np.asarray(embedder.embed([shown(each) for each in messages]))

    def ask(self, query: str, *, k: int) -> list[str]:
        """As ``Baseline.ask``."""
        (vector,) = self._embedder.embed([query])
        return top(self._rows @ vector, self._ids, k=k)


class WordsAlone:
    """BM25 over stemmed words and, for Chinese, characters and pairs of them."""

    name = "BM25"

    def __init__(self, messages: Sequence[Message], *, language: str) -> None:
        self._ids = [message.id or "" for message in messages]
        texts = [words(dated(each, language=language)) for each in messages]
        mean = sum(map(len, texts)) / max(1, len(texts)) or 1.0
        held = Counter(word for text in texts for word in set(text))
        postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for row, text in enumerate(texts):
            for word, count in Counter(text).items():
                idf = math.log(1 + (len(texts) - held[word] + 0.5) / (held[word] + 0.5))
                norm = _K1 * (1 - _B + _B * len(text) / mean)
                postings[word].append((row, idf * count * (_K1 + 1) / (count + norm)))
        self._postings = {
            word: (np.array([row for row, _ in found]), np.array([share for _, share in found]))
            for word, found in postings.items()
        }

    def ask(self, query: str, *, k: int) -> list[str]:
        """As ``Baseline.ask``; messages that share no word with the query are left out."""
        scores = np.zeros(len(self._ids))
        for word in dict.fromkeys(words(query)):
            if word in self._postings:
                rows, shares = self._postings[word]
                scores[rows] += shares
        return top(scores, self._ids, k=min(k, int(np.count_nonzero(scores))))


class BothFused:
    """Reciprocal rank fusion of two finished baselines' first 60."""

    name = "RRF"

    def __init__(self, *parts: Baseline) -> None:
        self._parts = parts

    def ask(self, query: str, *, k: int) -> list[str]:
        """As ``Baseline.ask``."""
        return fused([part.ask(query, k=60) for part in self._parts])[:k]


class Memoised:
    """An embedder that embeds a text once; for baselines that index the same texts, never where
    time is taken.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """The inner embedder's."""
        return self._embedder.fingerprint

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As ``Embedder.embed``."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        rows = [self._known[text] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.fingerprint.dimension)


def words(text: str) -> list[str]:
    """Lower-cased tokens of a text, in order, with repeats."""
    found: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        if token[0] < "\u3400":
            found.append(_stem(token))
        else:
            found.extend(token)
            found.extend(token[at : at + 2] for at in range(len(token) - 1))
    return found


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))
