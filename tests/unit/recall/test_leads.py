"""Walks are kept as columns and made when they are read."""

from __future__ import annotations

import pytest

from mnemis.model.graph import Edge
from mnemis.model.query import Found
from mnemis.recall.leads import Leads, Walks

SAID = Edge(source="turn:a", target="fact:f", type="supports")
NEXT = Edge(source="turn:a", target="turn:b", type="next")
DIRECT = Leads(
    route="similarity", feature="similarity", turns=("turn:a", "turn:b"), scores=(0.5, 1.0)
)
FACTS = Leads(
    route="similarity",
    feature="fact",
    turns=("turn:a", "turn:a"),
    scores=(0.25, 0.75),
    ways=(((("fact:f", None),), SAID), ((("fact:f", None),), SAID)),
)
BESIDE = Leads(
    route="similarity",
    feature="similarity",
    turns=("turn:b", "turn:a"),
    scores=(0.2, 0.6),
    ways=(((("turn:a", None),), NEXT), ((("turn:b", None),), NEXT)),
)


def test_each_walk_comes_once_at_its_best() -> None:
    walks = Walks((DIRECT, FACTS, BESIDE))
    assert list(walks) == ["turn:a", "turn:b"]
    assert walks["turn:a"] == (
        Found(turn="turn:a", route="similarity", score=0.5),
        Found(turn="turn:a", route="similarity", score=0.75, before=(("fact:f", None),), edge=SAID),
        Found(turn="turn:a", route="similarity", score=0.6, before=(("turn:b", None),), edge=NEXT),
    )
    assert walks.to(["turn:b"]) == {"turn:b": walks["turn:b"]}
    assert [found.score for found in walks["turn:b"]] == [1.0, 0.2]


def test_each_turn_has_its_best_score_by_feature() -> None:
    walks = Walks((DIRECT, FACTS, BESIDE))
    assert walks.best("similarity").tolist() == [0.6, 1.0]
    assert walks.best("fact").tolist() == [0.75, -1.0]
    assert walks.best("cause").tolist() == [-1.0, -1.0]


def test_more_of_them_join_behind() -> None:
    newest = Leads(route="recency", feature=None, turns=("turn:新的",), scores=(0.0,))
    before = Walks((DIRECT,))
    assert before.best("similarity").tolist() == [0.5, 1.0]
    walks = before.joined(newest)
    assert walks.best("similarity").tolist() == [0.5, 1.0, -1.0]
    assert walks.joined(BESIDE).best("similarity").tolist() == [0.6, 1.0, -1.0]
    assert list(before) == ["turn:a", "turn:b"]
    assert list(walks) == ["turn:a", "turn:b", "turn:新的"]
    assert walks.numbers(["turn:新的", "turn:a"]).tolist() == [2, 0]
    assert walks["turn:新的"] == (Found(turn="turn:新的", route="recency", score=0.0),)
    with pytest.raises(KeyError, match="turn:d"):
        walks["turn:d"]
