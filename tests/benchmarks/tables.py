"""Summaries as text of fixed width."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from tests.benchmarks.evidence import METRICS, OURS
from tests.benchmarks.scores import Estimate

ABSENT = "–"


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A title, a line of heads, a rule and the rows: the first column left, the others right."""
    lines = [heads, *rows]
    widths = [max(_width(line[at]) for line in lines) for at in range(len(heads))]
    shown = [
        "  ".join(_padded(cell, widths[at], left=at == 0) for at, cell in enumerate(line)).rstrip()
        for line in lines
    ]
    rule = "  ".join("─" * width for width in widths)
    return "\n".join([title, "", shown[0], rule, *shown[1:], ""])


def evidence_tables(summary: Mapping[str, Any]) -> str:
    """By set: every system's figures, the difference to the best baseline, Mnemis by kind."""
    parts = [_systems(name, of_set) for name, of_set in summary.items()]
    parts += [_kinds(name, of_set) for name, of_set in summary.items()]
    return "\n".join([*parts, _differences(summary)])


def latency_tables(summary: Mapping[str, Any]) -> str:
    """By memory: milliseconds and ratio by class of query, then the mean of each stage."""
    rows = [
        [where if kind == "all queries" else f"  {kind}", *_latency_cells(times)]
        for where, found in summary.items()
        for kind, times in {"all queries": found["all"], **found["classes"]}.items()
    ]
    heads = (
        "memory",
        "queries",
        "p50 ms",
        "p95 ms",
        "p50 CPU",
        "kept answer",
        "not kept",
        "route 2 always",
        "vectors p50",
        "vectors p95",
        "ratio p50",
    )
    stages = list(dict.fromkeys(name for found in summary.values() for name in found["stages"]))
    stage_rows = [
        [where, *(number(found["stages"].get(name), 2) for name in stages)]
        for where, found in summary.items()
    ]
    return "\n".join(
        [
            table("Latency of recall(k=10) beside exact vector search, one thread", heads, rows),
            table("Mean milliseconds by stage", ["memory", *stages], stage_rows),
        ]
    )


def ingest_tables(summary: Mapping[str, Any]) -> str:
    """By memory: rates, footprint; then start-up."""
    memories: Mapping[str, Any] = summary["memories"]
    footprint: Mapping[str, Any] = summary["footprint"]
    rates = [
        [
            where,
            number(found["turns"]),
            number(found["remember"]),
            number(found["consolidate"]),
            number(found["both"]),
            number(found["both_processor"]),
            number(found["chroma"]),
            number(found["remember_to_chroma"], 2),
            number(found["disk_per_turn"]),
        ]
        for where, found in memories.items()
    ]
    sizes = [
        [
            where,
            number(found["vectors_per_turn"]),
            number(found["ram_per_turn_beyond_vectors"]),
            number(1_000 * found["open"]),
            number(1_000 * found["first_answer"]),
            number(1_000 * found["first_answer_processor"]),
            number(1_000 * found["first_answer_of_two_messages"]),
        ]
        for where, found in footprint.items()
    ]
    imported = [number(1_000 * summary["import"][each]) for each in ("seconds", "processor")]
    started = f"import mnemis: {imported[0]} ms, {imported[1]} ms of them on the CPU (medians)\n"
    rate_heads = ("memory", "turns", "remember", "consolidate", "both", "both on CPU")
    size_heads = ("memory", "vectors", "RAM beyond", "open", "first answer", "on CPU", "of 2 turns")
    return "\n".join(
        [
            table(
                "Writing, turns a second, beside LangChain + Chroma; bytes a turn on disk",
                [*rate_heads, "Chroma add", "remember ÷ Chroma", "disk"],
                rates,
            ),
            table(
                "Bytes a turn in RAM, and milliseconds from opening, in a fresh process",
                size_heads,
                sizes,
            ),
            started,
        ]
    )


def ablation_table(summary: Mapping[str, Any]) -> str:
    """Points of R@10 that each thing off costs (minus) or gains; * where 95 % exclude nought."""
    names = list(dict.fromkeys(name for found in summary.values() for name in found["without"]))
    rows = [
        ["(full)", *(number(found["R@10"], 1) for found in summary.values())],
        *(
            [name, *(marked(found["without"].get(name)) for found in summary.values())]
            for name in names
        ),
    ]
    heads = ["without", *(f"{name} ({found['questions']})" for name, found in summary.items())]
    return table("R@10 with one thing switched off, difference in points", heads, rows)


def figures_table(rows: Sequence[tuple[str, str, str, bool | None]]) -> str:
    """Figures to hold: (what, wanted, measured, held or None when not measured)."""
    words = {True: "yes", False: "NO", None: ABSENT}
    lines = [(what, wanted, measured, words[held]) for what, wanted, measured, held in rows]
    return table("Figures to hold", ("what", "wanted", "measured", "held"), lines)


def interval(estimate: Estimate | None, *, digits: int = 1) -> str:
    """``mean [low, high]``."""
    if estimate is None:
        return ABSENT
    middle, low, high = (f"{x:.{digits}f}" for x in (estimate.mean, estimate.low, estimate.high))
    return f"{middle} [{low}, {high}]"


def mean(estimate: Estimate | None) -> str:
    """The mean alone, one decimal."""
    return ABSENT if estimate is None else f"{estimate.mean:.1f}"


def marked(difference: Estimate | None) -> str:
    """A signed mean, with a star where the 95 % interval excludes nought."""
    if difference is None:
        return ABSENT
    sure = difference.low > 0 or difference.high < 0
    return f"{difference.mean:+.1f}{'*' if sure else ' '}"


def number(value: float | None, digits: int = 0) -> str:
    """Thousands separated; a dash when absent."""
    return ABSENT if value is None else f"{value:,.{digits}f}"


def _systems(name: str, of_set: Mapping[str, Any]) -> str:
    title = f"{name}: evidence recall, {of_set['questions']} answerable questions, 95 % intervals"
    if of_set["auroc"] is not None:
        title += f"; AUROC of confidence {of_set['auroc']:.3f}"
    rows = [
        [system, *(interval(figures[metric]) for metric in METRICS), mean(figures["context"])]
        for system, figures in of_set["systems"].items()
    ]
    return table(title, ["system", *METRICS, "in 1,000 tokens"], rows)


def _kinds(name: str, of_set: Mapping[str, Any]) -> str:
    rows: list[list[str]] = []
    for kind, found in of_set["kinds"].items():
        figures = found["systems"]
        others = [each for each in figures if each != OURS]
        best = max(others, key=lambda each: figures[each]["R@10"].mean)
        mine = figures[OURS]
        rows.append(
            [
                kind,
                str(found["questions"]),
                *(mean(mine[each]) for each in ("R@5",)),
                interval(mine["R@10"]),
                *(mean(mine[each]) for each in ("R@50", "all@10", "MRR", "context")),
                f"{best} {figures[best]['R@10'].mean:.1f}",
            ]
        )
    heads = ("kind", "n", "R@5", "R@10", "R@50", "all@10", "MRR", "in 1,000", "best baseline R@10")
    return table(
        f"{name}: {OURS} by kind of question (adversarial apart from every mean)", heads, rows
    )


def _differences(summary: Mapping[str, Any]) -> str:
    rows = [
        [
            name,
            of_set["against"]["baseline"],
            *(interval(of_set["against"]["difference"][metric]) for metric in METRICS),
        ]
        for name, of_set in summary.items()
        if "against" in of_set
    ]
    title = f"{OURS} less the baseline with the best R@10, paired over questions, points"
    return table(title, ["set", "baseline", *METRICS], rows)


def _latency_cells(times: Mapping[str, Any]) -> list[str]:
    names = ("p50", "p95", "processor_p50", "again_p50", "uncached_p50", "unsorted_p50",
             "vectors_p50", "vectors_p95", "ratio_p50")  # fmt: skip
    return [number(times["queries"]), *(number(times[name], 1) for name in names)]


def _padded(text: str, width: int, *, left: bool) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if left else blanks + text


def _width(text: str) -> int:
    """Columns of a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
