"""consolidate: stored turns become episodes, facts, entities and categories, in one direction.

    read_batch (segment) → extract → resolve, relate → summarise → embed → Change → store.apply
    … and when all turns are done: categories → Change → store.apply

Each batch is one atomic change that names the sources and versions it rests on; when one of them
changed meanwhile it is computed again, so forgetting wins.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from mnemis.config import Config
from mnemis.consolidate.batch import retry_batch, work_on
from mnemis.consolidate.ledger import Ledger
from mnemis.consolidate.reading import read_batch
from mnemis.consolidate.report import ConsolidationReport, merge_reports
from mnemis.consolidate.resources import Resources
from mnemis.consolidate.titles import link_titles
from mnemis.consolidate.topics.placing import place_categories
from mnemis.errors import Cancelled, Conflict
from mnemis.model.change import Change, Scope
from mnemis.ports.clock import Clock
from mnemis.ports.embedder import Embedder
from mnemis.ports.extractor import Extractor
from mnemis.ports.store import Store, View

__all__ = ["ConsolidationReport", "consolidate", "merge_reports"]

_ATTEMPTS: Final = 5

Computed = tuple[Change, ConsolidationReport]


def consolidate(
    store: Store,
    scope: Scope,
    *,
    embedder: Embedder,
    extractor: Extractor | None,
    clock: Clock,
    config: Config,
    progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
    retry_failed: bool = False,
    budget: int | None = None,
) -> ConsolidationReport:
    """Work on every turn stored before the call, open sessions included; a repeat changes nothing.

    ``extractor`` None means rules; where a given one fails, rules stand in and the report says so
    (``retry_failed`` tries those episodes again). ``budget`` bounds the extractor's model tokens:
    when they are spent, or the model refuses, it is not asked again in this call. ``progress`` is
    called with (turns done, turns in all). Raises Cancelled between batches when ``cancel`` is set
    (what was committed stays), Conflict when the memory kept changing, StoreError, EmbedderError.
    """
    started = time.perf_counter()
    ledger = Ledger(budget=budget)
    resources = Resources(
        embedder=embedder, extractor=extractor, clock=clock, config=config, ledger=ledger
    )
    reports: list[ConsolidationReport] = []
    with store.view(scope) as view:
        newest = view.tail(None, limit=1)
        until = newest[-1].ordinal if newest else -1
        total = max(0, until + 1 - int(view.state("consolidated") or "0"))
    done = 0
    if retry_failed and extractor is not None:
        reports.extend(_commit(store, scope, lambda view: retry_batch(view, resources)))
    while True:
        _check(cancel)
        made = _commit(store, scope, lambda view: _next(view, until, resources))
        if not made:
            break
        reports.extend(made)
        done += made[0].turns
        if progress is not None:
            progress(min(done, total), total)
    while True:
        _check(cancel)
        linked = _commit(store, scope, lambda view: link_titles(view, until=until))
        if not linked:
            break
        reports.extend(linked)
    reports.extend(
        _commit(store, scope, lambda view: place_categories(view, config=config, embedder=embedder))
    )
    spent = ConsolidationReport(
        seconds=time.perf_counter() - started,
        warnings=ledger.notes(),
        model_calls=ledger.calls,
        model_tokens=ledger.tokens,
    )
    return merge_reports([*reports, spent])


def _next(view: View, until: int, resources: Resources) -> Computed | None:
    batch = read_batch(view, until=until, config=resources.config.segment)
    return None if batch is None else work_on(view, batch, resources)


def _commit(
    store: Store, scope: Scope, compute: Callable[[View], Computed | None]
) -> list[ConsolidationReport]:
    """Compute from one view and apply; again from a fresh view when something changed meanwhile."""
    for attempt in range(_ATTEMPTS):
        with store.view(scope) as view:
            computed = compute(view)
        if computed is None:
            return []
        change, report = computed
        try:
            store.apply(scope, change)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return [report]
    raise AssertionError("unreachable: the last attempt returns or raises")


def _check(cancel: threading.Event | None) -> None:
    if cancel is not None and cancel.is_set():
        raise Cancelled(
            "consolidation was cancelled; what was committed stays, call it again to go on"
        )
