"""``mnemis demo`` and the data that it ships."""

from __future__ import annotations

from pathlib import Path

from mnemis.demo import load_conversation, load_questions
from tests.unit.cli.conftest import Command


def test_the_shipped_questions_cover_classes_and_languages() -> None:
    questions = load_questions()
    assert len(questions) >= 12
    pairs = {(each.kind, each.language) for each in questions}
    assert pairs == {
        (kind, language)
        for kind in ("vague", "relational", "evolving")
        for language in ("en", "zh")
    }


def test_all_evidence_is_in_the_shipped_conversation() -> None:
    ids = {each.id for each in load_conversation().messages}
    assert len(ids) > 300
    for question in load_questions():
        assert question.evidence
        assert set(question.evidence) <= ids
        assert question.current is None or question.current in question.evidence


def test_the_demo_builds_once_asks_everything_and_sums_up(command: Command, tmp_path: Path) -> None:
    first = command("demo")
    assert first.code == 0
    assert first.out.startswith("Remembered 420 messages in ")
    assert first.out.count("evidence: ") == len(load_questions())
    assert "path: " in first.out
    assert first.out.rstrip().split("\n")[-1].split()[:2] == ["all", str(len(load_questions()))]
    assert (tmp_path / "demo-memory").is_dir()
    second = command("demo")
    assert second.out.startswith("Opened the memory built before in demo-memory/ (420 messages)")
    asked = "[vague]"
    assert first.out.split(asked, 1)[1] == second.out.split(asked, 1)[1]
    fresh = command("demo", "--fresh", "--json").json
    assert fresh["memory"].startswith("Remembered 420 messages")
    assert len(fresh["questions"]) == len(load_questions())


def test_fresh_never_deletes_another_memory(command: Command, chat: Path, tmp_path: Path) -> None:
    command("ingest", str(chat), "--store", "mine", "--scope", "me")
    outcome = command("demo", "--fresh", "--store", "mine")
    assert outcome.code == 1
    assert "also holds 'me', which the demo did not make" in outcome.err
    assert command("scopes", "--store", "mine", "--json").json[0]["scope"] == ["me"]
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"x")
    assert command("demo", "--fresh", "--store", "photos").code == 1
    assert (tmp_path / "photos" / "cat.png").exists()
