"""Random histories: the embedded store answers as the reference does, whatever happens between.

Between changes it is closed and opened, and what it could rebuild is deleted or damaged.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemis.config import Config
from mnemis.errors import MnemisError
from mnemis.model.change import ENTRY_KINDS, Change, EntryKind, Scope, Vector
from mnemis.model.filter import Filter
from mnemis.model.graph import NODE_KINDS
from mnemis.ports.store import Scored, Store, View
from mnemis.stores.oracle import OracleStore
from mnemis.stores.sqlite import SqliteStore, memory
from mnemis.testing import strategies
from mnemis.testing.clock import FakeClock
from mnemis.testing.store_samples import FINGERPRINT, START, close_to

SCOPES: tuple[Scope, ...] = (("a", "b"), ("a/b",))
IDS = [
    f"{kind}{n}{end}"
    for kind in ("turn:m", "fact:", "entity:")
    for n in range(7)
    for end in ("", "#1")
]
MESSAGES = [f"m{n}" for n in range(7)]

Step = tuple[str, Scope, Change]

steps = st.lists(
    st.tuples(
        st.sampled_from(("apply", "apply", "apply", "look", "reopen", "lose", "damage")),
        st.sampled_from(SCOPES),
        strategies.changes(),
    ),
    min_size=1,
    max_size=7,
)


def _open(folder: Path, clock: FakeClock) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), clock=clock)


@pytest.fixture(autouse=True)
def save_small_scopes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index files are written for a handful of rows too."""
    monkeypatch.setattr(memory, "SAVE_FROM", 0)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
    derandomize=True,
)
@given(
    history=steps,
    query=strategies.vectors(),
    tokens=st.lists(st.sampled_from(strategies.TOKENS), max_size=3),
    where=strategies.filters(),
    k=st.integers(0, 9),
)
def test_random_histories_are_answered_alike(
    history: list[Step], query: Vector, tokens: list[str], where: Filter | None, k: int
) -> None:
    clock = FakeClock(START)
    oracle = OracleStore(fingerprint=FINGERPRINT, clock=clock)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "memory"
        store = _open(folder, clock)
        try:
            for action, scope, change in history:
                if action == "apply":
                    assert _outcome(store, scope, change) == _outcome(oracle, scope, change)
                elif action == "look":
                    _compare(store, oracle, query, tokens, where, k)
                else:
                    store.close()
                    _spoil(folder / "indexes", action)
                    store = _open(folder, clock)
            _compare(store, oracle, query, tokens, where, k)
        finally:
            store.close()


def _outcome(store: Store, scope: Scope, change: Change) -> object:
    try:
        return store.apply(scope, change)
    except MnemisError as error:
        return type(error)


def _spoil(indexes: Path, action: str) -> None:
    for path in sorted(indexes.rglob("*")) if action != "reopen" else ():
        if path.is_file() and action == "lose":
            path.unlink()
        elif path.is_file():
            content = bytearray(path.read_bytes())
            middle = len(content) // 2
            path.write_bytes(bytes(content[:middle]) + b"\xff" + bytes(content[middle + 1 :]))


def _compare(
    store: Store,
    oracle: Store,
    query: Vector,
    tokens: list[str],
    where: Filter | None,
    k: int,
) -> None:
    assert store.scopes() == oracle.scopes()
    assert [(j.scope, j.kind, j.status) for j in store.jobs()] == [
        (j.scope, j.kind, j.status) for j in oracle.jobs()
    ]
    for scope in SCOPES:
        with store.view(scope) as view, oracle.view(scope) as wanted:
            _compare_rows(view, wanted, where, k)
            _compare_scores(view, wanted, query, tokens, where, k)


def _compare_rows(view: View, wanted: View, where: Filter | None, k: int) -> None:
    same: tuple[Callable[[View], object], ...] = (
        lambda v: v.seq,
        lambda v: v.get(IDS),
        lambda v: v.versions(IDS),
        lambda v: v.edges(),
        lambda v: v.edges(sources=IDS[:5]),
        lambda v: v.neighbours(IDS, limit=k),
        lambda v: v.neighbours(IDS, types=["next"], direction="in"),
        lambda v: v.degrees(IDS),
        lambda v: v.named(strategies.NAMES),
        lambda v: v.parts_of(IDS),
        lambda v: v.by_source(MESSAGES),
        lambda v: v.tail("s1", limit=k),
        lambda v: v.tail(None, limit=k),
        lambda v: v.timeline(kinds=NODE_KINDS, limit=k, where=where),
        lambda v: v.timeline(start=START, limit=k, newest_first=False),
        lambda v: [v.scan(kind) for kind in NODE_KINDS],
        lambda v: (v.state("a"), v.state("b")),
        lambda v: v.changes(),
        lambda v: v.stats(),
        lambda v: v.surroundings(IDS, radius=1).ids,
        lambda v: v.surroundings(IDS, radius=1).places.tolist(),
        lambda v: v.surroundings(IDS, radius=1).starts.tolist(),
    )
    for number, ask in enumerate(same):
        assert ask(view) == ask(wanted), f"question {number}"


def _compare_scores(
    view: View, wanted: View, query: Vector, tokens: list[str], where: Filter | None, k: int
) -> None:
    some: tuple[EntryKind, ...] = ("turn", "part")
    for kinds in (some, ENTRY_KINDS):
        _same_hits(
            view.nearest(query, k=k, kinds=kinds, where=where),
            wanted.nearest(query, k=k, kinds=kinds, where=where),
        )
        _same_hits(
            view.search(tokens, k=k, kinds=kinds, where=where),
            wanted.search(tokens, k=k, kinds=kinds, where=where),
        )
    distinct = list(dict.fromkeys(tokens))
    for kind in ENTRY_KINDS:
        told = view.score(IDS, kind=kind, tokens=tokens, vector=query)
        truth = wanted.score(IDS, kind=kind, tokens=tokens, vector=query)
        np.testing.assert_allclose(told.similarity, truth.similarity, atol=1e-5)
        np.testing.assert_allclose(told.lexical, truth.lexical, atol=1e-5)
        np.testing.assert_allclose(told.coverage, truth.coverage, atol=1e-5)
        stats = view.term_stats(tokens, kind=kind)
        assert stats == close_to(wanted.term_stats(tokens, kind=kind), within=1e-5)
        counted = view.term_counts(IDS, kind=kind, tokens=distinct)
        truly = wanted.term_counts(IDS, kind=kind, tokens=distinct)
        assert counted.counts.tolist() == truly.counts.tolist()
        assert counted.lengths.tolist() == truly.lengths.tolist()
    found, true = view.vectors(IDS), wanted.vectors(IDS)
    assert found.keys() == true.keys()
    for key, vector in found.items():
        np.testing.assert_allclose(vector, true[key], atol=1e-5)


def _same_hits(found: tuple[Scored, ...], wanted: tuple[Scored, ...]) -> None:
    assert [(hit.id, hit.owner, hit.kind) for hit in found] == [
        (hit.id, hit.owner, hit.kind) for hit in wanted
    ]
    assert [hit.score for hit in found] == close_to([hit.score for hit in wanted], within=1e-5)
