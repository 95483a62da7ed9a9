"""LangChain's own suites.

Those for retrievers and for tools apply and run as they are. The others have nothing to hold:
``EmbeddingsUnitTests`` and ``ChatModel…Tests`` are for models offered to LangChain, whereas
``as_embedder`` and ``as_chat_model`` take LangChain's in; ``BaseStoreSyncTests`` is for key-value
byte stores, whereas ``MnemisStore`` is LangGraph's (compared with its reference in
``test_graph_store``); ``VectorStoreIntegrationTests`` wants vectors by hand; and there is no suite
for chat histories, middleware or memories of chains.
"""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

from mnemis import Memory, Mnemis
from mnemis_langchain import MnemisRetriever, memory_tools


class TestRetrieverOfOneMemory(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _keep(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def retriever_constructor(self) -> type[MnemisRetriever]:
        return MnemisRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"memory": self.memory}

    @property
    def retriever_query_example(self) -> str:
        return "When is the launch?"


class TestRetrieverInChinese(TestRetrieverOfOneMemory):
    @property
    def retriever_query_example(self) -> str:
        return "发布会是什么时候？"


class _RecallTool:
    @pytest.fixture(autouse=True)
    def _keep(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def tool_constructor(self) -> BaseTool:
        return memory_tools(memory=self.memory, names=["recall"])[0]

    @property
    def tool_invoke_params_example(self) -> dict[str, str]:
        return {"query": "When is the launch?"}


class _RememberTool(_RecallTool):
    @property
    def tool_constructor(self) -> BaseTool:
        return memory_tools(memory=self.memory, names=["remember"])[0]

    @property
    def tool_invoke_params_example(self) -> dict[str, str]:
        return {"text": "我对花生过敏。"}


class _ForgetTool(_RecallTool):
    @property
    def tool_constructor(self) -> BaseTool:
        return memory_tools(memory=self.memory, names=["forget"])[0]

    @property
    def tool_invoke_params_example(self) -> dict[str, list[str]]:
        return {"message_ids": ["no-such-message"]}


class TestRecallToolUnit(_RecallTool, ToolsUnitTests):
    pass


class TestRecallTool(_RecallTool, ToolsIntegrationTests):
    pass


class TestRememberToolUnit(_RememberTool, ToolsUnitTests):
    pass


class TestRememberTool(_RememberTool, ToolsIntegrationTests):
    pass


class TestForgetToolUnit(_ForgetTool, ToolsUnitTests):
    pass


class TestForgetTool(_ForgetTool, ToolsIntegrationTests):
    pass


def test_the_suite_is_run_as_it_is() -> None:
    """Nothing of LangChain's is overridden but what it asks for."""
    given = {"retriever_constructor", "retriever_constructor_params", "retriever_query_example"}
    for suite in (TestRetrieverOfOneMemory, TestRetrieverInChinese):
        own = {name for name in vars(suite) if hasattr(RetrieversIntegrationTests, name)}
        assert {name for name in own if not name.startswith("__")} <= given
    tests = [name for name in dir(RetrieversIntegrationTests) if name.startswith("test_")]
    assert len(tests) >= 4


def test_one_memory_is_not_another(mnemis: Mnemis, memory: Memory) -> None:
    ben = MnemisRetriever(memory=mnemis.scope("ben"))
    assert ben.invoke("When is the launch?", k=3) == []
