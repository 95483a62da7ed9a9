"""A recall inside a memory or a middleware, told to callbacks and tracers as a retriever's run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeAlias, cast

from langchain_core.documents import Document
from langchain_core.retrievers import LangSmithRetrieverParams
from langchain_core.runnables import ensure_config
from langchain_core.runnables.config import (
    get_async_callback_manager_for_config,
    get_callback_manager_for_config,
)

from mnemis import Memory, Mnemis, Recall
from mnemis_langchain.documents import to_document

Tell: TypeAlias = Callable[[Recall], None]
"""What came back, for those who listen."""

NAME = "mnemis"


def ls_params(mnemis: Mnemis | None) -> LangSmithRetrieverParams:
    """What LangSmith wants to know of a retriever."""
    return LangSmithRetrieverParams(
        ls_retriever_name=NAME,
        ls_vector_store_provider=NAME,
        ls_embedding_provider=NAME,
        ls_embedding_model=mnemis.embedder.fingerprint.model if mnemis else None,
    )


@contextmanager
def traced(memory: Memory, query: str) -> Generator[Tell, None, None]:
    """A retriever's run of the config at hand; free of cost where nobody listens."""
    manager = get_callback_manager_for_config(ensure_config())
    if not manager.handlers:
        yield _nobody
        return
    manager.add_metadata(_metadata(memory), inherit=False)
    run = manager.on_retriever_start(None, query, name=NAME)  # pyright: ignore[reportArgumentType] as BaseRetriever does
    found: list[Document] = []
    try:
        yield lambda recall: found.extend(map(to_document, recall.hits))
    except BaseException as error:
        run.on_retriever_error(error)
        raise
    run.on_retriever_end(found)


@asynccontextmanager
async def atraced(memory: Memory, query: str) -> AsyncGenerator[Tell, None]:
    """``traced`` on an event loop."""
    manager = get_async_callback_manager_for_config(ensure_config())
    if not manager.handlers:
        yield _nobody
        return
    manager.add_metadata(_metadata(memory), inherit=False)
    run = await manager.on_retriever_start(None, query, name=NAME)
    found: list[Document] = []
    try:
        yield lambda recall: found.extend(map(to_document, recall.hits))
    except BaseException as error:
        await run.on_retriever_error(error)
        raise
    await run.on_retriever_end(found)


def _nobody(_: Recall) -> None:
    return


def _metadata(memory: Memory) -> dict[str, Any]:
    return cast("dict[str, Any]", dict(ls_params(memory.mnemis)))
