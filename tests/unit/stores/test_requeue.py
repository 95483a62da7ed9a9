"""Whoever opens a folder for writing holds its lock, so whoever ran a job before is gone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemis import Config
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.change import Change
from mnemis.stores.sqlite import SqliteStore

NOW = datetime(2025, 3, 3, 9, tzinfo=UTC)
LEASE = timedelta(minutes=5)


def open_store(path: Path) -> SqliteStore:
    return SqliteStore.open(path, fingerprint=HashingEmbedder().fingerprint, config=Config())


def queue(store: SqliteStore, change_id: str) -> None:
    store.apply(("u",), Change(id=change_id, purpose="test", jobs=("consolidate",)))


def test_a_job_of_a_dead_process_is_taken_up_at_once(tmp_path: Path) -> None:
    store = open_store(tmp_path / "m")
    queue(store, "one")
    assert store.claim(owner="w", now=NOW, lease=LEASE) is not None
    store.close()
    again = open_store(tmp_path / "m")
    assert [job.status for job in again.jobs()] == ["queued"]
    assert again.claim(owner="v", now=NOW + timedelta(seconds=1), lease=LEASE) is not None
    again.close()


def test_one_waits_where_one_ran_and_one_waited(tmp_path: Path) -> None:
    store = open_store(tmp_path / "m")
    queue(store, "one")
    assert store.claim(owner="w", now=NOW, lease=LEASE) is not None
    queue(store, "two")
    store.close()
    again = open_store(tmp_path / "m")
    assert [job.status for job in again.jobs()] == ["queued"]
    again.close()
