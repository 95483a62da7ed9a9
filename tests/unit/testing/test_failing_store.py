"""The failing store fails once, at the write it was told, before or after it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemis.errors import Conflict, StoreFull
from mnemis.stores.oracle import OracleStore
from mnemis.testing.failing import FailingStore
from mnemis.testing.store_samples import SCOPE, START, change, turn


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("fail_at", [1, 2, 3, 4])
def test_it_fails_at_the_write_it_was_told(fail_at: int, after: bool) -> None:
    behind = OracleStore()
    store = FailingStore(behind, fail_at=fail_at, after=after)
    done: list[int] = []
    for number in range(1, 5):
        try:
            store.apply(SCOPE, change(turn(number)))
        except StoreFull:
            assert number == fail_at
        else:
            done.append(number)
    with store.view(SCOPE) as view:
        there = [int(node.id.removeprefix("turn:m")) for node in view.scan("turn")]
    assert len(done) == 3
    assert there == ([1, 2, 3, 4] if after else done)
    assert store.writes == 4


def test_jobs_count_as_writes_and_any_error_can_be_given() -> None:
    store = FailingStore(OracleStore(), fail_at=3, error=Conflict("on purpose"))
    store.apply(SCOPE, change(jobs=["work"]))
    job = store.claim(owner="w", now=START, lease=timedelta(minutes=1))
    assert job is not None
    with pytest.raises(Conflict, match="on purpose"):
        store.finish(job)
    assert len(store.jobs()) == 1
    assert store.renew(job, now=START, lease=timedelta(minutes=1))
    store.finish(job)
    assert store.jobs() == ()
    store.close()
