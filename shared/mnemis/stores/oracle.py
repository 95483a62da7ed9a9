"""The reference store: plain dictionaries, slow and obvious. It defines what others must answer."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from mnemis.errors import Conflict, DanglingEdge, StoreClosed
from mnemis.model.change import Change, ChangeRecord, IndexEntry, Job, Receipt, Scope
from mnemis.model.graph import Edge, EdgeKey, Node, Turn
from mnemis.ports.clock import Clock, SystemClock
from mnemis.ports.embedder import Fingerprint
from mnemis.ports.store import Capabilities, View
from mnemis.stores.checks import check_change, check_entries, check_scope
from mnemis.stores.codec import encode_node
from mnemis.stores.oracle_view import OracleView, ScopeState


@dataclass(slots=True)
class _Jobs:
    """Jobs in the order they were queued."""

    waiting: dict[str, Job] = field(default_factory=dict[str, Job])
    counter: int = 0


class OracleStore:
    """Keeps everything in this process and nothing on disk.

    >>> OracleStore().scopes()
    ()
    """

    def __init__(
        self, *, fingerprint: Fingerprint | None = None, clock: Clock | None = None
    ) -> None:
        self._dimension = None if fingerprint is None else fingerprint.dimension
        self._clock = clock or SystemClock()
        self._states: dict[Scope, ScopeState] = {}
        self._jobs = _Jobs()
        self._lock = threading.RLock()
        self._closed = False

    @property
    def capabilities(self) -> Capabilities:
        """Nothing survives the process."""
        return Capabilities(durable=False, exact_vectors=True, many_writers=False)

    def apply(self, scope: Scope, change: Change) -> Receipt:
        """Build the next state beside the current one and swap it in."""
        self._check_open()
        check_scope(scope)
        check_change(change)
        with self._lock:
            now = self._states.get(scope, ScopeState())
            if self._is_repeat(now, change):
                return Receipt(seq=now.seq, applied=False)
            self._refuse_conflicts(now, change)
            for node in change.nodes:
                encode_node(node)
            entries = check_entries(change.entries, dimension=self._dimension)
            self._states[scope] = self._next_state(now, replace(change, entries=entries))
            self._dimension = next(
                (len(v) for e in entries if (v := e.vector) is not None), self._dimension
            )
            for kind in change.jobs:
                self._queue(scope, kind)
            return Receipt(seq=now.seq + 1, applied=True)

    @contextmanager
    def view(self, scope: Scope) -> Generator[View]:
        """States never change once they are visible, so a view just holds one."""
        self._check_open()
        check_scope(scope)
        yield self._view_of(scope)

    def scopes(self) -> tuple[Scope, ...]:
        """Scopes that hold a node or a job, sorted."""
        self._check_open()
        with self._lock:
            busy = {job.scope for job in self._jobs.waiting.values()}
            return tuple(sorted(busy | {s for s, state in self._states.items() if state.nodes}))

    def claim(
        self, *, owner: str, now: datetime, lease: timedelta, scope: Scope | None = None
    ) -> Job | None:
        """The oldest free job of a scope in which none is running."""
        self._check_open()
        with self._lock:
            busy = {job.scope for job in self._jobs.waiting.values() if _held(job, now)}
            for job in self._jobs.waiting.values():
                free = job.status != "failed" and job.scope not in busy
                if free and scope in (None, job.scope):
                    taken = replace(
                        job,
                        status="running",
                        attempts=job.attempts + 1,
                        leased_until=now + lease,
                        owner=owner,
                    )
                    self._jobs.waiting[job.id] = taken
                    return taken
            return None

    def renew(self, job: Job, *, now: datetime, lease: timedelta) -> bool:
        """Prolong a lease that nobody else took."""
        self._check_open()
        with self._lock:
            current = self._jobs.waiting.get(job.id)
            if current is None or not _same_hold(current, job) or current.status != "running":
                return False
            self._jobs.waiting[job.id] = replace(current, leased_until=now + lease)
            return True

    def finish(self, job: Job, *, error: str = "") -> None:
        """Remove the job, or keep it as failed."""
        self._check_open()
        with self._lock:
            current = self._jobs.waiting.get(job.id)
            if current is None or not _same_hold(current, job):
                return
            if error:
                self._jobs.waiting[job.id] = replace(
                    current, status="failed", leased_until=None, error=error
                )
            else:
                del self._jobs.waiting[job.id]

    def jobs(self, *, scope: Scope | None = None) -> tuple[Job, ...]:
        """All jobs there are, oldest first."""
        self._check_open()
        with self._lock:
            return tuple(j for j in self._jobs.waiting.values() if scope in (None, j.scope))

    def scrub(self) -> None:
        """There are no files."""
        self._check_open()

    def files(self) -> tuple[str, ...]:
        """There are no files."""
        return ()

    def close(self) -> None:
        """Later calls raise StoreClosed."""
        self._closed = True

    def _is_repeat(self, state: ScopeState, change: Change) -> bool:
        return any(record.change_id == change.id for record in state.log)

    def _refuse_conflicts(self, state: ScopeState, change: Change) -> None:
        _refuse_conflicts(state, change)

    def _next_state(self, state: ScopeState, change: Change) -> ScopeState:
        return _next_state(state, change, time=self._clock.now())

    def _view_of(self, scope: Scope) -> View:
        return OracleView(self._states.get(scope, ScopeState()), dimension=self._dimension)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed("this store was closed; open it again")

    def _queue(self, scope: Scope, kind: str) -> None:
        for job in self._jobs.waiting.values():
            if (job.scope, job.kind, job.status) == (scope, kind, "queued"):
                return
        self._jobs.counter += 1
        job_id = f"job:{self._jobs.counter}"
        self._jobs.waiting[job_id] = Job(
            id=job_id, scope=scope, kind=kind, status="queued", queued_at=self._clock.now()
        )


def _held(job: Job, now: datetime) -> bool:
    return job.status == "running" and job.leased_until is not None and job.leased_until > now


def _same_hold(current: Job, job: Job) -> bool:
    return (current.owner, current.attempts) == (job.owner, job.attempts)


def _refuse_conflicts(state: ScopeState, change: Change) -> None:
    for node_id, version in change.read_versions.items():
        if state.versions.get(node_id, 0) != version:
            raise Conflict(
                f"{node_id!r} is at version {state.versions.get(node_id, 0)}, the change "
                f"{change.id!r} was computed from {version}; compute it again"
            )
    present = {node.message_id for node in state.nodes.values() if isinstance(node, Turn)}
    for source in sorted(change.sources - present):
        raise Conflict(f"message {source!r} is gone, the change {change.id!r} rests on it")


def _next_state(state: ScopeState, change: Change, *, time: datetime) -> ScopeState:
    nodes, versions = dict(state.nodes), dict(state.versions)
    edges, entries = dict(state.edges), dict(state.entries)
    seq = state.seq + 1
    deleted = tuple(dict.fromkeys(i for i in change.delete_nodes if i in nodes))
    _delete(deleted, change, nodes=nodes, versions=versions, edges=edges, entries=entries)
    for node in change.nodes:
        nodes[node.id] = node
        versions[node.id] = seq
    for edge in change.edges:
        edges[edge.key] = edge
    for entry in change.entries:
        entries.pop(entry.id, None)  # so that a replaced entry moves to the end
        entries[entry.id] = entry
    _refuse_dangling(change, nodes)
    record = ChangeRecord(
        seq=seq,
        change_id=change.id,
        purpose=change.purpose,
        time=time,
        nodes=tuple(dict.fromkeys(node.id for node in change.nodes)),
        deleted=deleted,
    )
    return ScopeState(
        seq=seq,
        nodes=nodes,
        versions=versions,
        edges=edges,
        entries=entries,
        state={**state.state, **change.state},
        log=(*state.log, record),
    )


def _delete(
    deleted: tuple[str, ...],
    change: Change,
    *,
    nodes: dict[str, Node],
    versions: dict[str, int],
    edges: dict[EdgeKey, Edge],
    entries: dict[str, IndexEntry],
) -> None:
    gone = set(deleted)
    for node_id in gone:
        del nodes[node_id], versions[node_id]
    for key in [k for k in edges if k[0] in gone or k[1] in gone or k in change.delete_edges]:
        del edges[key]
    for entry_id in [
        i for i, entry in entries.items() if entry.owner in gone or i in change.delete_entries
    ]:
        del entries[entry_id]


def _refuse_dangling(change: Change, nodes: dict[str, Node]) -> None:
    for edge in change.edges:
        for end in (edge.source, edge.target):
            if end not in nodes:
                raise DanglingEdge(f"edge {edge.key!r} ends at {end!r}, which is not there")
    for entry in change.entries:
        if entry.owner not in nodes:
            raise DanglingEdge(f"entry {entry.id!r} belongs to {entry.owner!r}, which is not there")
