"""The same thing said at once, and one memory used from many threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)
AT_ONCE = 16


@pytest.fixture
def mnemis(tmp_path: Path) -> Iterator[Mnemis]:
    config = Config(consolidate="manual")
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as mnemis:
        yield mnemis


def message(text: str) -> Message:
    return Message(role="user", text=text, time=DAY, session="s")


def kept(memory: Memory, kind: Literal["turn", "fact"]) -> list[str]:
    with memory.mnemis.store.view(memory.scope) as view:
        return [node.id for node in view.scan(kind)]


@pytest.mark.parametrize("text", ["I adore jasmine tea.", "我最喜欢喝茉莉花茶。"])
def test_the_same_message_on_many_threads_is_one(mnemis: Mnemis, text: str) -> None:
    memory = mnemis.scope("ana")
    together = threading.Barrier(AT_ONCE)

    def say(_: int) -> int:
        together.wait()
        stored = memory.remember([message(text)]).stored
        memory.consolidate()
        return stored

    with ThreadPoolExecutor(AT_ONCE) as threads:
        assert sum(threads.map(say, range(AT_ONCE))) == 1
    assert len(kept(memory, "turn")) == 1
    assert len(kept(memory, "fact")) == 1


@pytest.mark.parametrize("text", ["I adore jasmine tea.", "我最喜欢喝茉莉花茶。"])
async def test_the_same_fact_on_many_tasks_is_one(mnemis: Mnemis, text: str) -> None:
    """Said again and again, it is many turns and one fact."""
    memory = mnemis.scope("ana")

    async def say() -> int:
        stored = (await memory.aremember([Message(role="user", text=text)])).stored
        await memory.aconsolidate()
        return stored

    assert sum(await asyncio.gather(*(say() for _ in range(AT_ONCE)))) == AT_ONCE
    assert len(kept(memory, "turn")) == AT_ONCE
    assert len(kept(memory, "fact")) == 1


async def test_verbs_on_threads_and_tasks_and_closing_elsewhere(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    mnemis = Mnemis.open(tmp_path / "m", embedder=HashingEmbedder(), config=config)
    memory = mnemis.scope("ana")

    def work(number: int) -> str:
        memory.remember([Message(role="user", text=f"Locker {number} is mine.", id=f"m{number}")])
        found = memory.recall(f"Locker {number}", k=1).hits[0].text
        if number % 2:
            memory.forget(message_ids=[f"m{number}"])
        return found

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(work, range(20)))
    found += await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(20, 40)))
    assert found == [f"Locker {number} is mine." for number in range(40)]
    assert len(kept(memory, "turn")) == 20
    closing = threading.Thread(target=mnemis.close)
    closing.start()
    closing.join()
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as reopened:
        assert len(kept(reopened.scope("ana"), "turn")) == 20
