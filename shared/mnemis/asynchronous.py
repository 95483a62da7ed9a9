"""The a-twins: every verb of Memory on a small pool of its own, never on the event loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar, cast

from mnemis.errors import StoreClosed

if TYPE_CHECKING:
    import networkx as nx

    from mnemis.consolidate.report import ConsolidationReport
    from mnemis.memory import Memory
    from mnemis.model.filter import Filter, Where
    from mnemis.model.message import Document, Message
    from mnemis.model.recall import Recall
    from mnemis.remember.pipeline import RememberReport

T = TypeVar("T")
_WORKERS = 4


class WorkerPool:
    """A few threads, started at first use; separate from the loop's default executor."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._executor: ThreadPoolExecutor | None = None
        self._closed = False

    async def run(self, verb: Callable[[], T]) -> T:
        """Run a blocking verb off the loop. Cancelling the waiter lets a begun verb finish
        whole (a write is never half done) and returns at once.
        """
        from asyncio import get_running_loop  # who never awaits need not load it

        loop = get_running_loop()
        return await loop.run_in_executor(self._started(), verb)

    def close(self) -> None:
        """Wait for running verbs and stop. Idempotent."""
        with self._guard:
            self._closed = True
            executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)

    def _started(self) -> ThreadPoolExecutor:
        with self._guard:
            if self._closed:
                raise StoreClosed("this memory is closed; open it again")
            if self._executor is None:
                self._executor = ThreadPoolExecutor(_WORKERS, thread_name_prefix="mnemis")
            return self._executor


class AsyncMemory:
    """Mix-in of Memory: ``await memory.arecall(…)`` is ``memory.recall(…)`` off the loop."""

    @property
    def _memory(self) -> Memory:
        return cast("Memory", self)

    async def aremember(self, messages: Iterable[Message]) -> RememberReport:
        """``remember`` off the event loop."""
        return await self._memory.mnemis.pool.run(partial(self._memory.remember, messages))

    async def aadd_documents(self, documents: Iterable[Document]) -> RememberReport:
        """``add_documents`` off the event loop."""
        return await self._memory.mnemis.pool.run(partial(self._memory.add_documents, documents))

    async def aconsolidate(
        self,
        *,
        progress: Callable[[int, int], None] | None = None,
        budget: int | None = None,
        cancel: threading.Event | None = None,
        retry_failed: bool = False,
    ) -> ConsolidationReport:
        """``consolidate`` off the event loop; ``progress`` is called from the worker's thread."""
        return await self._memory.mnemis.pool.run(
            partial(
                self._memory.consolidate,
                progress=progress,
                budget=budget,
                cancel=cancel,
                retry_failed=retry_failed,
            )
        )

    async def arecall(
        self,
        query: str,
        *,
        k: int | Literal["auto"] = 10,
        as_of: datetime | None = None,
        asked_at: datetime | None = None,
        recent: Sequence[Message] = (),
        where: Where | Filter | None = None,
        budget: int | None = None,
        min_score: float = 0.0,
        include_archived: bool = False,
    ) -> Recall:
        """``recall`` off the event loop."""
        return await self._memory.mnemis.pool.run(
            partial(
                self._memory.recall,
                query,
                k=k,
                as_of=as_of,
                asked_at=asked_at,
                recent=recent,
                where=where,
                budget=budget,
                min_score=min_score,
                include_archived=include_archived,
            )
        )

    async def agraph(self) -> nx.MultiDiGraph[str]:
        """``graph`` off the event loop."""
        return await self._memory.mnemis.pool.run(self._memory.graph)

    async def adrain(self, *, timeout: float | None = None) -> bool:
        """``drain`` off the event loop."""
        return await self._memory.mnemis.pool.run(partial(self._memory.drain, timeout=timeout))
