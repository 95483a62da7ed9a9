"""Mnemis for LangChain and LangGraph. Each name loads what it needs when it is first used.

``MnemisMemory`` needs ``mnemis[langchain-classic]``, ``MnemisMiddleware`` and ``MnemisStore`` need
``mnemis[langchain-agents]``, everything else ``mnemis[langchain]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mnemis.errors import MissingExtra

if TYPE_CHECKING:
    from mnemis_langchain.chains import MnemisMemory
    from mnemis_langchain.documents import (
        DOCUMENT_PROMPT,
        format_documents,
        to_document,
        to_documents,
    )
    from mnemis_langchain.graph_store import MnemisStore
    from mnemis_langchain.history import MnemisChatMessageHistory
    from mnemis_langchain.messages import to_messages
    from mnemis_langchain.middleware import MnemisMiddleware
    from mnemis_langchain.models import as_chat_model, as_embedder
    from mnemis_langchain.retriever import MnemisRetriever
    from mnemis_langchain.tools import memory_tools

__all__ = [
    "DOCUMENT_PROMPT",
    "MnemisChatMessageHistory",
    "MnemisMemory",
    "MnemisMiddleware",
    "MnemisRetriever",
    "MnemisStore",
    "as_chat_model",
    "as_embedder",
    "format_documents",
    "memory_tools",
    "to_document",
    "to_documents",
    "to_messages",
]

_HOMES = {
    "DOCUMENT_PROMPT": "documents",
    "MnemisChatMessageHistory": "history",
    "MnemisMemory": "chains",
    "MnemisMiddleware": "middleware",
    "MnemisRetriever": "retriever",
    "MnemisStore": "graph_store",
    "as_chat_model": "models",
    "as_embedder": "models",
    "format_documents": "documents",
    "memory_tools": "tools",
    "to_document": "documents",
    "to_documents": "documents",
    "to_messages": "messages",
}
_EXTRAS = {
    "langchain_core": "langchain",
    "langchain_classic": "langchain-classic",
    "langchain": "langchain-agents",
    "langgraph": "langchain-agents",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        raise MissingExtra(
            f"{name} needs the package {error.name!r}: pip install 'mnemis[{extra}]'"
        ) from error


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
