"""Commands that look: recall, topics, show, scopes, jobs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemis.cli.render import visible, when
from tests.unit.cli.conftest import Command


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the launch of Leaflet?", "May 3rd"), ("小明对什么过敏?", "花生过敏")],
)
def test_recall_prints_hits_with_path_and_why(
    command: Command, chat: Path, question: str, answer: str
) -> None:
    command("ingest", str(chat))
    outcome = command("recall", question, "-k", "2")
    assert outcome.code == 0
    first = outcome.out.split(" 2. ")[0]
    assert answer in first
    assert "path: " in first
    assert "why:  " in first
    assert "current" in first


def test_recall_as_json_has_every_field_of_a_hit(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    found = command("recall", "小明对什么过敏?", "-k", "1", "--json").json
    (hit,) = found["hits"]
    assert hit["text"].startswith("对了,我对花生过敏")
    assert hit["speaker"] == "小明"
    assert hit["status"] == "current"
    assert 0 <= hit["score"] <= 1
    assert hit["sources"]
    assert hit["paths"][0]["steps"][0]["edge"] is None
    assert found["context_tokens"] > 0
    assert "explanation" not in found


def test_context_and_explanation(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    assert "花生" in command("recall", "小明对什么过敏?", "--context").out
    assert "ms" in command("recall", "小明对什么过敏?", "--explain").out
    assert "explanation" in command("recall", "花生", "--explain", "--json").json


def test_recall_is_narrowed_by_speaker_and_session(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    hits = command("recall", "launch 工厂", "--speaker", "Ana", "--json").json["hits"]
    assert {hit["speaker"] for hit in hits if hit["kind"] == "turn"} == {"Ana"}
    assert command("recall", "launch", "--session", "nowhere", "--json").json["hits"] == []
    assert command("recall", "launch", "--session", "nowhere").out.strip() == "Nothing found."


@pytest.mark.parametrize("named", [["--scope", "acme", "--scope", "b"], ["--scope", "acme/b"]])
def test_with_several_scopes_one_must_be_named(
    command: Command, chat: Path, named: list[str]
) -> None:
    command("ingest", str(chat), "--scope", "a")
    command("ingest", str(chat), "--scope", "acme", "--scope", "b")
    unclear = command("recall", "launch")
    assert unclear.code == 1
    assert unclear.err == (
        "mnemis: the memory holds 2 scopes; name one with --scope:\n  a\n  acme/b\n"
    )
    assert command("recall", "launch", *named).code == 0


def test_a_scope_that_does_not_exist_is_an_error_that_lists_those_that_do(
    command: Command, chat: Path
) -> None:
    command("ingest", str(chat), "--scope", "acme")
    outcome = command("topics", "--scope", "acmé")
    assert outcome.code == 1
    assert "there is no scope 'acmé'; the memory holds:\n  acme" in outcome.err


def test_looking_at_no_memory_makes_none(command: Command, tmp_path: Path) -> None:
    for arguments in (["recall", "x"], ["topics"], ["scopes"], ["jobs"], ["show", "m1"]):
        outcome = command(*arguments)
        assert outcome.code == 1
        assert "there is no memory in 'mnemis-memory'" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_scopes_are_counted(command: Command, chat: Path) -> None:
    command("ingest", str(chat), "--scope", "家")
    assert command("scopes", "--json").json[0]["scope"] == ["家"]
    assert command("scopes", "--json").json[0]["nodes"]["turn"] == 3
    header, _, row = command("scopes").out.rstrip("\n").split("\n")
    assert header.split()[:2] == ["scope", "turns"]
    assert row.split()[:2] == ["家", "3"]


def test_show_tells_a_message_by_its_id(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    (hit,) = command("recall", "小明对什么过敏?", "-k", "1", "--json").json["hits"]
    message = hit["sources"][0]
    shown = command("show", message)
    assert shown.code == 0
    assert "花生过敏" in shown.out
    assert "next" in shown.out
    as_json = command("show", message, "--json").json
    assert as_json["id"] == f"turn:{message}"
    assert any(edge["type"] == "next" for edge in as_json["edges"])
    missing = command("show", "nothing")
    assert missing.code == 1
    assert "there is no memory 'nothing'" in missing.err


@pytest.mark.parametrize("name", ["Priya Nair", "priya nair", "林若曦"])
def test_show_tells_an_entity_by_its_name(command: Command, name: str) -> None:
    command("demo", "--json")
    shown = command("show", name, "--store", "demo-memory", "--json").json
    assert shown["kind"] == "entity"
    assert shown["name"].casefold() == name.casefold()
    assert any(edge["type"] == "mentions" for edge in shown["edges"])
    assert "rests on" in command("show", name, "--store", "demo-memory").out


def test_topics_are_a_tree(command: Command) -> None:
    assert command("demo", "--json").code == 0
    tree = command("topics", "--store", "demo-memory", "--json").json
    assert tree
    assert all(topic["name"] for topic in tree)
    printed = command("topics", "--store", "demo-memory").out
    assert all(topic["name"] in printed for topic in tree)


def test_no_jobs_wait_after_an_ingest(command: Command, chat: Path) -> None:
    command("ingest", str(chat))
    assert command("jobs").out.strip() == "No work waits."
    assert command("jobs", "--json").json == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["remember"],
        ["recall"],
        ["recall", "x", "-k", "many"],
        ["recall", "x", "--as-of", "soon"],
        ["ingest", "x", "--format", "xml"],
        ["ingest", "x", "--zone", "Mars/Base"],
    ],
)
def test_wrong_usage_is_two(command: Command, arguments: list[str]) -> None:
    outcome = command(*arguments)
    assert outcome.code == 2
    assert "usage: mnemis" in outcome.err


def test_interrupting_is_130(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mnemis.cli.look.open_to_read", interrupt)
    outcome = command("scopes")
    assert (outcome.code, outcome.out) == (130, "")
    assert "interrupted" in outcome.err


def test_a_reader_that_has_seen_enough_is_no_error(chat: Path, tmp_path: Path, root: Path) -> None:
    def run(*arguments: str, stdout: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "mnemis", *arguments],
            cwd=tmp_path, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False,
            env=os.environ | {"PYTHONPATH": str(root / "shared")},
        )  # fmt: skip

    run("ingest", str(chat), "--no-consolidate", stdout=subprocess.DEVNULL)
    ours, theirs = os.pipe()
    os.close(ours)
    outcome = run("scopes", stdout=theirs)
    os.close(theirs)
    assert (outcome.returncode, outcome.stderr) == (0, "")


def test_a_memory_cannot_steer_the_terminal(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"text": "kite \\u001b[2J [bold]marked[/bold] :smile:"}')
    command("ingest", str(path))
    printed = command("recall", "kite").out
    assert "\x1b" not in printed
    assert "[bold]marked[/bold] :smile:" in printed
    assert visible("一\x07二\n") == "一\ufffd二\n"


def test_a_missing_time_prints_as_nothing() -> None:
    assert when(None) == ""
