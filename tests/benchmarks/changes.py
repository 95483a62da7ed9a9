"""What holds now before what no longer does, and nothing overturned that still holds.

One small conversation a case, one question about it; by kind of change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mnemis import Hit, Recall
from tests.benchmarks.change_sets import ChangeCase, ChangeSet
from tests.benchmarks.memories import Memories
from tests.benchmarks.tables import number, table

DEPTH = 10
_LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the hits say of one case.

    ``first``: the answer came before every turn with another value of the matter, ``top``: it is
    the first hit. ``shown``: superseded turns among the first ten hits; ``flagged``: those told as
    superseded; ``led``: those whose answer is there too, as a successor or a hit (asked for the
    past: those that bring a successor). Of all hits, ``false``: turns told as superseded or
    disputed that still hold, of ``held`` turns that do.
    """

    first: bool
    top: bool
    shown: int
    flagged: int
    led: int
    false: int
    held: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case and its verdict."""

    case: ChangeCase
    verdict: Verdict


def measure(
    found: ChangeSet, memories: Memories, *, limit: int | None, tell: Callable[[str], None]
) -> list[Judged]:
    """Fill a memory for every case and ask its question; at most ``limit`` cases of each kind."""
    judged: list[Judged] = []
    asked: dict[str, int] = {}
    for case in found.cases:
        asked[case.kind] = asked.get(case.kind, 0) + 1
        if limit is not None and asked[case.kind] > limit:
            continue
        with memories.open(case.pool) as memory:
            recall = memory.recall(
                case.text, k=max(DEPTH, len(case.pool.messages)), asked_at=case.asked_at
            )
        judged.append(Judged(case=case, verdict=verdict_of(recall, case)))
    tell(f"asked {len(judged)} questions about changes")
    return judged


def verdict_of(recall: Recall, case: ChangeCase) -> Verdict:
    """How the hits tell what holds now from what no longer does."""
    ten = recall.hits[:DEPTH]
    answers = _places(ten, case.current)
    best = min(answers, default=None)
    others = {*case.superseded, *(case.untouched if case.past else ())}
    old = [hit for hit in ten if set(hit.sources) & set(case.superseded)]
    held = (set(case.current) | set(case.untouched)) - set(case.superseded)
    told = [hit for hit in recall.hits if set(hit.sources) & held]
    return Verdict(
        first=best is not None
        and best < min(_places(ten, others - set(case.current)), default=DEPTH),
        top=best == 0,
        shown=len(old),
        flagged=sum(hit.status == "superseded" for hit in old),
        led=sum(_leads_on(hit, case, seen=bool(answers)) for hit in old),
        false=sum(hit.status in ("superseded", "disputed") for hit in told),
        held=len(held),
    )


def _leads_on(hit: Hit, case: ChangeCase, *, seen: bool) -> bool:
    if case.past:
        return bool(hit.successors)
    return seen or any(set(each.sources) & set(case.current) for each in hit.successors)


def _places(hits: Sequence[Hit], ids: Collection[str]) -> list[int]:
    return [place for place, hit in enumerate(hits) if set(hit.sources) & set(ids)]


def summarise(judged: Sequence[Judged]) -> dict[str, Any]:
    """Counts over all cases, by language, by kind, and of the questions for the past alone."""
    kinds = dict.fromkeys(each.case.kind for each in judged)
    groups = {
        "all": list(judged),
        **{name: [e for e in judged if e.case.language == name] for name in _LANGUAGES},
        **{kind: [e for e in judged if e.case.kind == kind] for kind in kinds},
        "asked for the past": [each for each in judged if each.case.past],
    }
    return {name: _counts(group) for name, group in groups.items() if group}


def _counts(group: Sequence[Judged]) -> dict[str, int]:
    verdicts = [each.verdict for each in group]
    return {
        "cases": len(group),
        "first": sum(each.first for each in verdicts),
        "top": sum(each.top for each in verdicts),
        "shown": sum(each.shown for each in verdicts),
        "flagged": sum(each.flagged for each in verdicts),
        "led": sum(each.led for each in verdicts),
        "false": sum(each.false for each in verdicts),
        "held": sum(each.held for each in verdicts),
    }


def record(judged: Judged) -> dict[str, Any]:
    """What can be written down of one case: ids and figures, no text."""
    case = judged.case
    return {
        "id": case.id,
        "kind": case.kind,
        "language": case.language,
        "past": case.past,
        **asdict(judged.verdict),
    }


def changes_table(summary: Mapping[str, Any]) -> str:
    """By group: what came first, what was told of what no longer holds, what was told wrongly."""
    heads = (
        "cases", "n", "first", "on top", "superseded shown", "flagged", "led on", "wrongly flagged",
        "of"
    )  # fmt: skip
    rows = [
        [
            name if name == "all" else f"  {name}",
            *map(number, of_group.values()),
        ]
        for name, of_group in summary["groups"].items()
    ]
    title = f"Changing facts ({summary['half']} half): what ten hits say of what holds now"
    return table(title, heads, rows)
