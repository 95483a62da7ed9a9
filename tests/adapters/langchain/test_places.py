"""Asked at a place: what holds there, then what holds above it, and nothing from beside it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.documents import Document

from mnemis import InputError, Memory, Mnemis
from mnemis_langchain import MnemisRetriever, format_documents, to_documents

RULES = {
    ("Group",): ["Gifts from suppliers above 100 euros must be refused.", "客户数据五年后删除。"],
    ("Group", "Germany"): ["Gifts from suppliers above 35 euros must be reported."],
    ("Group", "Germany", "Berlin"): ["The team accepts no gifts from suppliers."],
    ("Group", "Germany", "Munich"): ["The team may accept gifts from suppliers at Oktoberfest."],
    ("Group", "China"): ["客户数据三年后删除。"],
}
GERMAN = [RULES["Group", "Germany", "Berlin"][0], RULES["Group", "Germany"][0], RULES["Group",][0]]
CHINESE = [RULES["Group", "China"][0], RULES["Group",][1]]


@pytest.fixture
def rules(mnemis: Mnemis) -> Memory:
    memory = mnemis.scope("rules")
    for place, texts in RULES.items():
        documents = [Document(id=text, page_content=text) for text in texts]
        memory.add_documents(to_documents(documents, place=place))
    return memory


@pytest.mark.parametrize(
    ("question", "place", "texts"),
    [
        ("What about gifts from suppliers?", ("Group", "Germany", "Berlin"), GERMAN),
        ("What about gifts from suppliers?", "Group > Germany", GERMAN[1:]),
        ("客户数据什么时候删除？", ("Group", "China", "Shanghai"), CHINESE),
    ],
)
def test_the_nearest_rule_comes_first(
    mnemis: Mnemis, rules: Memory, question: str, place: tuple[str, ...], texts: list[str]
) -> None:
    fixed = MnemisRetriever(memory=rules, place=place)
    called = MnemisRetriever(mnemis=mnemis)
    config = {"configurable": {"user_id": "rules"}}
    for found in (
        fixed.invoke(question),
        asyncio.run(fixed.ainvoke(question)),
        called.invoke(question, config, place=place),
        asyncio.run(called.ainvoke(question, config, place=place)),
    ):
        assert [each.page_content for each in found] == texts
        assert all(each.metadata["path"].startswith(each.metadata["place"]) for each in found)


def test_the_model_is_shown_the_way_from_the_top(rules: Memory) -> None:
    asked = "What about gifts from suppliers?"
    place = ("Group", "Germany", "Berlin")
    retriever = MnemisRetriever(memory=rules, place=place, with_path=True)
    assert "Group > Germany > Berlin" in retriever.invoke(asked)[0].page_content
    shown = format_documents(MnemisRetriever(memory=rules, place=place).invoke(asked))
    assert shown.index("> Berlin") < shown.index("above 35") < shown.index("above 100")


def test_k_counts_for_each_level_and_filters_hold(rules: Memory) -> None:
    retriever = MnemisRetriever(memory=rules, where={"language": "en"}, k=5)
    found = retriever.invoke("gifts from suppliers", place=("Group", "China"))
    assert [each.page_content for each in found] == GERMAN[2:]


@pytest.mark.parametrize("place", [("Group", ""), "集团 > ", 5, {"Group": 1}])
def test_what_is_no_place_is_refused(rules: Memory, place: Any) -> None:
    with pytest.raises(InputError, match="place"):
        to_documents([], place=place)
    with pytest.raises(InputError, match="place"):
        MnemisRetriever(memory=rules).invoke("gifts", place=place)
    with pytest.raises(InputError, match="place"):
        asyncio.run(MnemisRetriever(memory=rules).ainvoke("礼品", place=place))
