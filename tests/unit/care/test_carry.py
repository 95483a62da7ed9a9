"""export and import: the same memory elsewhere; files that no tool chokes on."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from mnemis import Config, Document, InputError, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import StoreError
from mnemis.model.change import Change
from mnemis.model.graph import Edge, Entity
from tests.unit.care.conftest import MANUAL, START, check_whole, everything, said, tell

TEXTS = (
    "I live in Lisbon.",
    "Nina works at Orbit Labs.",
    "我住在上海。",
    "I moved to Porto.",
    "The PIN pad is on floor 3.",
)


def bring(path: Path, into: Path, **options: object) -> Memory:
    return Memory.import_(path, into=into, embedder=HashingEmbedder(), config=MANUAL, **options)  # type: ignore[arg-type]


def graph_of(memory: Memory) -> tuple[list[object], list[Edge]]:
    with memory.mnemis.store.view(memory.scope) as view:
        return [*everything(memory)], list(view.edges())


def test_a_memory_is_the_same_elsewhere(memory: Memory, tmp_path: Path) -> None:
    tell(memory, *TEXTS)
    memory.add_documents([Document(id="d1", title="Plan", text="The gate opens at nine. " * 150)])
    memory.pin("m1")
    file = tmp_path / "memory.jsonl"
    report = memory.export(file)
    assert report.nodes == len(everything(memory))
    with bring(file, tmp_path / "copy") as copy:
        assert copy.scope == memory.scope
        assert graph_of(copy) == graph_of(memory)
        for query in ("Where do I live?", "PIN pad", "住在哪里", "gate"):
            ours, theirs = memory.recall(query), copy.recall(query)
            assert [hit.id for hit in theirs.hits] == [hit.id for hit in ours.hits]
        check_whole(copy)
        again = tmp_path / "again.jsonl"
        copy.export(again)
        first, second = file.read_text().split("\n"), again.read_text().split("\n")
        assert first[1:] == second[1:]


def test_a_repeat_adds_nothing_and_life_goes_on(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "I live in Lisbon.")
    file = tmp_path / "memory.jsonl"
    memory.export(file)
    for _ in range(2):
        with bring(file, tmp_path / "copy", scope="other") as copy:
            before = graph_of(copy)
            assert copy.consolidate().turns == 0
    with bring(file, tmp_path / "copy", scope="other") as copy:
        assert graph_of(copy) == before
        copy.remember([said(2, "I moved to Porto.", days=4, session="s2")])
        copy.consolidate()
        assert [item.status for item in copy.history("where I live")] == ["superseded", "current"]
        with pytest.raises(InputError, match="empty scope"):
            Memory.import_  # noqa: B018 - named for the reader
            from mnemis.care.importing import import_file

            import_file(
                copy.mnemis.store, copy.scope, file, embedder=HashingEmbedder(), config=Config()
            )


def test_a_restored_memory_may_follow_a_forgotten_one(memory: Memory, tmp_path: Path) -> None:
    tell(memory, *TEXTS)
    file = tmp_path / "memory.jsonl"
    memory.export(file)
    with bring(file, tmp_path / "copy") as copy:
        whole = graph_of(copy)
        copy.forget(everything=True)
    with bring(file, tmp_path / "copy") as copy:
        assert graph_of(copy) == whole


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.graphml"])
def test_control_characters_do_not_break_the_file(
    mnemis: Mnemis, memory: Memory, tmp_path: Path, name: str
) -> None:
    memory.remember(
        [
            Message(
                role="user",
                text="Form feed \f and \x01 and \u2028 and \x85 inside; the PIN pad is on floor 3",
                metadata={"tags": ["a", "b"], "nested": {"x": None}, "n": 1.5, "big": 10**30},
            )
        ]
    )
    odd = Entity(
        id="entity:odd", text="\x00\x01\ufffe]]>", name="Eve`) DETACH DELETE n // \n</x>",
        sources=("m-0",), metadata={"__proto__": [1, {"a\x02": None}]},
    )  # fmt: skip
    mnemis.store.apply(memory.scope, Change(id="odd", purpose="test", nodes=(odd,)))
    file = tmp_path / name
    memory.export(file)
    if name.endswith(".graphml"):
        graph = nx.read_graphml(file)
        assert set(graph.nodes) == {"turn:m-0", "entity:odd"}
        assert json.loads(graph.nodes["turn:m-0"]["metadata"])["big"] == 10**30
        assert "DETACH" in graph.nodes["entity:odd"]["name"]
        return
    assert len(file.read_text().splitlines()) == 3
    with bring(file, tmp_path / "copy") as copy:
        assert graph_of(copy) == graph_of(memory)
        assert "floor 3" in copy.recall("PIN pad").hits[0].text


def test_graphml_keeps_parallel_edges_apart(memory: Memory, tmp_path: Path) -> None:
    tell(memory, *TEXTS)
    memory.export(tmp_path / "g.GraphML")
    graph = nx.read_graphml(tmp_path / "g.GraphML", force_multigraph=True)
    ours = memory.graph()
    assert set(graph.nodes) == set(ours.nodes)
    found = sorted((s, t, data["type"]) for s, t, data in graph.edges(data=True))
    assert found == sorted((s, t, key) for s, t, key in ours.edges(keys=True))


@pytest.mark.parametrize(
    ("line", "wrong", "match"),
    [
        (0, '{"format": "other"}', "line 1"),
        (0, '{"format": "mnemis-export", "version": 99, "scope": ["a"]}', "upgrade"),
        (1, "{broken", "line 2: not JSON"),
        (1, "[1]", "line 2"),
        (1, '{"kind": "ghost", "id": "x"}', "line 2.*ghost"),
        (1, '{"kind": "turn", "id": "fact:1", "text": "x"}', "line 2"),
        (1, '{"kind": "turn", "id": "turn:x", "text": "x"}', "line 2"),
        (1, '{"kind": "fact", "id": "fact:1", "text": 5}', "line 2"),
        (-2, '{"kind": "edge", "type": "next", "source": "turn:m1"}', "line"),
        (-2, '{"kind": "edge", "type": "a", "source": "b", "target": "c", "weight": 1}', "not in"),
        (-2, '{"kind": "edge", "type": "a", "source": "b", "target": "c", "weight": 7}', "weight"),
    ],
)
def test_a_bad_file_is_refused_by_line_and_nothing_is_stored(
    memory: Memory, tmp_path: Path, line: int, wrong: str, match: str
) -> None:
    tell(memory, "I live in Lisbon.", "I like tea.")
    file = tmp_path / "memory.jsonl"
    memory.export(file)
    lines = file.read_text().split("\n")
    lines[line] = wrong
    file.write_text("\n".join(lines))
    with pytest.raises(InputError, match=match):
        bring(file, tmp_path / "copy", scope="x")
    with Memory.open(tmp_path / "copy", scope="x", embedder=HashingEmbedder()) as copy:
        assert everything(copy) == []


def test_files_that_are_none_are_refused(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("empty", "binary", "missing"):
        with pytest.raises(InputError):
            bring(tmp_path / name, tmp_path / "copy")
    for path in (tmp_path, tmp_path / "no" / "file", "", "a\0b"):
        with pytest.raises(InputError):
            memory.export(path)


def test_an_export_that_fails_leaves_the_old_file(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([said(1, "I live in Lisbon.")])
    file = tmp_path / "memory.jsonl"
    file.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        memory.export(file)
    assert file.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir() if "mnemis-" in each.name] == []


HOSTILE = [
    "../evil", "..", ".", "/etc/x", "a/b", "a\\b", "..\\..\\w", "con", "%2e%2e%2f", "~root",
    "名字", "id\n", "a\0b", "x" * 500,
]  # fmt: skip


def test_hostile_labels_stay_inside_the_folder(mnemis: Mnemis, tmp_path: Path) -> None:
    before = {each for each in tmp_path.rglob("*") if "memory" not in str(each)}
    for number, label in enumerate(HOSTILE):
        memory = mnemis.scope(label)
        memory.remember([said(1, f"The code is word{number}x.", session=label)])
        memory.export(tmp_path / "out.jsonl")
        with bring(tmp_path / "out.jsonl", tmp_path / "copy-memory") as copy:
            assert copy.scope == (label,)
    for number, label in enumerate(HOSTILE):
        hits = mnemis.scope(label).recall("code").hits
        assert [f"word{number}x" in hit.text for hit in hits] == [True]
        mnemis.scope(label).forget(session=label)
    assert [s for s in mnemis.scopes() if s[0] in HOSTILE] == [
        ("a\0b",)
    ]  # NUL is not kept in sessions
    (tmp_path / "out.jsonl").unlink()
    after = {each for each in tmp_path.rglob("*") if "memory" not in str(each)}
    assert after == before


def test_no_byte_of_text_or_vector_stays_on_disk(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    with Memory.open(tmp_path / "m", embedder=embedder, config=MANUAL) as memory:
        texts = [f"SENTINEL-{n}f3c keeps a secret address number{n}." for n in range(40)]
        memory.remember([said(n, text) for n, text in enumerate(texts)])
        memory.consolidate()
        found = memory.verify_forgotten(["SENTINEL-7f3c"])
        assert not found
        assert any(str(tmp_path) in trace.where for trace in found.found)
        memory.forget(message_ids=[f"m{n}" for n in range(5, 10)])
        gone = [text for n, text in enumerate(texts) if 5 <= n < 10]
        report = memory.verify_forgotten(gone + ["SENTINEL-7f3c"], message_ids=["m7"])
        assert report.clean, report.found
        assert report.size > 10_000
    data = b"".join(each.read_bytes() for each in (tmp_path / "m").rglob("*") if each.is_file())
    vectors = np.asarray(embedder.embed(texts), dtype=np.float32)
    there = {n for n in range(40) if vectors[n].tobytes() in data}
    assert there  # those that no page boundary divides
    assert there.isdisjoint(range(5, 10))
    said_still = [n for n in range(40) if f"SENTINEL-{n}f3c".encode() in data]
    assert said_still == [n for n in range(40) if not 5 <= n < 10]


def test_nothing_said_is_logged(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    tell(memory, "My friend SENTINEL-77 lives in Lisbon.")
    memory.edit("m1", text="My friend SENTINEL-77 lives in Porto.")
    memory.recall("SENTINEL-77")
    memory.forget(message_ids=["m1"])
    assert "SENTINEL-77" not in caplog.text


def test_times_survive_with_their_zone(memory: Memory, tmp_path: Path) -> None:
    memory.remember([Message(id="m1", role="user", text="hello", time=START)])
    memory.export(tmp_path / "f.jsonl")
    with bring(tmp_path / "f.jsonl", tmp_path / "copy") as copy:
        assert copy.show("m1").node.time == START
