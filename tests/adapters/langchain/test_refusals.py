"""What cannot travel says so; what a loader left in metadata goes in as it can."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from langchain_core.documents import Document

from mnemis import InputError, Mnemis
from mnemis_langchain import (
    MnemisChatMessageHistory,
    MnemisMemory,
    MnemisMiddleware,
    MnemisRetriever,
    MnemisStore,
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
