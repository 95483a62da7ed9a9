"""Plan on a view, apply, and plan again when something changed in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mnemis.errors import Conflict
from mnemis.model.change import Change, Receipt, Scope
from mnemis.ports.store import Store, View

Planned = TypeVar("Planned")
_ATTEMPTS = 8


def apply_plan(
    store: Store, scope: Scope, plan: Callable[[View], tuple[Change | None, Planned]]
) -> tuple[Planned, Receipt | None]:
    """What the plan that was applied said, and the receipt; None when nothing was to be written.

    A Conflict makes it plan anew from a fresh view, at most eight times, then it is raised.
    """
    for attempt in range(_ATTEMPTS):
        with store.view(scope) as view:
            change, planned = plan(view)
        if change is None:
            return planned, None
        try:
            return planned, store.apply(scope, change)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def scrub(store: Store, scope: Scope) -> None:
    """Rewrite the files without what is gone; of why jobs failed only the kind of error stays,
    since a model's error may quote what it read.
    """
    for job in store.jobs(scope=scope):
        if job.status == "failed" and ":" in job.error:
            store.finish(job, error=job.error.partition(":")[0])
    store.scrub()
