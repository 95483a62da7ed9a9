"""``mnemis ingest``."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from mnemis import Memory
from mnemis.embedders.hashing import HashingEmbedder
from tests.unit.cli.conftest import Command


def count(folder: Path, *labels: str) -> int:
    with Memory.open(folder, scope=labels, embedder=HashingEmbedder(), read_only=True) as memory:
        return sum(1 for _, kind in memory.graph().nodes(data="kind") if kind == "turn")


def test_a_transcript_goes_to_the_default_store_and_scope(
    command: Command, chat: Path, tmp_path: Path
) -> None:
    outcome = command("ingest", str(chat))
    assert outcome.code == 0
    assert outcome.out.startswith("default: 3 messages, 3 new; ")
    assert count(tmp_path / "mnemis-memory", "default") == 3


def test_the_same_file_again_changes_nothing(command: Command, chat: Path, tmp_path: Path) -> None:
    command("ingest", str(chat))
    outcome = command("ingest", str(chat))
    assert outcome.code == 0
    assert "3 messages, nothing new" in outcome.out
    assert count(tmp_path / "mnemis-memory", "default") == 3


@pytest.mark.parametrize("line", ["[2025-03-05 09:00] Ana: One more.", "[2025-03-05] 小明: 还有。"])
def test_a_grown_file_adds_what_is_new(command: Command, chat: Path, line: str) -> None:
    command("ingest", str(chat))
    chat.write_text(chat.read_text("utf-8") + line + "\n", encoding="utf-8")
    assert "4 messages, 1 new" in command("ingest", str(chat)).out


def test_nothing_of_a_bad_file_is_stored(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"text": "fine"}\n{"text": 3}\n')
    outcome = command("ingest", str(path))
    assert outcome.code == 1
    assert outcome.out == ""
    assert "mnemis: chat.jsonl was not ingested" in outcome.err
    assert 'line 2: wants "text", got 3' in outcome.err
    assert not (tmp_path / "mnemis-memory").exists()


def test_pools_make_a_scope_each_and_say_so(command: Command, tmp_path: Path) -> None:
    pools = [
        {"set": "birds", "name": name, "messages": [{"speaker": "Lea", "text": text}]}
        for name, text in (("walk", "A red kite!"), ("散步", "一只红鸢!"))
    ]
    path = tmp_path / "pools.jsonl"
    path.write_text("\n".join(map(json.dumps, pools)), encoding="utf-8")
    outcome = command("ingest", str(path), "--store", "kept", "--scope", "me", "--json")
    assert [each["scope"] for each in outcome.json["scopes"]] == [
        ["me", "birds", "walk"],
        ["me", "birds", "散步"],
    ]
    assert count(tmp_path / "kept", "me", "birds", "散步") == 1


def test_no_consolidate_stores_only(command: Command, chat: Path) -> None:
    outcome = command("ingest", str(chat), "--no-consolidate", "--json")
    assert outcome.json["scopes"][0]["stored"] == 3
    assert outcome.json["scopes"][0]["consolidated"] is None


def test_the_store_is_named_by_the_environment(
    command: Command, chat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMIS_STORE", str(tmp_path / "elsewhere"))
    command("ingest", str(chat))
    assert count(tmp_path / "elsewhere", "default") == 3


def test_the_zone_is_given_to_dates_without_one(
    command: Command, chat: Path, tmp_path: Path
) -> None:
    command("ingest", str(chat), "--zone", "Asia/Shanghai")
    hits = command("recall", "Leaflet", "-k", "1", "--json").json["hits"]
    assert hits[0]["time"] == "2025-03-03T09:00:00+08:00"


def test_a_changed_message_is_a_conflict_that_says_how_to_go_on(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"id": "m1", "text": "red"}')
    command("ingest", str(path))
    path.write_text('{"id": "m1", "text": "blue"}')
    outcome = command("ingest", str(path))
    assert outcome.code == 1
    assert "'m1' is already stored with another text" in outcome.err
    assert "nothing is stored twice" in outcome.err


def test_a_foreign_folder_is_left_alone(command: Command, chat: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"x")
    outcome = command("ingest", str(chat), "--store", "photos")
    assert outcome.code == 1
    assert "photos" in outcome.err
    assert [each.name for each in (tmp_path / "photos").iterdir()] == ["cat.png"]


def test_a_bar_is_drawn_on_a_terminal_only(chat: Path, tmp_path: Path, root: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mnemis", "ingest", str(chat)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True,
        env=os.environ | {"PYTHONPATH": str(root / "shared"), "TERM": "xterm"},
    ) as running:  # fmt: skip
        os.close(theirs)
        drawn = _read_all(ours)
        out, _ = running.communicate()
    os.close(ours)
    assert running.returncode == 0
    assert "remembering default" in drawn
    assert "\x1b" not in out
    assert out.startswith("default: 3 messages, 3 new")


def _read_all(terminal: int) -> str:
    """All that is written until the last writer closes (which Linux reports as an error)."""
    pieces: list[bytes] = []
    try:
        while piece := os.read(terminal, 65536):
            pieces.append(piece)
    except OSError:
        return b"".join(pieces).decode()
    return b"".join(pieces).decode()
