"""Saving the indexes writes what is new, and a save that stops in the middle harms nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mnemis.config import Config
from mnemis.indexes import snapshot, vectors
from mnemis.stores.sqlite import SqliteStore, memory, snapshots
from mnemis.testing.store_samples import FINGERPRINT, SCOPE, change, direction, entry, turn

_BYTES = 8 * 4  # of one vector


@pytest.fixture(autouse=True)
def _small_scopes_have_files(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] a fixture
    monkeypatch.setattr(memory, "SAVE_FROM", 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A closed store of 40 turns."""
    made = tmp_path / "memory"
    _put(made, range(40))
    return made


def _open(folder: Path) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config())


def _put(folder: Path, numbers: range) -> None:
    """Open, store turns, close."""
    store = _open(folder)
    turns = [turn(n, "茶 tea") for n in numbers]
    entries = [entry(t, "tea", "茶", vector=direction(1, t.ordinal)) for t in turns]
    with store.view(SCOPE) as view:
        assert view.seq >= 0
    store.apply(SCOPE, change(*turns, entries=entries))
    with store.view(SCOPE) as view:
        assert view.seq > 0
    store.close()


def _vectors(folder: Path) -> Path:
    (file,) = (folder / "indexes").glob("*.vectors")
    return file


def _answers(folder: Path) -> Iterator[tuple[str, float]]:
    """What a fresh store finds; it must have used its files."""
    store = _open(folder)
    with store.view(SCOPE) as view:
        for token in ("tea", "茶"):
            assert len(view.search([token], k=99, kinds=["turn"])) == len(view.scan("turn"))
        yield from [
            (hit.id, hit.score) for hit in view.nearest(direction(2, 3), k=99, kinds=["turn"])
        ]
    assert store.notices() == ()
    store.close()


def test_new_vectors_are_appended(folder: Path) -> None:
    before = _vectors(folder)
    content = before.read_bytes()
    assert len(content) == 40 * _BYTES
    _put(folder, range(40, 45))
    after = _vectors(folder)
    assert after == before
    assert after.read_bytes()[: len(content)] == content
    assert len(after.read_bytes()) == 45 * _BYTES
    assert len(list(_answers(folder))) == 45


def test_a_replaced_entry_starts_another_file(folder: Path) -> None:
    before = _vectors(folder)
    store = _open(folder)
    store.apply(SCOPE, change(entries=[entry(turn(3), "tea", "茶", vector=direction(0, 0, 1))]))
    with store.view(SCOPE) as view:
        assert len(view.nearest(direction(0, 0, 1), k=1, kinds=["turn"])) == 1
    store.close()
    with_it = dict(_answers(folder))
    assert _vectors(folder) != before
    assert _vectors(folder).stat().st_size == 40 * _BYTES
    assert len(with_it) == 40
    assert with_it["turn:m3"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("stop", ["before the append", "after the append", "inside the append"])
def test_a_save_that_stops_leaves_the_older_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    content = _vectors(folder).read_bytes()
    with monkeypatch.context() as patched:

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        if stop == "after the append":
            patched.setattr(snapshots, "save", fail)
        else:
            patched.setattr(vectors, "_write", fail)
        _put(folder, range(40, 45))
    if stop == "inside the append":
        with _vectors(folder).open("ab") as file:
            file.write(b"half a vec")
    assert _vectors(folder).read_bytes()[: len(content)] == content
    assert len(list(_answers(folder))) == 45
    _put(folder, range(45, 50))
    assert _vectors(folder).stat().st_size == 50 * _BYTES
    assert len(list(_answers(folder))) == 50


def test_an_index_file_of_the_older_format_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list(_answers(folder))
    (index,) = (folder / "indexes").glob("*.npz")
    head, arrays = snapshot.load(index)
    assert head.pop("vectors")
    held = _vectors(folder)
    arrays["turn.vectors"] = np.fromfile(held, dtype="<f4").reshape(40, 8)
    held.unlink()
    snapshot.save(index, {**head, "format": snapshots.OLDER}, arrays)
    assert list(_answers(folder)) == told
    _put(folder, range(40, 41))
    assert _vectors(folder).stat().st_size == 41 * _BYTES
