"""A thread's messages, returned as they were."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    message_to_dict,
)
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables.history import RunnableWithMessageHistory

from mnemis import InputError, Memory, Mnemis
from mnemis_langchain import MnemisChatMessageHistory, MnemisRetriever

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

EVERY_SHAPE: list[BaseMessage] = [
    SystemMessage("You are kind."),
    HumanMessage(
        [
            {"type": "text", "text": "this is my cat Miso, 我的猫味噌"},
            {"type": "image_url", "image_url": {"url": "https://example.com/c.jpg"}},
        ],
        id="h1",
        name="Ana",
    ),
    HumanMessage(["plain", "strings"]),
    HumanMessage([]),
    AIMessage([{"type": "tool_use", "id": "1", "name": "f", "input": {}}]),
    AIMessage("", tool_calls=[{"id": "c1", "name": "w", "args": {"city": "杭州"}}]),
    ToolMessage("sunny", tool_call_id="c1", artifact={"rows": [1]}, status="success"),
    AIMessage(
        "It is sunny.",
        usage_metadata={"input_tokens": 5, "output_tokens": 3, "total_tokens": 8},
        additional_kwargs={"odd \ud83d": "\x00"},
    ),
    AIMessage("", tool_calls=[{"id": "c2", "name": "w", "args": {}}]),
]
TOOL_TALK: list[BaseMessage] = [
    HumanMessage("weather?"),
    AIMessage("", tool_calls=[{"id": "c1", "name": "w", "args": {}}]),
    ToolMessage("sunny", tool_call_id="c1"),
    AIMessage("It is sunny."),
    HumanMessage("thanks"),
]


@pytest.fixture
def history(mnemis: Mnemis) -> MnemisChatMessageHistory:
    return MnemisChatMessageHistory(mnemis.scope("ana"), session="s1")


@pytest.mark.parametrize("at_once", [True, False])
def test_every_shape_comes_back_as_it_was(history: MnemisChatMessageHistory, at_once: bool) -> None:
    if at_once:
        history.add_messages(EVERY_SHAPE)
    else:
        for message in EVERY_SHAPE:
            history.add_message(message)
    assert history.messages == EVERY_SHAPE
    assert asyncio.run(history.aget_messages()) == EVERY_SHAPE
    told = [json.dumps(message_to_dict(each)) for each in history.messages]
    assert told == [json.dumps(message_to_dict(each)) for each in EVERY_SHAPE]


def test_what_was_said_is_found_and_tool_noise_is_not(
    mnemis: Mnemis, history: MnemisChatMessageHistory
) -> None:
    history.add_messages(EVERY_SHAPE)
    found = MnemisRetriever(memory=mnemis.scope("ana"), k=3).invoke("What is my cat called? 猫")
    assert "Miso" in found[0].page_content
    for document in MnemisRetriever(memory=mnemis.scope("ana"), k=99).invoke("sunny cat f w c1"):
        assert document.page_content in {
            "", "this is my cat Miso, 我的猫味噌", "plain\nstrings", "It is sunny.",
        }  # fmt: skip
        assert document.metadata["metadata"] == {}


def test_an_id_counts_once_in_its_thread(mnemis: Mnemis, history: MnemisChatMessageHistory) -> None:
    history.add_messages([HumanMessage("hello", id="1"), AIMessageChunk("hi", id="run-1")])
    history.add_messages([HumanMessage("hello", id="1")])
    assert len(history.messages) == 2
    elsewhere = MnemisChatMessageHistory(mnemis.scope("ana"), session="s2")
    elsewhere.add_messages([HumanMessage("hello", id="1")])
    assert len(elsewhere.messages) == 1
    history.add_messages([HumanMessage("hello again", id="1")])
    assert [each.text for each in history.messages] == ["hello", "hi", "hello again"]


def test_messages_without_ids_are_all_kept(history: MnemisChatMessageHistory) -> None:
    for _ in range(3):
        history.add_user_message("ok")
        history.add_ai_message("ok")
    assert len(history.messages) == 6


def test_a_thread_is_one_thread_of_one_user(mnemis: Mnemis) -> None:
    for user, thread in (("ana", "t1"), ("ana", "t2"), ("ben", "t1")):
        history = MnemisChatMessageHistory(mnemis.scope(user), session=thread)
        history.add_user_message(f"{user} in {thread}")
    first = MnemisChatMessageHistory(mnemis.scope("ana"), session="t1")
    assert [each.text for each in first.messages] == ["ana in t1"]
    asyncio.run(first.aclear())
    assert first.messages == []
    for user, thread in (("ana", "t2"), ("ben", "t1")):
        kept = MnemisChatMessageHistory(mnemis.scope(user), session=thread)
        assert [each.text for each in kept.messages] == [f"{user} in {thread}"]
    found = MnemisRetriever(memory=mnemis.scope("ana"), k=9).invoke("ana in t1")
    assert [each.page_content for each in found] == ["ana in t2"]


@pytest.mark.parametrize("budget", range(1, 61))
def test_a_cut_never_parts_a_call_from_its_result(mnemis: Mnemis, budget: int) -> None:
    history = MnemisChatMessageHistory(mnemis.scope("ana"), session="s", max_tokens=budget)
    history.add_messages(TOOL_TALK)
    kept = history.messages
    assert kept in ([], TOOL_TALK[-1:], TOOL_TALK)
    assert not kept or count_tokens_approximately(kept) <= budget
    whole = count_tokens_approximately(TOOL_TALK)
    assert (kept == TOOL_TALK) == (budget >= whole)


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        (AIMessage("", tool_calls=[{"id": "c9", "name": "w", "args": {}}]), TOOL_TALK),
        (ToolMessage("late", tool_call_id="c8"), TOOL_TALK),
    ],
)
def test_a_bounded_history_has_no_loose_ends(
    mnemis: Mnemis, end: BaseMessage, kept: list[BaseMessage]
) -> None:
    history = MnemisChatMessageHistory(mnemis.scope("ana"), session="s", max_messages=20)
    history.add_messages([*TOOL_TALK, end])
    assert history.messages == kept
    everything = MnemisChatMessageHistory(mnemis.scope("ana"), session="s")
    assert everything.messages == [*TOOL_TALK, end]


def with_history(mnemis: Mnemis, *, key: str | None, **options: Any) -> RunnableWithMessageHistory:
    model = FakeListChatModel(responses=[f"answer {n}" for n in range(9)])
    runnable: Any = model
    if key is not None:
        prompt = ChatPromptTemplate.from_messages(
            [MessagesPlaceholder("past"), ("human", "{question}")]
        )
        runnable = prompt | model
    return RunnableWithMessageHistory(
        runnable,
        MnemisChatMessageHistory.for_users(mnemis, **options),
        input_messages_key=key,
        history_messages_key=None if key is None else "past",
        history_factory_config=MnemisChatMessageHistory.fields(),
    )


@pytest.mark.parametrize("key", [None, "question"])
@pytest.mark.parametrize("wait", [False, True])
def test_five_turns_are_ten_messages(mnemis: Mnemis, key: str | None, wait: bool) -> None:
    runnable = with_history(mnemis, key=key)
    config: Any = {"configurable": {"user_id": "ana", "thread_id": "t1"}}
    for turn in range(5):
        given: Any = [HumanMessage(f"问题 {turn}")] if key is None else {key: f"问题 {turn}"}
        if wait:
            asyncio.run(runnable.ainvoke(given, config))
        else:
            runnable.invoke(given, config)
    kept = MnemisChatMessageHistory(mnemis.scope("ana"), session="t1").messages
    assert [each.text for each in kept] == [
        text for turn in range(5) for text in (f"问题 {turn}", f"answer {turn}")
    ]


def test_a_history_needs_its_user_and_thread(mnemis: Mnemis, memory: Memory) -> None:
    runnable = with_history(mnemis, key=None)
    with pytest.raises(InputError, match="user_id is empty"):
        runnable.invoke("hi", {"configurable": {"user_id": "", "thread_id": "t"}})
    with pytest.raises(InputError, match="thread_id is empty"):
        runnable.invoke("hi", {"configurable": {"user_id": "ana", "thread_id": " "}})
    with pytest.raises(ValueError, match="Missing keys"):
        runnable.invoke("hi", {"configurable": {"thread_id": "t"}})


def test_what_came_another_way_is_told_in_plain_messages(memory: Memory) -> None:
    kept = MnemisChatMessageHistory(memory, session="s2").messages
    assert [(type(each), each.text, each.id) for each in kept] == [
        (HumanMessage, "我们把发布会改到了五月三日。", "m4"),
        (HumanMessage, "I like figs, and the launch party needs some.", "m5"),
    ]
