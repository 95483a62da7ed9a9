"""Stores that are wrong in one way each: a suite that lets one pass is no suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemis.model.change import Change, EntryKind, IndexEntry, Job, Receipt, Scope
from mnemis.model.filter import Filter, matches
from mnemis.model.graph import Node, Turn
from mnemis.ports.clock import Clock
from mnemis.ports.store import Capabilities, Located, Scored, TermCounts, View
from mnemis.stores.oracle import OracleStore
from mnemis.stores.oracle_view import OracleView, ScopeState
from mnemis.testing.store_samples import FINGERPRINT


class LeaksScopes(OracleStore):
    """Joins labels with a slash, so that ("a", "b") is ("a/b",)."""

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """Under the joined label."""
        return super().apply(("/".join(scope),), change)

    def _view_of(self, scope: Scope) -> View:
        return super()._view_of(("/".join(scope),))


class KeepsEdgesOfTheDeleted(OracleStore):
    """Deleting a node leaves its edges behind."""

    def _next_state(self, state: ScopeState, change: Change) -> ScopeState:
        after = super()._next_state(state, change)
        edges = {k: e for k, e in state.edges.items() if k not in change.delete_edges}
        return replace(after, edges={**edges, **after.edges})


class KeepsEntriesOfTheDeleted(OracleStore):
    """Deleting a node leaves its postings behind."""

    def _next_state(self, state: ScopeState, change: Change) -> ScopeState:
        after = super()._next_state(state, change)
        kept = {i: e for i, e in state.entries.items() if i not in change.delete_entries}
        nodes = {i: n for i, n in state.nodes.items() if any(e.owner == i for e in kept.values())}
        return replace(after, entries={**kept, **after.entries}, nodes={**nodes, **after.nodes})


class WritesHalves(OracleStore):
    """Writes nodes and state before it looks at edges and entries."""

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """In two steps."""
        half = replace(change, id=change.id + "#half", edges=(), entries=(), sources=frozenset())
        now = self._states.get(scope, ScopeState())
        if not self._is_repeat(now, change):
            self._states[scope] = replace(self._next_state(now, half), seq=now.seq, log=now.log)
        return super().apply(scope, change)


class IgnoresConflicts(OracleStore):
    """The last writer wins."""

    def _refuse_conflicts(self, state: ScopeState, change: Change) -> None:
        return


class AppliesRepeats(OracleStore):
    """Forgets which changes it has seen."""

    def _is_repeat(self, state: ScopeState, change: Change) -> bool:
        return False


class ForgetsRepeatsLater(OracleStore):
    """Knows only the last change's id."""

    def _is_repeat(self, state: ScopeState, change: Change) -> bool:
        return bool(state.log) and state.log[-1].change_id == change.id


class SharesOneState(OracleStore):
    """A view reads whatever is newest."""

    def _view_of(self, scope: Scope) -> View:
        return _NewestView(lambda: self._states.get(scope, ScopeState()), self._dimension)


class _NewestView(OracleView):
    def __init__(self, newest: Callable[[], ScopeState], dimension: int | None) -> None:
        super().__init__(newest(), dimension=dimension)
        self._newest = newest

    def __getattribute__(self, name: str) -> object:
        if name == "_at":
            return object.__getattribute__(self, "_newest")()
        return object.__getattribute__(self, name)


class _ChosenView(OracleStore):
    """A store whose views are of another class."""

    view_class: type[OracleView] = OracleView

    def _view_of(self, scope: Scope) -> View:
        return self.view_class(self._states.get(scope, ScopeState()), dimension=self._dimension)


class _UnstableTies(OracleView):
    def _best(
        self,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None,
        score: Callable[[IndexEntry], float | None],
    ) -> tuple[Scored, ...]:
        found = super()._best(10**9, kinds, where, score)
        return tuple(sorted(found, key=lambda hit: (-hit.score, hit.id[::-1]))[: max(k, 0)])


class BreaksTiesByChance(_ChosenView):
    """Equal scores come in another order than by id."""

    view_class = _UnstableTies


class _LateFilter(OracleView):
    def _best(
        self,
        k: int,
        kinds: Sequence[EntryKind],
        where: Filter | None,
        score: Callable[[IndexEntry], float | None],
    ) -> tuple[Scored, ...]:
        found = super()._best(k, kinds, None, score)
        return tuple(h for h in found if self._allowed(self._at.nodes[h.owner], where))


class FiltersTooLate(_ChosenView):
    """Takes the k best first and filters them after."""

    view_class = _LateFilter


class _ShallowFilter(OracleView):
    def _allowed(self, node: Node, where: Filter | None) -> bool:
        return where is None or not isinstance(node, Turn) or matches(node, where)


class ForgetsFilterOnDerived(_ChosenView):
    """Facts come back whoever said what they rest on."""

    view_class = _ShallowFilter


class _RemembersRows(OracleView):
    def locate(
        self, ids: Sequence[str], *, kind: EntryKind, known: Located | None = None
    ) -> Located:
        return replace(super().locate(ids, kind=kind), state=self)

    def term_counts(
        self, ids: Sequence[str] | Located, *, kind: EntryKind, tokens: Sequence[str]
    ) -> TermCounts:
        if isinstance(ids, Located) and isinstance(ids.state, OracleView):
            return OracleView.term_counts(ids.state, ids.ids, kind=kind, tokens=tokens)
        return super().term_counts(ids, kind=kind, tokens=tokens)


class CountsWhatWasLocated(_ChosenView):
    """Located entries are counted as they were then, not as they are now."""

    view_class = _RemembersRows


class KeepsLeasesForever(OracleStore):
    """A job whose worker died is never taken again."""

    def claim(
        self, *, owner: str, now: datetime, lease: timedelta, scope: Scope | None = None
    ) -> Job | None:
        """With a lease that does not end."""
        return super().claim(owner=owner, now=now, lease=timedelta(days=36_500), scope=scope)


class QueuesTwice(OracleStore):
    """Every queueing adds a job."""

    def _queue(self, scope: Scope, kind: str) -> None:
        known = dict(self._jobs.waiting)
        self._jobs.waiting.clear()
        super()._queue(scope, kind)
        self._jobs.waiting = {**known, **self._jobs.waiting}


class LosesOffsets(OracleStore):
    """Keeps instants in UTC only."""

    def _next_state(self, state: ScopeState, change: Change) -> ScopeState:
        nodes = tuple(
            replace(n, time=None if n.time is None else n.time.astimezone(UTC))
            for n in change.nodes
        )
        return super()._next_state(state, replace(change, nodes=nodes))


class ForgetsEverything(OracleStore):
    """Says that it is durable and is not."""

    @property
    def capabilities(self) -> Capabilities:
        """Not true."""
        return replace(super().capabilities, durable=True)


class AcceptsLooseEdges(OracleStore):
    """Puts edges to nodes that are not there."""

    def _next_state(self, state: ScopeState, change: Change) -> ScopeState:
        after = super()._next_state(state, replace(change, edges=()))
        return replace(after, edges={**after.edges, **{e.key: e for e in change.edges}})


BROKEN: tuple[type[OracleStore], ...] = (
    LeaksScopes,
    KeepsEdgesOfTheDeleted,
    KeepsEntriesOfTheDeleted,
    WritesHalves,
    IgnoresConflicts,
    AppliesRepeats,
    ForgetsRepeatsLater,
    SharesOneState,
    BreaksTiesByChance,
    FiltersTooLate,
    ForgetsFilterOnDerived,
    CountsWhatWasLocated,
    KeepsLeasesForever,
    QueuesTwice,
    LosesOffsets,
    ForgetsEverything,
    AcceptsLooseEdges,
)


def opener_of(broken: type[OracleStore]) -> Callable[[Path, Clock], OracleStore]:
    """Opens stores of one broken class."""

    def open_store(folder: Path, clock: Clock) -> OracleStore:
        return broken(fingerprint=FINGERPRINT, clock=clock)

    return open_store
