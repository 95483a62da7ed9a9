"""The store port as an executable contract.

Subclass ``StoreSuite`` in a test module and say how a store is opened::

    class TestMyStore(StoreSuite):
        def open_store(self, folder, clock):
            return MyStore(folder, fingerprint=FINGERPRINT, clock=clock)

``check`` runs the same tests without pytest and says how many it ran.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from mnemis.ports.clock import Clock
from mnemis.ports.store import Store
from mnemis.testing.store_columns import ColumnTests
from mnemis.testing.store_jobs import JobTests
from mnemis.testing.store_located import LocateTests
from mnemis.testing.store_reads import ReadTests
from mnemis.testing.store_samples import Opener, StoreBench
from mnemis.testing.store_walls import WallTests
from mnemis.testing.store_writes import WriteTests
from mnemis.testing.suites import SuiteResult


class StoreSuite(WriteTests, ReadTests, ColumnTests, LocateTests, WallTests, JobTests):
    """Every sentence of ``mnemis.ports.store`` as a test."""

    def open_store(self, folder: Path, clock: Clock) -> Store:
        """Open the store that lives in ``folder``; called again on the same one to reopen it."""
        raise NotImplementedError("say how your store is opened")

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Generator[StoreBench]:
        """One open store on a folder of its own."""
        made = StoreBench(self.open_store, tmp_path / "memory")
        yield made
        made.close()


def check(opener: Opener, *, stop_at_first: bool = False) -> SuiteResult:
    """Run the suite on stores that ``opener`` opens."""
    suite = StoreSuite()
    names = [name for name in dir(suite) if name.startswith("test_")]
    failed: dict[str, str] = {}
    ran = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            reason = _run(getattr(suite, name), opener, Path(folder) / "memory")
        ran += 1
        if reason is not None:
            failed[name] = reason
            if stop_at_first:
                break
    return SuiteResult(ran=ran, failed=failed)


def _run(test: Callable[[StoreBench], None], opener: Opener, folder: Path) -> str | None:
    bench = StoreBench(opener, folder)
    try:
        test(bench)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 whatever a test raises is the answer
        return f"{type(error).__name__}: {error}".split("\n", 1)[0]
    finally:
        bench.close()
    return None
