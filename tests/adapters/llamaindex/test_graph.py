"""The memory as a property graph, and its recall inside a PropertyGraphIndex."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from llama_index.core import PropertyGraphIndex
from llama_index.core.graph_stores.types import ChunkNode, EntityNode, PropertyGraphStore, Relation
from llama_index.core.indices.property_graph import VectorContextRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import TokenTextSplitter
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import Document, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from mnemis import Hit, InputError, Memory, Message, Mnemis
from mnemis_llamaindex import (
    MemoryQuery,
    MnemisEmbedding,
    MnemisPGRetriever,
    MnemisPropertyGraphStore,
    MnemisRetriever,
)
from mnemis_llamaindex.nodes import node_of

from .conftest import START

SAID = (
    "My sister Clara lives in Lisbon.",
    "Clara works at the Harbour Museum.",
    "Tom Becker works at Acme Robotics.",
    "Clara moved to Porto.",
    "我的朋友李雷在腾讯工作。",
)


@pytest.fixture
def clara(mnemis: Mnemis) -> Memory:
    memory = mnemis.scope("clara")
    memory.remember(
        [
            Message(
                id=f"m{n}", role="user", speaker="Ana", text=text, session=f"s{n}",
                time=START + timedelta(days=n),
            )
            for n, text in enumerate(SAID)
        ]
    )  # fmt: skip
    memory.consolidate()
    return memory


@pytest.fixture
def graph(clara: Memory) -> MnemisPropertyGraphStore:
    return MnemisPropertyGraphStore(memory=clara)


def told(graph: MnemisPropertyGraphStore, name: str) -> set[tuple[str, str, str]]:
    return {
        (head.id, relation.id, tail.id)
        for head, relation, tail in graph.get_triplets(entity_names=[name])
    }


def test_it_is_a_property_graph_store(graph: MnemisPropertyGraphStore) -> None:
    assert isinstance(graph, PropertyGraphStore)
    assert graph.supports_vector_queries
    assert not graph.supports_structured_queries


def test_facts_are_triplets_and_what_no_longer_holds_is_out(
    graph: MnemisPropertyGraphStore,
) -> None:
    about = told(graph, "Clara")
    assert ("Clara", "works_at", "Harbour Museum") in about
    assert ("Clara", "lives_in", "Porto") in about
    assert ("Clara", "lives_in", "Lisbon") not in about
    assert ("Clara", "named", "Clara") not in about
    assert "李雷" in {node.id for node in graph.get()}


def test_nodes_are_found_by_name_in_any_case_and_by_id(graph: MnemisPropertyGraphStore) -> None:
    (found,) = graph.get(ids=["cLARA"])
    assert isinstance(found, EntityNode)
    assert found.properties["kind"] == "entity"
    assert graph.get(ids=[found.properties["memory_id"]]) == [found]
    assert graph.get(ids=["nobody"]) == []
    assert {node.id for node in graph.get(properties={"kind": "entity"})} >= {"Clara", "Tom Becker"}
    (turn,) = graph.get(ids=["turn:m1"])
    assert isinstance(turn, ChunkNode)
    assert turn.text == SAID[1]


def test_triplets_are_chosen_by_every_condition(graph: MnemisPropertyGraphStore) -> None:
    assert graph.get_triplets() == []
    works = graph.get_triplets(relation_names=["works_at"])
    assert {triplet[0].id for triplet in works} >= {"Clara", "Tom Becker"}
    both = graph.get_triplets(entity_names=["Clara"], relation_names=["works_at"])
    assert [triplet[2].id for triplet in both] == ["Harbour Museum"]
    assert both[0][1].properties["sources"] == ["m1"]


def test_the_neighbourhood_is_walked_and_bounded(graph: MnemisPropertyGraphStore) -> None:
    start = graph.get(ids=["Clara"])
    near = graph.get_rel_map(start, depth=1, limit=100)
    assert all("Clara" in (head.id, tail.id) for head, _, tail in near)
    far = graph.get_rel_map(start, depth=2, limit=100)
    assert len(far) > len(near)
    assert len(graph.get_rel_map(start, depth=3, limit=3)) == 3
    kept = graph.get_rel_map(start, depth=1, limit=100, ignore_rels=["works_at"])
    assert "works_at" not in {relation.id for _, relation, _ in kept}
    assert len({(h.id, r.id, t.id) for h, r, t in far}) == len(far)


def test_new_facts_appear(graph: MnemisPropertyGraphStore, clara: Memory) -> None:
    assert graph.get(ids=["Rufus"]) == []
    clara.remember([Message(role="user", speaker="Ana", text="My dog Rufus lives in Leeds.")])
    clara.consolidate()
    assert graph.get(ids=["Rufus"])


def test_namesakes_stay_two(mnemis: Mnemis) -> None:
    from mnemis.model.change import Change
    from mnemis.model.graph import Entity

    entities = tuple(Entity(id=f"entity:{n}", text="x", name="Java") for n in (1, 2))
    mnemis.store.apply(("j",), Change(id="c", purpose="test", nodes=entities))
    graph = MnemisPropertyGraphStore(memory=mnemis.scope("j"))
    assert {node.id for node in graph.get(ids=["java"])} == {
        "Java [entity:1]",
        "Java [entity:2]",
    }


def test_texts_can_be_added_and_nothing_else(graph: MnemisPropertyGraphStore) -> None:
    graph.upsert_llama_nodes([TextNode(id_="n1", text="The museum opens at nine.")])
    graph.upsert_nodes([ChunkNode(id_="n2", text="博物馆九点开门。", properties={"a": None})])
    graph.upsert_relations([])
    (hit,) = graph.client.recall("When does the museum open?", k=1, where={"role": "document"}).hits
    assert hit.sources == ("n1",)
    refused = (
        lambda: graph.upsert_nodes([EntityNode(name="Bob")]),
        lambda: graph.upsert_relations([Relation(label="x", source_id="a", target_id="b")]),
        lambda: graph.delete(ids=["Clara"]),
        lambda: graph.delete(ids=["turn:m1", "Clara"]),
        lambda: graph.delete(entity_names=["Clara"]),
        lambda: graph.delete(relation_names=["works_at"]),
        lambda: graph.structured_query("MATCH (n) RETURN n"),
    )
    for attempt in refused:
        with pytest.raises(NotImplementedError, match="memory"):
            attempt()
    assert graph.get(ids=["Clara", "turn:m1"])


def test_texts_can_be_deleted_with_what_rests_on_them(
    graph: MnemisPropertyGraphStore, clara: Memory
) -> None:
    document = Document(id_="guide", text="The museum opens at nine. " * 60)
    nodes = TokenTextSplitter(chunk_size=64, chunk_overlap=0).get_nodes_from_documents([document])
    graph.upsert_llama_nodes(nodes)
    assert clara.recall("museum opens", k=50, where={"role": "document"}).hits
    graph.delete_llama_nodes(ref_doc_ids=["guide"])
    graph.delete_llama_nodes(node_ids=["unknown"])
    assert not clara.recall("museum opens", k=50, where={"role": "document"}).hits
    graph.delete(ids=["m1", "turn:m2"])
    assert graph.get(ids=["turn:m1", "turn:m2"]) == []
    assert ("Clara", "works_at", "Harbour Museum") not in told(graph, "Clara")
    assert ("Clara", "lives_in", "Porto") in told(graph, "Clara")


def test_vector_queries_want_the_memorys_embedder(
    graph: MnemisPropertyGraphStore, mnemis: Mnemis
) -> None:
    nodes, scores = graph.vector_query(VectorStoreQuery(query_str="Clara", similarity_top_k=3))
    assert "Clara" in [node.id for node in nodes]
    assert all(0.0 <= score <= 1.0 for score in scores)
    with pytest.raises(InputError, match="MnemisEmbedding"):
        graph.vector_query(VectorStoreQuery(query_embedding=[1.0, 2.0]))
    with pytest.raises(InputError):
        graph.vector_query(VectorStoreQuery())


async def test_awaited_it_is_the_same(graph: MnemisPropertyGraphStore) -> None:
    (node,) = await graph.aget(ids=["Clara"])
    assert [node] == graph.get(ids=["Clara"])
    assert await graph.aget_rel_map([node]) == graph.get_rel_map([node])
    assert await graph.aget_triplets(["Clara"]) == graph.get_triplets(["Clara"])
    assert await graph.aget_llama_nodes(["turn:m1"]) == graph.get_llama_nodes(["turn:m1"])
    query = VectorStoreQuery(query_str="Clara")
    assert await graph.avector_query(query) == graph.vector_query(query)


def test_an_index_recalls_beside_its_own_retrievers(clara: Memory, mnemis: Mnemis) -> None:
    graph = MnemisPropertyGraphStore(memory=clara)
    embedding = MnemisEmbedding(mnemis.embedder)
    index = PropertyGraphIndex.from_existing(graph, embed_model=embedding, llm=MockLLM())
    context = VectorContextRetriever(
        graph, embed_model=embedding, include_text=False, similarity_top_k=3, path_depth=1
    )
    recall = MnemisPGRetriever(memory=clara, k=3)
    nodes = index.as_retriever(sub_retrievers=[recall, context]).retrieve("Where does Clara work?")
    shown = "\n".join(each.get_content() for each in nodes)
    assert "Clara -> works_at -> Harbour Museum" in shown
    assert SAID[1] in shown
    assert {hit.id for hit in clara.recall("Where does Clara work?", k=3).hits} <= {
        each.node.node_id for each in nodes
    }


def test_facts_bring_their_source(clara: Memory) -> None:
    fact = Hit(
        id="fact:1", text="Clara works at the Harbour Museum", kind="fact", score=0.5,
        sources=("m1",), paths=(), why="",
    )  # fmt: skip
    retriever = MnemisPGRetriever(memory=clara, include_text=True)
    (node,) = retriever.add_source_text([node_of(fact)])
    assert "Here are some facts" in node.text
    assert fact.text in node.text
    assert SAID[1] in node.text


async def test_the_retriever_recalls_as_the_plain_one(mnemis: Mnemis, clara: Memory) -> None:
    retriever = MnemisPGRetriever(mnemis=mnemis, k=4)
    with pytest.raises(InputError):
        retriever.retrieve("Clara")
    plain = MnemisRetriever(memory=clara, k=4).retrieve("李雷在哪里工作?")
    for nodes in (
        retriever.for_user("clara").retrieve("李雷在哪里工作?"),
        await retriever.for_user("clara").aretrieve("李雷在哪里工作?"),
        retriever.retrieve(MemoryQuery("李雷在哪里工作?", user="clara")),
    ):
        assert [each.node.node_id for each in nodes] == [each.node.node_id for each in plain]
    engine = RetrieverQueryEngine.from_args(retriever.for_user("clara").with_k(1), llm=MockLLM())
    assert "path: " in str(await engine.aquery("Where does Clara work?"))


async def test_users_keep_apart(mnemis: Mnemis, clara: Memory) -> None:
    root = MnemisPropertyGraphStore(mnemis=mnemis)
    with pytest.raises(InputError):
        root.get()
    names = await asyncio.gather(
        *(root.for_user(user).aget(ids=["Clara"]) for user in ("clara", "nobody"))
    )
    assert [len(each) for each in names] == [1, 0]
