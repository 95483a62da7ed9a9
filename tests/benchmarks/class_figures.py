"""From answers by class of question to figures: intervals, differences, shares of contexts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.benchmarks.classes import BUDGETS, DEPTHS, FLAT, VECTORS, Answered, Standing
from tests.benchmarks.evidence import OURS
from tests.benchmarks.scores import Estimate, bootstrap, paired, recall_at, removed


def summarise(answered: Sequence[Answered]) -> dict[str, Any]:
    """Classes → figures, whole, by language and by form; contexts; the standing of evolving."""
    classes = dict.fromkeys(each.question.kind for each in answered)
    groups = {name: [e for e in answered if e.question.kind == name] for name in classes}
    forms = dict.fromkeys(each.question.form for each in answered if each.question.form)
    by_form = {
        f"everything {form}": [each for each in answered if each.question.form == form]
        for form in forms
    }
    standings = [each.standing for each in answered if each.standing]
    wide = {"vague": groups.get("vague", []), **by_form}
    return {
        "classes": {name: _class(group) for name, group in {**groups, **by_form}.items()},
        "contexts": {
            name: {budget: _contexts(group, budget) for budget in BUDGETS}
            for name, group in wide.items()
            if group
        },
        "evolving": _evolving(standings) if standings else None,
    }


def _class(group: Sequence[Answered]) -> dict[str, Any]:
    languages = dict.fromkeys(each.question.language for each in group)
    return _figures(group) | {
        "languages": {
            language: _figures([each for each in group if each.question.language == language])
            for language in sorted(languages)
        }
    }


def _figures(group: Sequence[Answered]) -> dict[str, Any]:
    values = {
        (system, depth): _recalls(group, system, depth)
        for system in (OURS, VECTORS)
        for depth in DEPTHS
    }
    return {
        "questions": len(group),
        **{
            f"R@{depth}": {
                **{system: bootstrap(values[system, depth]) for system in (OURS, VECTORS)},
                "difference": paired(values[OURS, depth], values[VECTORS, depth]),
                "removed": removed(values[OURS, depth], values[VECTORS, depth], best=100.0),
            }
            for depth in DEPTHS
        },
    }


def _recalls(group: Sequence[Answered], system: str, depth: int) -> list[float]:
    return [
        100 * recall_at(each.ranked[system, depth], each.question.evidence, k=depth)
        for each in group
    ]


def _contexts(group: Sequence[Answered], budget: int) -> dict[str, Any]:
    """Percent of the evidence in the context, and of contexts with all of it, by system."""
    shares: dict[str, list[float]] = {}
    wholes: dict[str, list[float]] = {}
    for system in (OURS, FLAT, VECTORS):
        kept = [(set(each.contexts[system, budget]), set(each.question.evidence)) for each in group]
        shares[system] = [100 * len(ids & wanted) / len(wanted) for ids, wanted in kept]
        wholes[system] = [100.0 * (wanted <= ids) for ids, wanted in kept]
    return {
        "questions": len(group),
        "share": _beside(shares),
        "whole": _beside(wholes),
    }


def _beside(values: Mapping[str, Sequence[float]]) -> dict[str, Estimate | None]:
    return {
        OURS: bootstrap(values[OURS]),
        FLAT: bootstrap(values[FLAT]),
        VECTORS: bootstrap(values[VECTORS]),
        "route 2 adds": paired(values[OURS], values[FLAT]),
    }


def _evolving(standings: Sequence[Standing]) -> dict[str, int]:
    return {
        "questions": len(standings),
        "current first": sum(each.first for each in standings),
        "current on top": sum(each.top for each in standings),
        "superseded shown": sum(each.shown for each in standings),
        "of them flagged": sum(each.flagged for each in standings),
        "successor present": sum(each.led for each in standings),
    }
