"""LangChain's embedding and chat models as the models of the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from mnemis import InputError
from mnemis.errors import EmbedderError, ModelError
from mnemis.ports.chat import ChatModel, Completion
from mnemis.ports.embedder import Embedder, Fingerprint

_NAMES = ("model", "model_name", "model_id", "repo_id", "deployment")
_PROBE = "How many dimensions?"


def as_embedder(
    embeddings: Embeddings,
    *,
    model: str | None = None,
    dimension: int | None = None,
    version: str = "",
) -> Embedder:
    """Any LangChain embeddings for ``Mnemis.open(…, embedder=…)``.

    The name is read from the embeddings, the dimension asked with one short text; give them where
    that cannot be or is not wanted. Change ``version`` when the same name gives other vectors:
    a store refuses to mix. Raises InputError when the embeddings do not tell their model,
    EmbedderError when they fail.
    """
    name = model or _name_of(embeddings)
    if name is None:
        raise InputError(
            f"{type(embeddings).__name__} does not tell its model: give as_embedder(…, model=…), "
            "a name that stands for these vectors and no others"
        )
    size = (
        dimension
        if dimension is not None
        else len(_made(embeddings.embed_documents, [_PROBE], name)[0])
    )
    return _LangChainEmbedder(
        embeddings=embeddings,
        fingerprint=Fingerprint(model=name, dimension=size, version=version),
    )


def as_chat_model(
    model: BaseChatModel, *, name: str | None = None, max_tokens_as: str | None = "max_tokens"
) -> ChatModel:
    """Any LangChain chat model for ``Mnemis.open(…, chat_model=…)``.

    ``max_tokens_as`` is the argument by which the model takes the bound on its reply
    ("num_predict", "max_output_tokens"), None for one that takes none.
    """
    return _LangChainChatModel(
        model=model, name=name or _name_of(model) or type(model).__name__, limit=max_tokens_as
    )


@dataclass(frozen=True, slots=True)
class _LangChainEmbedder:
    embeddings: Embeddings
    fingerprint: Fingerprint

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit rows; texts without content give zero rows. Raises EmbedderError."""
        return self._unit_rows(texts, self.embeddings.embed_documents)

    def embed_query(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """``embed`` for questions, which some models put into words of their own."""
        ask = self.embeddings.embed_query
        return self._unit_rows(texts, lambda full: [ask(text) for text in full])

    def _unit_rows(
        self, texts: Sequence[str], make: Callable[[list[str]], list[list[float]]]
    ) -> npt.NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.fingerprint.dimension), dtype=np.float32)
        full = [index for index, text in enumerate(texts) if text.strip()]
        if not full:
            return vectors
        rows = _made(make, [texts[index] for index in full], self.fingerprint.model)
        if rows.shape != (len(full), self.fingerprint.dimension) or not np.isfinite(rows).all():
            raise EmbedderError(
                f"{self.fingerprint.model!r} returned shape {rows.shape} for {len(full)} texts of "
                f"dimension {self.fingerprint.dimension}, or values that are no numbers"
            )
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        vectors[full] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return vectors


@dataclass(frozen=True, slots=True)
class _LangChainChatModel:
    model: BaseChatModel
    name: str
    limit: str | None

    def complete(self, prompt: str, *, max_tokens: int = 1024) -> Completion:
        """The reply's text without reasoning, and the tokens it cost. Raises ModelError."""
        bound = {} if self.limit is None else {self.limit: max_tokens}
        try:
            reply = self.model.bind(**bound).invoke([HumanMessage(content=prompt)])
        except Exception as error:
            raise ModelError(f"the chat model {self.name!r} failed: {error}") from error
        usage = reply.usage_metadata
        return Completion(
            text=str(reply.text),
            prompt_tokens=usage["input_tokens"] if usage else 0,
            completion_tokens=usage["output_tokens"] if usage else 0,
        )


def _made(
    make: Callable[[list[str]], list[list[float]]], texts: list[str], name: str
) -> npt.NDArray[np.float32]:
    try:
        return np.asarray(make(texts), dtype=np.float32)
    except Exception as error:
        raise EmbedderError(f"{name!r} failed on {len(texts)} texts: {error}") from error


def _name_of(model: object) -> str | None:
    for attribute in _NAMES:
        value = getattr(model, attribute, None)
        if isinstance(value, str) and value:
            return f"{type(model).__name__}:{value}"
    return None
