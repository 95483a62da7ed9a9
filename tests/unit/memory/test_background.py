"""Background consolidation: a durable queue that nobody has to wait for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import (
    Cancelled,
    InputError,
    ModelError,
    ReadOnlyStore,
    StoreClosed,
    StoreLocked,
)
from mnemis.model.change import Change
from mnemis.model.graph import Turn
from mnemis.ports.extractor import Extraction

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


def session(number: int, *, turns: int = 6) -> list[Message]:
    topics = (
        "the launch moved to May",
        "价格定在五十九欧元",
        "the dog had surgery",
        "数据库换成了 Postgres",
    )
    return [
        Message(
            role="user",
            speaker=("Ana", "林若曦")[place % 2],
            text=f"Item {number}-{place}: {topics[(number + place) % 4]}.",
            time=DAY + timedelta(days=number, minutes=place),
            session=f"s{number}",
            id=f"m{number}-{place}",
        )
        for place in range(turns)
    ]


def episodes(memory: Memory) -> int:
    with memory.mnemis.store.view(memory.scope) as view:
        return len(view.scan("episode"))


@pytest.fixture
def mnemis(tmp_path: Path) -> Iterator[Mnemis]:
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()) as opened:
        yield opened


def test_the_worker_consolidates_what_a_session_end_queued(mnemis: Mnemis) -> None:
    memory = mnemis.scope("u")
    for number in range(3):
        memory.remember(session(number))
    assert memory.drain(timeout=60)
    assert memory.jobs() == ()
    assert episodes(memory) >= 2


def test_recall_works_before_consolidation_is_done(mnemis: Mnemis) -> None:
    memory = mnemis.scope("u")
    memory.remember(session(0))
    assert memory.recall("dog surgery", k=1).hits[0].text.endswith("the dog had surgery.")


def test_an_explicit_call_tells_what_the_worker_did_too(mnemis: Mnemis) -> None:
    memory = mnemis.scope("u")
    memory.remember(session(0))
    memory.remember(session(1))
    memory.drain(timeout=60)
    report = memory.consolidate()
    assert report.turns == 12
    assert memory.consolidate().turns == 0


def test_manual_leaves_it_to_the_caller(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    with Memory.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as memory:
        for number in range(3):
            memory.remember(session(number))
        assert (memory.jobs(), episodes(memory)) == ((), 0)
        assert memory.consolidate().turns == 18
        assert episodes(memory) > 0


def test_what_is_queued_survives_closing(tmp_path: Path) -> None:
    mnemis = Mnemis.open(tmp_path / "m", embedder=HashingEmbedder())
    mnemis.wake = lambda: None  # type: ignore[method-assign]
    for number in range(2):
        mnemis.scope("u").remember(session(number))
    assert len(mnemis.jobs()) == 1
    mnemis.close()
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()) as again:
        assert [job.kind for job in again.jobs()] == ["consolidate"]
        assert again.drain(timeout=60)
        assert again.jobs() == ()
        assert episodes(again.scope("u")) > 0


def test_closing_twice_is_fine_and_use_after_closing_is_named(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "m", embedder=HashingEmbedder())
    memory.remember(session(0))
    memory.close()
    memory.close()
    with pytest.raises(StoreClosed):
        memory.remember(session(1))
    with pytest.raises(StoreClosed):
        asyncio.run(memory.arecall("x"))


def test_closing_a_scope_of_a_shared_store_closes_nothing(mnemis: Mnemis) -> None:
    with mnemis.scope("u") as memory:
        memory.remember(session(0))
    assert len(mnemis.scope("u").recall("launch", k=3).hits) == 3


def test_cancelling_keeps_what_was_committed(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    with Memory.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as memory:
        memory.remember([message for number in range(90) for message in session(number)])
        cancel = threading.Event()
        seen: list[int] = []

        def progress(done: int, total: int) -> None:
            assert 0 < done <= total == 540
            seen.append(done)
            cancel.set()

        with pytest.raises(Cancelled):
            memory.consolidate(progress=progress, cancel=cancel)
        assert episodes(memory) > 0
        rest = memory.consolidate()
        assert rest.turns == 540 - seen[-1] > 0


class _Away:
    name = "away"

    def extract(self, turns: object) -> Extraction:
        raise ModelError("the model is away")


def test_a_failing_extractor_is_told_and_rules_stand_in(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    with Memory.open(
        tmp_path / "m", embedder=HashingEmbedder(), config=config, extractor=_Away()
    ) as memory:
        memory.remember(session(0))
        report = memory.consolidate()
        assert report.failed and "away" in report.failed[0][1]
        assert episodes(memory) > 0


def test_read_only_reads_beside_a_writer_and_refuses_to_write(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m", scope="u", embedder=HashingEmbedder()) as writer:
        writer.remember(session(0))
        with Memory.open(
            tmp_path / "m", scope="u", embedder=HashingEmbedder(), read_only=True
        ) as reader:
            assert len(reader.recall("launch", k=2).hits) == 2
            writer.remember(session(1))
            assert any(hit.session == "s1" for hit in reader.recall("Item 1-0", k=3).hits)
            with pytest.raises(ReadOnlyStore):
                reader.remember(session(2))
            with pytest.raises(ReadOnlyStore):
                reader.consolidate()
            with pytest.raises(ReadOnlyStore):
                reader.drain(timeout=1)
        with pytest.raises(StoreLocked):
            Mnemis.open(tmp_path / "m", embedder=HashingEmbedder())


@pytest.mark.parametrize("labels", [(), (1,), ("a" * 10_001,), ("\ud83c",)])
def test_a_scope_needs_labels_of_text(mnemis: Mnemis, labels: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"scope"):
        mnemis.scope(*labels)


@pytest.mark.parametrize("path", ["", "a\0b", "postgresql://host/db"])
def test_an_address_that_is_no_folder_is_refused(path: str) -> None:
    with pytest.raises(InputError):
        Mnemis.open(path, embedder=HashingEmbedder())


def test_positional_labels_and_the_scope_argument_are_one(tmp_path: Path) -> None:
    with Mnemis.open(tmp_path / "m", embedder=HashingEmbedder()) as mnemis:
        mnemis.scope("用户", "a/b").remember(session(0))
        assert mnemis.scopes() == (("用户", "a/b"),)
    with Memory.open(tmp_path / "m", scope=("用户", "a/b"), embedder=HashingEmbedder()) as memory:
        assert len(memory.recall("launch", k=1).hits) == 1


def test_every_verb_has_a_twin_that_leaves_the_loop_free(tmp_path: Path) -> None:
    async def main() -> tuple[int, int]:
        beats = 0

        async def heartbeat() -> None:
            nonlocal beats
            while True:
                await asyncio.sleep(0.001)
                beats += 1

        pulse = asyncio.create_task(heartbeat())
        with Memory.open(tmp_path / "m", embedder=HashingEmbedder()) as memory:
            await memory.aremember([m for number in range(20) for m in session(number)])
            await memory.aconsolidate()
            recalls = await asyncio.gather(*(memory.arecall("launch", k=3) for _ in range(8)))
            graph = await memory.agraph()
            assert graph.number_of_nodes() > 120
            assert await memory.adrain(timeout=60)
        pulse.cancel()
        return beats, sum(len(recall.hits) for recall in recalls)

    beats, hits = asyncio.run(main())
    assert beats > 20
    assert hits == 24


def test_one_memory_serves_several_loops(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m", embedder=HashingEmbedder()) as memory:

        async def write(base: int) -> None:
            await asyncio.gather(*(memory.aremember(session(base + n, turns=1)) for n in range(10)))

        asyncio.run(write(0))
        asyncio.run(write(10))
        threads = [threading.Thread(target=lambda n=n: asyncio.run(write(n))) for n in (20, 30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with memory.mnemis.store.view(memory.scope) as view:
            turns = [turn for turn in view.scan("turn") if isinstance(turn, Turn)]
        assert sorted(turn.ordinal for turn in turns) == list(range(40))


def test_verbs_on_one_scope_from_many_threads_leave_nothing_failed(tmp_path: Path) -> None:
    config = Config(consolidate_every=5)
    with Memory.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as memory:
        memory.remember([message for number in range(6) for message in session(number)])
        errors: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for turn in range(3):
                    memory.remember(session(10 + 10 * number + turn, turns=3))
                    if number % 3 == 0:
                        memory.consolidate()
                    if number % 3 == 1:
                        memory.forget(message_ids=[f"m{number % 6}-{turn}"])
                    if number % 3 == 2:
                        memory.edit(f"m{number % 6}-{turn}", text=f"改了 {number} {turn}")
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        memory.consolidate()
        memory.drain(timeout=60)
        assert [job.error for job in memory.jobs()] == []


def test_a_success_clears_what_failed_before(tmp_path: Path) -> None:
    config = Config(consolidate="manual")
    with Memory.open(tmp_path / "m", embedder=HashingEmbedder(), config=config) as memory:
        memory.remember(session(0))
        store = memory.mnemis.store
        store.apply(memory.scope, Change(id="job", purpose="test", jobs=("consolidate",)))
        job = store.claim(owner="w", now=DAY, lease=timedelta(minutes=1))
        assert job is not None
        store.finish(job, error="StoreError: the disk was away")
        assert [each.status for each in memory.jobs()] == ["failed"]
        memory.consolidate()
        assert memory.jobs() == ()
