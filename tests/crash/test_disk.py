"""Disks that are full, folders that cannot be written, writes that fail half-way."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from mnemis.config import Config
from mnemis.errors import ReadOnlyStore, StoreError
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import (
    FINGERPRINT,
    SCOPE,
    change,
    direction,
    edge,
    entry,
    fact,
    turn,
)
from tests.crash.conftest import Child

NOBODY = 65_534

FILL = """
import resource
store = opened(folder)
store.apply(SCOPE, step(0))
with store.view(SCOPE) as view:
    view.seq
size = max(Path(path).stat().st_size for path in store.files())
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, resource.RLIM_INFINITY))
n, full = 1, 0
while full < 3:
    big = [turn(1000 + n, "x" * 30_000)]
    try:
        store.apply(SCOPE, change(*step(n).nodes, *big, change_id=f"step-{n}",
                                  entries=step(n).entries, state={"done": str(n)}))
        n += 1
    except StoreFull as error:
        full += 1
        with store.view(SCOPE) as view:
            assert view.seq == n, (view.seq, n)
            assert view.state("done") == str(n - 1)
            assert view.search([f"word{n}"], k=9, kinds=["turn"]) == ()
            assert len(view.search([f"word{n - 1}"], k=9, kinds=["turn"])) == 2
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert store.apply(SCOPE, step(n)).seq == n + 1
store.close()
say(n + 1)
"""

READ_WITHOUT_RIGHTS = f"""
import os
os.setgid({NOBODY})
os.setuid({NOBODY})
try:
    opened(folder)
except StoreError as error:
    say(type(error).__name__)
else:
    say("opened for writing")
try:
    store = opened(folder, read_only=True)
    with store.view(SCOPE) as view:
        say(len(view.search(["word0"], k=9, kinds=["turn"])))
    store.close()
except StoreError as error:
    say(f"{{type(error).__name__}}: {{error}}")
"""


def _open(folder: Path, *, read_only: bool = False) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), read_only=read_only)


def _finish(process: subprocess.Popen[str]) -> list[str]:
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return out.splitlines()


def test_a_full_disk_keeps_nothing_of_the_change(child: Child, tmp_path: Path) -> None:
    """And the store goes on once there is space, with the same state in memory and on disk."""
    folder = tmp_path / "memory"
    (done,) = _finish(child(FILL, folder))
    assert int(done) > 2
    store = _open(folder)
    with store.view(SCOPE) as view:
        assert view.seq == int(done)
        assert len(view.search([f"word{view.seq - 1}"], k=9, kinds=["turn"])) == 2
    store.close()


@pytest.fixture
def readable_folder(tmp_path: Path) -> Path:
    """A store that others may read and nobody but root may write."""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("needs root, to give rights away")
    for parent in (tmp_path, *tmp_path.parents[:3]):
        parent.chmod(0o755)
    folder = tmp_path / "memory"
    store = _open(folder)
    a, b = turn(0), turn(1)
    store.apply(SCOPE, change(a, b, entries=[entry(a, "word0"), entry(b, "word0")]))
    store.close()
    return folder


def test_a_folder_without_rights_can_be_read(child: Child, readable_folder: Path) -> None:
    """Closed cleanly, it is complete in one file."""
    refused, found = _finish(child(READ_WITHOUT_RIGHTS, readable_folder))
    assert refused == "StoreError"
    assert found == "2"


def test_a_folder_without_rights_and_with_a_log_is_clear(
    child: Child, readable_folder: Path
) -> None:
    """While somebody writes it, reading works or says why not."""
    store = _open(readable_folder)
    store.apply(SCOPE, change(turn(5)))
    _, found = _finish(child(READ_WITHOUT_RIGHTS, readable_folder))
    store.close()
    assert found == "2" or found.startswith("StoreError: ")


def test_nothing_can_be_written_read_only(tmp_path: Path) -> None:
    _open(tmp_path / "memory").close()
    store = _open(tmp_path / "memory", read_only=True)
    with pytest.raises(ReadOnlyStore):
        store.apply(SCOPE, change(turn(1)))
    with pytest.raises(ReadOnlyStore):
        store.scrub()
    store.close()


class _FailingConnection:
    """A connection whose n-th statement fails as a broken disk would make it."""

    def __init__(self, connection: sqlite3.Connection, fail_at: int) -> None:
        self._connection = connection
        self._left = fail_at

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, sql: str, parameters: object = ()) -> sqlite3.Cursor:
        self._count(sql)
        return self._connection.execute(sql, parameters)  # type: ignore[arg-type] # passed through

    def executemany(self, sql: str, rows: object) -> sqlite3.Cursor:
        self._count(sql)
        return self._connection.executemany(sql, rows)  # type: ignore[arg-type] # passed through

    def _count(self, sql: str) -> None:
        if not sql.startswith("ROLLBACK"):
            self._left -= 1
            if self._left == 0:
                raise sqlite3.OperationalError("disk I/O error (on purpose)")


def _write_with_failure(store: SqliteStore, fail_at: int) -> bool:
    """Whether the failure was reached."""
    writer = store._writer  # pyright: ignore[reportPrivateUsage] the seam is the connection
    assert writer is not None
    store._writer = _FailingConnection(writer, fail_at)  # type: ignore[assignment] # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage] stands in for it
    a, b, c = turn(1, "edited"), turn(2), fact("new", "m2")
    second = change(
        a,
        b,
        c,
        delete_nodes=["fact:old"],
        edges=[edge(b, c, "supports")],
        entries=[entry(a, "edited"), entry(b, "second", vector=direction(0, 1))],
        state={"k": "2"},
        jobs=["work"],
        read_versions={"turn:m1": 1},
        sources=["m1"],
        change_id="second",
    )
    try:
        store.apply(SCOPE, second)
    except StoreError:
        return True
    finally:
        store._writer = writer  # pyright: ignore[reportPrivateUsage] the seam is the connection
    return False


def _seen(store: SqliteStore) -> object:
    with store.view(SCOPE) as view:
        return (
            view.seq,
            view.scan("turn"),
            view.scan("fact"),
            view.edges(),
            view.search(["first", "second", "edited"], k=9, kinds=["turn", "fact"]),
            view.nearest(direction(1), k=9, kinds=["turn", "fact"]),
            view.by_source(["m1", "m2"]),
            view.state("k"),
            view.changes(),
            [(job.kind, job.status) for job in store.jobs()],
        )


def test_a_failure_at_any_statement_changes_nothing(tmp_path: Path) -> None:
    """In memory and on disk; the repeat then succeeds."""
    original = tmp_path / "original"
    store = _open(original)
    old = fact("old", "m1")
    first = [entry(turn(1), "first", vector=direction(1)), entry(old, "first")]
    store.apply(
        SCOPE, change(turn(1), old, edges=[edge(turn(1), old)], entries=first, state={"k": "1"})
    )
    store.close()
    reached = 0
    for fail_at in range(1, 200):
        folder = tmp_path / str(fail_at)
        shutil.copytree(original, folder)
        store = _open(folder)
        before = _seen(store)
        failed = _write_with_failure(store, fail_at)
        if not failed:
            store.close()
            break
        reached += 1
        assert _seen(store) == before, f"statement {fail_at}"
        store.close()
        store = _open(folder)
        assert _seen(store) == before, f"statement {fail_at}, reopened"
        assert not _write_with_failure(store, 10**6)
        assert _seen(store) != before
        store.close()
        shutil.rmtree(folder)
    assert reached > 10
