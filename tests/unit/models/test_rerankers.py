"""Rerankers by chat model and by cross-encoder, alone and behind recall."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mnemis import Config, Memory, Message
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import InputError, MissingExtra, ModelError, ModelRefused, UnusableReply
from mnemis.models import ChatReranker, CrossEncoderReranker
from mnemis.ports.reranker import Reranker
from mnemis.testing.chat import ScriptedChat

TEXTS = ("the shed", "the harbour", "在成都", "the crane")


class Scoring:
    """A cross-encoder that answers what it was made with."""

    def __init__(self, answer: object) -> None:
        self._answer = answer
        self.pairs: list[tuple[str, str]] = []

    def predict(self, sentences: list[tuple[str, str]], /) -> object:
        self.pairs = sentences
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def order(marks: Sequence[float]) -> list[int]:
    return sorted(range(len(marks)), key=lambda place: (-marks[place], place))


def test_chosen_texts_come_first_and_the_others_keep_their_order() -> None:
    chat = ScriptedChat("[3, 2]")
    marks = ChatReranker(chat).score("他住在哪里？", TEXTS)
    assert order(marks) == [2, 1, 0, 3]
    assert all(0.0 <= mark <= 1.0 for mark in marks)
    assert "在成都" in chat.prompts[0]
    assert order(ChatReranker(ScriptedChat("[]")).score("Where?", TEXTS)) == [0, 1, 2, 3]


def test_only_the_first_twenty_are_shown_and_only_the_best_are_taken() -> None:
    chat = ScriptedChat("[20, 5, 1, 2, 21]")
    marks = ChatReranker(chat).score("Which?", [f"text {n}." for n in range(30)])
    assert order(marks)[:4] == [19, 4, 0, 1]
    assert sum(mark > 0 for mark in marks) == 3
    assert "text 19." in chat.prompts[0]
    assert "text 20." not in chat.prompts[0]


def test_a_useless_reply_or_an_outage_is_told() -> None:
    with pytest.raises(UnusableReply, match="scripted"):
        ChatReranker(ScriptedChat("I like them all.")).score("Which?", TEXTS)
    with pytest.raises(ModelRefused):
        ChatReranker(ScriptedChat(RuntimeError("HTTP 401"))).score("Which?", TEXTS)
    with pytest.raises(InputError):
        ChatReranker(ScriptedChat(), best=0)


def test_nothing_to_rank_asks_nothing() -> None:
    assert ChatReranker(ScriptedChat()).score("Which?", []) == []
    assert CrossEncoderReranker(Scoring(RuntimeError())).score("Which?", []) == []


def test_logits_are_brought_within_bounds_and_marks_left_alone() -> None:
    model = Scoring(np.array([-4.0, 0.0, 3.0, 900.0]))
    marks = CrossEncoderReranker(model).score("Where?", TEXTS)
    assert marks == pytest.approx([0.018, 0.5, 0.953, 1.0], abs=1e-3)
    assert model.pairs == [("Where?", text) for text in TEXTS]
    assert CrossEncoderReranker(Scoring([[0.2], [0.9], [0.1], [0.0]])).score("Where?", TEXTS) == [
        0.2,
        0.9,
        0.1,
        0.0,
    ]


@pytest.mark.parametrize(
    "answer", [[0.1], [[0.1, 0.9]] * 4, [float("nan")] * 4, 0.5, RuntimeError("CUDA")]
)
def test_what_a_cross_encoder_may_not_do(answer: object) -> None:
    with pytest.raises(ModelError):
        CrossEncoderReranker(Scoring(answer)).score("Where?", TEXTS)


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match="pip install sentence-transformers"):
        CrossEncoderReranker("some/model")


def test_a_named_model_is_loaded_at_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def make(name: str) -> Scoring:
        asked.append(name)
        if name == "broken":
            raise OSError("no such folder")
        return Scoring([0.1, 0.2, 0.9, 0.3])

    library = ModuleType("sentence_transformers")
    library.CrossEncoder = make  # type: ignore[attr-defined]
    library.__spec__ = ModuleSpec("sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    reranker = CrossEncoderReranker("some/model")
    assert asked == []
    assert order(reranker.score("他住在哪里？", TEXTS))[0] == 2
    reranker.score("Where?", TEXTS)
    assert asked == ["some/model"]
    with pytest.raises(ModelError, match="no such folder"):
        CrossEncoderReranker("broken").score("Where?", TEXTS)


MESSAGES = tuple(
    Message(role="user", speaker="Ana", text=text, id=f"m{n}")
    for n, text in enumerate(("The cello is in the shed.", "The cello is old.", "大提琴在棚子里。"))
)


def first(folder: Path, reranker: Reranker | None) -> tuple[str, bool]:
    with Memory.open(
        folder,
        embedder=HashingEmbedder(),
        reranker=reranker,
        config=Config(consolidate="manual"),
    ) as memory:
        memory.remember(MESSAGES)
        found = memory.recall("Where is the cello? 大提琴")
        assert [hit.score for hit in found.hits] == sorted(
            (hit.score for hit in found.hits), reverse=True
        )
        return found.hits[0].sources[0], "failed" in str(found.trace)


def test_recall_follows_the_reranker_and_survives_its_failure(tmp_path: Path) -> None:
    class Last:
        def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            return [float(n) for n in range(len(texts))]

    plain, _ = first(tmp_path / "plain", None)
    turned, _ = first(tmp_path / "turned", Last())
    assert turned != plain
    kept, failed = first(tmp_path / "failing", ChatReranker(ScriptedChat("none", repeat=True)))
    assert kept == plain
    assert failed
