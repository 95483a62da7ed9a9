"""The queue of jobs, leases, and many threads at once."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

from mnemis.errors import MnemisError
from mnemis.testing.store_samples import (
    SCOPE,
    START,
    StoreBench,
    change,
    direction,
    entry,
    turn,
)

LEASE = timedelta(minutes=5)
OTHER = ("other",)


class JobTests:
    """Queueing, claiming, prolonging, finishing."""

    def test_a_waiting_job_is_queued_once(self, bench: StoreBench) -> None:
        """Of each kind and scope."""
        bench.put(change(turn(1), jobs=["consolidate", "consolidate", "care"]))
        bench.put(change(turn(2), jobs=["consolidate"]))
        bench.put(change(turn(1), jobs=["consolidate"]), scope=OTHER)
        bench.reopen()
        jobs = bench.store.jobs()
        assert [(job.scope, job.kind) for job in jobs] == [
            (SCOPE, "consolidate"),
            (SCOPE, "care"),
            (OTHER, "consolidate"),
        ]
        assert {(job.status, job.attempts, job.owner, job.error) for job in jobs} == {
            ("queued", 0, "", "")
        }
        assert jobs[0].queued_at == START
        assert len({job.id for job in jobs}) == 3
        assert [job.kind for job in bench.store.jobs(scope=OTHER)] == ["consolidate"]

    def test_the_oldest_free_job_is_claimed(self, bench: StoreBench) -> None:
        """One at a time in a scope; a scope can be asked for."""
        assert bench.store.claim(owner="w1", now=START, lease=LEASE) is None
        bench.put(change(jobs=["first", "second"]))
        bench.put(change(jobs=["third"]), scope=OTHER)
        one = bench.store.claim(owner="w1", now=START, lease=LEASE)
        two = bench.store.claim(owner="w2", now=START, lease=LEASE)
        assert one is not None
        assert two is not None
        assert (one.scope, one.kind, one.status, one.owner) == (SCOPE, "first", "running", "w1")
        assert (one.attempts, one.leased_until) == (1, START + LEASE)
        assert (two.scope, two.kind) == (OTHER, "third")
        assert bench.store.claim(owner="w3", now=START, lease=LEASE) is None
        bench.store.finish(one)
        assert bench.store.claim(owner="w3", now=START, lease=LEASE, scope=OTHER) is None
        three = bench.store.claim(owner="w3", now=START, lease=LEASE, scope=SCOPE)
        assert three is not None
        assert three.kind == "second"

    def test_queueing_while_one_runs_leaves_one_waiting(self, bench: StoreBench) -> None:
        """Work that arrives during a run is not lost."""
        bench.put(change(jobs=["consolidate"]))
        job = bench.store.claim(owner="w", now=START, lease=LEASE)
        assert job is not None
        for _ in range(3):
            bench.put(change(jobs=["consolidate"]))
        assert [j.status for j in bench.store.jobs()] == ["running", "queued"]
        bench.store.finish(job)
        assert [j.status for j in bench.store.jobs()] == ["queued"]

    def test_a_lease_runs_out(self, bench: StoreBench) -> None:
        """Then the job is another's, and its first holder can no longer touch it."""
        bench.put(change(jobs=["consolidate"]))
        first = bench.store.claim(owner="w", now=START, lease=LEASE)
        assert first is not None
        early, late = START + LEASE - timedelta(seconds=1), START + LEASE
        assert bench.store.claim(owner="w", now=early, lease=LEASE) is None
        assert bench.store.renew(first, now=early, lease=LEASE)
        assert bench.store.claim(owner="w", now=late, lease=LEASE) is None
        later = early + LEASE
        second = bench.store.claim(owner="w", now=later, lease=LEASE)
        assert second is not None
        assert (second.id, second.attempts) == (first.id, 2)
        assert not bench.store.renew(first, now=later, lease=LEASE)
        bench.store.finish(first)
        bench.store.finish(first, error="too late")
        assert [(j.status, j.attempts) for j in bench.store.jobs()] == [("running", 2)]
        assert bench.store.renew(second, now=later, lease=LEASE)
        bench.store.finish(second)
        assert bench.store.jobs() == ()
        assert not bench.store.renew(second, now=later, lease=LEASE)
        bench.store.finish(second)

    def test_a_failed_job_stays_listed(self, bench: StoreBench) -> None:
        """With why, never claimed again; the same work can be queued anew."""
        bench.put(change(jobs=["consolidate"]))
        job = bench.store.claim(owner="w", now=START, lease=LEASE)
        assert job is not None
        bench.store.finish(job, error="模型 failed: 'x'")
        bench.reopen()
        (failed,) = bench.store.jobs()
        assert (failed.status, failed.error) == ("failed", "模型 failed: 'x'")
        assert (failed.attempts, failed.leased_until) == (1, None)
        assert bench.store.claim(owner="w", now=START + LEASE * 2, lease=LEASE) is None
        bench.put(change(jobs=["consolidate"]))
        assert [j.status for j in bench.store.jobs()] == ["failed", "queued"]
        bench.store.finish(failed)
        assert [j.status for j in bench.store.jobs()] == ["queued"]

    def test_unknown_jobs_are_nobodys(self, bench: StoreBench) -> None:
        """A job of another store, or one made up."""
        bench.put(change(jobs=["consolidate"]))
        job = bench.store.claim(owner="w", now=START, lease=LEASE)
        assert job is not None
        stranger = replace(job, id="made up")
        assert not bench.store.renew(stranger, now=START, lease=LEASE)
        bench.store.finish(stranger)
        assert len(bench.store.jobs()) == 1

    def test_a_job_is_claimed_by_one_thread(self, bench: StoreBench) -> None:
        """Of many that ask at once."""
        for number in range(5):
            bench.put(change(jobs=["work"]), scope=(str(number),))
        taken: list[str] = []

        def work(name: str) -> None:
            while (job := bench.store.claim(owner=name, now=START, lease=LEASE)) is not None:
                taken.append(job.id)

        _together([lambda n=n: work(f"w{n}") for n in range(6)])
        assert len(taken) == len(set(taken)) == 5

    def test_many_threads_lose_nothing(self, bench: StoreBench) -> None:
        """Writers in several scopes and readers beside them."""
        wrong: list[BaseException] = []

        def write(worker: int) -> None:
            for step in range(12):
                node = turn(worker * 100 + step)
                parts = [entry(node, f"w{worker}", vector=direction(1, step))]
                bench.put(change(node, entries=parts), scope=(str(worker % 2),))

        def look() -> None:
            for step in range(30):
                with bench.store.view((str(step % 2),)) as view:
                    assert len(view.scan("turn")) == view.seq
                    assert len(view.nearest(direction(1), k=999, kinds=["turn"])) == view.seq

        def guard(task: int) -> None:
            try:
                write(task) if task < 4 else look()
            except (AssertionError, MnemisError, RuntimeError) as error:
                wrong.append(error)

        _together([lambda n=n: guard(n) for n in range(6)])
        assert not wrong, wrong
        bench.reopen()
        for label in ("0", "1"):
            with bench.store.view((label,)) as view:
                assert view.seq == len(view.scan("turn")) == 24


def _together(tasks: list[object]) -> None:
    threads = [threading.Thread(target=task) for task in tasks]  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] tasks are callables
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
