"""What a memory or a middleware recalls inside a run is told to the run's callbacks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from mnemis import Memory, Mnemis, MnemisError
from mnemis_langchain import MnemisMemory, MnemisMiddleware

CONFIG = {"configurable": {"user_id": "ana", "thread_id": "t"}}


class Watcher(BaseCallbackHandler):
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.found: list[Document] = []
        self.failed: list[BaseException] = []
        self.metadata: dict[str, Any] = {}
        self.tags: list[str] = []
        self.parents: list[object] = []

    def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
        self.asked.append(query)
        self.metadata = kwargs["metadata"]
        self.tags = kwargs["tags"]
        self.parents.append(kwargs["parent_run_id"])

    def on_retriever_end(self, documents: Any, **kwargs: Any) -> None:
        self.found += documents

    def on_retriever_error(self, error: BaseException, **kwargs: Any) -> None:
        self.failed.append(error)


@pytest.mark.parametrize("question", ["When is the launch?", "发布会是什么时候？"])
@pytest.mark.parametrize("wait", [False, True])
def test_an_agents_recall_is_a_retrievers_run(
    mnemis: Mnemis, memory: Memory, question: str, wait: bool
) -> None:
    agent: Any = create_agent(
        GenericFakeChatModel(messages=iter([AIMessage("Soon.")])),
        middleware=[MnemisMiddleware(mnemis=mnemis)],
    )
    watcher = Watcher()
    asked = {"messages": [("user", question)]}
    config = {**CONFIG, "callbacks": [watcher], "tags": ["mine"], "metadata": {"release": 7}}
    if wait:
        asyncio.run(agent.ainvoke(asked, config))
    else:
        agent.invoke(asked, config)
    assert watcher.asked == [question]
    assert watcher.found[0].metadata["path"]
    assert watcher.metadata["release"] == 7
    assert watcher.metadata["ls_retriever_name"] == "mnemis"
    assert "mine" in watcher.tags
    assert None not in watcher.parents


def test_events_are_streamed(mnemis: Mnemis, memory: Memory) -> None:
    agent: Any = create_agent(
        GenericFakeChatModel(messages=iter([AIMessage("Soon.")])),
        middleware=[MnemisMiddleware(mnemis=mnemis)],
    )

    async def names() -> list[str]:
        asked = {"messages": [("user", "When is the launch?")]}
        events = agent.astream_events(asked, CONFIG, version="v2")
        return [event["event"] async for event in events if "retriever" in event["event"]]

    assert asyncio.run(names()) == ["on_retriever_start", "on_retriever_end"]


@pytest.mark.parametrize("wait", [False, True])
def test_a_chain_memorys_recall_is_one_too(mnemis: Mnemis, memory: Memory, wait: bool) -> None:
    chain = MnemisMemory(mnemis=mnemis, recent=0)
    watcher = Watcher()
    load = RunnableLambda(chain.load_memory_variables, afunc=chain.aload_memory_variables)
    config: Any = {**CONFIG, "callbacks": [watcher]}
    inputs = {"input": "Where does Miso sleep?"}
    loaded = asyncio.run(load.ainvoke(inputs, config)) if wait else load.invoke(inputs, config)
    assert watcher.asked == ["Where does Miso sleep?"]
    assert watcher.found[0].page_content in loaded["history"]


@pytest.mark.parametrize("wait", [False, True])
def test_a_failing_recall_is_told(mnemis: Mnemis, wait: bool) -> None:
    chain = MnemisMemory(mnemis=mnemis, recent=0, where={"colour": "red"})
    watcher = Watcher()
    load = RunnableLambda(chain.load_memory_variables, afunc=chain.aload_memory_variables)
    config: Any = {**CONFIG, "callbacks": [watcher]}
    with pytest.raises(MnemisError, match="colour"):
        _ = (
            asyncio.run(load.ainvoke({"input": "x"}, config))
            if wait
            else load.invoke({"input": "x"}, config)
        )
    assert [str(each) for each in watcher.failed] and "colour" in str(watcher.failed[0])
