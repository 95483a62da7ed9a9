"""LangChain's structured filters reach the memory whole, or are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.structured_query import Comparator, Comparison, Operation, Operator

from mnemis import InputError, Memory, Message, Mnemis
from mnemis_langchain import MnemisRetriever
from mnemis_langchain.filters import where_of

TEXTS = {
    "s1": "The launch is in May.",
    "s2": "发布会的蛋糕要订了。",
    "s3": "The launch hall is big.",
}


def compare(attribute: str, comparator: Comparator, value: Any) -> Comparison:
    return Comparison(attribute=attribute, comparator=comparator, value=value)


@pytest.fixture
def notes(mnemis: Mnemis) -> Memory:
    memory = mnemis.scope("notes")
    memory.remember(
        [
            Message(
                role="user",
                text=text,
                id=name,
                time=datetime(2025, 3, day, tzinfo=UTC),
                metadata={"subject": name, "size": day, "tags": ["all", name]},
            )
            for day, (name, text) in enumerate(TEXTS.items(), start=1)
        ]
    )
    return memory


ONE = compare("subject", Comparator.EQ, "s1")


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        (ONE, {"s1"}),
        (compare("subject", Comparator.NE, "s1"), {"s2", "s3"}),
        (compare("subject", Comparator.IN, ["s1", "s2"]), {"s1", "s2"}),
        (compare("subject", Comparator.NIN, ["s1", "s2"]), {"s3"}),
        (compare("size", Comparator.GT, 1), {"s2", "s3"}),
        (compare("metadata.size", Comparator.LTE, 2), {"s1", "s2"}),
        (compare("tags", Comparator.CONTAIN, "s3"), {"s3"}),
        (compare("language", Comparator.EQ, "zh"), {"s2"}),
        (compare("time", Comparator.GTE, {"date": "2025-03-02", "type": "date"}), {"s2", "s3"}),
        (compare("time", Comparator.LT, {"datetime": "2025-03-02T00:00:00"}), {"s1"}),
        (Operation(operator=Operator.NOT, arguments=[ONE]), {"s2", "s3"}),
        (
            Operation(
                operator=Operator.OR,
                arguments=[
                    ONE,
                    Operation(
                        operator=Operator.AND,
                        arguments=[
                            compare("size", Comparator.GTE, 2),
                            compare("size", Comparator.LT, 3),
                        ],
                    ),
                ],
            ),
            {"s1", "s2"},
        ),
    ],
)
def test_the_right_memories_come_back(notes: Memory, condition: Any, wanted: set[str]) -> None:
    own = MnemisRetriever(memory=notes, where=condition, k=3)
    assert {each.metadata["sources"][0] for each in own.invoke("launch")} == wanted
    called = MnemisRetriever(memory=notes, k=3)
    found = called.invoke("发布会", where=condition)
    assert {each.metadata["sources"][0] for each in found} == wanted


@pytest.mark.parametrize("comparator", list(Comparator))
def test_every_comparator_is_either_known_or_refused(notes: Memory, comparator: Comparator) -> None:
    value: Any = ["s1"] if comparator in (Comparator.IN, Comparator.NIN) else "s1"
    condition = compare("subject", comparator, value)
    retriever = MnemisRetriever(memory=notes)
    if comparator == Comparator.LIKE:
        with pytest.raises(NotImplementedError, match="'like'"):
            retriever.invoke("launch", where=condition)
        return
    expected = {
        Comparator.LT: 0,
        Comparator.NE: 2,
        Comparator.GT: 2,
        Comparator.NIN: 2,
        Comparator.GTE: 3,
    }
    assert len(retriever.invoke("launch", where=condition, k=3)) == expected.get(comparator, 1)


def test_what_is_no_filter_is_an_error(notes: Memory) -> None:
    with pytest.raises(InputError, match="structured_query"):
        where_of(["subject"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no date"):
        where_of(compare("time", Comparator.GT, {"date": "soon"}))
    with pytest.raises(InputError, match="means nothing"):
        where_of(Operation(operator=Operator.OR, arguments=[]))
    assert where_of({}) is None
    assert where_of(None) is None


@pytest.mark.parametrize("field", ["topic", "主题"])
def test_a_field_of_the_messages_own_is_named_with_its_prefix(notes: Memory, field: str) -> None:
    with pytest.raises(InputError, match=f"asked as 'metadata.{field}'"):
        MnemisRetriever(memory=notes).invoke("launch", where={field: "s1"})
