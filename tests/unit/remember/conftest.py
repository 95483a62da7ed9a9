"""A memory on the reference store, with an embedder that knows no meaning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemis import Config, Memory, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore


@pytest.fixture
def memory() -> Iterator[Memory]:
    config = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=HashingEmbedder(), config=config) as mnemis:
        yield mnemis.scope("ana")
