"""What goes and what is told anew, on hand-made graphs: a model's words, disputes, caps, jobs."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from mnemis import Memory, Mnemis
from mnemis.model.change import Change, IndexEntry
from mnemis.model.graph import Category, Edge, Entity, Episode, Fact, Node
from mnemis.testing.clock import FakeClock
from tests.unit.care.conftest import START, check_whole, everything, said


def put(memory: Memory, *nodes: Node, edges: tuple[Edge, ...] = ()) -> None:
    """Nodes with an entry each, edges with all sources of their target."""
    store = memory.mnemis.store
    with store.view(memory.scope) as view:
        seq = view.seq
    vectors = memory.mnemis.embedder.embed([node.text for node in nodes])
    entries = tuple(
        IndexEntry(
            id=node.id,
            kind=node.kind,
            owner=node.id,
            sources=node.sources,
            terms=tuple(node.text.lower().split()),
            vector=np.asarray(row, dtype=np.float32),
        )
        for node, row in zip(nodes, vectors, strict=True)
    )
    change = Change(id=f"put-{seq}", purpose="test", nodes=nodes, edges=edges, entries=entries)
    store.apply(memory.scope, change)


def fact(name: str, text: str, *sources: str, **more: object) -> Fact:
    values: dict[str, object] = {
        "subject": "Ana", "relation": "has_condition", "object": name, "confidence": 0.9,
        "speaker": "Ana", "time": START,
    } | more  # fmt: skip
    return Fact(id=f"fact:{name}", text=text, sources=sources, **values)  # type: ignore[arg-type]


def by_id(memory: Memory) -> dict[str, Node]:
    return {node.id: node for node in everything(memory)}


@pytest.mark.parametrize(
    ("secret", "open_text", "told", "name"),
    [
        ("My insulin pump broke, I have diabetes.", "I have diabetes.", "Ana is an insulin-dependent diabetic whose device failed", "diabetes"),
        ("我的胰岛素泵坏了，我有糖尿病。", "我有糖尿病。", "安娜依赖胰岛素，设备损坏", "糖尿病"),
    ],
)  # fmt: skip
def test_a_models_words_for_what_goes_do_not_stay(
    memory: Memory, secret: str, open_text: str, told: str, name: str
) -> None:
    memory.remember([said(1, secret), said(2, open_text)])
    put(memory, fact(name, told, "m1", "m2", language="zh" if not name.isascii() else "en"))
    memory.forget(message_ids=["m1"])
    left = by_id(memory)[f"fact:{name}"]
    assert isinstance(left, Fact)
    assert left.sources == ("m2",)
    assert name in left.text
    assert not any(word in left.text for word in ("insulin", "device", "胰岛素", "设备"))
    assert left.confidence == pytest.approx(0.8)
    assert left.time == START + timedelta(minutes=2)
    with memory.mnemis.store.view(memory.scope) as view:
        assert view.search(("insulin", "device"), k=9, kinds=("fact",)) == ()
    check_whole(memory)


def test_a_dispute_of_which_one_side_goes_is_none(memory: Memory) -> None:
    memory.remember([said(n, f"Statement {n}.") for n in (1, 2, 3)])
    sides = [fact(f"side{n}", f"Statement {n}.", f"m{n}", status="disputed") for n in (1, 2, 3)]
    put(
        memory,
        *sides,
        edges=(
            Edge(source=sides[1].id, target=sides[0].id, type="contradicts", sources=("m1", "m2")),
            Edge(source=sides[2].id, target=sides[0].id, type="contradicts", sources=("m1", "m3")),
        ),
    )
    memory.forget(message_ids=["m2"])
    assert {n.status for n in everything(memory) if isinstance(n, Fact)} == {"disputed"}
    memory.forget(message_ids=["m3"])
    assert {n.status for n in everything(memory) if isinstance(n, Fact)} == {"current"}
    check_whole(memory)


def test_an_entity_whose_list_of_sources_is_capped_stays_while_it_is_named(memory: Memory) -> None:
    memory.remember([said(n, "Lunch with Nina.") for n in range(80)])
    nina = Entity(
        id="entity:nina", text="Nina", name="Nina", sources=tuple(f"m{n}" for n in range(5))
    )
    mentions = tuple(
        Edge(source=f"turn:m{n}", target=nina.id, type="mentions", sources=(f"m{n}",))
        for n in range(80)
    )
    put(memory, nina, edges=mentions)
    memory.forget(message_ids=[f"m{n}" for n in range(70)])
    left = by_id(memory)["entity:nina"]
    assert set(left.sources) == {f"m{n}" for n in range(70, 80)}
    check_whole(memory)
    assert memory.forget(entity="entity:nina").counts["entity"] == 1
    assert everything(memory) == []


def test_an_alias_that_only_what_goes_used_is_dropped(memory: Memory) -> None:
    memory.remember([said(1, "Nina, called Ninotchka, came."), said(2, "Nina left.")])
    nina = Entity(
        id="entity:nina", text="Ninotchka [Nina]", name="Ninotchka", aliases=("Nina",),
        qualifier="Ninotchka's", sources=("m1", "m2"), metadata={"note": "said Ninotchka"},
    )  # fmt: skip
    put(memory, nina)
    memory.forget(message_ids=["m1"])
    left = by_id(memory)["entity:nina"]
    assert isinstance(left, Entity)
    assert (left.name, left.aliases, left.qualifier, left.text) == ("Nina", (), "", "Nina")
    assert left.metadata == {}


def test_topics_are_named_by_what_stays(memory: Memory) -> None:
    memory.remember([said(1, "The divorce papers came."), said(2, "The garden wall fell.")])
    episodes = [
        Episode(
            id=f"episode:{n}", text=text, sources=(f"m{n}",), title=word, keywords=(word,),
            session="s1", turns=(f"turn:m{n}",),
        )
        for n, text, word in ((1, "The divorce papers came.", "divorce"), (2, "Wall fell.", "wall"))
    ]  # fmt: skip
    home = Category(
        id="category:home", text="Divorce and wall: divorce, wall", name="Divorce and wall",
        layer=1, keywords=("divorce", "wall"), sources=("m1", "m2"),
    )  # fmt: skip
    law = Category(id="category:law", text="Divorce", name="Divorce", layer=1, sources=("m1",))
    top = Category(
        id="category:top", text="Divorce", name="Divorce", layer=2, keywords=("divorce", "wall")
    )
    under = [("episode:1", home), ("episode:2", home), ("episode:1", law)]
    put(
        memory,
        *episodes,
        home,
        law,
        top,
        edges=(
            *(Edge(source=low, target=high.id, type="belongs_to") for low, high in under),
            Edge(source=home.id, target=top.id, type="belongs_to"),
            Edge(source=law.id, target=top.id, type="belongs_to"),
        ),
    )
    memory.forget(message_ids=["m1"])
    left = by_id(memory)
    assert "category:law" not in left
    assert [left[key].text for key in ("category:home", "category:top")] == ["wall: wall"] * 2
    with memory.mnemis.store.view(memory.scope) as view:
        assert view.search(("divorc",), k=9, kinds=("category", "episode")) == ()
    check_whole(memory)


def test_why_a_job_failed_does_not_quote_what_is_forgotten(mnemis: Mnemis, memory: Memory) -> None:
    memory.remember([said(1, "My code is SENTINEL-5."), said(2, "I like tea.")])
    store, clock = mnemis.store, FakeClock(START)
    store.apply(memory.scope, Change(id="queue", purpose="test", jobs=("consolidate",)))
    job = store.claim(owner="w", now=clock.now(), lease=timedelta(minutes=1))
    assert job is not None
    store.finish(job, error="ModelError: it answered 'SENTINEL-5'")
    memory.forget(message_ids=["m1"])
    assert [each.error for each in memory.jobs()] == ["ModelError"]
    assert memory.verify_forgotten("SENTINEL-5")
