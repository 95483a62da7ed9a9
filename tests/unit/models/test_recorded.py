"""Recorded facts as an extractor: what is read, what is refused, and what a memory makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import InputError
from mnemis.model.graph import Fact
from mnemis.models import RecordedExtractor, RecordedFact
from mnemis.testing.extractor_suite import CHINESE, ENGLISH, ExtractorSuite, spoken_turns


def fact(message: str = "m0", subject: str = "Ana", **fields: str) -> RecordedFact:
    return RecordedFact(message_id=message, subject=subject, **fields)


RECORDED = (
    fact(relation="lives in", object="Lisbon"),
    fact(relation="works at", object="NordBox"),
    fact("m1", "Ben", relation="allergic_to", object="peanuts"),
    fact(subject="小明", relation="住在", object="成都"),
    fact("m1", "李雷", relation="allergic_to", object="花生"),
)


class TestRecordedExtractor(ExtractorSuite):
    def make_extractor(self) -> RecordedExtractor:
        return RecordedExtractor(RECORDED)


@pytest.mark.parametrize(
    ("recorded", "sentence"),
    [
        (fact(relation="lives_in", object="Lisbon"), "Ana lives in Lisbon"),
        (fact(relation="tunes", object="harps"), "Ana tunes harps"),
        (fact(subject="小明", relation="lives_in", object="成都"), "小明住在成都"),
        (fact(subject="小明", relation="allergic_to", object="花生"), "小明对花生过敏"),
        (fact(subject="小明", relation="修理", object="古琴"), "小明修理古琴"),
    ],
)
def test_a_triple_is_its_own_sentence(recorded: RecordedFact, sentence: str) -> None:
    (found,) = RecordedExtractor([recorded]).extract(ENGLISH).facts
    assert (found.text, found.turns) == (sentence, ("turn:m0",))


@pytest.mark.parametrize(
    ("subject", "text"), [("Ana", "Ana tunes old harps."), ("小明", "小明会修古琴。")]
)
def test_an_observation_is_a_sentence_about_its_subject(subject: str, text: str) -> None:
    (found,) = RecordedExtractor([fact(subject=subject, text=text)]).extract(ENGLISH).facts
    assert (found.subject, found.relation, found.object) == (subject, "related_to", text)
    assert found.text == text


@pytest.mark.parametrize("subject", ["I", "user", "我", "用户"])
def test_who_speaks_of_themselves_gets_their_name(subject: str) -> None:
    recorded = [fact(subject=subject, relation="likes", object="fado")]
    for passage in (ENGLISH, CHINESE):
        (found,) = RecordedExtractor(recorded).extract(passage).facts
        assert (found.subject, found.subject_type) == (passage[0].speaker, "person")


def test_relations_outside_the_vocabulary_stay_apart() -> None:
    recorded = [fact(relation=each, object="harps") for each in ("tunes", "sells", "causes")]
    found = RecordedExtractor(recorded).extract(ENGLISH).facts
    assert {each.relation for each in found} == {"related_to"}
    assert [each.aspect for each in found] == ["tunes", "sells", "causes"]


def test_names_are_entities_where_the_turn_writes_them() -> None:
    recorded = [*RECORDED, fact(relation="visited", object="Oslo"), fact(object="I live in Lisbon")]
    found = RecordedExtractor(recorded).extract(ENGLISH).entities
    assert {(each.name, each.type) for each in found} == {
        ("Lisbon", "place"),
        ("NordBox", "organisation"),
    }
    assert all(ENGLISH[0].text.startswith(each.name, each.start) for each in found)
    chinese = RecordedExtractor(RECORDED).extract(CHINESE).entities
    assert [(each.name, each.start) for each in chinese] == [("成都", 3), ("花生", 6)]


def test_the_same_fact_twice_is_one() -> None:
    assert len(RecordedExtractor([*RECORDED, *RECORDED])) == len(RECORDED)


def test_what_a_machine_said_is_left_out_and_told() -> None:
    turns = spoken_turns(("tool", "Ana lives in Oslo.", "tool"))
    found = RecordedExtractor(RECORDED).extract(turns)
    assert found.facts == ()
    assert found.warnings == ("message 'm0' is a tool's; 3 recorded facts are left out",)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"message_id": " ", "subject": "Ana", "text": "x"}, "\"message_id\", got ' '"),
        ({"message_id": "m0", "subject": "", "text": "x"}, "\"subject\", got ''"),
        ({"message_id": "m0", "subject": "Ana", "relation": "likes"}, 'no "object" and no "text"'),
        ({"message_id": "m0", "subject": "小明", "object": "\n"}, "about '小明' has no"),
        ({"message_id": 7, "subject": "Ana", "text": "x"}, 'text as "message_id", got 7'),
        ({"message_id": "m0", "subject": "Ana", "text": ["x"]}, 'text as "text"'),
    ],
)
def test_a_fact_that_cites_or_says_nothing_is_refused(fields: dict[str, str], why: str) -> None:
    with pytest.raises(InputError) as refused:
        RecordedFact(**fields)
    assert why in str(refused.value)


def test_no_facts_are_refused() -> None:
    with pytest.raises(InputError, match="no recorded facts"):
        RecordedExtractor([])
    with pytest.raises(InputError, match=r"must be RecordedFact, got \{'message_id'"):
        RecordedExtractor([{"message_id": "m0"}])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType] a caller's mistake


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(
        '{"message_id": "m0", "subject": "Ana", "relation": "lives in", "object": "Lisbon"}\n\n'
        '{"message_id": "m1", "subject": "小明", "object": null, "text": "小明对花生过敏。"}\n',
        "utf-8",
    )
    read = RecordedExtractor.read(path, rules=False)
    assert (len(read), read.adds_to_rules) == (2, False)
    assert [each.text for each in read.extract(ENGLISH).facts] == [
        "Ana lives in Lisbon",
        "小明对花生过敏。",
    ]


def test_every_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    good = {"message_id": "m0", "subject": "Ana", "text": "Ana moved."}
    bad: list[object] = [7, {"subject": "Ana"}, {**good, "sure": 1}, {**good, "text": ""}]
    path.write_text("\n".join([json.dumps(good), "{", *map(json.dumps, bad)]), "utf-8")
    with pytest.raises(InputError) as refused:
        RecordedExtractor.read(path)
    told = str(refused.value).split("\n")
    assert "facts.jsonl" in told[0]
    for line, (start, why) in zip(
        told[1:],
        [
            ("line 2", "no valid JSON"),
            ("line 3", "got int"),
            ("line 4", "lacks 'message_id'"),
            ("line 5", "does not know 'sure'"),
            ("line 6", 'no "object" and no "text"'),
        ],
        strict=True,
    ):
        assert line.strip().startswith(start)
        assert why in line


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    empty, latin = tmp_path / "empty.jsonl", tmp_path / "latin.jsonl"
    empty.write_text("\n", "utf-8")
    latin.write_bytes("é".encode("latin-1"))
    for path, why in (
        (tmp_path / "none.jsonl", "cannot be read"),
        (empty, "holds no recorded facts"),
        (latin, "no text in UTF-8"),
    ):
        with pytest.raises(InputError, match=why) as refused:
            RecordedExtractor.read(path)
        assert path.name in str(refused.value)


def opened(folder: Path, extractor: RecordedExtractor) -> Memory:
    return Memory.open(
        folder,
        embedder=HashingEmbedder(),
        extractor=extractor,
        config=Config(consolidate="manual"),
    )


def held(memory: Memory) -> dict[str, tuple[str, ...]]:
    with memory.mnemis.store.view(memory.scope) as view:
        return {node.text: node.sources for node in view.scan("fact") if isinstance(node, Fact)}


@pytest.mark.parametrize(
    ("recorded", "said", "ruled", "question"),
    [
        (
            fact("a", "Ana", text="Ana sailed to Madeira with her sister"),
            ("That trip with her was lovely.", "I live in Lisbon now, near the old harbour."),
            "Lisbon",
            "Who sailed to Madeira?",
        ),
        (
            fact("a", "小明", text="小明和姐姐坐船去了青岛"),
            ("跟她一起去的那趟旅行真开心。", "我现在住在成都，就在老城区旁边。"),
            "成都",
            "谁坐船去了青岛？",
        ),
    ],
)
def test_a_memory_finds_a_message_by_what_was_recorded_of_it_until_it_is_forgotten(
    tmp_path: Path, recorded: RecordedFact, said: tuple[str, str], ruled: str, question: str
) -> None:
    with opened(tmp_path, RecordedExtractor([recorded])) as memory:
        memory.remember(
            [
                Message(role="user", speaker=recorded.subject, text=text, id=key)
                for key, text in zip("ab", said, strict=True)
            ]
        )
        report = memory.consolidate()
        assert (report.failed, report.model_calls) == ((), 0)
        assert held(memory)[recorded.text] == ("a",)
        assert any(ruled in text for text in held(memory))
        hit = memory.recall(question).hits[0]
        assert hit.sources == ("a",)
        assert any(path.steps[0].node.startswith("fact:") for path in hit.paths)
        memory.forget(message_ids=["a"])
        assert recorded.text not in held(memory)
        assert any(ruled in text for text in held(memory))


@pytest.mark.parametrize("said", ["I live in Lisbon now.", "我现在住在成都。"])
def test_without_rules_a_memory_knows_the_recorded_alone(tmp_path: Path, said: str) -> None:
    recorded = fact("a", text="Ana likes fado")
    with opened(tmp_path, RecordedExtractor([recorded], rules=False)) as memory:
        memory.remember([Message(role="user", speaker="Ana", text=said, id="a")])
        memory.consolidate()
        assert list(held(memory)) == ["Ana likes fado"]


def test_what_several_messages_say_is_one_fact_that_cites_them_all(tmp_path: Path) -> None:
    recorded = [fact(key, text="Ana sings fado") for key in "ab"]
    with opened(tmp_path, RecordedExtractor(recorded)) as memory:
        memory.remember(
            [
                Message(role="user", speaker="Ana", text=text, id=key)
                for key, text in (
                    ("a", "Sang the old songs again."),
                    ("b", "Another fine evening."),
                )
            ]
        )
        memory.consolidate()
        assert held(memory) == {"Ana sings fado": ("a", "b")}
        memory.forget(message_ids=["a"])
        memory.consolidate()
        assert held(memory) == {"Ana sings fado": ("b",)}
