"""LlamaIndex's models in the engine, and the engine's embedder in LlamaIndex."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.schema import TextNode

from mnemis import Config, InputError, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError, EmbedderMismatch, ModelError
from mnemis_llamaindex import MnemisEmbedding, as_chat_model, as_embedder


class Letters(BaseEmbedding):
    """Counts characters: alike texts are near each other."""

    fail: bool = False

    def _get_text_embedding(self, text: str) -> list[float]:
        if self.fail:
            raise ConnectionError("no provider")
        return [float(sum(ord(c) % 16 == n for c in text)) for n in range(16)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def test_vectors_are_unit_rows_in_order() -> None:
    embedder = as_embedder(Letters(model_name="letters"))
    assert embedder.fingerprint.model.endswith("letters")
    assert embedder.fingerprint.dimension == 16
    rows = embedder.embed(["hello", "", "  ", "你好，世界"])
    assert rows.shape == (4, 16)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-5)
    assert embedder.embed([]).shape == (0, 16)
    assert np.array_equal(embedder.embed(["你好，世界"])[0], rows[3])


def test_a_memory_runs_on_it_and_knows_it_again(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    embedder = as_embedder(Letters(model_name="letters"))
    with Mnemis.open(tmp_path / "m", embedder=embedder, config=config) as mnemis:
        mnemis.scope("ana").remember([Message(role="user", text="The launch is in May.")])
        assert mnemis.scope("ana").recall("launch", k=1).hits
    with pytest.raises(EmbedderMismatch):
        Mnemis.open(tmp_path / "m", embedder=as_embedder(Letters(model_name="other")))
    with Mnemis.open(tmp_path / "m", embedder=embedder, config=config) as mnemis:
        assert mnemis.scope("ana").recall("launch", k=1).hits


def test_a_failing_embedding_model_is_an_embedder_error() -> None:
    with pytest.raises(EmbedderError, match="no provider"):
        as_embedder(Letters(fail=True)).embed(["x"])
    with pytest.raises(InputError):
        as_embedder("text-embedding")  # type: ignore[arg-type]

    class Ragged(Letters):
        def _get_text_embedding(self, text: str) -> list[float]:
            return [float("nan")] * 16

    with pytest.raises(EmbedderError, match="usable"):
        as_embedder(Ragged()).embed(["x"])


def test_a_model_completes_prompts() -> None:
    chat = as_chat_model(MockLLM(max_tokens=3))
    assert chat.complete("hello").text == "text text text"
    assert chat.name
    with pytest.raises(InputError):
        as_chat_model("gpt")  # type: ignore[arg-type]


def test_tokens_are_read_from_the_reply() -> None:
    class Counting(MockLLM):
        def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
            assert kwargs == {"max_tokens": 7}
            usage = {"input_tokens": 12, "output_tokens": 5}
            return CompletionResponse(text="ok", raw={"usage": usage})

    completion = as_chat_model(Counting()).complete("hello", max_tokens=7)
    assert (completion.prompt_tokens, completion.completion_tokens) == (12, 5)


def test_a_failing_model_is_a_model_error() -> None:
    class Failing(MockLLM):
        def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
            raise TimeoutError("no provider")

    with pytest.raises(ModelError, match="no provider"):
        as_chat_model(Failing()).complete("hello")


async def test_the_memorys_embedder_serves_an_index() -> None:
    embedding = MnemisEmbedding(HashingEmbedder())
    nodes = [TextNode(text="The launch is in May."), TextNode(text="厨房要刷绿漆。")]
    index = VectorStoreIndex(nodes, embed_model=embedding)
    assert "launch" in index.as_retriever(similarity_top_k=1).retrieve("launch")[0].text
    assert await embedding.aget_query_embedding("launch") == embedding.get_query_embedding("launch")
    assert embedding.model_name == "hashing"


def test_both_directions_are_inverse() -> None:
    around = as_embedder(MnemisEmbedding(HashingEmbedder()))
    straight = HashingEmbedder()
    assert np.allclose(
        around.embed(["发布会 launch"]), straight.embed(["发布会 launch"]), atol=1e-6
    )
    assert as_embedder(MockEmbedding(embed_dim=4)).fingerprint.dimension == 4
