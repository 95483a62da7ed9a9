"""Mnemis and Memory: wiring only. Every verb hands frozen values to one pipeline."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Literal, Self

from mnemis.asynchronous import AsyncMemory, WorkerPool
from mnemis.asynchronous_care import AsyncMemoryCare
from mnemis.background import ConsolidationWorker, ScopeLocks
from mnemis.config import Config
from mnemis.consolidate.report import ConsolidationReport, merge_reports
from mnemis.errors import InputError, ReadOnlyStore
from mnemis.model.change import Job, Scope
from mnemis.model.filter import Filter, Where
from mnemis.model.message import Document, Message
from mnemis.model.recall import Recall
from mnemis.ports.chat import ChatModel
from mnemis.ports.clock import Clock, SystemClock
from mnemis.ports.embedder import Embedder
from mnemis.ports.extractor import Extractor
from mnemis.ports.reranker import Reranker
from mnemis.ports.store import Store
from mnemis.recall.request import RecallRequest

if TYPE_CHECKING:
    import networkx as nx

    from mnemis.care.reembed import ReindexReport
    from mnemis.remember.pipeline import RememberReport

_MAX_LABEL = 10_000


class Mnemis:
    """An open memory store: one folder, many scopes. Use from any number of threads.

    Open with ``Mnemis.open``; close it, or use it as a context manager.
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        extractor: Extractor | None = None,
        reranker: Reranker | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> None:
        self.store = store
        self.config = config or Config()
        self.clock = clock or SystemClock()
        self.embedder = embedder
        self.read_only = read_only
        self.locks = ScopeLocks()
        self.pool = WorkerPool()
        self._extractor = extractor
        self._worker = ConsolidationWorker(
            store, work=self._consolidate, clock=self.clock, config=self.config
        )
        from mnemis.recall.pipeline import Recaller  # only who opens a memory pays for loading
        from mnemis.text.counting import load_counter

        self.counter = load_counter(self.config.tiktoken_dir)
        self.recaller = Recaller(
            store,
            embedder=embedder,
            reranker=reranker,
            counter=self.counter,
            clock=self.clock,
            config=self.config,
        )

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        chat_model: ChatModel | None = None,
        reranker: Reranker | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> Mnemis:
        """Open (or make) the memory in a folder.

        Without ``embedder`` the bundled multilingual one is used. ``extractor`` finds facts and
        entities: rules by default, ``chat_model`` when one is given. ``reranker`` reorders the best
        hits; a chat model does so only when it is passed as one (``ChatReranker(chat)``), for it
        costs a call each recall. One writer a folder; ``read_only=True`` opens beside it.
        Raises NotAStore, FormatError, StoreLocked, StoreDamaged, EmbedderMismatch, InputError.
        """
        from mnemis.opening import open_store, pick_embedder, pick_extractor

        chosen = pick_embedder(embedder)
        reader = pick_extractor(extractor, chat_model=chat_model)
        settings = config or Config()
        return cls(
            open_store(path, embedder=chosen, config=settings, read_only=read_only),
            embedder=chosen,
            extractor=reader,
            reranker=reranker,
            config=settings,
            clock=clock,
            read_only=read_only,
        )

    @staticmethod
    def reindex(
        path: str | PathLike[str],
        *,
        embedder: Embedder | None = None,
        config: Config | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ReindexReport:
        """Let another embedder (default: the bundled one) make all vectors of a closed memory anew.

        All or nothing: broken off, the memory is as it was. ``config`` is the one it is used with;
        ``progress(done, total)`` counts what can be found. Raises InputError, StoreLocked,
        EmbedderError, MissingExtra.
        """
        from mnemis.opening import pick_embedder, reindex

        return reindex(path, embedder=pick_embedder(embedder), config=config, progress=progress)

    def scope(self, *labels: str) -> Memory:
        """A handle on one scope. The labels as a whole are the wall; any text will do."""
        return Memory(self, check_scope(labels))

    def scopes(self) -> tuple[Scope, ...]:
        """All scopes that hold something, sorted."""
        return self.store.scopes()

    def jobs(self) -> tuple[Job, ...]:
        """Consolidation that waits, runs or failed, in all scopes, oldest first."""
        return self.store.jobs()

    def drain(self, *, timeout: float | None = None) -> bool:
        """Wait for all queued consolidation; False when ``timeout`` seconds were not enough."""
        self.check_writable()
        return self._worker.drain(scope=None, timeout=timeout)

    def close(self) -> None:
        """Stop the worker (queued work stays queued) and release the folder. Idempotent."""
        self._worker.close()
        self.pool.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check_writable(self) -> None:
        """Raise ReadOnlyStore when opened read-only."""
        if self.read_only:
            raise ReadOnlyStore("this memory was opened with read_only=True; open it without")

    def wake(self) -> None:
        """Let the background worker look at the queue."""
        if self.config.consolidate == "auto" and not self.read_only:
            self._worker.wake()

    def drain_scope(self, scope: Scope, *, timeout: float | None) -> bool:
        """Wait for the queued consolidation of one scope."""
        return self._worker.drain(scope=scope, timeout=timeout)

    def consolidate_scope(
        self,
        scope: Scope,
        *,
        progress: Callable[[int, int], None] | None,
        cancel: threading.Event | None,
        retry_failed: bool,
        budget: int | None,
    ) -> ConsolidationReport:
        """Do all that waits in one scope now; tells also what the worker did meanwhile."""
        report = self._consolidate(
            scope, cancel or threading.Event(), progress, retry_failed=retry_failed, budget=budget
        )
        for job in self.store.jobs(scope=scope):
            if job.status == "failed":
                self.store.finish(job)  # what it was to do is done
        earlier = self._worker.take_report(scope)
        return report if earlier is None else merge_reports([earlier, report])

    def recall_scope(self, scope: Scope, request: RecallRequest) -> Recall:
        """Answer one query in one scope."""
        return self.recaller.recall(scope, request)

    def _consolidate(
        self,
        scope: Scope,
        cancel: threading.Event,
        progress: Callable[[int, int], None] | None,
        *,
        retry_failed: bool = False,
        budget: int | None = None,
    ) -> ConsolidationReport:
        from mnemis.consolidate.pipeline import consolidate  # its patterns take a while to load

        with self.locks.of("consolidate", scope):
            return consolidate(
                self.store,
                scope,
                embedder=self.embedder,
                extractor=self._extractor,
                clock=self.clock,
                config=self.config,
                progress=progress,
                cancel=cancel,
                retry_failed=retry_failed,
                budget=budget,
            )


class Memory(AsyncMemory, AsyncMemoryCare):
    """One scope's memory: a cheap handle. Every verb has an a-twin (``aremember``, …)."""

    def __init__(self, mnemis: Mnemis, scope: Scope, *, owns: bool = False) -> None:
        self.mnemis = mnemis
        self.scope = scope
        self._owns = owns

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        scope: str | Sequence[str] = "default",
        embedder: Embedder | None = None,
        extractor: Extractor | None = None,
        chat_model: ChatModel | None = None,
        reranker: Reranker | None = None,
        config: Config | None = None,
        clock: Clock | None = None,
        read_only: bool = False,
    ) -> Memory:
        """``Mnemis.open`` and ``scope`` in one; closing the memory closes both."""
        labels = check_scope((scope,) if isinstance(scope, str) else scope)
        mnemis = Mnemis.open(
            path,
            embedder=embedder,
            extractor=extractor,
            chat_model=chat_model,
            reranker=reranker,
            config=config,
            clock=clock,
            read_only=read_only,
        )
        return cls(mnemis, labels, owns=True)

    def close(self) -> None:
        """Close the store when this memory opened it; otherwise nothing."""
        if self._owns:
            self.mnemis.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def remember(self, messages: Iterable[Message]) -> RememberReport:
        """Store messages durably; they can be recalled at once, and become knowledge later.

        All are checked before the first is stored. The same message again changes nothing.
        Raises InputError, MessageConflict, StoreError, EmbedderError.
        """
        from mnemis.remember.pipeline import remember

        self.mnemis.check_writable()
        with self.mnemis.locks.of("remember", self.scope):
            report = remember(
                self.mnemis.store,
                self.scope,
                messages,
                embedder=self.mnemis.embedder,
                config=self.mnemis.config,
            )
        self.mnemis.wake()
        return report

    def add_documents(self, documents: Iterable[Document]) -> RememberReport:
        """Store written texts in chunks that cite the document's id. As ``remember`` otherwise."""
        from mnemis.remember.accept import document_message

        return self.remember([document_message(document) for document in documents])

    def consolidate(
        self,
        *,
        progress: Callable[[int, int], None] | None = None,
        budget: int | None = None,
        cancel: threading.Event | None = None,
        retry_failed: bool = False,
    ) -> ConsolidationReport:
        """Make episodes, facts, entities and categories of everything stored before the call.

        ``progress(done, total)`` counts turns; ``budget`` bounds model tokens (rules use none and
        stand in once it is spent); ``cancel`` stops between two changes with Cancelled;
        ``retry_failed`` takes up episodes that failed before. A second call changes nothing.
        """
        self.mnemis.check_writable()
        if budget is not None and (
            isinstance(budget, bool) or not isinstance(budget, int) or budget < 0  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        ):
            raise InputError(f"budget must be a number of model tokens >= 0, got {budget!r}")
        return self.mnemis.consolidate_scope(
            self.scope,
            progress=progress,
            cancel=cancel,
            retry_failed=retry_failed,
            budget=budget,
        )

    def recall(
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
        """What the memory holds on a query, best first, each hit with its paths.

        An integer ``k`` gives min(k, what there is); ``"auto"`` adapts it. ``as_of`` asks what was
        valid then; ``asked_at`` anchors relative dates (default: now); ``recent`` turns resolve
        "that one"; ``budget`` bounds ``recall.context`` in tokens. Raises InputError, StoreError.
        """
        request = RecallRequest.checked(
            query,
            k=k,
            as_of=as_of,
            asked_at=asked_at,
            recent=_tuple(recent),
            where=where,
            budget=budget,
            min_score=min_score,
            include_archived=include_archived,
            zone=self.mnemis.config.zone,
        )
        return self.mnemis.recall_scope(self.scope, request)

    def graph(self) -> nx.MultiDiGraph[str]:
        """The whole graph as a networkx copy: nodes with ``kind`` and fields, edges by type."""
        from mnemis.care.graph import to_networkx

        with self.mnemis.store.view(self.scope) as view:
            return to_networkx(view)

    def jobs(self) -> tuple[Job, ...]:
        """Consolidation of this scope that waits, runs or failed, oldest first."""
        return self.mnemis.store.jobs(scope=self.scope)

    def drain(self, *, timeout: float | None = None) -> bool:
        """Wait for this scope's queued consolidation; False when ``timeout`` was not enough."""
        self.mnemis.check_writable()
        return self.mnemis.drain_scope(self.scope, timeout=timeout)


def _tuple(recent: Sequence[Message]) -> tuple[Message, ...]:
    if isinstance(recent, str) or not isinstance(recent, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"recent= wants Message objects, got {recent!r:.40}")
    return tuple(recent)


def check_scope(labels: Sequence[str]) -> Scope:
    """A scope of at least one text label. Raises InputError."""
    if not labels:
        raise InputError('a scope needs at least one label, such as mnemis.scope("user-42")')
    for label in labels:
        if not isinstance(label, str) or len(label) > _MAX_LABEL:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(
                f"scope labels are texts of at most {_MAX_LABEL} characters, got {label!r:.60}"
            )
        try:
            label.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"the scope label {label!r:.60} is not valid Unicode") from error
    return tuple(labels)
