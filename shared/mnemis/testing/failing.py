"""A store that fails at a chosen write, to see what a caller makes of it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from mnemis.errors import StoreFull
from mnemis.model.change import Change, Job, Receipt, Scope
from mnemis.ports.store import Capabilities, Store, View


class FailingStore:
    """Passes everything on to ``store``; write number ``fail_at`` (from 1) raises ``error``.

    Writes are apply, claim, renew and finish. With ``after`` the write is made and its answer
    lost, as when a process dies between the commit and the reply. ``writes`` counts them.
    """

    def __init__(
        self,
        store: Store,
        *,
        fail_at: int,
        after: bool = False,
        error: Exception | None = None,
    ) -> None:
        self._store = store
        self._fail_at = fail_at
        self._after = after
        self._error = error or StoreFull("the disk is full (on purpose)")
        self.writes = 0

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store behind."""
        return self._store.capabilities

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """Fails when it is this write's turn."""
        fails = self._counts()
        if fails and not self._after:
            raise self._error
        receipt = self._store.apply(scope, change)
        if fails:
            raise self._error
        return receipt

    def claim(
        self, *, owner: str, now: datetime, lease: timedelta, scope: Scope | None = None
    ) -> Job | None:
        """Fails when it is this write's turn."""
        fails = self._counts()
        if fails and not self._after:
            raise self._error
        job = self._store.claim(owner=owner, now=now, lease=lease, scope=scope)
        if fails:
            raise self._error
        return job

    def renew(self, job: Job, *, now: datetime, lease: timedelta) -> bool:
        """Fails when it is this write's turn."""
        fails = self._counts()
        if fails and not self._after:
            raise self._error
        renewed = self._store.renew(job, now=now, lease=lease)
        if fails:
            raise self._error
        return renewed

    def finish(self, job: Job, *, error: str = "") -> None:
        """Fails when it is this write's turn."""
        fails = self._counts()
        if fails and not self._after:
            raise self._error
        self._store.finish(job, error=error)
        if fails:
            raise self._error

    def view(self, scope: Scope) -> AbstractContextManager[View]:
        """Passed on."""
        return self._store.view(scope)

    def scopes(self) -> tuple[Scope, ...]:
        """Passed on."""
        return self._store.scopes()

    def jobs(self, *, scope: Scope | None = None) -> tuple[Job, ...]:
        """Passed on."""
        return self._store.jobs(scope=scope)

    def scrub(self) -> None:
        """Passed on."""
        self._store.scrub()

    def files(self) -> tuple[str, ...]:
        """Passed on."""
        return self._store.files()

    def close(self) -> None:
        """Passed on."""
        self._store.close()

    def _counts(self) -> bool:
        self.writes += 1
        return self.writes == self._fail_at
