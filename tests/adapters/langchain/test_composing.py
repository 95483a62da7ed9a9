"""The retriever inside LangChain's own retrievers, chains and graphs."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict

import pytest
from langchain_classic.chains import ConversationalRetrievalChain
from langchain_classic.retrievers import ContextualCompressionRetriever, EnsembleRetriever
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda, RunnableParallel
from langgraph.graph import END, START, MessagesState, StateGraph

from mnemis import InputError, Memory, Mnemis
from mnemis_langchain import (
    DOCUMENT_PROMPT,
    MnemisChatMessageHistory,
    MnemisMemory,
    MnemisRetriever,
)
from tests.adapters.langchain.test_retriever import ANA, LAUNCH, Watcher

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class State(TypedDict):
    question: str
    found: list[str]


def test_beside_another_retriever(mnemis: Mnemis, memory: Memory) -> None:
    ensemble = EnsembleRetriever(
        retrievers=[
            MnemisRetriever(mnemis=mnemis, k=2),
            MnemisRetriever(mnemis=mnemis, k=2, where={"session": "s2"}),
        ]
    )
    for found in (ensemble.invoke("launch", ANA), asyncio.run(ensemble.ainvoke("launch", ANA))):
        assert LAUNCH in [each.page_content for each in found]
        assert len(found) >= 3
    with pytest.raises(InputError, match="names no user"):
        ensemble.invoke("launch")


def test_under_a_compressor(mnemis: Mnemis, memory: Memory) -> None:
    compressed = ContextualCompressionRetriever(
        base_compressor=DocumentCompressorPipeline(transformers=[]),
        base_retriever=MnemisRetriever(memory=memory, k=2),
    )
    assert len(compressed.invoke("launch")) == 2


def test_in_an_old_retrieval_chain_with_memory(mnemis: Mnemis, memory: Memory) -> None:
    watcher = Watcher()
    chain = ConversationalRetrievalChain.from_llm(
        FakeListChatModel(responses=["standalone question: launch?", "On May 3rd."]),
        MnemisRetriever(memory=memory, k=2),
        memory=MnemisMemory(memory=memory, memory_key="chat_history", return_messages=True),
        combine_docs_chain_kwargs={"document_prompt": DOCUMENT_PROMPT},
        return_source_documents=True,
    )
    answer = chain.invoke({"question": "When is the launch?"}, {"callbacks": [watcher]})
    assert answer["answer"] == "On May 3rd."
    assert len(answer["source_documents"]) == 2
    with memory.mnemis.store.view(memory.scope) as view:
        said = [turn.text for turn in view.tail("", limit=9)]
    assert said == ["When is the launch?", "On May 3rd."]


def test_in_parallel_branches_and_a_graph(mnemis: Mnemis, memory: Memory) -> None:
    retriever = MnemisRetriever(mnemis=mnemis, k=1)
    branches = RunnableParallel(
        one=retriever, two=RunnableLambda(lambda text: retriever.invoke(text))
    )
    found = branches.invoke("When did we move the launch to May?", ANA)
    assert found["one"] == found["two"] != []

    def look(state: State) -> dict[str, Any]:
        return {"found": [each.page_content for each in retriever.invoke(state["question"])]}

    async def alook(state: State) -> dict[str, Any]:
        documents = await retriever.ainvoke(state["question"])
        return {"found": [each.page_content for each in documents]}

    graph = StateGraph(State)
    graph.add_node("look", RunnableLambda(look, alook))
    graph.add_edge(START, "look")
    graph.add_edge("look", END)
    compiled: Any = graph.compile()
    asked = {"question": "When did we move the launch to May?"}
    assert compiled.invoke(asked, ANA)["found"] == [found["one"][0].page_content]
    assert asyncio.run(compiled.ainvoke(asked, ANA))["found"] == [found["one"][0].page_content]
    with pytest.raises(InputError, match="names no user"):
        compiled.invoke(asked)


@pytest.mark.parametrize("wait", [False, True])
def test_a_history_in_a_graph(mnemis: Mnemis, wait: bool) -> None:
    """A node that reads a thread's history and adds to it, as graphs without a checkpointer do."""
    histories = MnemisChatMessageHistory.for_users(mnemis)

    def answer(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        named = config.get("configurable", {})
        history = histories(named["user_id"], named["thread_id"])
        reply = AIMessage(f"{len(history.messages)} before: {state['messages'][-1].text}")
        history.add_messages([*state["messages"], reply])
        return {"messages": [reply]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", END)
    app = graph.compile()

    def say(user: str, text: str) -> str:
        config: Any = {"configurable": {"user_id": user, "thread_id": "t"}}
        asked: Any = {"messages": [HumanMessage(text)]}
        result = asyncio.run(app.ainvoke(asked, config)) if wait else app.invoke(asked, config)
        return str(result["messages"][-1].text)

    assert [say("ana", "One."), say("小明", "二。"), say("ana", "Three.")] == [
        "0 before: One.",
        "0 before: 二。",
        "2 before: Three.",
    ]
    found = MnemisRetriever(memory=mnemis.scope("小明"), k=1).invoke("二")
    assert found[0].page_content == "二。"
