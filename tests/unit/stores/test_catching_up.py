"""The order of commits and views that once lost rows from the indexes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from mnemis.config import Config
from mnemis.model.change import Change
from mnemis.stores.sqlite import SqliteStore, indexing
from mnemis.stores.sqlite.memory import ScopeMemory, ScopeSnapshot
from mnemis.testing.store_samples import FINGERPRINT, SCOPE, change, direction, entry, turn


def _numbered(number: int) -> Change:
    node = turn(number)
    return change(node, entries=[entry(node, f"at{number}", vector=direction(1, number))])


def test_a_view_that_loads_after_a_later_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loads the state it began with; the commits after that are caught up, none is skipped."""
    store = SqliteStore.open(tmp_path, fingerprint=FINGERPRINT, config=Config())
    store.apply(SCOPE, _numbered(1))
    load = ScopeMemory.load

    def late(
        self: ScopeMemory, connection: sqlite3.Connection, *, seq: int, epoch: int
    ) -> ScopeSnapshot:
        monkeypatch.setattr(ScopeMemory, "load", load)
        store.apply(SCOPE, _numbered(2))
        return load(self, connection, seq=seq, epoch=epoch)

    monkeypatch.setattr(ScopeMemory, "load", late)
    with store.view(SCOPE) as view:
        assert view.seq == 1
        assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == 1
    store.apply(SCOPE, _numbered(3))
    with store.view(SCOPE) as view:
        assert view.seq == 3
        assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == 3
        assert view.search(["at2"], k=9, kinds=["turn"])
    store.close()


def test_what_fails_after_the_commit_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is durable and acknowledged; the notice says that indexes were rebuilt."""
    store = SqliteStore.open(tmp_path, fingerprint=FINGERPRINT, config=Config())
    store.apply(SCOPE, _numbered(1))
    with store.view(SCOPE) as view:
        assert view.seq == 1

    def broken(self: ScopeMemory, written: object) -> None:
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(ScopeMemory, "absorb", broken)
        assert store.apply(SCOPE, _numbered(2)).applied
    assert "no room" in store.notices()[0]
    with store.view(SCOPE) as view:
        assert view.seq == 2
        assert view.search(["at2"], k=9, kinds=["turn"])
    store.close()


def test_scopes_that_are_not_asked_for_leave_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And come back; a view that is open meanwhile keeps what it has."""
    monkeypatch.setattr(indexing, "MOST_SCOPES", 2)
    store = SqliteStore.open(tmp_path, fingerprint=FINGERPRINT, config=Config())
    scopes = [(str(number),) for number in range(6)]
    store.apply(SCOPE, _numbered(1))
    with store.view(SCOPE) as open_view:
        for step in range(1, 4):
            for scope in scopes:
                store.apply(scope, _numbered(step))
                with store.view(scope) as view:
                    assert view.seq == step
                    assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == step
        store.apply(SCOPE, _numbered(2))
        assert len(open_view.search(["at1", "at2"], k=9, kinds=["turn"])) == 1
    with store.view(SCOPE) as view:
        assert len(view.search(["at1", "at2"], k=9, kinds=["turn"])) == 2
    store.close()
