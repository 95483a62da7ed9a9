"""A memory small enough to know by heart, on the reference store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore


def open_mnemis() -> Mnemis:
    return Mnemis(OracleStore(), embedder=HashingEmbedder(), config=Config(consolidate="manual"))


@pytest.fixture
def mnemis() -> Iterator[Mnemis]:
    with open_mnemis() as opened:
        yield opened


@pytest.fixture
def memory(mnemis: Mnemis) -> Memory:
    """Ana's memory: two threads, two languages."""
    memory = mnemis.scope("ana")
    memory.remember(
        [
            _said("m1", "s1", "user", "We moved the launch to May 3rd.", day=3),
            _said("m2", "s1", "assistant", "Noted: the launch is on May 3rd.", day=3),
            _said("m3", "s1", "user", "My cat Miso sleeps on the keyboard.", day=4),
            _said("m4", "s2", "user", "我们把发布会改到了五月三日。", day=5),
            _said("m5", "s2", "user", "I like figs, and the launch party needs some.", day=6),
        ]
    )
    return memory


def _said(identity: str, session: str, role: str, text: str, *, day: int) -> Message:
    return Message(
        id=identity,
        session=session,
        role=role,
        speaker="Ana" if role == "user" else None,
        text=text,
        time=datetime(2025, 3, day, 9, tzinfo=UTC),
        metadata={"tag": session, "langchain_secret": {"hidden": True}},
    )
