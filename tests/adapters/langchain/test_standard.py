"""LangChain's own suites."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests

from mnemis import Memory, Mnemis
from mnemis_langchain import MnemisRetriever


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
