"""Memories on both stores, with small words for what is remembered and what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.care.verify import node_texts
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import NODE_KINDS, Node
from mnemis.stores.oracle import OracleStore
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.clock import FakeClock

START = datetime(2025, 3, 3, 9, tzinfo=UTC)
MANUAL = Config(consolidate="manual")


@pytest.fixture(params=["oracle", "sqlite"])
def mnemis(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Mnemis]:
    embedder = HashingEmbedder()
    clock = FakeClock(START)
    store: OracleStore | SqliteStore
    if request.param == "oracle":
        store = OracleStore(clock=clock)
    else:
        store = SqliteStore.open(
            tmp_path / "memory", fingerprint=embedder.fingerprint, config=MANUAL, clock=clock
        )
    with Mnemis(store, embedder=embedder, config=MANUAL, clock=clock) as opened:
        yield opened


@pytest.fixture
def memory(mnemis: Mnemis) -> Memory:
    return mnemis.scope("acme", "u1")


def said(
    number: int,
    text: str,
    *,
    speaker: str = "Ana",
    session: str = "s1",
    days: int = 0,
    role: str = "user",
) -> Message:
    """Message ``m<number>``, said ``number`` minutes (and some days) after the start."""
    return Message(
        id=f"m{number}",
        role=role,
        text=text,
        speaker=speaker,
        session=session,
        time=START + timedelta(days=days, minutes=number),
    )


def tell(memory: Memory, *texts: str, speaker: str = "Ana") -> None:
    """Remember texts as m1, m2, … a day apart, and consolidate them."""
    memory.remember(
        [said(n, text, days=n, session=f"s{n}", speaker=speaker) for n, text in enumerate(texts, 1)]
    )
    memory.consolidate()


def everything(memory: Memory) -> list[Node]:
    """All nodes of the scope."""
    with memory.mnemis.store.view(memory.scope) as view:
        return [node for kind in NODE_KINDS for node in view.scan(kind)]


def texts_of(memory: Memory) -> str:
    """All texts of all nodes, for looking a word up."""
    return "\n".join(text for node in everything(memory) for text in node_texts(node))


def check_whole(memory: Memory) -> None:
    """Nothing rests on a message that is gone, no edge hangs, no index entry is without a node."""
    nodes = {node.id: node for node in everything(memory)}
    messages = {source for node in nodes.values() if node.kind == "turn" for source in node.sources}
    assert messages or not nodes
    for node in nodes.values():
        assert set(node.sources) <= messages, node
        assert node.kind == "category" or node.sources, node
    with memory.mnemis.store.view(memory.scope) as view:
        for edge in view.edges():
            assert edge.source in nodes, edge
            assert edge.target in nodes, edge
            assert set(edge.sources) <= messages, edge
        for kind, count in view.stats().entries.items():
            assert count <= len(nodes) or kind == "part"
