"""A path is made where a hop is made: every step of every path is an edge of the graph."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path as File

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemis import Hit, Memory, Path
from mnemis.model.query import Found
from mnemis.model.recall import Step
from mnemis.recall.answer import best_walks


@pytest.fixture(scope="module")
def graph(shipped: Memory) -> nx.MultiDiGraph[str]:
    return shipped.graph()


def questions(root: File) -> list[dict[str, str]]:
    lines = (root / "tests/data/route_questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def replay(path: Path, graph: nx.MultiDiGraph[str]) -> int:
    """Walk the path over the graph; the number of edges it took."""
    seed, *rest = path.steps
    assert seed.edge is None
    assert seed.node in graph
    here = seed.node
    for step in rest:
        assert step.edge is not None
        source, target, key = step.edge
        assert graph.has_edge(source, target, key=key), step
        assert {source, target} == {here, step.node}, step
        here = step.node
    assert all(step.label for step in path.steps)
    return len(rest)


def every_path(hits: tuple[Hit, ...]) -> Iterator[tuple[Hit, Path]]:
    for hit in hits:
        assert hit.paths, hit.id
        yield from ((hit, path) for path in hit.paths)
        yield from every_path(hit.successors)


def test_every_path_of_the_route_questions_replays(
    shipped: Memory, graph: nx.MultiDiGraph[str], root: File
) -> None:
    walked: Counter[str] = Counter()
    for question in questions(root):
        recall = shipped.recall(question["text"], k=30)
        for hit, path in every_path(recall.hits):
            assert path.steps[-1].node == hit.id
            walked[path.route] += replay(path, graph)
    assert min(walked[route] for route in ("similarity", "relations", "hierarchy")) > 50, walked


WORDS = (
    "Leaflet launch price supplier Ana Tom Priya coffee storage database casing battery yesterday "
    "everything about why when boss sister 发布 价格 供应商 若曦 小明 喝 住 存储 数据库 电池 昨天 所有 为什么 "
    "什么时候 妹妹 现在 以前 ? ？"
).split()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=7), k=st.integers(0, 80))
def test_every_path_of_any_query_replays(
    shipped: Memory, graph: nx.MultiDiGraph[str], words: list[str], k: int
) -> None:
    recall = shipped.recall(" ".join(words), k=k)
    scores = [hit.score for hit in recall.hits]
    assert len(recall.hits) <= k
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    for _, path in every_path(recall.hits):
        replay(path, graph)


def test_a_label_is_told_once_where_it_repeats() -> None:
    names = ("茶馆", "chat of 3 March", "chat of 3 March", "茶馆")
    steps = tuple(Step(node=f"n{place}", label=name) for place, name in enumerate(names))
    assert str(Path(route="similarity", steps=steps)) == "茶馆 > chat of 3 March > 茶馆"


def test_how_a_turn_was_matched_is_told_before_which_hit_led_to_it() -> None:
    own = Found(turn="turn:1", route="similarity", score=0.3)
    led = Found(
        turn="turn:1",
        route="relations",
        score=0.9,
        before=(("turn:0", None), ("entity:小孟", None)),
    )
    named = Found(turn="turn:1", route="relations", score=0.2, before=(("entity:Beth", None),))
    assert best_walks([led, own]) == (own, led)
    assert best_walks([own, named]) == (named, own)
    assert best_walks([led]) == (led,)
