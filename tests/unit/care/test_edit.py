"""edit: the new text answers, the old is nowhere."""

from __future__ import annotations

import pytest

from mnemis import Document, InputError, Memory
from mnemis.model.graph import Episode, Fact
from tests.unit.care.conftest import START, check_whole, everything, said, tell, texts_of


@pytest.mark.parametrize(
    ("old", "new", "gone", "stays", "query"),
    [
        (
            "沈一舟生于1961年。陆远生于1963年。",
            "沈一舟生于1960年。陆远生于1963年。",
            "1961",
            ("1960", "1963"),
            "沈一舟比陆远大几岁？",
        ),
        (
            "Ida was born in 1961. Tom was born in 1963.",
            "Ida was born in 1960. Tom was born in 1963.",
            "1961",
            ("1960", "1963"),
            "How much older than Tom is Ida?",
        ),
    ],
)
@pytest.mark.parametrize("consolidated", [True, False])
def test_only_the_new_text_answers(
    memory: Memory,
    old: str,
    new: str,
    gone: str,
    stays: tuple[str, ...],
    query: str,
    consolidated: bool,
) -> None:
    memory.remember([said(1, old), said(2, "Fine weather today.")])
    if consolidated:
        memory.consolidate()
    report = memory.edit("m1", text=new)
    assert report.changed
    assert report.message_id == "m1"
    for _ in range(2):
        assert gone not in texts_of(memory)
        assert memory.verify_forgotten([old, gone])
        recall = memory.recall(query)
        assert all(each in recall.context for each in stays)
        assert gone not in recall.context
        check_whole(memory)
        memory.consolidate()
    assert [n.sources for n in everything(memory) if n.kind == "turn"] == [("m1",), ("m2",)]


def test_facts_follow_the_correction(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I work at Orbit Labs.")
    report = memory.edit("m1", text="I live in Porto.")
    assert report.removed.messages == ()
    assert report.removed.counts["turn"] == 0
    assert report.removed.counts["fact"] == 1
    memory.consolidate()
    homes = [n for n in everything(memory) if isinstance(n, Fact) and n.relation == "lives_in"]
    assert [(n.object, n.status, n.sources) for n in homes] == [("Porto", "current", ("m1",))]
    episodes = [n.sources for n in everything(memory) if isinstance(n, Episode)]
    assert sorted(episodes) == [("m1",), ("m2",)]


def test_an_episode_is_told_anew_around_an_edit(memory: Memory) -> None:
    memory.remember([said(n, f"The gate {n} is painted in colour{n}.") for n in range(1, 6)])
    memory.consolidate()
    memory.edit("m3", text="The gate 3 is not painted at all.")
    memory.consolidate()
    episodes = [n for n in everything(memory) if isinstance(n, Episode)]
    assert [each.turns for each in episodes] == [tuple(f"turn:m{n}" for n in range(1, 6))]
    assert "colour3" not in texts_of(memory)
    with memory.mnemis.store.view(memory.scope) as view:
        links = sorted(edge.key[:2] for edge in view.edges() if edge.type == "next")
    assert links == [(f"turn:m{n}", f"turn:m{n + 1}") for n in range(1, 5)]


def test_metadata_alone_removes_nothing(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    memory.pin("m1")
    before = [node.id for node in everything(memory)]
    report = memory.edit("m1", metadata={"tag": "home"})
    assert report.changed
    assert not report.removed
    assert [node.id for node in everything(memory)] == before
    node = memory.show("m1").node
    assert node.metadata["tag"] == "home"
    assert node.metadata["mnemis.pinned"] is True


def test_the_same_again_changes_nothing(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    report = memory.edit("m1", text="I live in Lisbon.")
    assert not report.changed
    assert any(isinstance(n, Fact) for n in everything(memory))


def test_a_document_may_grow(memory: Memory) -> None:
    memory.add_documents([Document(id="d1", title="Plan", text="The gate opens at nine.")])
    memory.remember([said(1, "Hello there.")])
    memory.consolidate()
    report = memory.edit(
        "d1", text="The gate opens at ten. " + "More about the garden wall. " * 200
    )
    assert len(report.turns) > 2
    memory.consolidate()
    assert "nine" not in texts_of(memory)
    assert memory.recall("When does the gate open?").hits[0].sources == ("d1",)
    turns = [node for node in everything(memory) if node.kind == "turn"]
    assert [node.sources for node in turns] == [("m1",)] + [("d1",)] * len(report.turns)
    check_whole(memory)


def test_a_new_time_moves_what_is_said(memory: Memory) -> None:
    memory.remember([said(1, "The launch is tomorrow.")])
    memory.edit("m1", time=START.replace(year=2020, tzinfo=None))
    node = memory.show("m1").node
    assert node.time is not None
    assert node.time.year == 2020


def test_what_cannot_be_edited_is_said(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.")
    fact = next(node.id for node in everything(memory) if node.kind == "fact")
    for call in (
        lambda: memory.edit("m1"),
        lambda: memory.edit("nobody", text="x"),
        lambda: memory.edit(fact, text="x"),
        lambda: memory.edit("m1", metadata={"mnemis.pinned": True}),
    ):
        with pytest.raises(InputError):
            call()
    assert "Lisbon" in texts_of(memory)
