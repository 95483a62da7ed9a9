"""``mnemis tune``: labelled queries in, weights kept only where they help, and back again."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from mnemis.care.labels import read_labels
from mnemis.errors import InputError
from tests.unit.cli.conftest import Command

DATA = Path(__file__).resolve().parents[2] / "data" / "tune"
LABELS = read_labels(DATA / "quiz.labels.jsonl")


def write(path: Path, rows: Sequence[tuple[str, str]]) -> str:
    lines = [json.dumps({"query": query, "relevant": [key]}) for query, key in rows]
    path.write_text("\n".join(lines), "utf-8")
    return str(path)


@pytest.fixture
def quiz(command: Command) -> Command:
    """A store that holds the quiz club's talk."""
    assert command("ingest", str(DATA / "quiz.jsonl"), "--no-consolidate").code == 0
    return command


def first(command: Command, question: str) -> str:
    (hit,) = command("recall", question, "-k", "1", "--json").json["hits"]
    return str(hit["sources"][0])


def test_a_consistent_genre_is_learnt_and_taken_back(quiz: Command, tmp_path: Path) -> None:
    """Queries about even numbers teach what those about odd ones want too."""
    taught = [(each.query, each.relevant[0]) for each in LABELS[::2]]
    asked = [(each.query, each.relevant[0]) for each in LABELS[1::2]]
    before = sum(first(quiz, query) == wanted for query, wanted in asked)
    outcome = quiz("tune", write(tmp_path / "l.jsonl", taught))
    assert (outcome.code, outcome.err) == (0, "")
    assert "are now in use; `mnemis tune --undo`" in outcome.out
    after = sum(first(quiz, query) == wanted for query, wanted in asked)
    assert after > before
    assert quiz("tune", "--undo", "--json").json == {"undone": True}
    assert sum(first(quiz, query) == wanted for query, wanted in asked) == before
    again = quiz("tune", "--undo")
    assert (again.code, again.out.strip()) == (0, "The shipped weights were in use already.")


def test_random_labels_are_refused(quiz: Command, tmp_path: Path) -> None:
    keys = [each.relevant[0] for each in LABELS]
    random.Random(5).shuffle(keys)
    rows = list(zip([each.query for each in LABELS], keys, strict=True))[:24]
    before = [first(quiz, query) for query, _ in rows[:5]]
    outcome = quiz("tune", write(tmp_path / "l.jsonl", rows), "--json")
    assert outcome.code == 1
    assert "nothing was changed" in outcome.err
    assert (outcome.json["accepted"], outcome.json["changed"]) == (False, {})
    assert outcome.json["queries"] == 24
    assert [first(quiz, query) for query, _ in rows[:5]] == before
    assert quiz("tune", "--undo", "--json").json == {"undone": False}


def test_messages_that_are_not_there_are_named(quiz: Command, tmp_path: Path) -> None:
    rows = [(each.query, each.relevant[0]) for each in LABELS[:11]]
    outcome = quiz("tune", write(tmp_path / "l.jsonl", [*rows, ("消防车", "zh-99-a")]))
    assert outcome.code == 1
    assert "1 of the 12 labelled messages" in outcome.err and "'zh-99-a'" in outcome.err


def test_too_few_labels_are_refused(quiz: Command, tmp_path: Path) -> None:
    rows = [(each.query, each.relevant[0]) for each in LABELS[:4]]
    outcome = quiz("tune", write(tmp_path / "l.jsonl", rows))
    assert outcome.code == 1
    assert "at least 10 labelled queries" in outcome.err


@pytest.mark.parametrize("arguments", [(), ("labels.jsonl", "--undo")])
def test_either_a_file_or_undo(command: Command, arguments: tuple[str, ...]) -> None:
    assert command("tune", *arguments).code == 2


def test_without_a_memory_no_folder_is_made(command: Command, tmp_path: Path) -> None:
    outcome = command("tune", str(DATA / "quiz.labels.jsonl"))
    assert outcome.code == 1
    assert "there is no memory" in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "no valid JSON"),
        ("[" * 20_000, "nested too deeply"),
        ("[]", "got list"),
        ('{"query": "灯塔"}', '"relevant"'),
        ('{"query": " ", "relevant": ["a"]}', '"query"'),
        ('{"query": "x", "relevant": []}', '"relevant"'),
        ('{"query": "x", "relevant": [1]}', '"relevant"'),
        ('{"query": "x", "relevant": ["a"], "asked_at": "soon"}', "'soon'"),
        ('{"query": "x", "relevant": ["a"], "weight": 2}', "'weight'"),
    ],
)
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text(f'{{"query": "火山", "relevant": ["a"]}}\n\n{line}\n', "utf-8")
    with pytest.raises(InputError, match="line 3") as raised:
        read_labels(path)
    assert named in str(raised.value)


def test_what_a_line_says_is_read(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text(
        '{"query": "火山", "relevant": ["a", "b", "a"], "asked_at": "2025-03-01", "id": "q1"}',
        "utf-8",
    )
    (one,) = read_labels(path)
    assert (one.query, one.relevant) == ("火山", ("a", "b"))
    assert one.asked_at is not None and one.asked_at.isoformat() == "2025-03-01T00:00:00+00:00"
