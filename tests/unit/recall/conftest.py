"""The shipped conversation, remembered and consolidated once; and an empty reference memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mnemis import Config, Memory, Message, MessagePart, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def shipped_messages(root: Path) -> list[Message]:
    return [
        Message(
            role=each["role"],
            speaker=each["speaker"],
            text=each["text"],
            time=datetime.fromisoformat(each["time"]),
            session=each["session"],
            id=each["id"],
            parts=(MessagePart(kind="image", caption=each["image_caption"]),)
            if "image_caption" in each
            else (),
        )
        for each in read(root / "shared/mnemis/demo/conversation.jsonl")
    ]


@pytest.fixture(scope="package")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """420 turns in both languages, with episodes, facts, entities and categories."""
    root = Path(__file__).resolve().parents[3]
    folder = tmp_path_factory.mktemp("shipped")
    with Memory.open(folder, config=Config(consolidate="manual")) as memory:
        memory.remember(shipped_messages(root))
        memory.consolidate()
        yield memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    config = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=HashingEmbedder(), config=config) as mnemis:
        yield mnemis.scope("ana")
