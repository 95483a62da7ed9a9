"""Above the configured size vectors are found through Chroma, with exact scores."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mnemis.config import Config
from mnemis.indexes.approximate import ApproximateCollection
from mnemis.model.change import IndexEntry, Vector
from mnemis.ports.store import View
from mnemis.stores.sqlite import SqliteStore, builder
from mnemis.testing.store_samples import DIMENSION, FINGERPRINT, SCOPE, change, entry, turn

COUNT = 3_000
LARGE = replace(Config(), exact_vectors=1_000)


@pytest.fixture(autouse=True)
def copy_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "LEAST_ROWS", 500)


def _vectors(count: int, seed: int) -> list[Vector]:
    made = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return list(made / np.linalg.norm(made, axis=1, keepdims=True))


def _entries(numbers: range, seed: int) -> list[IndexEntry]:
    found = zip(numbers, _vectors(len(numbers), seed), strict=True)
    return [entry(turn(number), vector=vector) for number, vector in found]


def _open(folder: Path, config: Config) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=config)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with 3,000 turns, all copied."""
    store = _open(tmp_path / "memory", LARGE)
    with store.view(SCOPE) as view:
        assert view.seq == 0
    turns = [turn(n) for n in range(COUNT)]
    store.apply(SCOPE, change(turn(0), entries=_entries(range(1), 0)))
    with store.view(SCOPE) as view:
        assert view.seq == 1
    store.apply(SCOPE, change(*turns, entries=_entries(range(COUNT), 1)))
    store.wait_for_indexes()
    assert store.notices() == ()
    store.close()
    return tmp_path / "memory"


def _ids(view: View, query: Vector) -> list[str]:
    return [hit.id for hit in view.nearest(query, k=10, kinds=["turn"])]


def _overlap(found: SqliteStore, exact: SqliteStore) -> float:
    """Mean share of the ten nearest that both name, and equal scores for those."""
    shared = 0
    queries = _vectors(40, 9)
    for query in queries:
        with found.view(SCOPE) as view, exact.view(SCOPE) as truth:
            got = {h.id: h.score for h in view.nearest(query, k=10, kinds=["turn"])}
            wanted = {h.id: h.score for h in truth.nearest(query, k=10, kinds=["turn"])}
        both = got.keys() & wanted.keys()
        assert len(got) == 10
        assert all(got[i] == pytest.approx(wanted[i], abs=1e-6) for i in both)
        shared += len(both)
    return shared / (10 * len(queries))


def test_the_nearest_are_found_with_exact_scores(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old, replaced, deleted and new rows; after reopening too; Chroma is really asked."""
    asked: list[int] = []
    nearest = ApproximateCollection.nearest

    def counted(self: ApproximateCollection, query: Vector, k: int) -> list[str]:
        asked.append(k)
        return nearest(self, query, k)

    monkeypatch.setattr(ApproximateCollection, "nearest", counted)
    store = _open(folder, LARGE)
    with store.view(SCOPE) as view:
        assert len(_ids(view, _vectors(1, 9)[0])) == 10
    new = [turn(n) for n in range(COUNT, COUNT + 900)]
    store.apply(
        SCOPE,
        change(
            *new,
            entries=[*_entries(range(1_000, 1_300), 3), *_entries(range(COUNT, COUNT + 900), 4)],
            delete_nodes=[f"turn:m{n}" for n in range(500)],
        ),
    )
    store.wait_for_indexes()
    reader = SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), read_only=True)
    assert _overlap(store, reader) >= 0.98
    assert len(asked) >= 40
    reader.close()
    assert store.notices() == ()
    store.close()


@pytest.mark.parametrize("kind", ["lost", "damaged"])
def test_a_copy_that_is_gone_is_made_again(folder: Path, kind: str) -> None:
    """Answers are right from the first."""
    chroma = folder / "indexes" / "chroma"
    assert chroma.is_dir()
    if kind == "lost":
        shutil.rmtree(chroma)
    else:
        for path in chroma.rglob("*"):
            if path.is_file():
                path.write_bytes(b"\xff" * 100)
    store = _open(folder, LARGE)
    reader = SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), read_only=True)
    assert _overlap(store, reader) >= 0.98
    store.wait_for_indexes()
    assert _overlap(store, reader) >= 0.98
    assert bool(store.notices()) == (kind == "damaged")
    reader.close()
    store.close()


def test_scrubbing_removes_forgotten_vectors_from_the_copy(folder: Path) -> None:
    """Its files are made again without them."""
    store = _open(folder, LARGE)
    with store.view(SCOPE) as view:
        vector = view.vectors(["turn:m7"])["turn:m7"]
    needle = np.asarray(vector, "<f4").tobytes()
    assert any(needle in Path(path).read_bytes() for path in store.files())
    store.apply(SCOPE, change(delete_nodes=["turn:m7"]))
    store.scrub()
    store.wait_for_indexes()
    assert not any(needle in Path(path).read_bytes() for path in store.files())
    with store.view(SCOPE) as view:
        assert len(_ids(view, vector)) == 10
        assert "turn:m7" not in _ids(view, vector)
    store.close()
