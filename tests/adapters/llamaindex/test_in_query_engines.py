"""The retriever inside LlamaIndex: engines, fusion, postprocessors, tools, chat."""

from __future__ import annotations

from typing import Any

import pytest
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.tools import RetrieverTool

from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex import MemoryQuery, MnemisRetriever


def test_a_query_engine_shows_the_path_to_the_model(ana: Memory) -> None:
    engine = RetrieverQueryEngine.from_args(MnemisRetriever(memory=ana, k=1), llm=MockLLM())
    response = engine.query("When is the launch?")
    path = response.source_nodes[0].node.metadata["path"]
    assert f"path: {path}" in str(response)
    assert "We moved the launch to May 3rd." in str(response)
    assert "sources" not in str(response)
    assert [each.node.metadata["sources"] for each in response.source_nodes] == [["m1"]]


async def test_one_engine_serves_many_users(mnemis: Mnemis, ana: Memory) -> None:
    engine = RetrieverQueryEngine.from_args(MnemisRetriever(mnemis=mnemis), llm=MockLLM())
    response = await engine.aquery(MemoryQuery("发布会?", user="ana", k=1))
    assert "五月三日" in str(response)
    with pytest.raises(InputError):
        engine.query("When is the launch?")


def test_a_cutoff_keeps_what_scores_above_it(ana: Memory) -> None:
    nodes = MnemisRetriever(memory=ana, k=4).retrieve("When is the launch?")
    scores = [each.score or 0.0 for each in nodes]
    assert scores == sorted(scores, reverse=True)
    for cutoff in (0.0, 0.2, 0.99):
        kept = SimilarityPostprocessor(similarity_cutoff=cutoff).postprocess_nodes(nodes)
        assert len(kept) == sum(score >= cutoff for score in scores)


@pytest.mark.parametrize(
    "mode", ["reciprocal_rerank", "relative_score", "dist_based_score", "simple"]
)
@pytest.mark.parametrize("use_async", [True, False])
def test_fusion_sees_one_memory_once(ana: Memory, mode: str, use_async: bool) -> None:
    class Rephrasing(MockLLM):
        def complete(self, *args: Any, **kwargs: Any) -> Any:
            response = super().complete(*args, **kwargs)
            response.text = "launch date May\ngreen kitchen paint"
            return response

    fusion = QueryFusionRetriever(
        [MnemisRetriever(memory=ana, k=4), MnemisRetriever(memory=ana, k=2)],
        llm=Rephrasing(),
        num_queries=3,
        mode=mode,  # type: ignore[arg-type]
        similarity_top_k=20,
        use_async=use_async,
    )
    nodes = fusion.retrieve("When is the launch?")
    ids = [each.node.node_id for each in nodes]
    assert len(ids) == len(set(ids)) == 4


async def test_as_a_tool_it_gets_the_question_itself(ana: Memory) -> None:
    tool = RetrieverTool.from_defaults(MnemisRetriever(memory=ana, k=1), name="memory")
    plain = MnemisRetriever(memory=ana, k=1).retrieve("When is the launch?")[0]
    for output in (
        tool.call(input="When is the launch?"),
        await tool.acall(input="When is the launch?"),
    ):
        assert "path: " in output.content
        assert output.raw_output[0].score == plain.score


async def test_a_chat_engine_is_given_memories(ana: Memory) -> None:
    engine = ContextChatEngine.from_defaults(
        retriever=MnemisRetriever(memory=ana, k=1), llm=MockLLM()
    )
    assert "We moved the launch to May 3rd." in str(engine.chat("When is the launch?"))
    reply = await engine.achat("发布会改到什么时候?")
    assert "五月三日" in str(reply)
