"""No route is decoration, and none can take the others down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.config import RecallConfig
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import StoreError
from mnemis.model.change import Change
from mnemis.model.graph import Edge
from mnemis.recall import reach
from mnemis.recall.pipeline import Recaller
from mnemis.recall.request import RecallRequest
from mnemis.stores.oracle import OracleStore
from mnemis.text.counting import EstimatingCounter

ROUTES = RecallConfig().routes


def questions(root: Path, route: str) -> list[dict[str, Any]]:
    lines = (root / "tests/data/route_questions.jsonl").read_text("utf-8").splitlines()
    return [each for each in map(json.loads, lines) if each["route"] == route]


def recaller(memory: Memory, *routes: str) -> Recaller:
    mnemis = memory.mnemis
    config = replace(mnemis.config, recall=RecallConfig(routes=routes))  # type: ignore[arg-type]
    return Recaller(
        mnemis.store, embedder=mnemis.embedder, reranker=None, counter=EstimatingCounter(),
        clock=mnemis.clock, config=config,
    )  # fmt: skip


def top_ten(asking: Recaller, memory: Memory, question: dict[str, Any]) -> set[str]:
    request = RecallRequest(query=question["text"], k=10)
    return {hit.id for hit in asking.recall(memory.scope, request).hits}


@pytest.mark.parametrize("route", ROUTES)
def test_each_route_changes_the_first_ten_of_a_third_of_its_questions(
    shipped: Memory, root: Path, route: str
) -> None:
    asked = questions(root, route)
    whole = recaller(shipped, *ROUTES)
    without = recaller(shipped, *(each for each in ROUTES if each != route))
    changed = sum(
        top_ten(whole, shipped, question) != top_ten(without, shipped, question)
        for question in asked
    )
    assert len(asked) >= 20
    assert {question["language"] for question in asked} == {"en", "zh"}
    assert 3 * changed >= len(asked), f"{changed} of {len(asked)}"


def test_most_evidence_is_found_in_both_languages(shipped: Memory, root: Path) -> None:
    for language in ("en", "zh"):
        shares = [
            len(found & {f"turn:{each}" for each in question["evidence"]})
            / len(question["evidence"])
            for question in questions(root, "similarity")
            if question["language"] == language
            and (found := top_ten(recaller(shipped, *ROUTES), shipped, question)) is not None
        ]
        assert float(np.mean(shares)) > 0.6, language


@pytest.fixture
def memory() -> Iterator[Memory]:
    config = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=HashingEmbedder(), config=config) as mnemis:
        memory = mnemis.scope("u")
        memory.remember([Message(role="user", text=text) for text in ("I grow figs", "我种石榴")])
        memory.consolidate()
        yield memory


def fail(*_: object, **__: object) -> Any:
    raise StoreError("this index is away")


@pytest.mark.parametrize("query", ["figs", "石榴"])
def test_a_failing_route_is_named_and_the_others_answer(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr(reach, "walk_relations", fail)
    recall = memory.recall(query, k=1)
    span = recall.trace.find("relations")
    assert query in recall.hits[0].text
    assert span is not None and "away" in str(span.notes["failed"])


def test_when_every_route_fails_it_is_an_error_and_not_an_empty_answer(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gather", "walk_relations", "walk_hierarchy"):
        monkeypatch.setattr(reach, name, fail)
    with pytest.raises(StoreError, match="away"):
        memory.recall("figs", k=1)


@pytest.mark.parametrize(
    ("said", "query", "answer"),
    [
        (
            ("The bakery oven broke on Monday.", "We like the new sign.", "So the opening is off."),
            "Why is the opening off?",
            "The bakery oven broke on Monday.",
        ),
        (
            ("周一烤箱坏了。", "新招牌很好看。", "所以开业取消了。"),
            "为什么开业取消了？",
            "周一烤箱坏了。",
        ),
    ],
)
def test_why_follows_causes(memory: Memory, said: tuple[str, ...], query: str, answer: str) -> None:
    """An effect that matches brings its cause, which shares no word with the question."""
    other = memory.mnemis.scope("why")
    other.remember(
        [
            Message(role="user", text=text, id=f"w{n}", session=f"s{n}")
            for n, text in enumerate(said)
        ]
    )
    edge = Edge(source="turn:w0", target="turn:w2", type="causes", sources=("w0", "w2"))
    other.mnemis.store.apply(other.scope, Change(id="cause", purpose="test", edges=(edge,)))
    hits = other.recall(query, k=2).hits
    assert [hit.text for hit in hits] == [said[2], answer]
    assert any(step.edge == edge.key for path in hits[1].paths for step in path.steps)


@pytest.mark.parametrize("kind", ["fact", "episode", "entity", "category"])
@pytest.mark.parametrize("query", ["price of Leaflet", "若曦住在哪里"])
def test_other_kinds_are_found_when_they_are_asked_for(
    shipped: Memory, kind: str, query: str
) -> None:
    recall = shipped.recall(query, k=4, where={"kind": kind})
    assert [hit.kind for hit in recall.hits] == [kind] * 4
    scores = [hit.score for hit in recall.hits]
    assert scores == sorted(scores, reverse=True)
    assert recall.context.startswith("<memory")
    assert len(shipped.recall(query, k=5, where={"kind": ["turn", kind]}).hits) == 5


def test_superseded_facts_can_be_asked_for_and_bring_their_successors(shipped: Memory) -> None:
    where = {"kind": "fact", "status": "superseded"}
    hits = shipped.recall("launch date 发布日期", k=5, where=where).hits
    graph = shipped.graph()
    assert {hit.status for hit in hits} == {"superseded"}
    for hit in hits:
        assert hit.successors
        for step in hit.successors[-1].paths[0].steps[1:]:
            assert step.edge is not None and graph.has_edge(*step.edge[:2], key=step.edge[2])
