"""Shortcuts in ranking give what the plain way gives, ties and edges too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from mnemis.recall import rank
from mnemis.recall.columns import Picked, RowNumbers
from mnemis.recall.evidence import Field, Fit, best_rows, floats
from mnemis.recall.observe import Observation
from mnemis.recall.weights import SHIPPED


@pytest.mark.parametrize("count", [0, 1, 5, 40, 99])
@pytest.mark.parametrize("levels", [2, 7, 1_000])
def test_best_rows_are_those_of_a_full_stable_sort(count: int, levels: int) -> None:
    values = floats(np.random.default_rng(levels).integers(0, levels, 60) / levels)
    plain = sorted(range(60), key=lambda row: (-values[row], row))[:count]
    assert best_rows(values, count) == plain


@pytest.mark.parametrize("sizes", [(1,), (2, 1), (3, 9, 1, 4), (25, 2)])
def test_the_three_best_of_each_stretch_count(sizes: tuple[int, ...]) -> None:
    values = floats(np.random.default_rng(len(sizes)).normal(0, 2, sum(sizes)))
    starts = np.cumsum([0, *sizes[:-1]])
    field = SimpleNamespace(starts=starts, stretch=np.repeat(np.arange(len(sizes)), sizes))
    told = rank._best_three(cast("Field", field), values)  # pyright: ignore[reportPrivateUsage] compared with the plain way
    plain = [
        np.mean(sorted(values[start : start + size], reverse=True)[:3])
        for start, size in zip(starts, sizes, strict=True)
        for _ in range(size)
    ]
    assert told == pytest.approx(np.array(plain), abs=1e-6)


def test_picked_ids_are_those_of_the_rows() -> None:
    picked = Picked(("a", "乙", "c", "丁"), np.array([3, 1, 1]))
    assert list(picked) == [picked[place] for place in range(3)] == ["丁", "乙", "乙"]
    assert list(picked[1:]) == ["乙", "乙"]
    assert len(picked) == 3
    assert RowNumbers({"乙": 1})["none"] == -1


def asked(known: float) -> tuple[Field, Fit]:
    """Two rows: one that means what is asked, one that has a stray word of it."""
    none = np.zeros(2, dtype=np.float32)
    field = SimpleNamespace(ids=("means it", "says a word"))
    fit = Fit(
        best=floats([0.45, 0.1]),
        mean=floats([0.45, 0.1]),
        bm25=floats([0.0, 0.6]),
        cover=floats([0.0, 0.6]),
        window=none,
        window_cover=none,
        stretch=none,
        session=none,
        has=np.array([[False], [True]]),
        idf=floats([2.0]),
        known=known,
    )
    return cast("Field", field), fit


def test_the_fewer_words_of_a_question_were_ever_said_the_less_words_decide() -> None:
    seen = Observation(
        dialogue=0.0, assisted=0.0, document=False, note=0.0, length=50.0, speakers=()
    )
    heard, unheard = (
        rank._one_question(*asked(known), seen, SHIPPED)  # pyright: ignore[reportPrivateUsage] one feature alone
        for known in (1.0, 0.2)
    )
    assert unheard[0] == heard[0]
    assert unheard[1] < heard[1]
    assert unheard[0] > unheard[1]
