"""Names that the memory has never heard make doubtful; names it knows, and none at all, do not."""

from __future__ import annotations

import pytest

from mnemis import Memory, Message
from mnemis.recall.strangers import strangers

TOLD = (
    "Ben's cat is called Miso.", "I live in Lyon.", "My sister Clara works at the museum.",
    "小本的猫叫味噌。", "我住在里昂。", "王小华在博物馆上班。",
)  # fmt: skip


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.remember([Message(role="user", text=text) for text in TOLD])
    memory.consolidate()
    return memory


def strange(memory: Memory, text: str) -> tuple[str, ...]:
    with memory.mnemis.store.view(memory.scope) as view:
        return strangers(text, view, heard=())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What is the name of Tom's cat?", ("Tom",)),
        ("Tom's cat is called what?", ("Tom",)),
        ("Does Clara live with Edith?", ("Edith",)),
        ("小汤的猫叫什么？", ("小汤",)),
        ("李大伟在博物馆上班吗？", ("李大伟",)),
    ],
)
def test_a_name_never_heard_is_told(told: Memory, text: str, names: tuple[str, ...]) -> None:
    assert strange(told, text) == names


@pytest.mark.parametrize(
    "text",
    [
        "What is the name of Ben's cat?",
        "Who works at the museum?",
        "Did I live in Lyon in March?",
        "List ONLY the cats. About the museum?",
        "Where Does My Sister Work These Days",
        "Where does Ruoxi sail?",
        "小本的猫叫什么？",
        "王小华在哪里上班？",
        "猫的名字是什么？",
        "若曦在哪里游泳？",
    ],
)
def test_no_stranger_where_a_name_is_known_or_nothing_is_a_name(told: Memory, text: str) -> None:
    assert strange(told, text) == ()


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("What is the name of Tom's cat?", "What is the name of Ben's cat?"),
        ("小汤的猫叫什么？", "小本的猫叫什么？"),
    ],
)
def test_nobody_else_s_answer_is_given_with_confidence(
    told: Memory, asked: str, known: str
) -> None:
    doubtful, sure = told.recall(asked), told.recall(known)
    assert not doubtful.confident
    assert sure.confident
    assert doubtful.hits[0].score < sure.hits[0].score
