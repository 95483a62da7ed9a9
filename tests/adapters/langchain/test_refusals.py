"""What cannot travel says so; what a loader left in metadata goes in as it can."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage
from pydantic import ValidationError

from mnemis import InputError, Mnemis
from mnemis_langchain import (
    MnemisChatMessageHistory,
    MnemisMemory,
    MnemisMiddleware,
    MnemisRetriever,
    MnemisStore,
    memory_tools,
    to_documents,
)

MADE: dict[str, Callable[[Mnemis], object]] = {
    "retriever": lambda mnemis: MnemisRetriever(mnemis=mnemis),
    "memory": lambda mnemis: MnemisMemory(mnemis=mnemis),
    "middleware": lambda mnemis: MnemisMiddleware(mnemis=mnemis),
    "history": lambda mnemis: MnemisChatMessageHistory(mnemis.scope("ana"), session="t1"),
    "store": MnemisStore,
}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("travel", [pickle.dumps, copy.deepcopy])
def test_an_open_memory_refuses_to_travel(
    name: str, travel: Callable[[object], object], mnemis: Mnemis
) -> None:
    with pytest.raises(InputError, match="make it anew"):
        travel(MADE[name](mnemis))


def test_odd_metadata_goes_in_and_comes_back(mnemis: Mnemis) -> None:
    odd = {
        "none": None,
        "list": [1, "二"],
        "set": {3},
        "nan": float("nan"),
        "path": Path("a/b.pdf"),
        "day": date(2025, 3, 3),
        "at": datetime(2025, 3, 3, 9, tzinfo=UTC),
        "deep": {"x": (1, {2: b"bytes"})},
    }
    memory = mnemis.scope("ana")
    memory.add_documents(to_documents([Document("鲸鱼 whales", id="d1", metadata=odd)]))
    (found,) = MnemisRetriever(memory=memory, k=1).invoke("whales")
    assert found.metadata["metadata"] == {
        "none": None,
        "list": [1, "二"],
        "set": [3],
        "nan": "nan",
        "path": "a/b.pdf",
        "day": "2025-03-03",
        "at": "2025-03-03T09:00:00+00:00",
        "deep": {"x": [1, {"2": "b'bytes'"}]},
    }


def test_what_is_no_memory_is_named_at_once(mnemis: Mnemis) -> None:
    ana: Any = mnemis.scope("ana")
    whole: Any = mnemis
    for wrong in (
        lambda: MnemisMiddleware(memory=whole),
        lambda: MnemisMemory(memory=whole),
        lambda: memory_tools(memory=whole),
        lambda: MnemisChatMessageHistory(whole, session="t1"),
    ):
        with pytest.raises(
            (InputError, ValidationError), match="(?s)Mnemis.*Memory|Memory.*Mnemis"
        ):
            wrong()
    for wrong in (
        lambda: MnemisMiddleware(mnemis=ana),
        lambda: memory_tools(mnemis=ana),
        lambda: MnemisStore(ana),
    ):
        with pytest.raises(InputError, match="mnemis= wants an open Mnemis, got Memory"):
            wrong()


def test_a_frameworks_own_objects_are_named_with_what_turns_them(
    mnemis: Mnemis, tmp_path: Path
) -> None:
    folder = tmp_path / "never-made"
    memory: Any = mnemis.scope("ana")
    with pytest.raises(InputError, match=r"langchain_core\.documents.*to_documents\(\)"):
        memory.add_documents([Document("鲸鱼")])
    with pytest.raises(InputError, match=r"HumanMessage.*to_messages\(\)"):
        memory.remember([HumanMessage("hello")])
    given: Any = DeterministicFakeEmbedding(size=8)
    with pytest.raises(InputError, match=r"got DeterministicFakeEmbedding; as_embedder\(\)"):
        Mnemis.open(folder, embedder=given)
    given = FakeListChatModel(responses=["x"])
    with pytest.raises(InputError, match=r"got FakeListChatModel; as_chat_model\(\)"):
        Mnemis.open(folder, chat_model=given)
    assert not folder.exists()


def test_what_a_store_would_ignore_is_refused(mnemis: Mnemis) -> None:
    index: Any = {"dims": 1536, "embed": "openai:text-embedding-3-small"}
    with pytest.raises(InputError, match=r"'dims', 'embed'.*embedder=as_embedder"):
        MnemisStore(mnemis, index=index)
    store: Any = MnemisStore(mnemis)
    for wrong in (
        lambda: store.put("notes", "k", {"n": 1}),
        lambda: store.get("notes", "k"),
        lambda: store.search("notes"),
    ):
        with pytest.raises(InputError, match="tuple of labels, got 'notes'"):
            wrong()
    assert store.list_namespaces() == []


def test_a_negative_count_is_refused_when_it_is_given(mnemis: Mnemis) -> None:
    with pytest.raises(ValidationError, match="k must be a whole number"):
        MnemisRetriever(mnemis=mnemis, k=-1)
