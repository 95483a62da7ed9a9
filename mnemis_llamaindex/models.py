"""LlamaIndex's models for the engine, and the engine's embedder for LlamaIndex."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import NoReturn, cast

import numpy as np
import numpy.typing as npt
from llama_index.core.base.embeddings.base import BaseEmbedding, Embedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms.llm import LLM

from mnemis import InputError
from mnemis.errors import EmbedderError, ModelError
from mnemis.ports.chat import ChatModel, Completion
from mnemis.ports.embedder import Embedder, Fingerprint
from mnemis_llamaindex.binding import refuse_pickle


def as_embedder(embedding: BaseEmbedding, *, version: str = "") -> Embedder:
    """A LlamaIndex embedding model for ``Mnemis.open(…, embedder=…)``.

    Change ``version`` when the same model name begins to give other vectors. The dimension is
    asked of the model once, at first use. Failures arrive as EmbedderError.
    """
    if not isinstance(embedding, BaseEmbedding):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"as_embedder() wants a BaseEmbedding, got {type(embedding).__name__}")
    return _Embedder(embedding, version)


def as_chat_model(llm: LLM) -> ChatModel:
    """A LlamaIndex model for ``Mnemis.open(…, chat_model=…)``; failures arrive as ModelError."""
    if not isinstance(llm, LLM):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"as_chat_model() wants an LLM, got {type(llm).__name__}")
    return _Chat(llm)


class MnemisEmbedding(BaseEmbedding):
    """The memory's embedder as LlamaIndex's ``embed_model``; needs no network and no key."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        """With ``mnemis.embedder``, or any other."""
        super().__init__(model_name=embedder.fingerprint.model)
        self._embedder = embedder

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is reported."""
        return "MnemisEmbedding"

    def __reduce__(self) -> NoReturn:
        """Refuse with advice."""
        refuse_pickle("MnemisEmbedding")

    def _get_query_embedding(self, query: str) -> Embedding:
        return self._get_text_embeddings([query])[0]

    def _get_text_embedding(self, text: str) -> Embedding:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[Embedding]:
        return [[float(value) for value in row] for row in self._embedder.embed(texts)]

    async def _aget_query_embedding(self, query: str) -> Embedding:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> Embedding:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[Embedding]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)


class _Embedder:
    def __init__(self, embedding: BaseEmbedding, version: str) -> None:
        self._embedding = embedding
        self._version = version
        self._dimension: int | None = None
        self._guard = threading.Lock()

    @property
    def fingerprint(self) -> Fingerprint:
        """The class and name of the model, and the dimension it gives."""
        with self._guard:
            dimension = self._dimension or int(self._ask(["dimension"]).shape[1])
            self._dimension = dimension
        name = f"{type(self._embedding).__name__}:{self._embedding.model_name}"
        return Fingerprint(model=name, dimension=dimension, version=self._version)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (len(texts), dimension), unit rows; blank texts give zero rows."""
        asked = [index for index, text in enumerate(texts) if text.strip()]
        rows = np.zeros((len(texts), self.fingerprint.dimension), dtype=np.float32)
        if not asked:
            return rows
        found = self._ask([texts[index] for index in asked])
        if found.shape != (len(asked), rows.shape[1]):
            raise EmbedderError(
                f"{self._embedding.model_name!r} gave vectors of shape {found.shape}, "
                f"not {(len(asked), rows.shape[1])}"
            )
        norms = np.linalg.norm(found, axis=1, keepdims=True)
        rows[asked] = np.divide(found, norms, out=np.zeros_like(found), where=norms > 0)
        return rows

    def _ask(self, texts: list[str]) -> npt.NDArray[np.float32]:
        name = self._embedding.model_name
        try:
            found = self._embedding.get_text_embedding_batch(texts)
            vectors = np.asarray(found, dtype=np.float32)
        except Exception as error:
            raise EmbedderError(f"{name!r} failed on {len(texts)} texts: {error}") from error
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise EmbedderError(f"{name!r} gave no usable vectors (shape {vectors.shape})")
        return vectors


class _Chat:
    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    @property
    def name(self) -> str:
        """The provider's name of the model, else the class's."""
        return self._llm.metadata.model_name or self._llm.class_name()

    def complete(self, prompt: str, *, max_tokens: int = 1024) -> Completion:
        """Answer one prompt. ``max_tokens`` reaches the models that have a setting of that name."""
        try:
            if "max_tokens" in type(self._llm).model_fields:
                response = self._llm.complete(prompt, max_tokens=max_tokens)
            else:
                response = self._llm.complete(prompt)
        except Exception as error:
            raise ModelError(f"{self.name} failed: {error}") from error
        counted = cast("dict[str, object]", response.additional_kwargs)  # pyright: ignore[reportUnknownMemberType] its dict is bare
        usage = _usage(response.raw)
        return Completion(
            text=response.text,
            prompt_tokens=_number(counted, usage, "prompt_tokens", "input_tokens"),
            completion_tokens=_number(counted, usage, "completion_tokens", "output_tokens"),
        )


def _usage(raw: object) -> Mapping[str, object]:
    found: object = (
        cast("Mapping[str, object]", raw).get("usage")
        if isinstance(raw, Mapping)
        else getattr(raw, "usage", None)
    )
    if isinstance(found, Mapping):
        return cast("Mapping[str, object]", found)
    return cast("Mapping[str, object]", getattr(found, "__dict__", {}))


def _number(first: Mapping[str, object], second: Mapping[str, object], *names: str) -> int:
    for name in names:
        for source in (first, second):
            value = source.get(name)
            if isinstance(value, int):
                return value
    return 0
