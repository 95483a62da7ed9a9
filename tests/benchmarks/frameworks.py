"""The frameworks' own vector stores as baselines; each is left out, with a reason, when missing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemis import Message
from mnemis.ports.embedder import Embedder
from tests.benchmarks.baselines import Baseline, shown

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from llama_index.core.embeddings import BaseEmbedding

BATCH = 1_000


class NotInstalled(Exception):
    """A framework is missing; the message says which package would bring it."""


class LangChainChroma:
    """``langchain_chroma.Chroma`` in a folder, cosine space; filled by ``add``."""

    name = "LangChain+Chroma"

    def __init__(self, folder: Path, *, embedder: Embedder) -> None:
        os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
        try:
            from langchain_chroma import Chroma
        except ImportError as error:
            raise NotInstalled("LangChain+Chroma: pip install langchain-chroma") from error
        from chromadb.config import Settings

        self._store = Chroma(
            collection_name="messages",
            embedding_function=_langchain_embeddings(embedder),
            persist_directory=str(folder),
            client_settings=Settings(
                anonymized_telemetry=False, is_persistent=True, persist_directory=str(folder)
            ),
            collection_metadata={"hnsw:space": "cosine"},
        )

    def add(self, messages: Sequence[Message], *, batch: int = BATCH) -> None:
        """``add_texts`` in batches, with the messages' ids."""
        for start in range(0, len(messages), batch):
            some = messages[start : start + batch]
            self._store.add_texts(  # pyright: ignore[reportUnknownMemberType] - untyped keywords
                [shown(each) for each in some], ids=[each.id or "" for each in some]
            )

    def ask(self, query: str, *, k: int) -> list[str]:
        """As ``Baseline.ask``."""
        return [each.id or "" for each in self._store.similarity_search(query, k=k)]


class LlamaIndexVectors:
    """``VectorStoreIndex`` over one ``TextNode`` a message, in memory."""

    name = "LlamaIndex"

    def __init__(self, messages: Sequence[Message], *, embedder: Embedder) -> None:
        try:
            from llama_index.core import VectorStoreIndex
            from llama_index.core.schema import TextNode
        except ImportError as error:
            raise NotInstalled("LlamaIndex: pip install llama-index-core") from error

        self._index = VectorStoreIndex(
            [TextNode(id_=each.id or "", text=shown(each)) for each in messages],
            embed_model=_llamaindex_embeddings(embedder),
        )

    def ask(self, query: str, *, k: int) -> list[str]:
        """As ``Baseline.ask``."""
        found = self._index.as_retriever(similarity_top_k=k).retrieve(query)
        return [each.node.node_id for each in found]


def framework_baselines(
    messages: Sequence[Message], *, embedder: Embedder, folder: Path
) -> tuple[list[Baseline], list[str]]:
    """Those that are installed, filled; and the reasons why others are left out."""
    found: list[Baseline] = []
    missing: list[str] = []
    try:
        chroma = LangChainChroma(folder, embedder=embedder)
        chroma.add(messages)
        found.append(chroma)
    except NotInstalled as reason:
        missing.append(str(reason))
    try:
        found.append(LlamaIndexVectors(messages, embedder=embedder))
    except NotInstalled as reason:
        missing.append(str(reason))
    return found, missing


def _langchain_embeddings(embedder: Embedder) -> Embeddings:
    from langchain_core.embeddings import Embeddings

    class Wrapped(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return embedder.embed(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return embedder.embed([text])[0].tolist()

    return Wrapped()


def _llamaindex_embeddings(embedder: Embedder) -> BaseEmbedding:
    from llama_index.core.embeddings import BaseEmbedding

    class Wrapped(BaseEmbedding):
        def _get_text_embedding(self, text: str) -> list[float]:
            return embedder.embed([text])[0].tolist()

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return embedder.embed(texts).tolist()

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    settings: dict[str, Any] = {"model_name": embedder.fingerprint.model, "embed_batch_size": 256}
    return Wrapped.model_validate(settings)
