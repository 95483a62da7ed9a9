"""The best of many scores, found by way of a sample, are those of a whole sort."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mnemis.indexes.entries import EntryTable, Floats
from mnemis.indexes.reader import EntryReader
from mnemis.model.change import IndexEntry
from mnemis.testing.store_samples import direction

COUNT = 4_000


def _reader(scores: Floats) -> EntryReader:
    """Entries whose cosine with the first direction is the score."""
    table = EntryTable(by_owner=False)
    for number, score in enumerate(scores.tolist()):
        vector = direction(score, float(np.sqrt(1 - score**2)))
        table.put(
            IndexEntry(
                id=f"e{number:05}", kind="turn", owner="o", sources=(), terms=(), vector=vector
            )
        )
    return EntryReader(table.publish())


def _scattered() -> Floats:
    return np.random.default_rng(5).uniform(-1, 1, COUNT).astype(np.float32)


def _tied() -> Floats:
    return np.round(_scattered(), 1)


def _beside_the_sample() -> Floats:
    """The best stand where no sample looks."""
    scores = np.zeros(COUNT, dtype=np.float32)
    scores[1::8] = np.linspace(0.5, 0.9, len(scores[1::8]))
    return scores


def _only_in_the_sample() -> Floats:
    """All that is good stands where the sample looks, and is soon at an end."""
    scores = np.zeros(COUNT, dtype=np.float32)
    scores[::8][:50] = np.linspace(0.5, 0.9, 50)
    return scores


@pytest.mark.parametrize("make", [_scattered, _tied, _beside_the_sample, _only_in_the_sample])
@pytest.mark.parametrize("k", [1, 30, 100, 3_999, 4_000])
def test_the_best_are_those_of_a_sort(make: Callable[[], Floats], k: int) -> None:
    reader = _reader(make())
    wanted = sorted(
        (-score, f"e{row:05}", row) for row, score in enumerate(reader.cosines(direction(1)))
    )
    found = reader.nearest(direction(1), k)
    assert found[:k] == wanted[:k]
    least = wanted[k - 1][0]
    assert found == [hit for hit in wanted if hit[0] <= least]
