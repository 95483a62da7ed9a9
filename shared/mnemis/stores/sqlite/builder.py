"""A thread that copies the vectors of large scopes into Chroma, behind the writer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mnemis.indexes.approximate import (
    BATCH,
    ApproximateCollection,
    ApproximateFolder,
    ApproximateUnusable,
)
from mnemis.indexes.entries import EntryTable
from mnemis.model.change import EntryKind
from mnemis.stores.sqlite.memory import ScopeMemory

LEAST_ROWS = 4_096
"""Kinds with fewer rows, and the newest rows of others, are searched exactly."""
_GRACE = 10.0
"""Seconds that the thread leaves to others before it imports and copies."""


class VectorBuilder:
    """Sleeps until a scope is named that holds more than ``exact`` entries."""

    def __init__(
        self, folder: Path, *, identity: str, exact: int, note: Callable[[str], None]
    ) -> None:
        self._folder = ApproximateFolder(folder)
        self._identity = identity
        self._exact = exact
        self._note = note
        self._named: queue.SimpleQueue[ScopeMemory | threading.Event | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._due = threading.Event()

    def consider(self, memory: ScopeMemory) -> None:
        """Name a scope; returns at once."""
        if self._stop.is_set() or not self._work(memory):
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="mnemis-vectors", daemon=True)
            self._thread.start()
        self._named.put(memory)

    def wait(self) -> None:
        """Until everything named so far was copied."""
        done = threading.Event()
        self._due.set()
        if self._thread is not None and self._thread.is_alive():
            self._named.put(done)
            done.wait()

    def discard(self) -> None:
        """Stop, and remove all copies; later scopes start a new one."""
        self.close()
        self._folder.discard()
        self._stop, self._due = threading.Event(), threading.Event()

    def close(self) -> None:
        """Stop after the batch at hand."""
        self._stop.set()
        self._due.set()
        self._named.put(None)
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._named = queue.SimpleQueue()
        self._folder.close()

    def _work(self, memory: ScopeMemory) -> tuple[EntryKind, ...]:
        tables = memory.tables()
        if sum(len(table.rows) for table in tables.values()) <= self._exact:
            return ()
        return tuple(
            kind for kind, table in tables.items() if len(table.rows) - table.covered >= LEAST_ROWS
        )

    def _run(self) -> None:
        while not self._stop.is_set():
            named = self._named.get()
            if isinstance(named, threading.Event):
                named.set()
            elif named is not None:
                # Importing Chroma takes the interpreter for a second: the first answers go first.
                self._due.wait(_GRACE)
                self._due.set()
                if not self._stop.is_set():
                    self._copy_all(named)
        while not self._named.empty():
            named = self._named.get()
            if isinstance(named, threading.Event):
                named.set()

    def _copy_all(self, memory: ScopeMemory) -> None:
        for kind in self._work(memory):
            try:
                self._copy(memory, kind)
            except ApproximateUnusable as error:
                self._note(f"vectors are searched exactly, Chroma failed: {error}")
                with memory.lock:
                    memory.tables()[kind].uncover()

    def _copy(self, memory: ScopeMemory, kind: EntryKind) -> None:
        with memory.lock:
            snapshot, table = memory.snapshot, memory.tables().get(kind)
        if snapshot is None or table is None or kind not in snapshot.entries:
            return
        entries = snapshot.entries[kind]
        if entries.table is not table or entries.vectors is None:
            return
        collection = self._folder.collection(self._identity, memory.scope_id, snapshot.epoch, kind)
        start = self._start(table, collection)
        searchable = entries.searchable()
        for first in range(start, entries.rows.count, BATCH):
            end = min(first + BATCH, entries.rows.count)
            rows = first + np.flatnonzero(searchable[first:end])
            if len(rows):
                ids = [table.rows.ids[row] for row in rows.tolist()]
                collection.put(ids, entries.vectors[rows])
            with memory.lock:
                if self._stop.is_set() or memory.tables().get(kind) is not table:
                    return
                table.cover(end, collection)

    def _start(self, table: EntryTable, collection: ApproximateCollection) -> int:
        """Where to go on: what an index file claims counts only if the collection has as much."""
        if table.covered:
            return table.covered
        claimed = table.claimed
        return claimed if claimed and collection.count() >= claimed else 0
