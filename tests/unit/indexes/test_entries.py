"""Published entries stay as they were while the table grows, dies and is made compact."""

from __future__ import annotations

import random

import numpy as np

from mnemis.indexes.entries import EntrySnapshot, EntryTable
from mnemis.indexes.reader import EntryReader
from mnemis.model.change import IndexEntry
from mnemis.testing.store_samples import direction

TOKENS = ("tea", "milk", "退款", "a", "b")


def _entry(chance: random.Random, number: int) -> IndexEntry:
    return IndexEntry(
        id=f"e{number}",
        kind="part",
        owner=f"o{number % 3}",
        sources=(),
        terms=tuple(chance.choices(TOKENS, k=chance.randrange(6))),
        vector=direction(1, chance.randrange(5)) if chance.random() < 0.8 else None,
        names=(f"name{number % 2}",),
    )


def _check(snapshot: EntrySnapshot, wanted: dict[str, IndexEntry]) -> None:
    reader = EntryReader(snapshot)
    ids = [f"e{number}" for number in range(14)]
    counts, lengths = reader.counts(snapshot.rows.rows(ids), TOKENS)
    for row, entry_id in enumerate(ids):
        terms = wanted[entry_id].terms if entry_id in wanted else ()
        assert counts[row].tolist() == [terms.count(token) for token in TOKENS]
        assert lengths[row] == len(terms)
    for token in TOKENS:
        holding = sorted(i for i, e in wanted.items() if token in e.terms)
        assert sorted(i for _, i, _ in reader.search((token,), 99)) == holding
    with_vector = {i for i, e in wanted.items() if e.vector is not None}
    assert {i for _, i, _ in reader.nearest(direction(1), 99)} == with_vector
    for number in range(3):
        held = tuple(i for i, e in wanted.items() if e.owner == f"o{number}")
        assert snapshot.ids_of_owner(f"o{number}") == held
    for number in range(2):
        named = {e.owner for e in wanted.values() if f"name{number}" in e.names}
        assert snapshot.owners_named(f"name{number}") == named


def test_random_tables_are_kept_as_in_a_dictionary() -> None:
    """Compacted now and then, saved and loaded; older states are read at the end."""
    chance = random.Random(3)
    table, truth = EntryTable(by_owner=True), dict[str, IndexEntry]()
    states: list[tuple[EntrySnapshot, dict[str, IndexEntry]]] = []
    for step in range(80):
        for _ in range(chance.randrange(5)):
            made = _entry(chance, chance.randrange(12))
            table.delete(made.id)
            truth.pop(made.id, None)
            if chance.random() < 0.75:
                table.put(made)
                truth[made.id] = made
        if step % 9 == 0:
            table = table.compacted()
        states.append((table.publish(), dict(truth)))
    for snapshot, wanted in states:
        _check(snapshot, wanted)


def test_a_table_of_mostly_dead_rows_is_wasteful() -> None:
    table = EntryTable(by_owner=False)
    for number in range(2_500):
        table.delete("e1")
        table.put(IndexEntry(id="e1", kind="turn", owner="e1", sources=(), terms=(str(number),)))
    assert table.wasteful
    made = table.compacted()
    assert not made.wasteful
    assert len(made.rows) == 1
    assert made.publish().lexical.find("2499")[0].tolist() == [0]
    assert made.publish().lexical.find("7")[0].tolist() == []


def test_equal_vectors_score_equally_wherever_they_stand() -> None:
    table = EntryTable(by_owner=False)
    vector = np.random.default_rng(1).standard_normal(37).astype(np.float32)
    for number in range(1_003):
        table.put(IndexEntry(id=f"e{number}", kind="turn", owner="x", sources=(), vector=vector))
    query = np.random.default_rng(2).standard_normal(37).astype(np.float32)
    snapshot = table.publish()
    dense = snapshot.cosines(query)
    some = snapshot.cosines(query, np.array([1_002, 5, 77]))
    assert len(set(dense.tolist()) | set(some.tolist())) == 1
