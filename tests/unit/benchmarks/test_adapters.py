"""The adapters' overhead is what is left of a call without the engine's verbs."""

from __future__ import annotations

import asyncio
import time

import pytest

from mnemis import Memory
from mnemis.embedders.hashing import HashingEmbedder
from tests.benchmarks import adapters, memories
from tests.benchmarks.pools import shipped_pools


def test_a_verb_inside_another_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def recall(_: object) -> None:
        time.sleep(0.02)

    async def arecall(memory: Memory) -> None:
        time.sleep(0.02)
        memory.recall("")

    monkeypatch.setattr(Memory, "recall", lambda memory, _: recall(memory))
    monkeypatch.setattr(Memory, "arecall", arecall)
    memory = object.__new__(Memory)
    watch = adapters.Stopwatch()
    with watch.running():
        asyncio.run(arecall_of(memory))
        assert 0.035 < watch.seconds < 0.06
        time.sleep(0.05)
        assert watch.seconds < 0.06
    before = watch.seconds
    memory.recall("")
    assert watch.seconds == before


async def arecall_of(memory: Memory) -> None:
    await memory.arecall()  # type: ignore[call-arg]  # the fake above


def test_every_call_reaches_the_engine_and_takes_longer(tmp_path: object) -> None:
    (pool,) = shipped_pools()
    filled = memories.Memories(tmp_path, embedder=HashingEmbedder(), tell=lambda _: None)  # type: ignore[arg-type]
    found = adapters.measure(pool, filled, limit=3)
    assert len(found) >= 19
    for name, timed in found.items():
        assert timed["calls"] == 3, name
        asked = name not in ("LangGraph store, get", "LangGraph store, page")
        assert (timed["engine"] > 0) == asked, name
        assert timed["engine"] < timed["whole"], name
        assert timed["added"] < 20, name
    table = adapters.adapters_table(found)
    assert all(name in table for name in found)
