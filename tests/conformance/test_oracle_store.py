"""The reference store keeps the contract."""

from __future__ import annotations

from pathlib import Path

from mnemis.ports.clock import Clock
from mnemis.stores.oracle import OracleStore
from mnemis.testing.store_samples import FINGERPRINT
from mnemis.testing.store_suite import StoreSuite


class TestOracleStore(StoreSuite):
    """The whole suite."""

    def open_store(self, folder: Path, clock: Clock) -> OracleStore:
        return OracleStore(fingerprint=FINGERPRINT, clock=clock)
