"""``mnemis forget``, ``export`` and ``import``; ``health``, ``profile`` and ``history``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cli.conftest import Command


def texts(command: Command, question: str, *options: str) -> list[str]:
    hits = command("recall", question, "--json", *options).json["hits"]
    return [hit["text"] for hit in hits]


def test_forget_by_id_takes_the_message_and_what_was_made_of_it(
    command: Command, chat: Path
) -> None:
    command("ingest", str(chat))
    (hit,) = command("recall", "小明对什么过敏?", "-k", "1", "--json").json["hits"]
    outcome = command("forget", "--id", hit["sources"][0], "--yes")
    assert outcome.code == 0
    assert outcome.out.startswith("Forgot 1 messages and ")
    assert not any("花生" in text for text in texts(command, "小明对什么过敏?"))
    again = command("forget", "--id", hit["sources"][0], "--yes")
    assert again.out.strip() == "Nothing matched; nothing was forgotten."


def test_forget_everything_empties_the_scope(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    went = command("forget", "--everything", "--yes", "--json").json
    assert len(went["messages"]) == 3
    assert command("recall", "launch").code == 1


def test_forget_wants_yes_where_nobody_can_be_asked(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    outcome = command("forget", "--everything")
    assert outcome.code == 1
    assert "--yes" in outcome.err
    assert len(texts(command, "launch")) == 3


def test_forget_wants_to_know_what(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    outcome = command("forget", "--yes")
    assert outcome.code == 1
    assert "nothing was forgotten" in outcome.err


@pytest.mark.parametrize("target", ["default", "他处"])
def test_an_export_is_imported_elsewhere(command: Command, chat: Path, target: str) -> None:
    command("ingest", str(chat))
    wrote = command("export", "memory.jsonl", "--json").json
    assert wrote["nodes"] >= 3
    named = [] if target == "default" else ["--scope", target]
    came = command("import", "memory.jsonl", "--store", "other", *named, "--json").json
    assert came == {"scope": [target], "nodes": wrote["nodes"]}
    here, there = texts(command, "花生"), texts(command, "花生", "--store", "other")
    assert here == there


def test_graphml_is_told_by_its_ending(command: Command, chat: Path, tmp_path: Path) -> None:
    command("ingest", str(chat))
    assert command("export", "graph.graphml").code == 0
    assert "graphml" in (tmp_path / "graph.graphml").read_text("utf-8")[:400]


def test_health_profile_and_history_of_the_demo(command: Command) -> None:
    command("demo", "--json")
    store = ("--store", "demo-memory")
    health = command("health", *store, "--json").json
    assert health["counts"]["turn"] == 420
    assert "edges" in command("health", *store).out
    profile = command("profile", "林若曦", *store, "--json").json
    assert profile["mentions"] > 0
    assert command("profile", "林若曦", *store).out.startswith("林若曦")
    unknown = command("profile", "Nobody Here", *store)
    assert unknown.code == 1
    assert "Nobody Here" in unknown.err
    facts = [fact for key in ("current", "past") for fact in profile[key]]
    assert facts
    versions = command("history", facts[0]["id"], *store, "--json").json
    assert facts[0]["id"] in {each["id"] for each in versions}
    assert command("history", facts[0]["id"], *store).code == 0
