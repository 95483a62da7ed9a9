import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemis.model.recall import Hit, Recall, Status
from mnemis.trace import Span
from tests.benchmarks import __main__ as bench
from tests.benchmarks.change_sets import ChangeCase, load_changes
from tests.benchmarks.changes import Judged, Verdict, summarise, verdict_of
from tests.benchmarks.class_sets import HALVES
from tests.benchmarks.pools import Pool

ASKED = datetime(2025, 3, 1, tzinfo=UTC)
SAID = ("The rent is 900 a month.", "It rained on Sunday.", "The rent went up, it is 950 now.")


def written(folder: Path, *, half: str) -> Path:
    """Two invented cases, one of them asking for the past."""
    folder.mkdir()
    turns = [
        {"id": f"m{day}", "role": "user", "speaker": "Ana", "text": text, "session": "s",
         "time": f"2025-02-0{day}T09:00:00+00:00"}
        for day, text in enumerate(SAID, start=1)
    ]  # fmt: skip
    case = {
        "kind": "amount", "language": "en", "turns": turns, "asked_at": ASKED.isoformat(),
        "current": ["m3"], "superseded": ["m1"], "untouched": ["m2"],
    }  # fmt: skip
    rows = [
        case | {"id": "a", "question": "What is the rent now?"},
        case | {"id": "b", "question": "What was the rent originally?", "asks": "past"},
    ]
    (folder / f"{half}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return folder


def case(*, past: bool = False) -> ChangeCase:
    return ChangeCase(
        id="c", kind="amount", language="en", text="rent?", asked_at=ASKED, past=past,
        pool=Pool(set="changes", name="c", language="en", messages=(), questions=()),
        current=("old",) if past else ("new",), superseded=("older", "old"),
        untouched=("other", "far", "new") if past else ("other", "far"),
    )  # fmt: skip


def hit(key: str, status: Status = "current", *successors: Hit) -> Hit:
    return Hit(
        id=key, text=key, kind="turn", score=0.5, sources=(key,), paths=(), why="",
        status=status, successors=successors,
    )  # fmt: skip


def recall(*hits: Hit) -> Recall:
    return Recall(
        query="rent?", hits=hits, confident=True, confidence=1.0, context="",
        context_sources=(), context_tokens=0, trace=Span(name="recall", seconds=0.0),
    )  # fmt: skip


def verdict(first: bool, top: bool, shown: int, flagged: int, led: int, false: int) -> Verdict:
    return Verdict(first=first, top=top, shown=shown, flagged=flagged, led=led, false=false, held=3)


@pytest.mark.parametrize(
    ("hits", "past", "expected"),
    [
        ((hit("new"), hit("old", "superseded")), False, verdict(True, True, 1, 1, 1, 0)),
        ((hit("other"), hit("new"), hit("old")), False, verdict(True, False, 1, 0, 1, 0)),
        ((hit("old"), hit("new")), False, verdict(False, False, 1, 0, 1, 0)),
        ((hit("old", "superseded", hit("new")), hit("new")), True,
         verdict(True, True, 1, 1, 1, 0)),
        ((hit("older"), hit("old"), hit("new")), True, verdict(False, False, 2, 0, 0, 0)),
        ((hit("new"), hit("old")), True, verdict(False, False, 1, 0, 0, 0)),
        ((hit("old", "superseded", hit("new")),), False, verdict(False, False, 1, 1, 1, 0)),
        ((hit("old", "superseded"),), False, verdict(False, False, 1, 1, 0, 0)),
        ((hit("other", "superseded"), hit("new", "disputed")), False,
         verdict(True, False, 0, 0, 0, 2)),
        ((hit("far"),), False, verdict(False, False, 0, 0, 0, 0)),
    ],
)  # fmt: skip
def test_hits_are_judged_by_what_holds_and_what_does_not(
    hits: tuple[Hit, ...], past: bool, expected: Verdict
) -> None:
    assert verdict_of(recall(*hits), case(past=past)) == expected


def test_order_is_judged_in_ten_hits_and_false_flags_in_all() -> None:
    filler = [hit(f"f{number}") for number in range(10)]
    found = verdict_of(recall(*filler, hit("new"), hit("far", "superseded")), case())
    assert (found.first, found.shown, found.false) == (False, 0, 1)


def test_counts_are_kept_by_kind_and_for_the_past() -> None:
    good, bad = verdict(True, True, 1, 1, 1, 0), verdict(False, False, 2, 0, 1, 1)
    found = summarise(
        [
            Judged(case=case(), verdict=good),
            Judged(case=replace(case(past=True), kind="date", language="zh"), verdict=bad),
        ]
    )
    assert list(found) == ["all", "en", "zh", "amount", "date", "asked for the past"]
    assert found["all"] == {
        "cases": 2, "first": 1, "top": 1, "shown": 3, "flagged": 1, "led": 2, "false": 1, "held": 6,
    }  # fmt: skip
    assert found["asked for the past"]["first"] == 0


@pytest.mark.parametrize("half", HALVES)
def test_the_command_scores_either_half_and_writes_single_cases_of_dev_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], half: str
) -> None:
    folder = written(tmp_path / "sets", half=half)
    out = tmp_path / "out"
    arguments = ["--only", "changes", "--changes", str(folder), "--half", half, "--out", str(out)]
    assert bench.main(arguments) == 0
    assert f"Changing facts ({half} half)" in capsys.readouterr().out
    found = json.loads((out / "summary.json").read_text("utf-8"))["changes"]
    assert (found["half"], found["groups"]["all"]["cases"]) == (half, 2)
    assert (out / "changes.jsonl").exists() == (half == "dev")
    if half == "dev":
        assert "rent" not in (out / "changes.jsonl").read_text("utf-8")


def test_a_half_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path / "sets", half="dev")
    assert [each.past for each in load_changes(folder).cases] == [False, True]
    with pytest.raises(FileNotFoundError, match="sealed"):
        load_changes(folder, half="sealed")
    with pytest.raises(ValueError, match="other"):
        load_changes(folder, half="other")


@pytest.mark.parametrize(("half", "count"), [("dev", 80), ("sealed", 64)])
def test_each_of_the_projects_own_halves_is_whole(half: str, count: int) -> None:
    cases = load_changes(half=half).cases
    assert len(cases) == count and {each.language for each in cases} == {"en", "zh"}
    for each in cases:
        told = (*each.current, *each.superseded, *each.untouched)
        assert {message.id for message in each.pool.messages}.issuperset(told), each.id
        assert not set(each.superseded) & set(each.untouched), each.id
        assert each.superseded or each.kind == "coexist", each.id
