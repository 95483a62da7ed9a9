"""What the store keeps in RAM between calls is never older than the memory."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from mnemis import Config, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisStore, shelf

DOCS = ("docs",)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC))


@pytest.fixture
def store(clock: FakeClock) -> MnemisStore:
    config = Config(consolidate="manual")
    return MnemisStore(
        Mnemis(OracleStore(), embedder=HashingEmbedder(), config=config, clock=clock)
    )


def keys(store: MnemisStore, **asked: Any) -> list[str]:
    return [item.key for item in store.search(DOCS, limit=100, **asked)]


def test_what_another_object_writes_is_seen(store: MnemisStore) -> None:
    other = MnemisStore(store.mnemis)
    store.put(DOCS, "a", {"text": "a red rose"})
    assert keys(store) == keys(other) == ["a"]
    other.put(DOCS, "b", {"text": "玫瑰是红的"})
    assert keys(store) == ["a", "b"]
    assert keys(store, query="玫瑰")[0] == "b"
    store.put(DOCS, "b", {"text": "no flower"})
    other.delete(DOCS, "a")
    assert keys(store) == keys(other) == ["b"]
    assert [item.value for item in other.search(DOCS)] == [{"text": "no flower"}]


def test_what_the_memory_forgets_is_gone(store: MnemisStore) -> None:
    store.put(DOCS, "a", {"text": "a red rose"})
    assert keys(store) == ["a"]
    store.mnemis.scope("langgraph-store", "docs").forget(everything=True)
    assert keys(store) == keys(store, query="rose") == []


def test_a_key_that_had_expired_begins_anew_at_the_end(
    store: MnemisStore, clock: FakeClock
) -> None:
    store.put(DOCS, "short", {"n": 1}, ttl=1)
    store.put(DOCS, "long", {"n": 2})
    assert keys(store) == ["short", "long"]
    clock.advance(timedelta(minutes=2))
    assert keys(store) == ["long"]
    store.put(DOCS, "short", {"n": 3})
    assert keys(store) == keys(MnemisStore(store.mnemis)) == ["long", "short"]


def test_what_is_handed_out_can_be_changed(store: MnemisStore) -> None:
    store.put(DOCS, "a", {"tags": ["x"]})
    for _ in range(2):
        (item,) = store.search(DOCS, filter={"tags": ["x"]})
        item.value["tags"].append("y")
    assert [each.value for each in store.search(DOCS)] == [{"tags": ["x"]}]


def test_writing_reads_nothing_again(store: MnemisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    known = shelf.item_of
    monkeypatch.setattr(shelf, "item_of", lambda node: read.append(node.id) or known(node))
    for number in range(10):
        store.put(DOCS, f"k{number % 5}", {"n": number})
        assert len(keys(store)) == min(number + 1, 5)
    assert len(read) == 1, "only the first search read the namespace"


def test_the_least_used_are_let_go(store: MnemisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "_MOST", 10)
    for user in range(6):
        for number in range(4):
            store.put(("notes", f"u{user}"), f"k{number}", {"n": number})
        assert len(store.search(("notes", f"u{user}"))) == 4
    assert len(store._shelves._known) == 2
    assert len(store.search(("notes",), limit=100)) == 24


def test_readers_beside_writers_see_whole_states(store: MnemisStore) -> None:
    seen: list[list[int]] = []
    failed: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(60):
                seen.append([item.value["n"] for item in store.search(DOCS, limit=100)])
        except BaseException as error:
            failed.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for each in readers:
        each.start()
    for number in range(60):
        store.put(DOCS, f"k{number}", {"n": number})
    for each in readers:
        each.join()
    assert not failed
    assert len(seen) == 180
    assert all(found == list(range(len(found))) for found in seen)
    assert keys(store) == [f"k{number}" for number in range(60)]
