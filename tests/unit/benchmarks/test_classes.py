import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.recall import Hit, Recall, Status
from mnemis.trace import Span
from tests.benchmarks import __main__ as bench
from tests.benchmarks import by_route, class_sets
from tests.benchmarks.class_figures import summarise
from tests.benchmarks.class_sets import ClassQuestion, load_classes
from tests.benchmarks.classes import BUDGETS, DEPTHS, FLAT, VECTORS, Answered, standing_of
from tests.benchmarks.evidence import OURS
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool, Question, shipped_pools

ASKED = datetime(2025, 3, 1, tzinfo=UTC)
SAID = (
    ("m1", "Ana", "The rent is 900 a month."),
    ("m2", "Bo", "It rained on Sunday."),
    ("m3", "Ana", "The rent went up, it is 950 a month now."),
    ("m4", "Bo", "风筝是红色的。"),
)


def small_set(folder: Path, *, half: str) -> Path:
    """One invented conversation with a question of three classes."""
    folder.mkdir()
    said = [
        {"id": key, "role": "user", "speaker": who, "text": text, "session": "s",
         "time": f"2025-02-0{day}T09:00:00+00:00"}
        for day, (key, who, text) in enumerate(SAID, start=1)
    ]  # fmt: skip
    asked = {"conversation": "talk", "asked_at": ASKED.isoformat()}
    classes: dict[str, list[dict[str, object]]] = {
        "vague": [{"text": "那个能飞的东西是什么颜色?", "language": "zh", "evidence": ["m4"]}],
        "evolving": [
            {"text": "What is the rent now?", "language": "en", "evidence": ["m3", "m1"],
             "current": "m3", "superseded": ["m1"]}
        ],
        "everything": [
            {"text": "List all that was said about the rent.", "language": "en",
             "evidence": ["m1", "m3"], "form": "list"}
        ],
    }  # fmt: skip
    _write(folder / "talk.jsonl", said)
    for name, questions in classes.items():
        _write(
            folder / f"{name}.{half}.jsonl",
            [each | asked | {"id": f"{name}-1", "class": name} for each in questions],
        )
    return folder


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    path.write_text("\n".join(json.dumps(each) for each in rows), "utf-8")


def question() -> ClassQuestion:
    return ClassQuestion(
        id="q", conversation="talk", kind="evolving", language="en", text="rent?",
        asked_at=ASKED, evidence=("new", "old"), current="new", superseded=("older", "old"),
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


@pytest.mark.parametrize(
    ("hits", "first", "top", "shown", "flagged", "led"),
    [
        ((hit("new"), hit("old", "superseded")), True, True, 1, 1, 1),
        ((hit("other"), hit("new"), hit("old")), True, False, 1, 0, 1),
        ((hit("old", "superseded", hit("new")), hit("older")), False, False, 2, 1, 1),
        ((hit("other"),), False, False, 0, 0, 0),
        ((hit("older"), hit("new")), False, False, 1, 0, 1),
    ],
)
def test_what_holds_must_come_before_what_no_longer_does(
    hits: tuple[Hit, ...], first: bool, top: bool, shown: int, flagged: int, led: int
) -> None:
    found = standing_of(recall(*hits), question())
    assert (found.first, found.top) == (first, top)
    assert (found.shown, found.flagged, found.led) == (shown, flagged, led)


def test_figures_compare_contexts_of_equal_size() -> None:
    ids = {OURS: ("new", "old"), FLAT: ("new",), VECTORS: ()}
    wide = ClassQuestion(
        id="w", conversation="talk", kind="everything", language="en", text="all?",
        asked_at=ASKED, evidence=("new", "old"), form="list",
    )  # fmt: skip
    answered = Answered(
        question=wide,
        ranked={(name, depth): found for name, found in ids.items() for depth in DEPTHS},
        contexts={(name, size): found for name, found in ids.items() for size in BUDGETS},
    )
    found = summarise([answered])
    whole = found["contexts"]["everything list"][1_000]["whole"]
    assert (whole[OURS].mean, whole[FLAT].mean, whole["route 2 adds"].mean) == (100.0, 0.0, 100.0)
    share = found["contexts"]["everything list"][1_000]["share"]
    assert (share[OURS].mean, share[FLAT].mean, share[VECTORS].mean) == (100.0, 50.0, 0.0)
    assert found["classes"]["everything"]["R@10"]["removed"].mean == 100.0
    assert list(found["classes"]["everything"]["languages"]) == ["en"]
    assert found["evolving"] is None


@pytest.mark.parametrize("half", class_sets.HALVES)
def test_the_command_scores_either_half_and_writes_single_questions_of_dev_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], half: str
) -> None:
    folder = small_set(tmp_path / "sets", half=half)
    out = tmp_path / "out"
    arguments = ["--only", "classes", "--classes", str(folder), "--half", half, "--limit", "1"]
    assert bench.main([*arguments, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert f"By class ({half} half)" in printed and "current first" in printed
    summary = json.loads((out / "summary.json").read_text("utf-8"))["classes"]
    assert summary["half"] == half
    assert summary["evolving"]["questions"] == 1
    assert set(summary["contexts"]) == {"vague", "everything list"}
    assert {kind: found["questions"] for kind, found in summary["routes"].items()} == {
        "route similarity": 1, "route relations": 1, "route hierarchy": 1,
    }  # fmt: skip
    written = out / "classes.jsonl"
    assert written.exists() == (half == "dev")
    if half == "dev":
        records = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
        assert [each["class"] for each in records] == ["vague", "evolving", "everything"]
        assert "rent" not in written.read_text("utf-8")


def test_a_half_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = small_set(tmp_path / "sets", half="dev")
    assert len(load_classes(folder).questions) == 3
    with pytest.raises(FileNotFoundError, match="sealed"):
        load_classes(folder, half="sealed")
    with pytest.raises(ValueError, match="other"):
        load_classes(folder, half="other")


@pytest.mark.parametrize("half", ["dev", "sealed"])
def test_each_of_the_projects_own_halves_is_whole(half: str) -> None:
    found = load_classes(half=half)
    counts = {
        name: sum(each.kind == name for each in found.questions) for name in class_sets.CLASSES
    }
    assert counts == {
        "vague": 40, "relational": 40, "evolving": 40, "smalltalk": 20, "everything": 64,
    }  # fmt: skip
    for each in found.questions:
        ids = {message.id for message in found.pools[each.conversation].messages}
        assert ids.issuperset((*each.evidence, *each.superseded)), each.id
    assert {each.language for each in found.questions} == {"en", "zh"}


def test_no_conversation_of_one_half_is_in_the_other() -> None:
    assert not set(load_classes().pools) & set(load_classes(half="sealed").pools)


def test_a_route_that_alone_finds_something_is_missed(tmp_path: Path) -> None:
    memories = Memories(tmp_path, embedder=HashingEmbedder(dimension=256), tell=lambda _: None)
    (shipped,) = shipped_pools()
    asked = Question(
        id="q", text="What is red?", kind="route similarity", evidence=(shipped.messages[0].id or "",)
    )  # fmt: skip
    pool = Pool(
        set="own", name="one", language="en", messages=shipped.messages[:30], questions=(asked,)
    )
    found = by_route.measure(pool, memories, limit=None, tell=lambda _: None)["route similarity"]
    assert found["questions"] == 1
    assert set(found["without"]) == {"route similarity", "route relations", "route hierarchy"}
    assert found["without"]["route similarity"]["changed"] == 1
