"""Everything that LlamaIndex awaits works on another thread than the event loop's."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.graph_stores.types import ChunkNode, PropertyGraphStore
from llama_index.core.memory import Memory as ShortTermMemory
from llama_index.core.memory.types import BaseMemory
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from mnemis import Memory
from mnemis_llamaindex import (
    MnemisEmbedding,
    MnemisMemory,
    MnemisMemoryBlock,
    MnemisPGRetriever,
    MnemisPropertyGraphStore,
    MnemisRetriever,
    aadd_nodes,
    graph_store,
)

Await = Callable[[Memory], Awaitable[Any]]


def says(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def graph(memory: Memory) -> MnemisPropertyGraphStore:
    return MnemisPropertyGraphStore(memory=memory)


def talk(memory: Memory) -> MnemisMemory:
    return MnemisMemory(memory=memory, session="s9")


GRAPH: dict[str, Await] = {
    "aget": lambda m: graph(m).aget(),
    "aget_triplets": lambda m: graph(m).aget_triplets(entity_names=["Ana"]),
    "aget_rel_map": lambda m: graph(m).aget_rel_map([]),
    "aget_llama_nodes": lambda m: graph(m).aget_llama_nodes(["turn:m1"]),
    "aupsert_nodes": lambda m: graph(m).aupsert_nodes([ChunkNode(text="茶", id_="c1")]),
    "aupsert_relations": lambda m: graph(m).aupsert_relations([]),
    "adelete": lambda m: graph(m).adelete(ids=["m1"]),
    "adelete_llama_nodes": lambda m: graph(m).adelete_llama_nodes(["m1"]),
    "avector_query": lambda m: graph(m).avector_query(VectorStoreQuery(query_str="launch")),
    "aget_schema": lambda m: graph(m).aget_schema(),
    "aget_schema_str": lambda m: graph(m).aget_schema_str(),
}
NOTHING_TO_DO = {"astructured_query"}
"""It refuses, and reads nothing."""

CHAT: dict[str, Await] = {
    "aget": lambda m: talk(m).aget("When is the launch?"),
    "aget_all": lambda m: talk(m).aget_all(),
    "aput": lambda m: talk(m).aput(says("发布会")),
    "aput_messages": lambda m: talk(m).aput_messages([says("发布会")]),
    "aset": lambda m: talk(m).aset([says("发布会")]),
    "areset": lambda m: talk(m).areset(),
}


async def flush(memory: Memory) -> None:
    short = ShortTermMemory.from_defaults(session_id="s9")
    await short.aput(says("The launch cake is ordered."))
    assert await MnemisMemoryBlock(memory=memory).aflush(short) == 1


OTHERS: dict[str, Await] = {
    "retriever": lambda m: MnemisRetriever(memory=m).aretrieve("launch"),
    "retriever at a place": lambda m: MnemisRetriever(memory=m).at("Group").aretrieve("launch"),
    "graph retriever": lambda m: MnemisPGRetriever(memory=m).aretrieve(QueryBundle("launch")),
    "block": lambda m: MnemisMemoryBlock(memory=m).aget([says("launch")]),
    "block, put": lambda m: MnemisMemoryBlock(memory=m).aput([says("发布会的蛋糕")]),
    "flush": flush,
    "documents": lambda m: aadd_nodes(m, [TextNode(text="The launch hall is big.")]),
    "embedding": lambda m: MnemisEmbedding(m.mnemis.embedder).aget_query_embedding("launch"),
    "embeddings": lambda m: MnemisEmbedding(m.mnemis.embedder).aget_text_embedding_batch(["茶"]),
}
EVERYTHING = {
    **{f"graph {name}": verb for name, verb in GRAPH.items()},
    **{f"memory {name}": verb for name, verb in CHAT.items()},
    **OTHERS,
}


def awaited(base: type) -> set[str]:
    return {
        name
        for name, value in vars(base).items()
        if iscoroutinefunction(value) and not name.startswith("_")
    }


def test_nothing_that_is_awaited_is_left_out() -> None:
    assert awaited(PropertyGraphStore) <= set(GRAPH) | NOTHING_TO_DO
    assert awaited(BaseMemory) <= set(CHAT)
    assert len(awaited(PropertyGraphStore)) >= 10


@pytest.fixture
def threads(ana: Memory, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The threads on which the memory, its embedder or its store worked."""
    seen: list[int] = []

    def noting(verb: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **named: Any) -> Any:
            seen.append(threading.get_ident())
            return verb(*given, **named)

        return noted

    for name in ("recall", "remember", "forget", "add_documents"):
        monkeypatch.setattr(Memory, name, noting(getattr(Memory, name)))
    for owner, name in ((ana.mnemis.embedder, "embed"), (ana.mnemis.store, "apply")):
        monkeypatch.setattr(type(owner), name, noting(getattr(type(owner), name)))
    monkeypatch.setattr(graph_store, "graph_view", noting(graph_store.graph_view))
    return seen


@pytest.mark.parametrize("name", EVERYTHING)
async def test_it_works_off_the_loop(ana: Memory, threads: list[int], name: str) -> None:
    await EVERYTHING[name](ana)
    assert threading.get_ident() not in threads
    quiet = {
        "graph aget_llama_nodes",
        "graph aupsert_relations",
        "memory aget_all",
        "memory areset",
    }
    assert bool(threads) == (name not in quiet), "nothing was seen at work"


async def test_work_on_the_loop_is_seen(ana: Memory, threads: list[int]) -> None:
    graph(ana).delete(ids=["m1"])
    assert threading.get_ident() in threads
