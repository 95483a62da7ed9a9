"""Searches with a query bring the same items as the reference does with an index."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from mnemis import Config, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore
from mnemis_langchain import MnemisStore

NAMESPACES = [("notes", "ana"), ("notes", "小明"), ("docs",)]
WORDS = ["rose", "tulip", "bicycle", "teapot", "harbour", "玫瑰", "自行车", "茶壶", "港口", "灯塔"]
FILTERS: list[dict[str, Any] | None] = [None, {"n": {"$gte": 2}}, {"n": 1}, {"colour": "红"}]
EMBEDDER = HashingEmbedder()


def embed(texts: Sequence[str]) -> list[list[float]]:
    return EMBEDDER.embed(list(texts)).tolist()


@pytest.fixture
def store() -> Iterator[MnemisStore]:
    config = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=EMBEDDER, config=config) as mnemis:
        yield MnemisStore(mnemis)


def reference() -> InMemoryStore:
    dims = EMBEDDER.fingerprint.dimension
    return InMemoryStore(index={"dims": dims, "embed": embed, "fields": ["$"]})


@pytest.mark.parametrize("seed", range(4))
def test_the_same_items_come_back(store: MnemisStore, seed: int) -> None:
    chance, other = random.Random(seed), reference()
    compared = matched = 0
    for number in range(80):
        namespace, key = chance.choice(NAMESPACES), f"k{chance.randrange(8)}"
        if chance.random() < 0.15:
            store.delete(namespace, key)
            other.delete(namespace, key)
        else:
            word = chance.choice(WORDS)
            value = {
                "text": f"{word} {chance.choice(WORDS)} {number}",
                "n": chance.randrange(4),
                "colour": chance.choice(["red", "红"]),
            }
            index: Any = chance.choice([None, None, None, False, ["text"]])
            store.put(namespace, key, value, index=index)
            other.put(namespace, key, value, index=index)
        prefix = chance.choice([*NAMESPACES, ("notes",), ()])
        asked: dict[str, Any] = {"query": chance.choice(WORDS), "filter": chance.choice(FILTERS)}
        given = store.search(prefix, limit=100, **asked)
        wanted = other.search(prefix, limit=100, **asked)
        told = [
            sorted((item.namespace, item.key, repr(item.value)) for item in found)
            for found in (given, wanted)
        ]
        assert told[0] == told[1], (prefix, asked)
        paged = [
            each
            for offset in range(0, len(given) + 2, 2)
            for each in store.search(prefix, limit=2, offset=offset, **asked)
        ]
        assert sorted((i.namespace, i.key) for i in paged) == [each[:2] for each in told[0]]
        compared += bool(given)
        # Where a word is said, what says it comes first; the reference's vectors agree on that.
        saying = [item for item in given if asked["query"] in item.value["text"] and item.score]
        if saying:
            assert asked["query"] in given[0].value["text"]
            matched += 1
    assert compared >= 40
    assert matched >= 15
