"""What is kept between recalls is right as long as the memory stays as it is, and no longer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mnemis import Memory, Message
from mnemis.recall.cache import ScopeCache

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


def cached(memory: Memory, query: str, **more: object) -> bool:
    return bool(memory.recall(query, **more).trace.notes.get("cached"))  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "query"), [("I collect stamps", "stamps"), ("我集邮票", "邮票")])
def test_the_same_question_is_answered_once(memory: Memory, text: str, query: str) -> None:
    memory.remember([Message(role="user", text=text, id="a")])
    first = memory.recall(query)
    again = memory.recall(f"  {query} ")
    assert again.hits == first.hits and again.trace.notes["cached"]
    assert not cached(memory, query, k=3)
    assert not cached(memory, query, where={"role": "user"})


def test_a_write_makes_it_void(memory: Memory) -> None:
    memory.remember([Message(role="user", text="I collect stamps", id="a")])
    memory.recall("stamps")
    memory.remember([Message(role="user", text="more stamps arrived", id="b")])
    recall = memory.recall("stamps")
    assert "cached" not in recall.trace.notes
    assert len(recall.hits) == 2


def test_another_scope_is_not_touched(memory: Memory) -> None:
    other = memory.mnemis.scope("other")
    for each in (memory, other):
        each.remember([Message(role="user", text="I collect stamps", id="a")])
        each.recall("stamps")
    other.remember([Message(role="user", text="news", id="b")])
    assert cached(memory, "stamps")
    assert not cached(other, "stamps")


@pytest.mark.parametrize("query", ["What happened yesterday?", "昨天发生了什么？"])
def test_a_relative_date_is_asked_anew_on_another_day(memory: Memory, query: str) -> None:
    memory.remember([Message(role="user", text="painted the door 刷了门", id="a", time=DAY)])
    memory.recall(query, asked_at=DAY + timedelta(days=1))
    assert cached(memory, query, asked_at=DAY + timedelta(days=1))
    assert not cached(memory, query, asked_at=DAY + timedelta(days=9))


def test_only_the_latest_are_kept_and_old_states_go() -> None:
    cache: ScopeCache[int] = ScopeCache(limit=2)
    cache.put(("u",), "a", 1, seq=1)
    cache.put(("u",), "b", 2, seq=1)
    assert cache.get(("u",), "a", seq=1) == 1
    cache.put(("u",), "c", 3, seq=1)
    assert [cache.get(("u",), key, seq=1) for key in "abc"] == [1, None, 3]
    cache.put(("u",), "d", 4, seq=2)
    assert cache.get(("u",), "a", seq=1) is None
    assert cache.get(("u",), "a", seq=2) is None
    assert cache.get(("u",), "d", seq=2) == 4
    cache.put(("u",), "late", 5, seq=1)
    assert cache.get(("u",), "late", seq=1) is None
