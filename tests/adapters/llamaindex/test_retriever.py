"""MnemisRetriever alone: nodes, scores, users, k, filters of one call, events."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager, LlamaDebugHandler
from llama_index.core.callbacks.schema import CBEventType
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent
from llama_index.core.schema import MetadataMode, QueryBundle, TextNode

from mnemis import Hit, InputError, Memory, Message, Mnemis, Path, Step
from mnemis_llamaindex import MemoryQuery, MnemisRetriever
from mnemis_llamaindex.nodes import node_of, nodes_of


def test_it_is_a_retriever_by_name() -> None:
    assert "BaseRetriever" in [each.__name__ for each in MnemisRetriever.__mro__]
    assert issubclass(MnemisRetriever, BaseRetriever)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the launch?", "launch"), ("发布会改到什么时候?", "发布会")],
)
def test_nodes_hold_the_memory_as_it_is(ana: Memory, question: str, answer: str) -> None:
    nodes = MnemisRetriever(memory=ana, k=2).retrieve(question)
    hits = ana.recall(question, k=2).hits
    assert [each.node.node_id for each in nodes] == [hit.id for hit in hits]
    assert [each.score for each in nodes] == [hit.score for hit in hits]
    assert all(0.0 <= (each.score or 0.0) <= 1.0 for each in nodes)
    assert answer in nodes[0].node.get_content()
    assert isinstance(nodes[0].node, TextNode)


def test_the_model_sees_the_path_and_nothing_else(ana: Memory) -> None:
    (found,) = MnemisRetriever(memory=ana, k=1).retrieve("When is the launch?")
    hit = ana.recall("When is the launch?", k=1).hits[0]
    shown = found.node.get_content(MetadataMode.LLM)
    assert shown == f"path: {hit.paths[0]}\n\n{hit.text}"
    assert found.node.get_content(MetadataMode.EMBED) == hit.text
    metadata = found.node.metadata
    assert metadata["sources"] == ["m1"]
    assert metadata["speaker"] == "Ana"
    assert metadata["session"] == "s1"
    assert metadata["status"] == "current"
    assert metadata["why"] == hit.why
    assert metadata["topic"] == "launch"
    assert datetime.fromisoformat(metadata["time"]) == hit.time
    assert {each["text"] for each in metadata["paths"]} == {str(path) for path in hit.paths}


def test_more_metadata_can_be_shown(ana: Memory) -> None:
    (found,) = MnemisRetriever(memory=ana, k=1, shown=("path", "speaker")).retrieve("launch?")
    assert "speaker: Ana" in found.node.get_content(MetadataMode.LLM)


def _hit(**fields: Any) -> Hit:
    steps = (Step(node="turn:m1", label="Payments"), Step(node="turn:m2", label="chat\nof  today"))
    given: dict[str, Any] = {
        "id": "turn:m1",
        "text": "Refunds take five days.",
        "kind": "turn",
        "score": 0.5,
        "sources": ("m1",),
        "paths": (Path(route="hierarchy", steps=steps),),
        "why": "because",
    }
    return Hit(**(given | fields))


def test_what_no_longer_holds_is_shown_with_its_successor() -> None:
    new = _hit(id="turn:m9", text="Refunds take\ntwo days.")
    node = node_of(_hit(status="superseded", successors=(new,))).node
    shown = node.get_content(MetadataMode.LLM)
    assert "note: no longer holds; replaced by: Refunds take two days." in shown
    assert "path: Payments > chat of today" in shown
    assert node.metadata["successors"][0]["id"] == "turn:m9"


def test_metadata_of_the_same_name_is_kept_apart_and_blank_memories_are_left_out() -> None:
    node = node_of(_hit(metadata={"path": "/home/x", "llamaindex": "hidden", "tag": None})).node
    assert node.metadata["path"] == "Payments > chat of today"
    assert node.metadata["metadata.path"] == "/home/x"
    assert node.metadata["tag"] is None
    assert "llamaindex" not in node.metadata
    assert nodes_of([_hit(text=" \n"), _hit()])[0].node.node_id == "turn:m1"
    assert len(nodes_of([_hit(text=" \n"), _hit()])) == 1


def test_long_paths_are_cut() -> None:
    steps = tuple(Step(node=f"n{i}", label=f"very long topic name {i}") for i in range(40))
    node = node_of(_hit(paths=(Path(route="hierarchy", steps=steps),))).node
    assert len(node.metadata["path"]) <= 200
    assert node.metadata["path"].endswith("…")


def test_a_missing_user_is_an_error(mnemis: Mnemis, ana: Memory) -> None:
    retriever = MnemisRetriever(mnemis=mnemis)
    with pytest.raises(InputError, match="for_user"):
        retriever.retrieve("launch?")
    for labels in ((), ("",), ("  ",), (None,)):
        with pytest.raises(InputError):
            retriever.for_user(*labels)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        retriever.for_user("ana", session="")
    assert retriever.for_user("ana").retrieve("launch?")
    with pytest.raises(InputError):
        retriever.retrieve("launch?")


async def test_a_missing_user_is_an_error_also_when_awaited(mnemis: Mnemis) -> None:
    with pytest.raises(InputError, match="for_user"):
        await MnemisRetriever(mnemis=mnemis).aretrieve("launch?")


def test_it_wants_one_of_mnemis_and_memory(mnemis: Mnemis, ana: Memory) -> None:
    with pytest.raises(InputError, match="neither"):
        MnemisRetriever()
    with pytest.raises(InputError, match="both"):
        MnemisRetriever(mnemis=mnemis, memory=ana)
    with pytest.raises(InputError, match="Memory"):
        MnemisRetriever(mnemis=ana)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="that memory alone"):
        MnemisRetriever(memory=ana).for_user("ben")


def test_users_and_tenants_are_walls(mnemis: Mnemis, ana: Memory) -> None:
    mnemis.scope("acme", "ana").remember([Message(role="user", text="The launch is secret.")])
    retriever = MnemisRetriever(mnemis=mnemis, k=50)
    assert len(retriever.for_user("ana").retrieve("launch")) == 4
    assert len(retriever.for_user("acme", "ana").retrieve("launch")) == 1
    assert retriever.for_user("nobody").retrieve("launch") == []


def test_a_session_keeps_to_one_conversation(mnemis: Mnemis, ana: Memory) -> None:
    found = (
        MnemisRetriever(mnemis=mnemis, k=50)
        .for_user("ana", session="s2")
        .retrieve("发布会 kitchen")
    )
    assert {each.node.metadata["session"] for each in found} == {"s2"}
    assert len(found) == 2


def test_k_is_said_when_asking(mnemis: Mnemis, ana: Memory) -> None:
    retriever = MnemisRetriever(memory=ana, k=1)
    assert len(retriever.retrieve("launch")) == 1
    assert len(retriever.with_k(3).retrieve("launch")) == 3
    assert len(retriever.retrieve(MemoryQuery("launch", k=2))) == 2
    assert retriever.with_k(0).retrieve("launch") == []
    assert len(retriever.with_k(10**6).retrieve("launch")) == 4
    assert MnemisRetriever(memory=ana).retrieve("launch")
    for wrong in (-1, True, "many", 1.5):
        with pytest.raises(InputError):
            retriever.with_k(wrong)  # type: ignore[arg-type]


def test_one_query_names_its_user_and_filter(mnemis: Mnemis, ana: Memory) -> None:
    retriever = MnemisRetriever(mnemis=mnemis, k=50)
    query = MemoryQuery("launch", user="ana", session="s1", where={"speaker": "Ana"})
    assert [each.node.metadata["sources"] for each in retriever.retrieve(query)] == [["m1"]]
    assert retriever.retrieve(MemoryQuery("launch", user=("acme", "ana"))) == []
    before = MemoryQuery("launch", user="ana", as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert isinstance(retriever.retrieve(before), list)


async def test_both_ways_of_asking_agree(ana: Memory) -> None:
    retriever = MnemisRetriever(memory=ana, k=4)
    there = retriever.retrieve("launch")
    assert [e.model_dump() for e in await retriever.aretrieve("launch")] == [
        each.model_dump() for each in there
    ]


@pytest.mark.parametrize("text", ["", "   ", "?!", "🎉", "\x00", "' OR 1=1 --", "x" * 20_000])
def test_odd_questions_are_answered(ana: Memory, text: str) -> None:
    assert isinstance(MnemisRetriever(memory=ana).retrieve(text), list)


class _Events(BaseEventHandler):
    seen: list[Any]

    @classmethod
    def class_name(cls) -> str:
        return "_Events"

    def handle(self, event: Any, **_: Any) -> None:
        self.seen.append(event)


async def test_callbacks_and_instrumentation_hear_of_it(ana: Memory) -> None:
    debug = LlamaDebugHandler(print_trace_on_end=False)
    events = _Events(seen=[])
    get_dispatcher().add_event_handler(events)
    try:
        retriever = MnemisRetriever(
            memory=ana, k=2, callback_manager=CallbackManager([debug])
        ).with_k(1)
        retriever.retrieve("launch")
        await retriever.aretrieve(QueryBundle("launch"))
    finally:
        get_dispatcher().event_handlers.remove(events)
    assert len(debug.get_event_pairs(CBEventType.RETRIEVE)) == 2
    ends = [each for each in events.seen if isinstance(each, RetrievalEndEvent)]
    assert [len(each.nodes) for each in ends] == [1, 1]


def test_it_copies_but_does_not_pickle(ana: Memory) -> None:
    retriever = MnemisRetriever(memory=ana, k=1)
    assert copy.copy(retriever).retrieve("launch")
    with pytest.raises(InputError, match="path"):
        pickle.dumps(retriever)
