"""Forgetting and never having heard come to the same, whatever is said and whatever goes."""

from __future__ import annotations

from random import Random

import pytest

from mnemis import Memory, Message, Mnemis
from mnemis.care.verify import node_texts
from mnemis.care.words import words_of
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import Entity, Fact, Node
from mnemis.model.relations import RELATIONS
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from tests.unit.care.conftest import MANUAL, START, check_whole, everything, said

SAYINGS = (
    "I live in Lisbon.",
    "I moved to Porto.",
    "I moved to Berlin.",
    "I work at Orbit Labs.",
    "I have a dog named Rex.",
    "Rex is sick today.",
    "I like tea.",
    "I don't like tea anymore.",
    "The launch is on May 3rd.",
    "The launch was moved to June 4th.",
    "My sister Nina lives in Madrid.",
    "Nina plays squash on Fridays.",
    "I'm allergic to peanuts.",
    "The budget is 4000 euros.",
    "We decided on Postgres for storage.",
    "Let's use MySQL for storage instead.",
    "我住在上海。",
    "我搬家了，现在住在杭州。",
    "我养了一只狗，叫小黑。",
    "我对花生过敏。",
    "我同事李娜喜欢打羽毛球。",
    "李娜住在苏州。",
    "发布会定在5月3号。",
    "发布会推迟到6月4号。",
    "我在星海公司工作。",
)
OWN_WORDS = words_of(
    [label for each in RELATIONS.values() for label in (each.en, each.zh)]
    + ["People", "Organisations", "Places", "Products and tools", "Events", "Animals", "All topics"]
    + ["Other", "other", "person place animal organisation product event concept current"]
    + ["人物 机构 地点 产品与工具 活动 动物 全部话题 其他", "March 2025", "2025年3月"]
)
"""Words of the vocabulary and of the calendar, which nobody need have said."""


def conversation(random: Random) -> list[Message]:
    texts = [random.choice(SAYINGS) for _ in range(random.randint(4, 14))]
    return [
        said(n, text, days=n, session=f"s{n // 4}", speaker=random.choice(["Ana", "Ana", "Bob"]))
        for n, text in enumerate(texts)
    ]


def heard(messages: list[Message]) -> Memory:
    clock = FakeClock(START)
    store = OracleStore(clock=clock)
    memory = Mnemis(store, embedder=HashingEmbedder(), config=MANUAL, clock=clock).scope("u1")
    memory.remember(messages)
    memory.consolidate()
    return memory


def known(memory: Memory) -> list[tuple[object, ...]]:
    facts = [node for node in everything(memory) if isinstance(node, Fact)]
    return sorted(
        (f.subject, f.relation, f.object, f.aspect, f.polarity, f.status, f.sources,
         str(f.valid_from), str(f.valid_to))
        for f in facts
    )  # fmt: skip


def texts_in(node: Node) -> list[str]:
    """What a node says; how it counts its themes is not said."""
    return [each for each in node_texts(node) if not each.isdigit()]


def names(memory: Memory) -> set[str]:
    return {node.name for node in everything(memory) if isinstance(node, Entity)}


@pytest.mark.parametrize("seed", range(24))
def test_what_is_known_is_as_if_it_had_never_been_said(seed: int) -> None:
    random = Random(seed)
    messages = conversation(random)
    gone = {each.id for each in messages if random.random() < 0.35} or {messages[0].id}
    left = [each for each in messages if each.id not in gone]
    memory = heard(messages)
    lost = words_of(each.text for each in messages if each.id in gone) - OWN_WORDS
    lost -= words_of(text for each in left for text in (each.text, each.speaker or ""))
    report = memory.forget(message_ids=[each for each in gone if each is not None])
    assert set(report.messages) == gone
    for _ in range(2):
        check_whole(memory)
        for node in everything(memory):
            assert lost & words_of(texts_in(node)) == set(), (node, gone)
        memory.consolidate()
    never = heard(left)
    assert known(memory) == known(never)
    spoken = " ".join(each.text for each in left)
    assert names(never) <= names(memory)
    assert all(name in spoken for name in names(memory) - names(never))
