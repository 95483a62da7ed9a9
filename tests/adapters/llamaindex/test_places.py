"""Asked at a place: what holds there, then what holds above it, and nothing from beside it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import Document, TextNode

from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex import MemoryQuery, MnemisRetriever, aadd_nodes, add_nodes

RULES = {
    ("Group",): ["Gifts from suppliers above 100 euros must be refused.", "客户数据五年后删除。"],
    ("Group", "Germany"): ["Gifts from suppliers above 35 euros must be reported."],
    ("Group", "Germany", "Berlin"): ["The team accepts no gifts from suppliers."],
    ("Group", "Germany", "Munich"): ["The team may accept gifts from suppliers at Oktoberfest."],
    ("Group", "China"): ["客户数据三年后删除。"],
    ("Group", "China", "Shanghai"): ["供应商的礼品一律上交。"],
}


@pytest.fixture
def rules(mnemis: Mnemis) -> Memory:
    memory = mnemis.scope("rules")
    for place, texts in RULES.items():
        nodes = [TextNode(id_=text, text=text) for text in texts]
        assert add_nodes(memory, nodes, place=place) == len(texts)
    return memory


GERMAN = [RULES["Group", "Germany", "Berlin"][0], RULES["Group", "Germany"][0], RULES["Group",][0]]
CHINESE = [RULES["Group", "China"][0], RULES["Group",][1]]


@pytest.mark.parametrize(
    ("question", "place", "texts"),
    [
        ("What about gifts from suppliers?", ("Group", "Germany", "Berlin"), GERMAN),
        ("What about gifts from suppliers?", ("Group", "Germany"), GERMAN[1:]),
        ("客户数据什么时候删除？", ("Group", "China", "Shanghai"), CHINESE),
    ],
)
def test_the_nearest_rule_comes_first(
    rules: Memory, question: str, place: tuple[str, ...], texts: list[str]
) -> None:
    retriever = MnemisRetriever(memory=rules).at(*place)
    found = retriever.retrieve(question)
    assert [each.text for each in found] == texts
    assert [each.text for each in asyncio.run(retriever.aretrieve(question))] == texts
    for each in found:
        own = each.node.metadata["place"]
        assert RULES[tuple(own.split(" > "))]
        assert each.node.metadata["path"].startswith(own + " > ")
        assert 0 <= (each.score or 0) <= 1


def test_one_engine_asks_for_many_teams_and_users(mnemis: Mnemis, rules: Memory) -> None:
    engine = RetrieverQueryEngine.from_args(MnemisRetriever(mnemis=mnemis), llm=MockLLM())
    question = "What about gifts from suppliers?"
    for team, text in (("Berlin", GERMAN[0]), ("Munich", RULES["Group", "Germany", "Munich"][0])):
        query = MemoryQuery(question, user="rules", place=("Group", "Germany", team))
        answer = engine.query(query)
        assert answer.source_nodes[0].text == text
        assert f"path: Group > Germany > {team}" in str(answer)
    assert [
        each.text
        for each in engine.query(MemoryQuery(question, user="rules", place="Group")).source_nodes
    ] == GERMAN[2:]


def test_k_counts_for_each_level_and_filters_hold(rules: Memory) -> None:
    plain = MnemisRetriever(memory=rules, where={"language": "en"})
    found = plain.at("Group", "China", k=5).retrieve("gifts from suppliers")
    assert [each.text for each in found] == GERMAN[2:]


def test_a_place_may_stand_in_the_metadata(mnemis: Mnemis) -> None:
    memory = mnemis.scope("tagged")
    node = Document(text="The canteen closes at two.", metadata={"place": "Group > Germany"})
    assert asyncio.run(aadd_nodes(memory, [node])) == 1
    retriever = MnemisRetriever(memory=memory)
    assert len(retriever.at("Group", "Germany", "Berlin").retrieve("canteen")) == 1
    assert retriever.at("Group").retrieve("canteen") == []


@pytest.mark.parametrize("place", [(), ("Group", ""), ("a > b",), (5,), ("集团", None)])
def test_what_is_no_place_is_refused(rules: Memory, place: Any) -> None:
    with pytest.raises(InputError, match="place"):
        MnemisRetriever(memory=rules).at(*place)
    with pytest.raises(InputError, match="place"):
        add_nodes(rules, [], place=place)
    with pytest.raises(InputError, match="place"):
        add_nodes(rules, [], place=5)  # type: ignore[arg-type]
