"""The working memory on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.conftest import Command


def test_working_prints_the_text_for_a_prompt(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    outcome = command("working", "--turns", "2")
    assert outcome.code == 0
    assert outcome.out.startswith("<memory note=")
    assert "对了,我对花生过敏,午饭别点沙爹。" in outcome.out
    assert "Leaflet" in outcome.out  # before the two turns, so in the summary
    short = command("working", "--turns", "1", "--budget", "60").out
    assert "花生" in short and "Leaflet" not in short
    assert "budget" in command("working", "--budget", "3").out


def test_working_as_json(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    found = command("working", "--session", "chat", "--json").json
    assert found["session"] == "chat"
    assert [turn["speaker"] for turn in found["turns"]] == ["Ana", "小明", "小明"]
    assert found["summary"] == ""
    assert [note["kind"] for note in found["notes"]] == ["scheduled_for", "allergic_to"]
    assert found["notes"][1]["sources"] == [found["turns"][2]["id"]]
    assert 0 < found["tokens"] < 200


def test_a_session_without_a_word_is_said_to_be_empty(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    outcome = command("working", "--session", "没有")
    assert outcome.code == 0
    assert "Nothing was said" in outcome.out
    assert command("working", "--turns", "-1").code == 2
