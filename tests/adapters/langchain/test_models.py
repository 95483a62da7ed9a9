"""LangChain's models in the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.language_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult

from mnemis import InputError, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError, EmbedderMismatch, ModelError
from mnemis.ports.embedder import embed_queries
from mnemis_langchain import as_chat_model, as_embedder


class Hashing(Embeddings):
    """Embeddings with a name, at half length."""

    def __init__(self, *, model: str = "hash-32", size: int = 32) -> None:
        self.model = model
        self._inner = HashingEmbedder(dimension=size)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return (self._inner.embed(texts) / 2).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Broken(Hashing):
    """Fails as a service does."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise ConnectionError("no route to host")


def test_the_fingerprint_is_the_models() -> None:
    fingerprint = as_embedder(Hashing()).fingerprint
    assert (fingerprint.model, fingerprint.dimension) == ("Hashing:hash-32", 32)
    named = as_embedder(Hashing(), model="mine", dimension=32, version="2").fingerprint
    assert (named.model, named.dimension, named.version) == ("mine", 32, "2")
    with pytest.raises(InputError, match="model="):
        as_embedder(DeterministicFakeEmbedding(size=8))


def test_rows_have_length_one_or_none() -> None:
    rows = as_embedder(Hashing()).embed(["a green tea", "", "  ", "绿茶"])
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0, 0, 1])
    assert as_embedder(Hashing()).embed([]).shape == (0, 32)


@pytest.mark.parametrize("query", ["Where do I drink tea?", "我在哪里喝茶"])
def test_a_memory_works_with_them_and_refuses_others(tmp_path: Any, query: str) -> None:
    with Mnemis.open(tmp_path / "m", embedder=as_embedder(Hashing())) as mnemis:
        memory = mnemis.scope("ana")
        memory.remember(
            [
                Message(role="user", text="I drink tea in Hangzhou. 我在杭州喝茶。"),
                Message(role="user", text="The bicycle is blue. 自行车是蓝色的。"),
            ]
        )
        assert "Hangzhou" in memory.recall(query, k=1).hits[0].text
    with pytest.raises(EmbedderMismatch):
        Mnemis.open(tmp_path / "m", embedder=as_embedder(Hashing(model="hash-16", size=16)))


class TwoSided(Hashing):
    """Embeddings that put questions into words of their own."""

    def embed_query(self, text: str) -> list[float]:
        return super().embed_documents([f"query: {text}"])[0]


def test_questions_are_embedded_as_questions() -> None:
    embedder = as_embedder(TwoSided())
    asked = embed_queries(embedder, ["tea", " "])
    assert np.array_equal(asked[0], embedder.embed(["query: tea"])[0])
    assert not np.array_equal(asked[0], embedder.embed(["tea"])[0])
    assert not asked[1].any()


def test_failures_of_embeddings_are_told_as_such() -> None:
    with pytest.raises(EmbedderError, match="no route to host"):
        as_embedder(Broken())
    with pytest.raises(EmbedderError, match="no route to host"):
        as_embedder(Broken(), dimension=32).embed(["x"])
    with pytest.raises(EmbedderError, match="dimension 16"):
        as_embedder(Hashing(), dimension=16).embed(["x"])


class Bounded(FakeListChatModel):
    """Tells with which bound it was called."""

    bounds: list[Any]

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        self.bounds.append(kwargs)
        return super()._generate(messages, stop, run_manager, **kwargs)


def test_a_chat_model_completes() -> None:
    reply = AIMessage(
        [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "好的"}],
        usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
    )
    model = as_chat_model(GenericFakeChatModel(messages=iter([reply])))
    completion = model.complete("说好的")
    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == (
        "好的",
        5,
        2,
    )
    assert model.name == "GenericFakeChatModel"
    assert as_chat_model(FakeListChatModel(responses=["x"]), name="small").name == "small"


@pytest.mark.parametrize(
    ("argument", "given"), [("max_tokens", {"max_tokens": 7}), ("num", {"num": 7}), (None, {})]
)
def test_the_bound_reaches_the_model(argument: str | None, given: dict[str, int]) -> None:
    inner = Bounded(responses=["yes"], bounds=[])
    completion = as_chat_model(inner, max_tokens_as=argument).complete("?", max_tokens=7)
    assert (completion.text, completion.prompt_tokens) == ("yes", 0)
    assert inner.bounds == [given]


def test_a_failing_chat_model_is_a_model_error() -> None:
    with pytest.raises(ModelError, match="GenericFakeChatModel"):
        as_chat_model(GenericFakeChatModel(messages=iter([]))).complete("?")
