"""An open memory without a disk, and what was said in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore

START = datetime(2025, 3, 3, 9, tzinfo=UTC)


class Ticking:
    """A clock that moves a minute each time it is read."""

    def __init__(self) -> None:
        self._now = START

    def now(self) -> datetime:
        self._now += timedelta(minutes=1)
        return self._now


@pytest.fixture
def mnemis() -> Iterator[Mnemis]:
    with Mnemis(
        OracleStore(),
        embedder=HashingEmbedder(),
        config=Config(consolidate="manual"),
        clock=Ticking(),
    ) as opened:
        yield opened


@pytest.fixture
def ana(mnemis: Mnemis) -> Memory:
    """Ana's memory: two sessions, English and Chinese."""
    memory = mnemis.scope("ana")
    said = [
        ("m1", "user", "Ana", "We moved the launch to May 3rd.", "s1", {"topic": "launch", "n": 1}),
        ("m2", "assistant", "bot", "Noted, I will tell the printer.", "s1", {"topic": "launch"}),
        ("m3", "user", "Ana", "我们把发布会改到五月三日。", "s2", {"topic": "发布会", "n": 2}),
        ("m4", "user", "Ben", "The kitchen needs green paint.", "s2", {"topic": "home", "n": 3}),
    ]
    memory.remember(
        [
            Message(
                id=identity,
                role=role,
                speaker=speaker,
                text=text,
                session=session,
                metadata=dict(metadata),
                time=START + timedelta(days=day),
            )
            for day, (identity, role, speaker, text, session, metadata) in enumerate(said)
        ]
    )
    return memory
