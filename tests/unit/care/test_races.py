"""Forgetting while others write: it wins, once, and leaves nothing behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemis import Config, Memory, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import Conflict, ReadOnlyStore
from mnemis.model.change import Change, Receipt, Scope
from mnemis.model.graph import Episode, Fact
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from tests.unit.care.conftest import (
    MANUAL,
    START,
    check_whole,
    everything,
    said,
    tell,
    texts_of,
)


class Meddling(OracleStore):
    """Lets something happen between a plan and its application."""

    meddle: Callable[[Change], None] | None = None

    def apply(self, scope: Scope, change: Change) -> Receipt:
        if self.meddle is not None:
            self.meddle(change)
        return super().apply(scope, change)


def opened(config: Config = MANUAL) -> tuple[Meddling, Memory]:
    clock = FakeClock(START)
    store = Meddling(clock=clock)
    return store, Mnemis(store, embedder=HashingEmbedder(), config=config, clock=clock).scope("u1")


def once(store: Meddling, purpose: str, act: Callable[[], object]) -> list[str]:
    seen: list[str] = []

    def meddle(change: Change) -> None:
        seen.append(change.purpose)
        if change.purpose == purpose and seen.count(purpose) == 1:
            store.meddle, kept = None, store.meddle
            act()
            store.meddle = kept

    store.meddle = meddle
    return seen


def test_a_consolidation_that_comes_between_is_cleared_too() -> None:
    store, memory = opened()
    memory.remember([said(1, "I live in Lisbon."), said(2, "I like tea.")])
    once(store, "forget", memory.consolidate)
    report = memory.forget(message_ids=["m1"])
    assert report.messages == ("m1",)
    assert "Lisbon" not in texts_of(memory)
    memory.consolidate()
    assert "tea" in texts_of(memory)
    check_whole(memory)


def test_a_consolidation_that_reads_the_old_text_meanwhile_is_cleared_too() -> None:
    store, memory = opened()
    memory.remember([said(1, "I live in Lisbon."), said(2, "I like tea.")])
    once(store, "edit", memory.consolidate)
    memory.edit("m1", text="I live in Porto.")
    assert "Lisbon" not in texts_of(memory)
    memory.consolidate()
    assert "Lisbon" not in texts_of(memory)
    homes = [n for n in everything(memory) if isinstance(n, Fact) and n.relation == "lives_in"]
    assert [(fact.object, fact.status) for fact in homes] == [("Porto", "current")]
    check_whole(memory)


def test_a_consolidation_under_way_loses_against_forgetting() -> None:
    store, memory = opened()
    memory.remember([said(1, "I live in Lisbon."), said(2, "I like tea.")])
    once(store, "consolidate", lambda: memory.forget(message_ids=["m1"]))
    memory.consolidate()
    assert "Lisbon" not in texts_of(memory)
    assert [n.sources for n in everything(memory) if isinstance(n, Episode)] == [("m2",)]
    check_whole(memory)


def test_a_conflict_is_tried_again_and_not_for_ever() -> None:
    store, memory = opened()
    tell(memory, "I live in Lisbon.", "I like tea.")
    seen = once(store, "forget", lambda: memory.pin("m1"))
    assert memory.forget(message_ids=["m1"]).messages == ("m1",)
    assert seen.count("forget") == 2

    def always(change: Change) -> None:
        raise Conflict("somebody else was quicker")

    store.meddle = always
    with pytest.raises(Conflict):
        memory.forget(message_ids=["m2"])
    store.meddle = None
    assert "tea" in texts_of(memory)


def test_edits_and_marks_survive_a_conflict() -> None:
    store, memory = opened()
    tell(memory, "I live in Lisbon.", "I like tea.")
    once(store, "edit", lambda: memory.feedback("turn:m1", useful=True))
    memory.edit("m1", text="I live in Porto.")
    once(store, "pin", lambda: memory.feedback("turn:m2", useful=True))
    memory.pin("m2")
    assert memory.show("m2").node.metadata["mnemis.feedback"] == {"up": 1, "down": 0}
    assert memory.show("m2").node.importance == 1.0
    assert "Lisbon" not in texts_of(memory)


def test_what_remains_is_consolidated_in_the_background() -> None:
    _, memory = opened(Config(consolidate="auto"))
    memory.remember([said(n, text) for n, text in enumerate(["I live in Lisbon.", "I like tea."])])
    memory.consolidate()
    report = memory.forget(message_ids=["m0"])
    assert report.waiting == ("turn:m1",)
    assert memory.drain(timeout=30)
    assert [n.sources for n in everything(memory) if isinstance(n, Episode)] == [("m1",)]
    assert memory.health().pending == 0
    memory.mnemis.close()


def test_many_forget_and_remember_at_once(memory: Memory) -> None:
    tell(memory, *[f"The gate {n} is painted colour{n}." for n in range(1, 13)])
    errors: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:
            errors.append(error)

    acts: list[Callable[[], object]] = [
        lambda n=n: memory.forget(message_ids=[f"m{n}"]) for n in range(1, 9)
    ]
    acts += [lambda n=n: memory.remember([said(n, "I like tea.")]) for n in range(20, 24)]
    acts += [memory.consolidate, memory.health]
    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    memory.consolidate()
    left = {source for node in everything(memory) for source in node.sources}
    assert left == {f"m{n}" for n in (9, 10, 11, 12, 20, 21, 22, 23)}
    check_whole(memory)


def test_a_memory_opened_to_read_refuses_and_still_shows(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    with Memory.open(folder, embedder=HashingEmbedder(), config=MANUAL) as memory:
        tell(memory, "I live in Lisbon.")
    with Memory.open(folder, embedder=HashingEmbedder(), read_only=True) as memory:
        for write in (
            lambda: memory.forget(everything=True),
            lambda: memory.edit("m1", text="x"),
            lambda: memory.pin("m1"),
            lambda: memory.feedback("turn:m1", useful=True),
        ):
            with pytest.raises(ReadOnlyStore):
                write()
        assert memory.profile("Ana").facts["lives_in"]
        assert memory.topics()
        assert memory.export(tmp_path / "out.jsonl").nodes == len(everything(memory))
        assert not memory.verify_forgotten("Lisbon")
        assert any(isinstance(node, Fact) for node in everything(memory))
