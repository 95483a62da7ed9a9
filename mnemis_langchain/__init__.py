"""Mnemis for LangChain and LangGraph. Each name loads what it needs when it is first used.

``MnemisMemory`` needs ``mnemis[langchain-classic]``, ``MnemisMiddleware`` and ``MnemisStore`` need
``mnemis[langchain-agents]``, everything else ``mnemis[langchain]``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mnemis.errors import MissingExtra

if TYPE_CHECKING:
    from mnemis_langchain.documents import (
        DOCUMENT_PROMPT,
        format_documents,
        to_document,
        to_documents,
    )
    from mnemis_langchain.retriever import MnemisRetriever

__all__ = [
    "DOCUMENT_PROMPT",
    "MnemisRetriever",
    "format_documents",
    "to_document",
    "to_documents",
]

_HOMES = {
    "DOCUMENT_PROMPT": "documents",
    "MnemisRetriever": "retriever",
    "format_documents": "documents",
    "to_document": "documents",
    "to_documents": "documents",
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
