"""What the package promises: its names, their documentation, and a sentence when it lacks LlamaIndex."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import MockEmbedding
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events.retrieval import RetrievalEndEvent
from llama_index.core.llms import MockLLM
from llama_index.core.schema import Document

import mnemis_llamaindex
from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex import MnemisMemory, MnemisRetriever, add_nodes

NAMES = (
    "MemoryQuery",
    "MnemisEmbedding",
    "MnemisMemory",
    "MnemisMemoryBlock",
    "MnemisPGRetriever",
    "MnemisPropertyGraphStore",
    "MnemisRetriever",
    "aadd_nodes",
    "add_nodes",
    "as_chat_model",
    "as_embedder",
    "share",
    "to_documents",
    "to_messages",
)


def test_the_public_names_are_these() -> None:
    assert tuple(mnemis_llamaindex.__all__) == NAMES
    for name in NAMES:
        assert inspect.getdoc(getattr(mnemis_llamaindex, name)), name


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("MnemisRetriever", "BaseRetriever"),
        ("MnemisMemory", "BaseMemory"),
        ("MnemisMemoryBlock", "BaseMemoryBlock"),
        ("MnemisPGRetriever", "BasePGRetriever"),
        ("MnemisPropertyGraphStore", "PropertyGraphStore"),
        ("MnemisEmbedding", "BaseEmbedding"),
    ],
)
def test_each_is_what_llamaindex_looks_for(name: str, base: str) -> None:
    family = [each.__name__.partition("[")[0] for each in getattr(mnemis_llamaindex, name).__mro__]
    assert base in family


def test_llamahub_is_told_the_names(root: Path) -> None:
    told = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["llamahub"]
    assert told["import_path"] == mnemis_llamaindex.__name__
    assert told["contains_example"]
    classes = {name for name in NAMES if name.startswith("Mnemis")}
    assert set(told["class_authors"]) == classes


def test_without_llamaindex_it_says_what_to_install(root: Path) -> None:
    code = (
        "import sys; sys.modules['llama_index'] = None\n"
        "try:\n    import mnemis_llamaindex\n"
        "except ImportError as error:\n    print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "shared"), str(root)])},
    )  # fmt: skip
    assert done.stdout.startswith("MissingExtra")
    assert "pip install" in done.stdout


class _Ends(BaseEventHandler):
    seen: list[RetrievalEndEvent]

    @classmethod
    def class_name(cls) -> str:
        return "_Ends"

    def handle(self, event: object, **_: object) -> None:
        if isinstance(event, RetrievalEndEvent):
            self.seen.append(event)


async def test_what_an_agents_memory_recalls_is_traced(ana: Memory) -> None:
    ends = _Ends(seen=[])
    get_dispatcher().add_event_handler(ends)
    try:
        chat = MnemisMemory(memory=ana, k=2)
        await chat.aput(ChatMessage(role="user", content="When is the launch?"))
        await chat.aget()
        await chat.aget()
    finally:
        get_dispatcher().event_handlers.remove(ends)
    assert [len(each.nodes) for each in ends.seen] == [2]
    assert ends.seen[0].nodes[0].node.metadata["sources"] == ["m1"]


async def test_both_frameworks_see_one_memory(mnemis: Mnemis) -> None:
    langchain = pytest.importorskip("mnemis_langchain")
    chat = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")
    chat.put(ChatMessage(role="user", content="My locker code is 4711."))
    config = {"configurable": {"user_id": "ana", "thread_id": "s1"}}
    found = langchain.MnemisRetriever(mnemis=mnemis, k=1).invoke("locker code", config)
    assert "4711" in found[0].page_content
    assert "llamaindex" not in found[0].metadata
    history = langchain.MnemisChatMessageHistory(mnemis.scope("ana"), session="s1")
    history.add_user_message("我搬到杭州了。")
    (node,) = MnemisRetriever(mnemis=mnemis, k=1).for_user("ana").retrieve("搬到哪里?")
    assert "杭州" in node.text
    assert [str(each.content) for each in chat.get_all()][-1] == "我搬到杭州了。"


def test_a_frameworks_own_objects_are_named_with_what_turns_them(
    mnemis: Mnemis, tmp_path: Path
) -> None:
    folder = tmp_path / "never-made"
    memory: Any = mnemis.scope("ana")
    with pytest.raises(InputError, match=r"llama_index\.core.*to_documents\(\)"):
        memory.add_documents([Document(text="鲸鱼")])
    with pytest.raises(InputError, match=r"ChatMessage.*to_messages\(\)"):
        memory.remember([ChatMessage(role="user", content="hello")])
    given: Any = MockEmbedding(embed_dim=8)
    with pytest.raises(InputError, match=r"got MockEmbedding; as_embedder\(\)"):
        Mnemis.open(folder, embedder=given)
    given = MockLLM()
    with pytest.raises(InputError, match=r"got MockLLM; as_chat_model\(\)"):
        Mnemis.open(folder, chat_model=given)
    assert not folder.exists()
    whole: Any = mnemis
    with pytest.raises(InputError, match=r"one user's Memory, .*got Mnemis"):
        add_nodes(whole, [Document(text="x")])
    with pytest.raises(InputError, match=r"does not know user_id; user= names the user"):
        MnemisMemory.from_defaults(mnemis=mnemis, user_id="ana")
