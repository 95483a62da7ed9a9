"""forget on the real pipeline: nothing stays that rests on what goes, everything else does."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemis import Document, InputError, Memory, Message, Mnemis
from mnemis.model.graph import Entity, Episode, Fact
from tests.unit.care.conftest import (
    START,
    check_whole,
    everything,
    said,
    tell,
    texts_of,
)


def facts(memory: Memory, status: str = "current") -> list[str]:
    return [n.text for n in everything(memory) if isinstance(n, Fact) and n.status == status]


def test_a_selector_is_needed_and_everything_must_be_said(memory: Memory) -> None:
    tell(memory, "I like tea.")
    for wrong in (
        {},
        {"message_ids": ["m1"], "everything": True},
        {"message_ids": ["m1"], "session": "s1"},
        {"entity": "Ana", "everything": True},
        {"entity": " "},
        {"message_ids": [3]},
        {"before": "yesterday"},
    ):
        with pytest.raises(InputError):
            memory.forget(**wrong)  # type: ignore[arg-type]
    assert len(memory.recall("tea").hits) == 1


@pytest.mark.parametrize(
    ("first", "second", "gone", "stays"),
    [
        ("Nina works at Orbit Labs.", "Nina plays squash.", "Orbit", "squash"),
        ("我同事李娜在星海公司工作。", "我同事李娜喜欢打羽毛球。", "星海", "羽毛球"),
    ],
)
def test_what_others_support_stays_and_nothing_dangles(
    memory: Memory, first: str, second: str, gone: str, stays: str
) -> None:
    tell(memory, first, second)
    assert gone in texts_of(memory)
    named = {n.name for n in everything(memory) if isinstance(n, Entity) and n.name in second}
    assert named
    report = memory.forget(message_ids=["m1"])
    assert report.messages == ("m1",)
    assert report.counts["turn"] == 1
    assert gone not in texts_of(memory)
    assert stays in texts_of(memory)
    check_whole(memory)
    memory.consolidate()
    assert gone not in texts_of(memory)
    assert stays in texts_of(memory)
    check_whole(memory)
    assert named <= {node.name for node in everything(memory) if isinstance(node, Entity)}


@pytest.mark.parametrize(
    ("texts", "words", "kept", "query"),
    [
        (
            (
                "I had surgery on my knee in 2021.",
                "I play the oboe.",
                "The oboe concert is in May.",
            ),
            ("surgery", "knee", "2021"),
            "oboe",
            "health surgery",
        ),
        (
            ("我2021年做过膝盖手术。", "我会吹双簧管。", "双簧管音乐会在五月。"),
            ("手术", "膝盖", "2021"),
            "双簧管",
            "健康 手术",
        ),
    ],
)
def test_a_forgotten_secret_is_in_no_text_and_no_file(
    memory: Memory, texts: tuple[str, ...], words: tuple[str, ...], kept: str, query: str
) -> None:
    memory.remember([said(n, text) for n, text in enumerate(texts, 1)])
    memory.consolidate()
    memory.forget(message_ids=["m1"])
    for _ in range(2):
        left = texts_of(memory)
        assert [word for word in words if word in left] == []
        assert kept in left
        proof = memory.verify_forgotten([texts[0], *words], message_ids=["m1"])
        assert proof.clean, proof.found
        recall = memory.recall(query)
        assert [w for w in words if w in recall.context] == []
        check_whole(memory)
        memory.consolidate()


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        (
            "The staging queue uses port 5810.",
            "Correction: the staging queue uses port 5910.",
            "staging queue port",
        ),
        ("我住在上海。", "我搬家了，现在住在杭州。", "住在哪里"),
    ],
)
def test_what_was_overturned_only_by_what_goes_is_current_again(
    memory: Memory, old: str, new: str, query: str
) -> None:
    tell(memory, old, new)
    superseded = facts(memory, "superseded")
    memory.forget(message_ids=["m2"])
    assert facts(memory, "superseded") == []
    assert set(superseded) <= set(facts(memory))
    recall = memory.recall(query)
    assert [hit.sources for hit in recall.hits] == [("m1",)]
    assert {hit.status for hit in recall.hits} == {"current"}
    assert not any(hit.successors for hit in recall.hits)
    check_whole(memory)


def test_forgetting_the_old_value_leaves_the_new(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I moved to Porto last week.")
    memory.forget(message_ids=["m1"])
    assert "Lisbon" not in texts_of(memory)
    assert any("Porto" in text for text in facts(memory))
    check_whole(memory)


def test_forgetting_the_middle_of_a_history_joins_its_ends(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I moved to Porto.", "I moved to Berlin.")
    memory.forget(message_ids=["m2"])
    assert "Porto" not in texts_of(memory)
    assert [text for text in facts(memory, "superseded") if "Lisbon" in text]
    assert [text for text in facts(memory) if "Berlin" in text]
    with memory.mnemis.store.view(memory.scope) as view:
        assert sum(edge.type == "supersedes" for edge in view.edges()) == 1
    check_whole(memory)


def test_a_value_that_would_follow_itself_is_told_once(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I moved to Porto.", "I moved to Lisbon.")
    memory.forget(message_ids=["m2"])
    memory.consolidate()
    assert "Porto" not in texts_of(memory)
    homes = [n for n in everything(memory) if isinstance(n, Fact) and n.relation == "lives_in"]
    assert [fact.status for fact in homes] == ["current"]
    assert set(homes[0].sources) == {"m1", "m3"}
    check_whole(memory)


def test_turns_around_the_gap_are_joined(memory: Memory) -> None:
    memory.remember([said(n, f"line {n}") for n in range(1, 7)])
    memory.forget(message_ids=["m2", "m3", "m5"])
    with memory.mnemis.store.view(memory.scope) as view:
        links = [edge.key[:2] for edge in view.edges() if edge.type == "next"]
    assert links == [("turn:m1", "turn:m4"), ("turn:m4", "turn:m6")]


def test_before_and_session_must_both_hold(memory: Memory) -> None:
    memory.remember(
        [
            said(1, "one", session="a"),
            said(2, "two", session="b"),
            said(3, "three", session="a", days=5),
            Message(id="m4", role="user", text="no time", session="a"),
        ]
    )
    limit = START + timedelta(days=1)
    assert memory.forget(before=limit.replace(tzinfo=None), session="a").messages == ("m1",)
    assert memory.forget(before=limit).messages == ("m2",)
    assert memory.forget(session="a").messages == ("m3", "m4")
    assert everything(memory) == []


@pytest.mark.parametrize(
    ("texts", "name", "gone", "stays"),
    [
        (
            ("Nina works at Orbit Labs.", "I like tea.", "Lunch with Nina was fine."),
            "nina",
            ("Nina", "Orbit"),
            "tea",
        ),
        (
            ("李娜在星海公司工作。", "我喜欢喝茶。", "昨天和李娜吃了饭。"),
            "李娜",
            ("李娜", "星海"),
            "喝茶",
        ),
    ],
)
@pytest.mark.parametrize("consolidated", [True, False])
def test_an_entity_is_forgotten_with_all_that_names_it(
    memory: Memory,
    texts: tuple[str, ...],
    name: str,
    gone: tuple[str, ...],
    stays: str,
    consolidated: bool,
) -> None:
    memory.remember([said(n, text) for n, text in enumerate(texts, 1)])
    if consolidated:
        memory.consolidate()
    assert memory.forget(entity=name).messages == ("m1", "m3")
    left = texts_of(memory)
    assert [word for word in gone if word in left] == []
    assert stays in left
    assert not memory.forget(entity=name)
    check_whole(memory)


def test_repeating_it_changes_nothing(memory: Memory) -> None:
    tell(memory, "Nina works at Orbit Labs.", "Nina plays squash.")
    assert memory.forget(message_ids=["m1"])
    with memory.mnemis.store.view(memory.scope) as view:
        seq = view.seq
    again = memory.forget(message_ids=["m1", "never-was"])
    assert not again
    assert again.messages == again.deleted == ()
    with memory.mnemis.store.view(memory.scope) as view:
        assert view.seq == seq


def test_a_forgotten_message_may_be_told_again(memory: Memory) -> None:
    tell(memory, "I work at Orbit Labs.")
    before = [(n.id, n.text, n.sources) for n in everything(memory) if n.kind != "category"]
    assert facts(memory)
    memory.forget(message_ids=["m1"])
    tell(memory, "I work at Orbit Labs.")
    after = [(n.id, n.text, n.sources) for n in everything(memory) if n.kind != "category"]
    assert after == before


def test_everything_empties_one_scope_only(mnemis: Mnemis) -> None:
    one, two, part = (mnemis.scope(*s) for s in (("u1",), ("u2",), ("u1", "session2")))
    for memory in (one, two, part):
        tell(memory, "I collect stamps.", "Nina works at Orbit Labs.")
    before = everything(two)
    report = one.forget(everything=True)
    assert set(report.messages) == {"m1", "m2"}
    assert everything(one) == []
    with mnemis.store.view(one.scope) as view:
        stats = view.stats()
        assert (stats.edges, set(stats.entries.values())) == (0, {0})
    assert everything(two) == before
    assert len(everything(part)) == len(before)
    assert two.recall("stamps").hits
    assert one.recall("stamps").hits == ()
    assert not one.forget(everything=True)
    one.remember([said(9, "I collect coins.")])
    one.consolidate()
    assert [hit.sources for hit in one.recall("coins").hits] == [("m9",)]
    check_whole(one)


def test_the_same_words_in_another_scope_are_untouched(mnemis: Mnemis) -> None:
    one, two = mnemis.scope("u1"), mnemis.scope("u2")
    for memory in (one, two):
        memory.remember([Message(role="user", text="I collect stamps", time=START)])
    two.forget(message_ids=[two.recall("stamps").hits[0].sources[0]])
    assert len(one.recall("stamps").hits) == 1
    assert two.recall("stamps").hits == ()
    assert not one.verify_forgotten("I collect stamps")


def test_forgetting_many_is_quick_and_embeds_nothing(
    mnemis: Mnemis, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = mnemis.scope("u1")
    memory.remember([said(n, f"note {n} on topic {n % 7}") for n in range(300)])

    def refuse(texts: object) -> None:
        raise AssertionError("nothing needs a vector")

    monkeypatch.setattr(mnemis.embedder, "embed", refuse)
    assert len(memory.forget(everything=True).messages) == 300


def test_order_of_messages_stays_after_forgetting(memory: Memory) -> None:
    tell(memory, *[f"Fact {n}: the {n}th gate is painted colour{n}." for n in range(1, 6)])
    memory.forget(message_ids=["m3"])
    memory.remember([said(9, "The sixth gate is painted ochre.")])
    memory.consolidate()
    turns = [n.sources[0] for n in everything(memory) if n.kind == "turn"]
    assert turns == ["m1", "m2", "m4", "m5", "m9"]
    assert "colour3" not in texts_of(memory)
    check_whole(memory)


def test_forgetting_within_an_open_session_then_going_on_makes_no_second_episode(
    memory: Memory,
) -> None:
    memory.remember([said(n, f"The gate number {n} is painted colour{n}.") for n in range(1, 5)])
    memory.consolidate()
    memory.forget(message_ids=["m1"])
    memory.remember([said(n, f"The gate number {n} is painted colour{n}.") for n in (5, 6)])
    memory.consolidate()
    homes: dict[str, int] = {}
    for node in everything(memory):
        if node.kind == "episode":
            for source in node.sources:
                homes[source] = homes.get(source, 0) + 1
    assert homes == dict.fromkeys(("m2", "m3", "m4", "m5", "m6"), 1)
    assert "colour1" not in texts_of(memory)
    check_whole(memory)


def test_a_hit_is_forgotten_by_its_id_and_a_fact_by_its_messages(memory: Memory) -> None:
    tell(memory, "I live in Lisbon.", "I like tea.")
    fact = next(n for n in everything(memory) if isinstance(n, Fact) and "Lisbon" in n.text)
    with pytest.raises(InputError, match="rests on: 'm1'"):
        memory.forget(message_ids=[fact.id])
    assert memory.forget(message_ids=[memory.recall("Lisbon").hits[0].id]).messages == ("m1",)
    assert memory.forget(message_ids="m2").messages == ("m2",)


@pytest.mark.parametrize("act", ["forget", "edit"])
def test_a_long_session_keeps_every_turn_in_one_episode(memory: Memory, act: str) -> None:
    rows = [
        said(n, f"The gate {n} of the {word} is painted colour{n}.")
        for n, word in enumerate(["garden"] * 20 + ["harbour"] * 20)
    ]
    memory.remember(rows)
    memory.consolidate()
    if act == "forget":
        memory.forget(message_ids=["m4", "m11"])
    else:
        memory.edit("m4", text="The gate 4 is gone.")
        memory.edit("m11", text="The gate 11 is gone.")
    memory.consolidate()
    homes = [turn for n in everything(memory) if isinstance(n, Episode) for turn in n.turns]
    assert len(homes) == len(set(homes))
    turns = {node.id for node in everything(memory) if node.kind == "turn"}
    assert set(homes) == turns
    assert len(turns) == (38 if act == "forget" else 40)
    assert "colour4\n" not in texts_of(memory)
    assert memory.verify_forgotten("gate 4 of the garden")
    check_whole(memory)


def test_a_document_goes_with_all_its_chunks(memory: Memory) -> None:
    text = "The harbour opens at nine. " + "Boats wait outside the wall. " * 150
    memory.add_documents([Document(id="d1", title="Harbour rules", text=text)])
    memory.remember([said(1, "I like tea.")])
    memory.consolidate()
    report = memory.forget(message_ids=["d1"])
    assert report.counts["turn"] > 2
    assert memory.verify_forgotten(["harbour", "Boats"], message_ids=["d1"])
    assert {node.sources for node in everything(memory)} == {("m1",)}
    check_whole(memory)
