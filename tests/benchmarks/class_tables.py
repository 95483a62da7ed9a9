"""Figures by class of question as text of fixed width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.benchmarks.classes import BUDGETS, FLAT, VECTORS
from tests.benchmarks.evidence import OURS
from tests.benchmarks.tables import ABSENT, interval, marked, mean, number, table


def class_tables(summary: Mapping[str, Any]) -> str:
    """Recall by class beside vectors, contexts with and without route 2, evolving facts, routes."""
    half = summary["half"]
    parts = [_classes(summary["classes"], half)]
    if summary["contexts"]:
        parts.append(_contexts(summary["contexts"], half))
    if counts := summary["evolving"]:
        parts.append(
            table(
                f"Evolving questions ({half}): what ten hits say of what holds now",
                list(counts),
                [[number(each) for each in counts.values()]],
            )
        )
    if summary["routes"]:
        parts.append(_routes(summary["routes"]))
    return "\n".join(parts)


def _classes(classes: Mapping[str, Any], half: str) -> str:
    rows = [
        [name, *_class_cells(figures)]
        for class_name, of_class in classes.items()
        for name, figures in _with_languages(class_name, of_class)
    ]
    heads = ("class", "n", "R@10", VECTORS, "error removed, %", "R@20", VECTORS)
    return table(f"By class ({half} half), beside pure vectors, 95 % intervals", heads, rows)


def _with_languages(name: str, of_class: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield name, of_class
    for language, figures in of_class["languages"].items():
        yield f"  {language}", figures


def _class_cells(figures: Mapping[str, Any]) -> list[str]:
    ten, twenty = figures["R@10"], figures["R@20"]
    return [
        number(figures["questions"]),
        interval(ten[OURS]),
        mean(ten[VECTORS]),
        interval(ten["removed"], digits=0),
        mean(twenty[OURS]),
        mean(twenty[VECTORS]),
    ]


def _contexts(contexts: Mapping[str, Any], half: str) -> str:
    rows = [
        [
            f"{name}, {what} in {budget:,}",
            number(of_class[budget]["questions"]),
            *(interval(of_class[budget][key][system]) for system in (OURS, FLAT)),
            interval(of_class[budget][key]["route 2 adds"]),
            mean(of_class[budget][key][VECTORS]),
        ]
        for name, of_class in contexts.items()
        for what, key in (("evidence", "share"), ("all evidence", "whole"))
        for budget in BUDGETS
    ]
    heads = ("percent in a context of n tokens", "n", OURS, FLAT, "route 2 adds", VECTORS)
    return table(f"Contexts of equal size ({half} half)", heads, rows)


def _routes(routes: Mapping[str, Any]) -> str:
    off = list(dict.fromkeys(name for found in routes.values() for name in found["without"]))
    rows = [
        [
            kind,
            number(found["questions"]),
            interval(found["R@10"]),
            mean(found["R@20"]),
            *(_without(found["without"].get(name)) for name in off),
        ]
        for kind, found in routes.items()
    ]
    heads = ("questions for", "n", "R@10", "R@20", *(f"no {name}" for name in off))
    title = "Each route off: difference in R@10 / R@20 (* where 95 % exclude nought; lists changed)"
    return table(title, heads, rows)


def _without(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return ABSENT
    return f"{marked(found['R@10'])}/ {marked(found['R@20'])}({found['changed']})"
