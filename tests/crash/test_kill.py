"""A writer is killed at random moments: what it acknowledged is there, the rest whole or absent."""

from __future__ import annotations

import random
import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest

from mnemis.config import Config
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import FINGERPRINT, SCOPE, direction
from tests.crash.conftest import Child

WRITE_FOREVER = """
store = opened(folder)
with store.view(SCOPE) as view:
    first = view.seq
for n in range(first, 100_000):
    receipt = store.apply(SCOPE, step(n))
    say(receipt.seq)
    if n % 10 == 9:
        store.scrub()
"""


def _kill_after(child: Child, folder: Path, seconds: float) -> int:
    """Run the writer, kill it, and give the last seq that it acknowledged."""
    process = child(WRITE_FOREVER, folder)
    assert process.stdout is not None and process.stderr is not None
    acknowledged = int(process.stdout.readline() or 0)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate()
    assert process.returncode == -signal.SIGKILL, errors
    lines = rest.splitlines()
    if lines and not rest.endswith("\n"):
        lines.pop()
    return int(lines[-1]) if lines else acknowledged


def _check_whole(folder: Path, acknowledged: int) -> None:
    store = SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config())
    try:
        with store.view(SCOPE) as view:
            done = view.seq
            assert acknowledged <= done <= acknowledged + 1
            assert view.state("done") == str(done - 1)
            assert len(view.changes()) == done
            assert len(view.scan("turn")) == 2 * done
            assert len(view.edges()) == done
            assert len(view.nearest(direction(1), k=10**6, kinds=["turn"])) == 2 * done
            for n in (0, done // 2, done - 1):
                found = view.search([f"word{n}"], k=9, kinds=["turn"])
                assert {hit.id for hit in found} == {f"turn:m{2 * n}", f"turn:m{2 * n + 1}"}
            assert view.search([f"word{done}"], k=9, kinds=["turn"]) == ()
    finally:
        store.close()


def _kill_again_and_again(child: Child, folder: Path, rounds: int, seed: int) -> list[int]:
    """What was acknowledged before each kill; after each everything of it is there."""
    chance = random.Random(seed)
    told = [0]
    for _ in range(rounds):
        told.append(_kill_after(child, folder, chance.uniform(0.0, 0.2)))
        _check_whole(folder, told[-1])
    return told


def test_a_killed_writer_loses_nothing_acknowledged(child: Child, tmp_path: Path) -> None:
    told = _kill_again_and_again(child, tmp_path / "memory", 3, seed=1)
    assert all(before < after for before, after in pairwise(told))


@pytest.mark.slow
def test_a_writer_killed_many_times_loses_nothing(child: Child, tmp_path: Path) -> None:
    told = _kill_again_and_again(child, tmp_path / "memory", 40, seed=2)
    assert all(before < after for before, after in pairwise(told))
