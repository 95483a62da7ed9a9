"""How much two turns mean the same, whatever cosines an embedder gives to strangers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import pytest

from mnemis.consolidate.rules.hedges import is_hedged, is_of_another_year, is_passing, takes_back
from mnemis.consolidate.rules.matters_named import matter_of, other_matters
from mnemis.consolidate.validity.likeness import Likeness
from mnemis.model.change import Vector
from mnemis.ports.store import View


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    id: str


@dataclass(slots=True, kw_only=True)
class _Stored:
    """The two reads of a view that likeness makes."""

    rows: dict[str, Vector] = field(default_factory=dict[str, Vector])

    def tail(self, session: str | None, *, limit: int) -> tuple[_Said, ...]:
        assert session is None
        return tuple(_Said(id=each) for each in list(self.rows)[-limit:])

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        return {each: self.rows[each] for each in ids if each in self.rows}


def stored(count: int, *, common: float) -> _Stored:
    """Random unit vectors, with a part in common that lifts every cosine."""
    rows = np.random.default_rng(7).normal(size=(count, 64)) / 8.0
    rows[:, 0] += common
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return _Stored(rows={f"t{at}": row.astype(np.float32) for at, row in enumerate(rows)})


def mean_likeness(view: _Stored) -> float:
    likeness = Likeness(view=cast("View", view))
    names = list(view.rows)
    return float(
        np.mean([likeness.of(one, two) for one, two in zip(names, names[1:], strict=False)])
    )


def test_an_embedder_whose_strangers_are_alike_links_no_more_than_another() -> None:
    plain, lifted = (mean_likeness(stored(60, common=each)) for each in (0.0, 2.0))
    assert lifted < 0.25
    assert abs(lifted - plain) < 0.1


def test_few_vectors_are_measured_with_the_usual_scale() -> None:
    view = _Stored(
        rows={"a": np.array([1.0, 0.0], np.float32), "b": np.array([0.8, 0.6], np.float32)}
    )
    likeness = Likeness(view=cast("View", view))
    assert likeness.of("a", "b") == pytest.approx((0.8 - 0.1) / 0.3, abs=1e-5)
    assert likeness.of("a", "missing") == 0.0


@pytest.mark.parametrize(
    ("sentence", "hedged"),
    [
        ("They may raise the rent to 1000 euros.", True),
        ("房租可能涨到5000。", True),
        ("They raised the rent in May.", False),
        ("房租五月涨到5000了。", False),
        ("The rent was going to go up.", True),
        ("本来要涨房租的。", True),
        ("We kept them from raising the rent.", True),
        ("我们拒绝涨房租。", True),
        ("Ten years ago the rent went up to 600.", True),
        ("十年前房租涨到600。", True),
        ("I don't run the club any more, Jo took it over.", False),
        ("社团我不管了,小周接手了。", False),
    ],
)
def test_what_has_not_come_about_is_hedged(sentence: str, hedged: bool) -> None:
    assert is_hedged(sentence) is hedged


def test_whiles_years_and_withdrawals_are_told() -> None:
    assert is_passing("Jo takes it over while Bo is away.")
    assert is_passing("老张休假期间由小陈负责。")
    assert not is_passing("Jo takes it over.")
    assert takes_back("He was joking.")
    assert takes_back("骗你的。")
    assert is_of_another_year("In 2015 it went up.", 2026)
    assert is_of_another_year("2015年涨的。", 2026)
    assert not is_of_another_year("In 2026 it went up.", 2026)


@pytest.mark.parametrize(
    ("frame", "new", "old", "two"),
    [
        ("keeper", "Marta takes over the lighting.", "Erik does the catering.", True),
        ("keeper", "灯光改由小陈负责了。", "餐饮由老张负责。", True),
        ("keeper", "Marta runs the club now.", "Erik runs the book club.", False),
        ("keeper", "社团现在归小李管了。", "新社团归老张管。", False),
        ("amount", "Gym went up to 35.", "Gym membership is 30.", False),
        ("amount", "健身卡涨到350了。", "健身卡每月300。", False),
        ("amount", "The studio rent went up to 900.", "The rent for the garage is 90.", True),
        ("amount", "停车费涨到350了。", "健身卡每月300。", True),
        ("name", "The dog is now called Falcon.", "Our team is called Otters.", True),
        ("where", "The band moved to the gym.", "The choir is in the hall.", True),
        ("where", "舞蹈团搬到体育馆了。", "合唱团在文化馆排练。", True),
    ],
)
def test_two_names_are_two_matters(frame: str, new: str, old: str, two: bool) -> None:
    assert other_matters(frame, new, old, strict=True) is two


def test_a_pronoun_names_no_matter() -> None:
    assert matter_of("amount", "It went up to 35.") is None
    assert matter_of("where", "我们搬到体育馆了。") is None
