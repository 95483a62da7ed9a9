"""MetadataFilters arrive in the engine whole, or are refused."""

from __future__ import annotations

import pytest
from llama_index.core.vector_stores import FilterCondition, FilterOperator
from llama_index.core.vector_stores import MetadataFilter as F
from llama_index.core.vector_stores import MetadataFilters as Fs

from mnemis import InputError, Memory, Message
from mnemis_llamaindex import MnemisRetriever
from mnemis_llamaindex.filters import where_of

O = FilterOperator  # noqa: E741
EVERYTHING = "launch 发布会 kitchen printer"


def found(memory: Memory, filters: Fs | dict[str, object] | None) -> set[str]:
    nodes = MnemisRetriever(memory=memory, k=50, where=filters).retrieve(EVERYTHING)
    return {source for each in nodes for source in each.node.metadata["sources"]}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Fs(filters=[]), {"m1", "m2", "m3", "m4"}),
        (None, {"m1", "m2", "m3", "m4"}),
        ({}, {"m1", "m2", "m3", "m4"}),
        ({"speaker": "Ben"}, {"m4"}),
        (Fs(filters=[F(key="topic", value="launch")]), {"m1", "m2"}),
        (Fs(filters=[F(key="topic", value="发布会")]), {"m3"}),
        (Fs(filters=[F(key="metadata.topic", value="home")]), {"m4"}),
        (Fs(filters=[F(key="topic", value=["launch", "home"], operator=O.IN)]), {"m1", "m2", "m4"}),
        (Fs(filters=[F(key="topic", value=["launch", "home"], operator=O.NIN)]), {"m3"}),
        (Fs(filters=[F(key="topic", value="launch", operator=O.NE)]), {"m3", "m4"}),
        (Fs(filters=[F(key="n", value=1, operator=O.GT)]), {"m3", "m4"}),
        (Fs(filters=[F(key="n", value=2, operator=O.GTE)]), {"m3", "m4"}),
        (Fs(filters=[F(key="n", value=2, operator=O.LT)]), {"m1"}),
        (Fs(filters=[F(key="n", value=2, operator=O.LTE)]), {"m1", "m3"}),
        (Fs(filters=[F(key="speaker", value="Ana"), F(key="session", value="s2")]), {"m3"}),
        (Fs(filters=[F(key="time", value="2025-03-05", operator=O.GTE)]), {"m3", "m4"}),
        (
            Fs(
                filters=[F(key="speaker", value="Ben"), F(key="n", value=1)],
                condition=FilterCondition.OR,
            ),
            {"m1", "m4"},
        ),
        (
            Fs(
                filters=[F(key="speaker", value="Ben"), F(key="n", value=1)],
                condition=FilterCondition.NOT,
            ),
            {"m2", "m3"},
        ),
        (
            Fs(
                filters=[
                    F(key="role", value="user"),
                    Fs(
                        filters=[
                            F(key="n", value=3),
                            Fs(filters=[F(key="session", value="s1"), F(key="n", value=1)]),
                        ],
                        condition=FilterCondition.OR,
                    ),
                ]
            ),
            {"m1", "m4"},
        ),
        (
            Fs(
                filters=[
                    F(key="n", value=1, operator=O.GTE),
                    Fs(
                        filters=[F(key="topic", value="发布会"), F(key="session", value="s1")],
                        condition=FilterCondition.NOT,
                    ),
                ]
            ),
            {"m4"},
        ),
        (
            Fs(
                filters=[
                    Fs(filters=[F(key="topic", value="发布会")], condition=FilterCondition.NOT),
                ],
                condition=FilterCondition.NOT,
            ),
            {"m3"},
        ),
        (Fs(filters=[], condition=FilterCondition.NOT), {"m1", "m2", "m3", "m4"}),
    ],
)
def test_the_right_memories_come_back(
    ana: Memory, filters: Fs | dict[str, object] | None, expected: set[str]
) -> None:
    assert found(ana, filters) == expected


def test_lists_are_searched_for_members(ana: Memory) -> None:
    ana.remember(
        [
            Message(role="user", id="x1", text="launch one", metadata={"tags": ["red", "blue"]}),
            Message(role="user", id="x2", text="launch two", metadata={"tags": ["blue"]}),
        ]
    )

    def by(operator: FilterOperator, value: str | list[str]) -> set[str]:
        return found(ana, Fs(filters=[F(key="tags", value=value, operator=operator)]))

    assert by(O.CONTAINS, "red") == {"x1"}
    assert by(O.ANY, ["red", "green"]) == {"x1"}
    assert by(O.ALL, ["red", "blue"]) == {"x1"}
    assert by(O.ALL, ["blue"]) == {"x1", "x2"}


@pytest.mark.parametrize("operator", [O.TEXT_MATCH, O.TEXT_MATCH_INSENSITIVE, O.IS_EMPTY])
def test_what_cannot_be_asked_is_refused(ana: Memory, operator: FilterOperator) -> None:
    filters = Fs(filters=[F(key="topic", value="launch", operator=operator)])
    with pytest.raises(NotImplementedError, match="topic"):
        MnemisRetriever(memory=ana, where=filters)
    with pytest.raises(NotImplementedError):
        MnemisRetriever(memory=ana, filters=filters)


def test_every_operator_is_either_known_or_refused() -> None:
    refused = 0
    for operator in FilterOperator:
        for value in ("a", ["a"]):
            try:
                where = where_of(Fs(filters=[F(key="k", value=value, operator=operator)]))
            except (NotImplementedError, InputError):
                refused += 1
            else:
                assert where, f"{operator} was ignored"
    assert refused >= 3


def test_what_means_nothing_is_an_error(ana: Memory) -> None:
    with pytest.raises(InputError):
        where_of(Fs(filters=[F(key="k", value=["a"], operator=O.GT)]))
    with pytest.raises(InputError):
        where_of(Fs(filters=[F(key="k", value="a", operator=O.IN)]))
    with pytest.raises(InputError):
        where_of("speaker = Ana")  # type: ignore[arg-type]
    empty = Fs(filters=[Fs(filters=[]), F(key="k", value="a")], condition=FilterCondition.OR)
    with pytest.raises(InputError):
        where_of(empty)


def test_both_names_of_the_filter_hold_at_once(ana: Memory) -> None:
    retriever = MnemisRetriever(
        memory=ana, k=50, where={"session": "s2"}, filters=Fs(filters=[F(key="role", value="user")])
    )
    assert len(retriever.retrieve(EVERYTHING)) == 2
    assert len(retriever.with_where({"session": "s1"}).retrieve(EVERYTHING)) == 2
