import json
from dataclasses import fields
from pathlib import Path

import pytest

from mnemis.embedders.hashing import HashingEmbedder
from mnemis.recall.weights import SHIPPED, Weights
from mnemis.trace import Span
from tests.benchmarks import __main__ as bench
from tests.benchmarks import latency
from tests.benchmarks.ablation import grouped, variants
from tests.benchmarks.figures import compare
from tests.benchmarks.latency import Timed, class_of, stages_of, summarise
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import shipped_pools
from tests.benchmarks.scores import Estimate
from tests.benchmarks.tables import interval, number, table
from tests.benchmarks.variants import FULL


def span(name: str, seconds: float = 0.0, *children: Span, **notes: object) -> Span:
    return Span(name=name, seconds=seconds, notes=notes, children=children)


@pytest.mark.parametrize(
    ("notes", "kind"),
    [
        ({"questions": 2, "intents": ["when"]}, "compound"),
        ({"questions": 1, "intents": ["all", "when"], "entities": 1}, "when"),
        ({"questions": 1, "intents": ["all"], "entities": 1}, "all"),
        ({"questions": 1, "intents": [], "speakers": 1}, "named"),
        ({"questions": 1, "intents": ["vague"], "speakers": 1}, "vague"),
        ({"questions": 1, "intents": ["who"]}, "plain"),
        ({}, "plain"),
    ],
)
def test_a_query_is_classed_by_what_parsing_noted(notes: dict[str, object], kind: str) -> None:
    assert class_of(span("recall", 1.0, span("parse", **notes))) == kind


def test_a_query_that_walks_relations_is_relational() -> None:
    parse = span("parse", entities=1)
    assert class_of(span("recall", 1.0, parse, span("relations", found=3))) == "relational"
    assert class_of(span("recall", 1.0, parse, span("relations", found=0))) == "named"


def test_stages_add_up_to_the_whole() -> None:
    trace = span("recall", 1.0, span("parse", 0.1), span("rank", 0.2), span("rank", 0.3))
    assert stages_of(trace) == pytest.approx({"parse": 0.1, "rank": 0.5, "rest": 0.4})


def test_latency_is_told_in_milliseconds_by_class() -> None:
    timed = [
        Timed(
            kind=kind, recall=ms / 1_000, processor=0.001, vectors=0.002, stages={"rank": 0.001},
            again=0.0005, own=kind != "with recent",
        )
        for kind, ms in (("plain", 4), ("plain", 6), ("when", 10), ("with recent", 99))
    ]  # fmt: skip
    found = summarise(timed)
    assert found["all"]["p50"] == pytest.approx(6.0)
    assert found["classes"]["plain"]["ratio_p50"] == pytest.approx(2.5)
    assert found["all"]["queries"] == 3 and found["all"]["again_p50"] == pytest.approx(0.5)
    assert list(found["classes"]) == ["when", "plain", "with recent"]
    assert found["stages"] == pytest.approx({"rank": 1.0})


def test_tables_align_by_columns_of_the_terminal() -> None:
    text = table("Title", ("kind", "n"), [("通勤", "1"), ("plain", "1,000")])
    assert text.splitlines()[2:] == ["kind       n", "─────  ─────", "通勤       1", "plain  1,000"]


def test_numbers_say_when_there_is_none() -> None:
    assert interval(Estimate(mean=7.04, low=-1, high=12)) == "7.0 [-1.0, 12.0]"
    assert (interval(None), number(None), number(12_345.6)) == ("–", "–", "12,346")


def test_variants_switch_off_one_thing_each() -> None:
    every, routes = variants(groups_only=False), variants(groups_only=True)
    assert len({each.name for each in every}) == len(every) > len(routes) > 0
    for each in every:
        differs = (
            bool(each.config.skip_types),
            each.config.routes != FULL.config.routes,
            each.weights != SHIPPED,
        )
        assert sum(differs) == 1, each.name


def test_every_weight_is_in_one_group_of_the_ablation() -> None:
    names = [name for group in grouped().values() for name in group]
    assert sorted(names) == sorted(each.name for each in fields(Weights))


def test_figures_say_whether_they_hold() -> None:
    def of_set(mean: float, ahead: float) -> dict[str, object]:
        estimate = Estimate(mean=mean, low=mean, high=mean)
        difference = Estimate(mean=ahead, low=ahead, high=ahead)
        return {
            "systems": {"Mnemis": {"R@10": estimate}},
            "against": {"baseline": "RRF", "difference": {"R@10": difference}},
        }

    summary = {"evidence": {"locomo": of_set(69.9, 5), "own": of_set(10, -0.5)}}
    assert [(what, held) for what, _, _, held in compare(summary)] == [
        ("locomo: R@10", False),
        ("locomo: R@10 less RRF", True),
        ("own: R@10 less RRF", True),
    ]
    assert compare({}) == []


def test_a_missing_folder_of_pools_ends_with_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.main(["--pools", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "no *.jsonl" in capsys.readouterr().err


def test_the_command_writes_every_questions_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = {
        "set": "own", "name": "one", "language": "en",
        "messages": [
            {"id": f"m{at}", "speaker": "Ana", "text": text, "session": "s", "time": None}
            for at, text in enumerate(("My kite is red.", "It rained.", "Bo bakes bread."))
        ],
        "questions": [
            {"id": "q", "text": "What does Bo bake?", "kind": "plain", "evidence": ["m2"]}
        ],
    }  # fmt: skip
    (tmp_path / "own.jsonl").write_text(json.dumps(raw), "utf-8")
    out = tmp_path / "out"
    arguments = ["--pools", str(tmp_path), "--only", "evidence", "--out", str(out)]
    assert bench.main(arguments) == 0
    assert "own: evidence recall, 1 answerable questions" in capsys.readouterr().out
    (line,) = (out / "questions.jsonl").read_text("utf-8").splitlines()
    record = json.loads(line)
    assert record["systems"]["Mnemis"]["ranked"][0] == "m2"
    assert "bake" not in line
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert summary["evidence"]["own"]["systems"]["Mnemis"]["R@10"]["mean"] == 100.0


def test_no_timed_question_is_answered_from_what_warming_up_kept(tmp_path: Path) -> None:
    memories = Memories(tmp_path, embedder=HashingEmbedder(dimension=256), tell=lambda _: None)
    (shipped,) = shipped_pools()
    timed = latency.measure(shipped, memories, limit=20)
    own = [each for each in timed if each.own]
    assert len(own) == 20 and len(timed) == 32
    for each in timed:
        assert {"embed", "rank"} <= set(each.stages)
        assert 0 < each.again < each.recall
    assert {"all", "with recent"} <= {each.kind for each in timed}
