"""After ``scrub`` no file of the folder holds a byte of what was deleted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mnemis.config import Config
from mnemis.stores.sqlite import SqliteStore, memory
from mnemis.testing.store_samples import (
    FINGERPRINT,
    SCOPE,
    change,
    direction,
    edge,
    entity,
    entry,
    fact,
    turn,
)

SECRETS = ("xylophone-42", "秘密花园", "anna-karenina", "zebra7")


def _holding(store: SqliteStore, needles: list[bytes]) -> set[bytes]:
    contents = [Path(path).read_bytes() for path in store.files()]
    return {needle for needle in needles if any(needle in content for content in contents)}


@pytest.mark.parametrize("loaded", [True, False])
@pytest.mark.parametrize("padding", [0, 3_000])
def test_forgotten_bytes_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: bool, padding: int
) -> None:
    """Text, tokens, names, metadata and vectors, in the database, its log and the index files."""
    monkeypatch.setattr(memory, "SAVE_FROM", 0)
    store = SqliteStore.open(tmp_path / "memory", fingerprint=FINGERPRINT, config=Config())
    secret = turn(1, f"{SECRETS[0]} {SECRETS[1]} " + "x" * padding, metadata={"k": SECRETS[2]})
    kept = turn(2, "kept-text")
    name = replace(entity("9f", "m1"), name=SECRETS[3], text=SECRETS[3])
    derived = replace(fact("7a", "m1"), text=SECRETS[0], object=SECRETS[1])
    vector, other = direction(3, 1, 4, 1, 5), direction(2, 7, 1, 8)
    entries = [
        entry(secret, *SECRETS, vector=vector),
        entry(secret, SECRETS[0], suffix="#w", kind="window", vector=vector),
        entry(name, SECRETS[3], names=(SECRETS[3],)),
        entry(derived, SECRETS[0], vector=vector),
        entry(kept, "kept-token", vector=other),
    ]
    store.apply(
        SCOPE, change(secret, kept, name, derived, entries=entries, edges=[edge(secret, name)])
    )
    with store.view(SCOPE) as view:
        assert view.search([SECRETS[0]], k=9, kinds=["turn"])
    store.close()
    store = SqliteStore.open(tmp_path / "memory", fingerprint=FINGERPRINT, config=Config())
    if loaded:
        with store.view(SCOPE) as view:
            assert view.search([SECRETS[0]], k=9, kinds=["turn"])
    needles = [text.encode() for text in SECRETS] + [np.asarray(vector, "<f4").tobytes()]
    assert _holding(store, needles) == set(needles)
    store.apply(SCOPE, change(delete_nodes=[secret.id, name.id, derived.id]))
    store.scrub()
    assert _holding(store, needles) == set()
    assert _holding(store, [b"kept-text", b"kept-token"]) == {b"kept-text", b"kept-token"}
    store.apply(SCOPE, change(turn(3)))
    with store.view(SCOPE) as view:
        assert len(view.nearest(other, k=9, kinds=["turn"])) == 1
    store.close()
    store = SqliteStore.open(tmp_path / "memory", fingerprint=FINGERPRINT, config=Config())
    with store.view(SCOPE) as view:
        assert [node.id for node in view.scan("turn")] == ["turn:m2", "turn:m3"]
    assert _holding(store, needles) == set()
    store.close()
