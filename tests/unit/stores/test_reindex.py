"""Another embedder's vectors take the place of the stored ones, all or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from mnemis.config import Config
from mnemis.errors import EmbedderMismatch, InputError
from mnemis.model.change import Scope, Vector
from mnemis.ports.embedder import Fingerprint
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import FINGERPRINT, SCOPE, change, direction, entry, turn

OTHER = Fingerprint(model="other", dimension=3, version="2")
KINDS = ("turn",)


def _open(folder: Path, fingerprint: Fingerprint | None) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=fingerprint, config=Config())


def _axis(place: int) -> Vector:
    return np.eye(3, dtype=np.float32)[place]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = _open(tmp_path / "memory", FINGERPRINT)
    for scope in (SCOPE, ("other",)):
        turns = [turn(n) for n in range(3)]
        entries = [entry(t, "tea", vector=direction(1, t.ordinal)) for t in turns]
        store.apply(scope, change(*turns, entries=entries))
    store.close()
    return tmp_path / "memory"


def test_vectors_are_replaced_everywhere(folder: Path) -> None:
    store = _open(folder, None)
    reader = SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), read_only=True)

    def vectors() -> Iterator[tuple[Scope, Mapping[str, Vector]]]:
        for scope in store.scopes():
            for number, (entry_id, kind, owner) in enumerate(store.entry_ids(scope)):
                assert (kind, owner) == ("turn", entry_id)
                with store.view(scope) as view:
                    assert entry_id in view.vectors([entry_id])
                if number < 2:
                    yield scope, {entry_id: _axis(number) * 5}

    with reader.view(SCOPE) as view:
        assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == 3
    store.replace_vectors(OTHER, vectors())
    with pytest.raises(EmbedderMismatch), reader.view(SCOPE):
        pass
    reader.close()
    for _ in range(2):
        for scope in (SCOPE, ("other",)):
            with store.view(scope) as view:
                found = view.nearest(_axis(1), k=9, kinds=["turn"])
                assert [(hit.id, hit.score) for hit in found] == [
                    ("turn:m1", 1.0),
                    ("turn:m0", 0.0),
                ]
                assert len(view.search(["tea"], k=9, kinds=["turn"])) == 3
        store.close()
        store = _open(folder, OTHER)
    store.close()
    with pytest.raises(EmbedderMismatch):
        _open(folder, FINGERPRINT)


def test_a_wrong_vector_changes_nothing(folder: Path) -> None:
    store = _open(folder, None)
    wrong = {"turn:m0": _axis(0), "turn:m1": direction(1)}
    with pytest.raises(InputError):
        store.replace_vectors(OTHER, [(SCOPE, wrong)])
    store.close()
    store = _open(folder, FINGERPRINT)
    with store.view(SCOPE) as view:
        assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == 3
    store.close()
