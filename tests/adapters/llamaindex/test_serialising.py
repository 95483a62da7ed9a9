"""What is serialised is the path, the scope and the session; it opens the memory again."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.workflow import Context, JsonSerializer

from mnemis import Config, InputError, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderMismatch
from mnemis_llamaindex import (
    MnemisEmbedding,
    MnemisMemory,
    MnemisMemoryBlock,
    MnemisPGRetriever,
    MnemisPropertyGraphStore,
    share,
)

from .fakes import ScriptedLLM


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def opened(folder: Path) -> Iterator[Mnemis]:
    with Mnemis.open(
        folder, embedder=HashingEmbedder(), config=Config(consolidate="manual")
    ) as mnemis:
        yield mnemis


def agent() -> FunctionAgent:
    def answer(messages: object, **_: object) -> ChatMessage:
        return ChatMessage(role="assistant", content="Noted.")

    return FunctionAgent(llm=ScriptedLLM(answer), tools=[])


async def test_a_workflows_context_brings_the_memory_back(opened: Mnemis) -> None:
    memory = MnemisMemory(mnemis=opened, token_limit=777).for_user("acme", "ana", session="s1")
    runner = agent()
    context = Context(runner)
    await runner.run("My cat is called Miso.", ctx=context, memory=memory)
    kept = json.loads(json.dumps(context.to_dict(serializer=JsonSerializer())))
    assert "Miso" not in kept["state"]["state_data"]["_data"]["memory"]

    restored = Context.from_dict(runner, kept, serializer=JsonSerializer())
    again = await restored.store.get("memory")
    assert isinstance(again, MnemisMemory)
    assert (again.scope, again.session, again.token_limit) == (("acme", "ana"), "s1", 777)
    assert again.get_all() == memory.get_all()
    await runner.run("Who is Miso?", ctx=restored)
    assert [str(each.content) for each in memory.get_all()][-2:] == ["Who is Miso?", "Noted."]


def test_another_process_opens_it_by_its_path(folder: Path, root: Path) -> None:
    with Mnemis.open(folder, config=Config(consolidate="manual")) as opened:
        memory = MnemisMemory(mnemis=opened).for_user("ana", session="s1")
        memory.put(ChatMessage(role="user", content="我的猫叫米索。"))
        kept = memory.to_json()
    code = (
        "import sys; from mnemis_llamaindex import MnemisMemory;"
        "memory = MnemisMemory.from_json(sys.stdin.read());"
        "print(memory.get_all()[0].content, memory.get(input='猫')[-1].content)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=kept, capture_output=True, text=True, check=False, cwd=root,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["我的猫叫米索。", "我的猫叫米索。"]


def test_it_pickles_by_its_path(opened: Mnemis) -> None:
    memory = MnemisMemory(mnemis=opened, k=3).for_user("ana", session="s1")
    memory.put(ChatMessage(role="user", content="hello"))
    again = pickle.loads(pickle.dumps(memory))
    assert again.k == 3
    assert again.get_all() == memory.get_all()
    for twin in (copy.copy(memory), copy.deepcopy(memory)):
        assert twin.get_all() == memory.get_all()
        assert twin.memory.mnemis is opened


def test_a_memory_without_a_folder_refuses(mnemis: Mnemis) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana")
    for attempt in (memory.to_dict, memory.to_json, lambda: pickle.dumps(memory)):
        with pytest.raises(InputError, match="no folder"):
            attempt()
    assert copy.deepcopy(memory).get_all() == []


def test_an_embedder_of_ones_own_is_shared_or_missed(folder: Path) -> None:
    with Mnemis.open(folder, embedder=HashingEmbedder()) as opened:
        memory = MnemisMemory(mnemis=opened).for_user("ana", session="s1")
        memory.put(ChatMessage(role="user", content="hello"))
        kept = memory.to_dict()
    del opened, memory
    with pytest.raises(EmbedderMismatch):
        MnemisMemory.from_dict(kept).get_all()
    with Mnemis.open(folder, embedder=HashingEmbedder()) as opened:
        assert share(opened) == str(folder)
        assert len(MnemisMemory.from_dict(kept).get_all()) == 1


def test_blocks_keep_their_place(opened: Mnemis) -> None:
    block = MnemisMemoryBlock(memory=opened.scope("ana"), k=3)
    for again in (
        MnemisMemoryBlock(**block.model_dump()),
        pickle.loads(pickle.dumps(block)),
        copy.copy(block),
        copy.deepcopy(block),
    ):
        assert (again.scope, again.k) == (("ana",), 3)
        assert again.memory.mnemis is opened


def test_what_cannot_travel_refuses(mnemis: Mnemis) -> None:
    for each in (
        MnemisPropertyGraphStore(mnemis=mnemis),
        MnemisPGRetriever(mnemis=mnemis),
        MnemisEmbedding(mnemis.embedder),
        MnemisMemoryBlock(mnemis=mnemis),
    ):
        with pytest.raises(InputError, match="folder"):
            pickle.dumps(each)
