"""The embedded store keeps the contract."""

from __future__ import annotations

from pathlib import Path

from mnemis.config import Config
from mnemis.ports.clock import Clock
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import FINGERPRINT
from mnemis.testing.store_suite import StoreSuite


class TestSqliteStore(StoreSuite):
    """The whole suite."""

    def open_store(self, folder: Path, clock: Clock) -> SqliteStore:
        return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), clock=clock)
