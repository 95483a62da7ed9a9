"""Mnemis over pools: one folder and one scope a pool, filled through the public API, kept for the
whole run so that every section asks the same memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mnemis import Config, Memory, Mnemis
from mnemis.ports.embedder import Embedder
from tests.benchmarks.pools import Pool

CONFIG = Config(consolidate="manual")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A filled memory; seconds of both verbs by the wall clock, and of both together on the
    processor; ``derived`` counts nodes made of turns.
    """

    pool: Pool
    folder: Path
    remember: float
    consolidate: float
    processor: float
    derived: int

    @property
    def turns(self) -> int:
        """Messages that went in."""
        return len(self.pool.messages)

    @property
    def bytes_on_disk(self) -> int:
        """All files of the folder, with the store closed."""
        return sum(each.stat().st_size for each in self.folder.rglob("*") if each.is_file())


class Memories:
    """Fills each pool's memory once, under one folder, and opens it as often as asked."""

    def __init__(self, root: Path, *, embedder: Embedder, tell: Callable[[str], None]) -> None:
        self._root = root
        self._tell = tell
        self._built: dict[str, Built] = {}
        self.embedder = embedder

    def build(self, pool: Pool, *, batch: int | None = None) -> Built:
        """Fill a memory: all messages in one call, or in calls of ``batch``; then consolidate."""
        if pool.label not in self._built:
            self._tell(f"remembering {pool.label} ({len(pool.messages)} messages)")
            self._built[pool.label] = self.fill(pool, self.folder(), batch=batch)
        return self._built[pool.label]

    def folder(self) -> Path:
        """A new, empty folder."""
        number = sum(1 for _ in self._root.iterdir())
        folder = self._root / f"{number:03d}"
        folder.mkdir()
        return folder

    def fill(self, pool: Pool, folder: Path, *, batch: int | None = None) -> Built:
        """As ``build``, into a folder of the caller's, whatever was built before."""
        self.embedder.embed(["loads the model before the clock runs"])
        with Mnemis.open(folder, embedder=self.embedder, config=CONFIG) as mnemis:
            memory = mnemis.scope(pool.set, pool.name)
            size = batch or max(1, len(pool.messages))
            began, used = time.perf_counter(), time.process_time()
            for start in range(0, len(pool.messages), size):
                memory.remember(pool.messages[start : start + size])
            remembered = time.perf_counter()
            report = memory.consolidate()
            consolidated, used = time.perf_counter(), time.process_time() - used
        return Built(
            pool=pool,
            folder=folder,
            remember=remembered - began,
            consolidate=consolidated - remembered,
            processor=used,
            derived=report.episodes + report.facts + report.entities + report.categories,
        )

    @contextmanager
    def open(self, pool: Pool) -> Generator[Memory]:
        """The pool's memory, filled before if need be."""
        built = self.build(pool)
        with Mnemis.open(built.folder, embedder=self.embedder, config=CONFIG) as mnemis:
            yield mnemis.scope(pool.set, pool.name)
