"""Folders as they are found: foreign, empty, damaged, newer, locked, another embedder's."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mnemis.config import Config
from mnemis.errors import (
    EmbedderMismatch,
    FormatError,
    NotAStore,
    StoreDamaged,
    StoreError,
    StoreLocked,
)
from mnemis.stores.sqlite import SqliteStore, memory
from mnemis.stores.sqlite.schema import VERSION
from mnemis.testing.store_samples import (
    FINGERPRINT,
    SCOPE,
    change,
    direction,
    edge,
    entry,
    turn,
)
from tests.crash.conftest import Child

HOLD = """
store = opened(folder)
say("held")
sys.stdin.readline()
"""


def _open(folder: Path, *, read_only: bool = False) -> SqliteStore:
    return SqliteStore.open(folder, fingerprint=FINGERPRINT, config=Config(), read_only=read_only)


def _fill(folder: Path, count: int = 40) -> None:
    store = _open(folder)
    turns = [turn(n) for n in range(count)]
    entries = [entry(t, "tea", f"word{t.ordinal}", vector=direction(1, t.ordinal)) for t in turns]
    links = [edge(turns[0], t) for t in turns[1:]]
    store.apply(SCOPE, change(*turns, entries=entries, edges=links))
    with store.view(SCOPE) as view:
        assert view.seq == 1
    store.close()


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_foreign_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    before = _contents(tmp_path)
    for wrong in (tmp_path, tmp_path / "notes.txt"):
        for read_only in (False, True):
            with pytest.raises(NotAStore):
                _open(wrong, read_only=read_only)
    assert _contents(tmp_path) == before


def test_another_applications_database_is_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "mnemis.db")
    connection.execute("PRAGMA application_id = 77")
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()
    before = _contents(tmp_path)
    with pytest.raises(NotAStore):
        _open(tmp_path)
    assert _contents(tmp_path) == before


def test_an_empty_or_missing_folder_becomes_a_store(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "a" / "b", tmp_path / "空 %20?#"):
        with pytest.raises(NotAStore):
            _open(folder, read_only=True)
        _fill(folder)
        store = _open(folder, read_only=True)
        with store.view(SCOPE) as view:
            assert len(view.search(["tea"], k=99, kinds=["turn"])) == 40
        store.close()
        if folder == tmp_path:
            for path in sorted(tmp_path.iterdir()):
                if path.is_file():
                    path.unlink()
                else:
                    path.rmdir()


def test_a_creation_that_was_interrupted_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "mnemis.db").touch()
    (tmp_path / "mnemis.lock").touch()
    _fill(tmp_path)
    assert (tmp_path / "mnemis.db").stat().st_size > 0


@pytest.mark.parametrize("content", [b"not a database", b"\0" * 5_000, b"SQLite format 3\0x"])
def test_a_file_that_is_no_database_is_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mnemis.db"
    path.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(StoreDamaged, match="backup"):
            _open(tmp_path, read_only=read_only)
    assert path.read_bytes() == content


def test_damaged_pages_are_told_and_kept(tmp_path: Path) -> None:
    """Whatever is destroyed in the file, it is StoreDamaged and never a wrong answer."""
    _fill(tmp_path)
    path = tmp_path / "mnemis.db"
    whole = path.read_bytes()
    told = 0
    for start in range(4096, len(whole), 4096):
        path.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])
        for index in (tmp_path / "indexes").glob("*"):
            index.unlink()
        damaged = path.read_bytes()
        try:
            store = _open(tmp_path, read_only=True)
            try:
                with store.view(SCOPE) as view:
                    assert len(view.scan("turn")) == 40
                    assert len(view.edges()) == 39
                    assert len(view.search(["tea"], k=99, kinds=["turn"])) == 40
            finally:
                store.close()
        except StoreDamaged:
            told += 1
        assert path.read_bytes() == damaged
    assert told >= 3


def test_a_truncated_file_is_told_and_kept(tmp_path: Path) -> None:
    _fill(tmp_path)
    path = tmp_path / "mnemis.db"
    path.write_bytes(path.read_bytes()[:9_000])
    with pytest.raises(StoreDamaged):
        _read_turns(tmp_path)
    assert path.stat().st_size == 9_000


def _read_turns(folder: Path) -> None:
    store = _open(folder, read_only=True)
    try:
        with store.view(SCOPE) as view:
            view.scan("turn")
    finally:
        store.close()


def test_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    _fill(tmp_path)
    connection = sqlite3.connect(tmp_path / "mnemis.db")
    connection.execute(f"PRAGMA user_version = {VERSION + 41}")
    connection.close()
    before = _contents(tmp_path)
    for read_only in (False, True):
        with pytest.raises(FormatError) as told:
            _open(tmp_path, read_only=read_only)
        assert str(VERSION + 41) in str(told.value) and str(VERSION) in str(told.value)
    assert _contents(tmp_path) == before


def test_a_second_writer_is_refused_at_once(child: Child, tmp_path: Path) -> None:
    """From another process and from this one; readers are welcome; death frees the lock."""
    process = child(HOLD.replace("sys.stdin.readline()", "import time; time.sleep(60)"), tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    started = time.monotonic()
    with pytest.raises(StoreLocked, match=f"process {process.pid}"):
        _open(tmp_path)
    assert time.monotonic() - started < 2.5
    reader = _open(tmp_path, read_only=True)
    process.kill()
    process.communicate()
    store = _open(tmp_path)
    quick = replace(Config(), lock_timeout=0.05)
    with pytest.raises(StoreLocked):
        SqliteStore.open(tmp_path, fingerprint=FINGERPRINT, config=quick)
    store.close()
    reader.close()


def test_readers_see_new_commits(tmp_path: Path) -> None:
    """Rows and every index, as the writer goes on: added, replaced, deleted."""
    writer = _open(tmp_path)
    reader = _open(tmp_path, read_only=True)
    a, b = turn(1), turn(2)
    for number in range(1, 4):
        writer.apply(
            SCOPE,
            change(
                a,
                b,
                turn(10 + number),
                edges=[edge(a, b, weight=number / 10)],
                entries=[entry(a, f"at{number}", vector=direction(1, number))],
                delete_nodes=[f"turn:m{9 + number}"],
            ),
        )
        with reader.view(SCOPE) as view, writer.view(SCOPE) as wanted:
            assert view.seq == number
            assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [number / 10]
            for each in range(5):
                found = view.search([f"at{each}"], k=9, kinds=["turn"])
                assert len(found) == (each == number)
            query = direction(1)
            assert view.nearest(query, k=9, kinds=["turn"]) == wanted.nearest(
                query, k=9, kinds=["turn"]
            )
            near = view.surroundings(["turn:m1"], radius=9).ids
            assert near == ("turn:m1", "turn:m2", f"turn:m{10 + number}")
            assert view.get(["turn:m11"]).keys() == ({"turn:m11"} if number == 1 else set())
    reader.close()
    writer.close()


def test_another_embedders_vectors_are_not_mixed(tmp_path: Path) -> None:
    _fill(tmp_path)
    for other in (
        replace(FINGERPRINT, model="other"),
        replace(FINGERPRINT, dimension=9),
        replace(FINGERPRINT, version="2"),
    ):
        for read_only in (False, True):
            with pytest.raises(EmbedderMismatch, match="mnemis reindex"):
                SqliteStore.open(tmp_path, fingerprint=other, config=Config(), read_only=read_only)
    _open(tmp_path).close()


@pytest.mark.parametrize("kind", ["lost", "cut", "flipped", "swapped", "foreign", "left over"])
@pytest.mark.parametrize("suffix", [".npz", ".vectors"])
def test_index_files_are_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, kind: str
) -> None:
    """Missing, damaged, another store's, or from a history that was undone."""
    monkeypatch.setattr(memory, "SAVE_FROM", 0)
    folder = tmp_path / "memory"
    _fill(folder)
    (index,) = (folder / "indexes").glob(f"*{suffix}")
    content = index.read_bytes()
    if kind == "lost":
        index.unlink()
    elif kind == "cut":
        index.write_bytes(content[: len(content) // 2])
    elif kind == "flipped":
        _check_flips(folder, index, content)
        return
    elif kind == "swapped":
        index.write_bytes(b"")
    elif kind == "foreign":
        _fill(tmp_path / "other", count=30)
        (other,) = (tmp_path / "other" / "indexes").glob(f"*{suffix}")
        index.write_bytes(other.read_bytes())
    else:
        before = (folder / "mnemis.db").read_bytes()
        store = _open(folder)
        store.apply(SCOPE, change(turn(99), entries=[entry(turn(99), "tea")]))
        with store.view(SCOPE) as view:
            assert view.seq == 2
        store.close()
        (folder / "mnemis.db").write_bytes(before)
    is_told = kind != "lost" or suffix == ".vectors"
    assert len(_check_answers(folder)) == (1 if is_told else 0)


def _check_flips(folder: Path, index: Path, content: bytes) -> None:
    """A byte anywhere: either it did not matter or the file is not used."""
    noticed = 0
    for place in range(0, len(content), max(len(content) // 60, 1)):
        flipped = bytes([content[place] ^ 0xFF])
        index.write_bytes(content[:place] + flipped + content[place + 1 :])
        noticed += len(_check_answers(folder, read_only=True))
    assert noticed > 30


def _check_answers(folder: Path, *, read_only: bool = False) -> tuple[str, ...]:
    store = _open(folder, read_only=read_only)
    try:
        with store.view(SCOPE) as view:
            found = view.search(["tea"], k=99, kinds=["turn"])
            assert {hit.id for hit in found} == {f"turn:m{n}" for n in range(40)}
            near = view.nearest(direction(1, 7), k=3, kinds=["turn"])
            assert near[0].id == "turn:m7"
            assert len(view.neighbours(["turn:m0"])["turn:m0"]) == 39
        return store.notices()
    finally:
        store.close()


def test_an_older_sqlite_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 7, 17))
    with pytest.raises(StoreError, match="too old"):
        _open(tmp_path)
