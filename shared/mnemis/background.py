"""The worker that serves the durable consolidation queue, one job at a time."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias
from uuid import uuid4

from mnemis.config import Config
from mnemis.consolidate.report import ConsolidationReport, merge_reports
from mnemis.errors import Cancelled, MnemisError, StoreClosed
from mnemis.model.change import Job, Scope
from mnemis.ports.clock import Clock
from mnemis.ports.store import Store

_log = logging.getLogger(__name__)

Work: TypeAlias = Callable[
    [Scope, threading.Event, Callable[[int, int], None]], ConsolidationReport
]
"""(scope, cancel, progress) -> what was done; ``progress`` keeps the job's lease alive."""


@dataclass(slots=True)
class ScopeLocks:
    """One lock a scope and purpose, so that scopes never wait for each other."""

    _guard: threading.Lock = field(default_factory=threading.Lock)
    _locks: dict[tuple[str, Scope], threading.RLock] = field(
        default_factory=dict[tuple[str, Scope], threading.RLock]
    )

    def of(self, purpose: str, scope: Scope) -> threading.RLock:
        """The lock, the same object for the same purpose and scope."""
        with self._guard:
            return self._locks.setdefault((purpose, scope), threading.RLock())


class ConsolidationWorker:
    """Claims queued jobs and runs them; started at the first wake, stopped by ``close``.

    What it did is kept until somebody asks (``take_report``), so that an explicit consolidate()
    can tell the whole of what was made since the last one.
    """

    def __init__(self, store: Store, *, work: Work, clock: Clock, config: Config) -> None:
        self._store = store
        self._work = work
        self._clock = clock
        self._config = config
        self._owner = f"worker-{uuid4().hex[:12]}"
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._idle = threading.Condition()
        self._busy = False
        self._thread: threading.Thread | None = None
        self._start_guard = threading.Lock()
        self._reports: defaultdict[Scope, list[ConsolidationReport]] = defaultdict(list)

    def wake(self) -> None:
        """Look at the queue soon."""
        with self._start_guard:
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(
                    target=self._serve, name="mnemis-consolidation", daemon=True
                )
                self._thread.start()
        self._wake.set()

    def take_report(self, scope: Scope) -> ConsolidationReport | None:
        """What was done for this scope since the last call, None when nothing."""
        with self._idle:
            reports = self._reports.pop(scope, [])
        return merge_reports(reports) if reports else None

    def drain(self, *, scope: Scope | None, timeout: float | None) -> bool:
        """Wait until no job of the scope (of any, for None) is queued or running."""
        self.wake()

        def is_done() -> bool:
            waiting = [job for job in self._store.jobs(scope=scope) if job.status != "failed"]
            return not waiting and not self._busy

        with self._idle:
            return self._idle.wait_for(is_done, timeout=timeout)

    def close(self) -> None:
        """Stop after the change in progress; what is queued stays queued."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _serve(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            try:
                while not self._stop.is_set() and self._run_one():
                    pass
            except StoreClosed:
                return
            except MnemisError as error:
                _log.warning("the consolidation worker waits: %s", type(error).__name__)

    def _run_one(self) -> bool:
        job = self._store.claim(owner=self._owner, now=self._clock.now(), lease=self._config.lease)
        if job is None:
            return False
        with self._idle:
            self._busy = True
        try:
            self._run(job)
        finally:
            with self._idle:
                self._busy = False
                self._idle.notify_all()
        return True

    def _run(self, job: Job) -> None:
        try:
            report = self._work(job.scope, self._stop, self._heartbeat(job))
        except Cancelled:
            self._store.renew(job, now=self._clock.now(), lease=timedelta(0))
            return
        except Exception as error:  # noqa: BLE001  # whatever it is, it must not end the worker
            _log.warning("consolidation failed and can be retried: %s", type(error).__name__)
            self._store.finish(job, error=f"{type(error).__name__}: {error}")
            return
        with self._idle:
            self._reports[job.scope].append(report)
        self._store.finish(job)

    def _heartbeat(self, job: Job) -> Callable[[int, int], None]:
        renewed = self._clock.now()

        def beat(_done: int, _total: int) -> None:
            nonlocal renewed
            now = self._clock.now()
            if now - renewed > self._config.lease / 3:
                self._store.renew(job, now=now, lease=self._config.lease)
                renewed = now

        return beat
