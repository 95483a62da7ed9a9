"""The tools remember, recall and forget."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import pytest
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from mnemis import InputError, Memory, Mnemis
from mnemis_langchain import memory_tools
from mnemis_langchain.tools import ToolName
from tests.adapters.langchain.conftest import open_mnemis

ANA: Any = {"configurable": {"user_id": "ana", "thread_id": "t1"}}


def tool(mnemis: Mnemis, name: Any) -> BaseTool:
    (one,) = memory_tools(mnemis=mnemis, names=[name])
    return one


def run(one: BaseTool, arguments: dict[str, Any], config: Any, wait: bool) -> Any:
    return asyncio.run(one.ainvoke(arguments, config)) if wait else one.invoke(arguments, config)


@pytest.mark.parametrize("wait", [False, True])
def test_remember_recall_forget(mnemis: Mnemis, wait: bool) -> None:
    remember, recall, forget = memory_tools(mnemis=mnemis)
    said = run(remember, {"text": "Ana is allergic to peanuts. 安娜对花生过敏。"}, ANA, wait)
    assert said == "Remembered."
    said = run(remember, {"text": "Ana is allergic to peanuts. 安娜对花生过敏。"}, ANA, wait)
    assert said == "That was remembered already."
    for query in ("What is Ana allergic to?", "安娜对什么过敏？"):
        shown = run(recall, {"query": query}, ANA, wait)
        assert "allergic to peanuts" in shown
        assert "(found by: " in shown
    identity = shown.split("[")[-1].split("]")[0]
    other: Any = {"configurable": {"user_id": "ben"}}
    assert run(forget, {"message_ids": [identity]}, other, wait) == "There are no such memories."
    assert run(forget, {"message_ids": [identity]}, ANA, wait) == f"Forgotten: {identity}."
    assert run(recall, {"query": "allergic"}, ANA, wait).startswith("Nothing is remembered")


def test_recall_hands_over_documents(memory: Memory) -> None:
    (recall,) = memory_tools(memory=memory, names=["recall"], k=2)
    call: Any = {"name": "recall", "args": {"query": "launch"}, "id": "c1", "type": "tool_call"}
    message = recall.invoke(call)
    assert len(message.artifact) == 2
    assert message.artifact[0].metadata["path"] in message.content
    assert "[m1]" in message.content


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("remember", {"text": "x"}), ("recall", {"query": "x"}), ("forget", {"message_ids": ["x"]})],
)
def test_a_missing_user_is_an_error(mnemis: Mnemis, name: str, arguments: dict[str, Any]) -> None:
    for wait in (False, True):
        with pytest.raises(InputError, match="names no user"):
            run(tool(mnemis, name), arguments, {"configurable": {"thread_id": "t1"}}, wait)
    assert mnemis.scopes() == ()


def test_what_recall_showed_is_not_remembered(memory: Memory) -> None:
    remember, recall, _ = memory_tools(memory=memory)
    shown = recall.invoke({"query": "launch"})
    with pytest.raises(InputError, match="nothing in the text"):
        remember.invoke({"text": shown})


def test_unknown_tools_are_named(memory: Memory) -> None:
    with pytest.raises(InputError, match="'lose'"):
        memory_tools(memory=memory, names=["lose"])  # type: ignore[list-item]


class Remember:
    """What LangChain's suites ask of a tool."""

    name: ClassVar[ToolName] = "remember"
    example: ClassVar[dict[str, Any]] = {"text": "I like figs"}

    @property
    def tool_constructor(self) -> BaseTool:
        return memory_tools(memory=open_mnemis().scope("ana"), names=[self.name])[0]

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return self.example


class Recall(Remember):
    name = "recall"
    example: ClassVar[dict[str, Any]] = {"query": "水果"}


class Forget(Remember):
    name = "forget"
    example: ClassVar[dict[str, Any]] = {"message_ids": ["m1"]}


class TestRememberUnit(Remember, ToolsUnitTests):
    pass


class TestRecallUnit(Recall, ToolsUnitTests):
    pass


class TestForgetUnit(Forget, ToolsUnitTests):
    pass


class TestRemember(Remember, ToolsIntegrationTests):
    pass


class TestRecall(Recall, ToolsIntegrationTests):
    pass


class TestForget(Forget, ToolsIntegrationTests):
    pass
