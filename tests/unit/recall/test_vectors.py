"""A question is embedded once, whoever is asked it; a failure is not kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from mnemis import Config, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError
from mnemis.ports.embedder import Fingerprint
from mnemis.recall import vectors
from mnemis.recall.vectors import QuestionVectors
from mnemis.stores.oracle import OracleStore


class Counting:
    def __init__(self) -> None:
        self._inner = HashingEmbedder()
        self.asked: list[str] = []
        self.fails = False

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += texts
        if self.fails:
            raise EmbedderError("out of order")
        return self._inner.embed(texts)


@pytest.mark.parametrize("question", ["Where is the locker?", "储物柜在哪里？"])
def test_many_scopes_are_asked_with_one_embedding(question: str) -> None:
    embedder = Counting()
    manual = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=embedder, config=manual) as mnemis:
        for user in ("ana", "小明", "ben"):
            mnemis.scope(user).remember([Message(role="user", text="Locker 12. 储物柜十二号。")])
        embedder.asked.clear()
        for user in ("ana", "小明", "ben"):
            assert mnemis.scope(user).recall(question, k=1).hits
            assert mnemis.scope(user).recall(question, where={"role": "user"}).hits
    assert len(embedder.asked) == 1


def test_rows_are_those_of_the_embedder_and_cannot_be_changed() -> None:
    known = QuestionVectors(HashingEmbedder())
    for _ in range(2):
        rows = known.of(["locker", "柜子"])
        np.testing.assert_array_equal(rows, HashingEmbedder().embed(["locker", "柜子"]))
    with pytest.raises(ValueError, match="read-only"):
        rows[0] = 0.0


def test_a_failure_is_asked_again() -> None:
    embedder = Counting()
    known = QuestionVectors(embedder)
    embedder.fails = True
    with pytest.raises(EmbedderError):
        known.of(["locker"])
    embedder.fails = False
    assert known.of(["locker"]).shape[0] == 1


def test_the_oldest_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_MOST", 2)
    embedder = Counting()
    known = QuestionVectors(embedder)
    for text in ("a", "b", "a", "c", "a", "b"):
        known.of([text])
    assert embedder.asked == ["a", "b", "c", "b"]
