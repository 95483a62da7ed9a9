"""What the command says when something is small, wrong or in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemis import Memory
from mnemis.embedders.hashing import HashingEmbedder
from tests.unit.cli.conftest import Command


@pytest.mark.parametrize("text", ["I live in Lisbon.", "我住在上海。"])
def test_one_is_no_plural(command: Command, tmp_path: Path, text: str) -> None:
    (tmp_path / "one.txt").write_text(f"[2025-03-03 09:00] Ana: {text}\n", encoding="utf-8")
    out = command("ingest", "one.txt").out
    assert "1 message, 1 new; 1 episode, 1 fact, " in out


def test_a_negative_number_is_refused_as_such(command: Command) -> None:
    outcome = command("recall", "x", "-k", "-5")
    assert outcome.code == 2
    assert "must be 0 or more" in outcome.err


def test_standard_input_is_not_read(command: Command) -> None:
    outcome = command("ingest", "-")
    assert outcome.code == 1
    assert "wants a file" in outcome.err


def test_a_bad_export_leaves_no_folder(command: Command, tmp_path: Path) -> None:
    header = '{"format": "mnemis-export", "version": 1, "scope": ["a"]}\n'
    (tmp_path / "bad.jsonl").write_text(header + "{broken\n", encoding="utf-8")
    for scope in ((), ("--scope", "b")):
        outcome = command("import", "bad.jsonl", *scope)
        assert outcome.code == 1
        assert "line 2" in outcome.err
        assert not (tmp_path / "mnemis-memory").exists()


def test_a_store_in_use_is_told_without_python(
    command: Command, chat: Path, tmp_path: Path
) -> None:
    with Memory.open(tmp_path / "mnemis-memory", scope="a", embedder=HashingEmbedder()):
        outcome = command("ingest", str(chat))
    assert outcome.code == 1
    assert "is being written by" in outcome.err
    assert "read_only" not in outcome.err
