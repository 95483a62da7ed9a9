"""LangGraph's store: what its reference answers, this one answers, before and after reopening."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from mnemis import Config, InputError, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore
from mnemis_langchain import MnemisStore

NAMESPACES = [("users", "ana"), ("users", "小明"), ("users", "ana", "notes"), ("docs",), ("a/b",)]
KEYS = ["k1", "k2", "配置", "x.y", "", "a key"]
PREFIXES: list[tuple[str, ...]] = [(), ("users",), ("users", "ana"), ("docs",), ("nobody",)]
FILTERS: list[dict[str, Any] | None] = [
    None, {}, {"n": 3}, {"n": {"$gte": 2}}, {"n": {"$lt": 4, "$ne": 1}}, {"tag": "红"},
    {"nested": {"deep": [1, {"$gt": 0}]}}, {"n": {"$eq": 2}, "tag": {"$ne": "red"}},
    {"flag": True}, {"flag": None}, {"list": [1, 2]},
]  # fmt: skip
FIELDS: dict[str, list[Any]] = {
    "n": [3, {"$gte": 1}, {"$gt": 0, "$lte": 3}, {"$lt": 4, "$ne": 1}, {"$eq": 2}],
    "tag": ["红", {"$ne": "red"}, {"$eq": ""}],
    "flag": [True, None, {"$ne": False}],
    "list": [[1, 2], {"$ne": []}],
    "nested": [{"deep": [1, 2]}, {"deep": [{"$lt": 1}, {"$gte": 1}]}],
}
"""Conditions on each field, of which generated filters take two at once."""
PATHS: list[tuple[str, ...]] = [("users",), ("*", "ana"), ("*",), ("notes",), ("docs",)]


class Clock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2025, 3, 3, 9, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> Iterator[MnemisStore]:
    config = Config(consolidate="manual")
    with Mnemis(OracleStore(), embedder=HashingEmbedder(), config=config, clock=clock) as mnemis:
        yield MnemisStore(mnemis)


def open_store(folder: Path) -> MnemisStore:
    config = Config(consolidate="manual")
    return MnemisStore(Mnemis.open(folder, embedder=HashingEmbedder(), config=config))


def values(chance: random.Random) -> dict[str, Any]:
    return {
        "n": chance.randrange(5),
        "tag": chance.choice(["red", "红", "", "\x00 😀 \udc00 'quoted'"]),
        "flag": chance.choice([True, False, None]),
        "list": chance.choice([[], [1, 2], [1, [2, {"x": 1.5}]]]),
        "nested": {"deep": [chance.randrange(2), chance.randrange(3)], "ключ": None},
    }


def operation(chance: random.Random) -> Op:
    namespace, key = chance.choice(NAMESPACES), chance.choice(KEYS)
    kind = chance.random()
    if kind < 0.4:
        return PutOp(namespace, key, values(chance))
    if kind < 0.5:
        return PutOp(namespace, key, None)
    if kind < 0.7:
        return GetOp(namespace, key)
    if kind < 0.9:
        return SearchOp(
            chance.choice(PREFIXES),
            filter=chance.choice(FILTERS),
            limit=chance.choice([0, 1, 3, 100]),
            offset=chance.choice([0, 0, 0, 1, 4]),
        )
    match = MatchCondition(chance.choice(["prefix", "suffix"]), chance.choice(PATHS))  # type: ignore[arg-type]
    return ListNamespacesOp(
        match_conditions=chance.choice([None, (match,)]),
        max_depth=chance.choice([None, 1, 2]),
        limit=chance.choice([1, 100]),
        offset=chance.choice([0, 0, 1]),
    )


def reference_answers(reference: InMemoryStore, ops: list[Op]) -> list[Any]:
    """The reference lists a namespace for ever once it was looked at; only those with items
    count here.
    """
    for namespace in [each for each, items in reference._data.items() if not items]:
        del reference._data[namespace]
    return reference.batch(ops)


def told(op: Op, answer: Any) -> Any:
    """What must be equal: everything but the times, which are another clock's."""
    if isinstance(op, GetOp):
        return None if answer is None else (answer.namespace, answer.key, answer.value)
    if isinstance(op, SearchOp):
        return [(item.namespace, item.key, item.value) for item in answer]
    return answer


def same(op: Op, wanted: Any, given: Any) -> bool:
    """The order across namespaces is each store's own, so there whole answers are compared as
    sets, and the parts of pages by their size.
    """
    if not isinstance(op, SearchOp) or op.namespace_prefix in (("docs",), ("nobody",)):
        return bool(told(op, wanted) == told(op, given))
    if op.limit < 100 or op.offset:
        return len(wanted) == len(given)
    return sorted(map(repr, told(op, wanted))) == sorted(map(repr, told(op, given)))


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_the_reference(store: MnemisStore, seed: int) -> None:
    chance = random.Random(seed)
    reference = InMemoryStore()
    answered = 0
    for _ in range(60):
        # In one batch a search across namespaces may see them in any order: one look each.
        ops = [operation(chance) for _ in range(chance.choice([1, 1, 2, 4]))]
        wanted = reference_answers(reference, ops)
        given = store.batch(ops) if chance.random() < 0.5 else asyncio.run(store.abatch(ops))
        for op, want, gave in zip(ops, wanted, given, strict=True):
            assert same(op, want, gave), f"{op}\nreference {want}\nthis store {gave}"
            answered += bool(gave)
    assert answered >= 20, f"only {answered} answers held anything"


@pytest.mark.parametrize("seed", range(3))
def test_two_conditions_at_once_are_those_of_the_reference(store: MnemisStore, seed: int) -> None:
    chance = random.Random(seed)
    reference = InMemoryStore()
    ops: list[Op] = [PutOp(("docs",), f"k{number}", values(chance)) for number in range(40)]
    reference.batch(ops)
    store.batch(ops)
    answered = 0
    for _ in range(60):
        fields = chance.sample(sorted(FIELDS), 2)
        op = SearchOp(
            ("docs",),
            filter={field: chance.choice(FIELDS[field]) for field in fields},
            limit=chance.choice([3, 100]),
            offset=chance.choice([0, 0, 2]),
        )
        [wanted], [given] = reference.batch([op]), store.batch([op])
        assert told(op, wanted) == told(op, given), op
        answered += 0 < len(given) < 40
    assert answered >= 20, f"only {answered} filters held for some items"


def test_answers_survive_reopening(tmp_path: Path) -> None:
    chance = random.Random(7)
    reference = InMemoryStore()
    for _ in range(6):
        store = open_store(tmp_path / "memory")
        for _ in range(12):
            op = operation(chance)
            (want,), (gave,) = reference_answers(reference, [op]), store.batch([op])
            assert same(op, want, gave), f"{op}\nreference {want}\nthis store {gave}"
        store.mnemis.close()


def test_the_comparison_sees_a_difference() -> None:
    reference = InMemoryStore()
    reference.put(("docs",), "k1", {"n": 1})
    (item,) = reference.batch([GetOp(("docs",), "k1")])
    assert isinstance(item, Item)
    other = Item(value={"n": 2}, key="k1", namespace=("docs",), created_at=item.created_at,
                 updated_at=item.updated_at)  # fmt: skip
    assert not same(GetOp(("docs",), "k1"), item, other)
    assert not same(SearchOp(("users",), limit=100), [item], [other])
    assert not same(SearchOp(("docs",), limit=1), [item], [other])
    assert not same(SearchOp(()), [item], [])


def test_reads_of_a_batch_come_before_its_writes(store: MnemisStore) -> None:
    store.put(("docs",), "k", {"n": 1})
    before, _, _, after = store.batch(
        [
            GetOp(("docs",), "k"),
            PutOp(("docs",), "k", {"n": 2}),
            PutOp(("docs",), "k", {"n": 3}),
            GetOp(("docs",), "k"),
        ]
    )
    assert isinstance(before, Item)
    assert isinstance(after, Item)
    assert before.value == after.value == {"n": 1}
    final = store.get(("docs",), "k")
    assert final is not None
    assert final.value == {"n": 3}


def test_an_overwritten_item_keeps_when_it_was_made(store: MnemisStore, clock: Clock) -> None:
    made = clock.time
    store.put(("docs",), "k", {"n": 1})
    clock.time += timedelta(hours=1)
    store.put(("docs",), "k", {"n": 2})
    item = store.get(("docs",), "k")
    assert item is not None
    assert (item.created_at, item.updated_at) == (made, made + timedelta(hours=1))


@pytest.mark.parametrize(
    ("query", "key"), [("tea from China", "tea"), ("蓝色的自行车", "bike"), ("自行车", "bike")]
)
def test_search_by_meaning(store: MnemisStore, query: str, key: str) -> None:
    namespace = ("memories", "ana")
    store.put(namespace, "tea", {"text": "Ana likes green tea from China", "n": 1})
    store.put(namespace, "bike", {"text": "安娜有一辆蓝色的自行车", "n": 2})
    store.put(namespace, "cat", {"text": "The cat is called Miso", "n": 3})
    store.put(("memories", "ben"), "tea", {"text": "Ben hates tea"})
    found = store.search(namespace, query=query, limit=2)
    assert next(item.key for item in found) == key
    assert len(found) == 2
    scores = [item.score for item in found]
    assert all(score is not None and 0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert {item.namespace for item in store.search(("memories",), query=query)} == {
        ("memories", "ana"),
        ("memories", "ben"),
    }


def test_search_finds_the_last_match_of_a_filter(store: MnemisStore) -> None:
    for n in range(150):
        store.put(("docs",), f"k{n}", {"text": f"note about roses {n}", "n": n})
    found = store.search(("docs",), query="roses", filter={"n": {"$gte": 148}}, limit=5)
    assert {item.key for item in found} == {"k148", "k149"}
    found = store.search(("docs",), query="roses", limit=4, offset=2)
    assert len({item.key for item in found}) == 4


def test_what_is_not_indexed_comes_last_and_unscored(store: MnemisStore) -> None:
    store.put(("docs",), "hidden", {"text": "roses"}, index=False)
    store.put(("docs",), "body", {"title": "roses", "body": "tulips"}, index=["body"])
    store.put(("docs",), "all", {"text": "many roses"})
    found = store.search(("docs",), query="roses")
    assert found[0].key == "all"
    assert (found[-1].key, found[-1].score) == ("hidden", None)
    with_fields = MnemisStore(store.mnemis, within=("other",), index={"fields": ["notes[*].body"]})
    with_fields.put(
        ("docs",), "k", {"title": "x", "notes": [{"body": "roses"}, {"body": "我的猫"}]}
    )
    assert with_fields.search(("docs",), query="我的猫")[0].score


def test_a_replaced_text_is_no_longer_found(store: MnemisStore) -> None:
    store.put(("docs",), "k", {"text": "the code is 4711"})
    store.put(("docs",), "k", {"text": "there is no code"})
    store.put(("docs",), "gone", {"text": "the code is 4711"})
    store.delete(("docs",), "gone")
    memory = store.mnemis.scope("langgraph-store", "docs")
    assert [hit.text for hit in memory.recall("the code is 4711").hits] == ["there is no code"]


def test_what_was_deleted_is_gone_from_the_folder(tmp_path: Path) -> None:
    store = open_store(tmp_path / "memory")
    store.put(("docs",), "k", {"text": "the code is zebra4711"})
    store.put(("docs",), "k", {"text": "the code is yak4712"})
    store.delete(("docs",), "k")
    memory = store.mnemis.scope("langgraph-store", "docs")
    assert memory.verify_forgotten(["zebra4711", "yak4712"])
    store.mnemis.close()


@pytest.mark.parametrize("value", [{"n": float("nan")}, {"s": {1}}, {1: "x"}, {"a": [{2: 3}]}])
def test_only_json_is_kept(store: MnemisStore, value: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="value"):
        store.put(("docs",), "k", value)
    assert store.get(("docs",), "k") is None


def test_a_label_with_a_dot_is_refused_by_langgraph(store: MnemisStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(("ana@example.org",), "k", {"n": 1})


def test_an_item_lives_as_long_as_it_is_read(store: MnemisStore, clock: Clock) -> None:
    store.put(("docs",), "short", {"n": 1}, ttl=10)
    store.put(("docs",), "long", {"n": 2})
    for _ in range(3):
        clock.time += timedelta(minutes=8)
        assert store.get(("docs",), "short") is not None
        assert len(store.search(("docs",))) == 2
    clock.time += timedelta(minutes=8)
    assert store.get(("docs",), "short", refresh_ttl=False) is not None
    clock.time += timedelta(minutes=8)
    assert store.get(("docs",), "short") is None
    assert [item.key for item in store.search(("docs",), query="1")] == ["long"]
    assert store.sweep_ttl() == 1
    assert asyncio.run(store.asweep_ttl()) == 0
    assert [item.key for item in store.search(("docs",))] == ["long"]


def test_a_default_time_to_live(store: MnemisStore, clock: Clock) -> None:
    brief = MnemisStore(
        store.mnemis, within=("brief",), ttl={"default_ttl": 1, "refresh_on_read": False}
    )
    brief.put(("docs",), "k", {"n": 1})
    brief.put(("docs",), "for ever", {"n": 1}, ttl=None)
    clock.time += timedelta(seconds=59)
    assert brief.get(("docs",), "k") is not None
    clock.time += timedelta(seconds=2)
    assert [item.key for item in brief.search(("docs",))] == ["for ever"]


def test_stores_within_other_labels_are_apart(store: MnemisStore) -> None:
    other = MnemisStore(store.mnemis, within=("tenant", "acme"))
    other.put(("docs",), "k", {"n": 1})
    assert store.search(()) == []
    assert store.list_namespaces() == []
    assert other.list_namespaces() == [("docs",)]


def test_sixteen_writers_lose_nothing(store: MnemisStore) -> None:
    async def write_all() -> None:
        await asyncio.gather(
            *(store.aput(("docs",), f"k{n % 8}", {"text": f"rose {n}"}) for n in range(64)),
            *(store.asearch(("docs",), query="rose") for _ in range(16)),
        )

    asyncio.run(write_all())
    items = store.search(("docs",), limit=100)
    assert {item.key for item in items} == {f"k{n}" for n in range(8)}
    memory = store.mnemis.scope("langgraph-store", "docs")
    assert len(memory.recall("rose", k=100).hits) == 8
