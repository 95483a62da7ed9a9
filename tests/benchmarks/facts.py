"""What recorded facts are worth: recall of the same pool with them and without, question by
question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from mnemis import Mnemis
from mnemis.models import RecordedExtractor, RecordedFact
from tests.benchmarks.memories import CONFIG, Memories
from tests.benchmarks.pools import APART, Pool, read_lines, read_pool, spread
from tests.benchmarks.scores import paired, recall_at, whole_at
from tests.benchmarks.variants import ids_of

_K: Final = 20
_METRICS: Final = {"R@10": recall_at, "all@10": whole_at}


def recorded_facts(recorded: Mapping[str, Any]) -> tuple[RecordedFact, ...]:
    """A pool's observations (a fact for each message that one cites) and triples."""
    observed = [
        RecordedFact(message_id=message, subject=each["speaker"], text=each["text"])
        for each in recorded.get("observations", ())
        for message in each["evidence"]
    ]
    triples = [
        RecordedFact(message_id=message, subject=one[0], relation=one[1], object=one[2])
        for message, found in recorded.get("openie", {}).items()
        for one in found["triples"]
        if len(one) == 3 and one[0].strip() and one[2].strip()
    ]
    return (*observed, *triples)


def measure(
    folder: Path | None,
    memories: Memories,
    *,
    sets: Sequence[str],
    limit: int | None,
    tell: Callable[[str], None],
) -> dict[str, dict[str, Any]]:
    """By set: how many questions, both means in percent, and the paired difference in points.

    Pools without recorded facts are passed over; {} where there are none.
    """
    values: dict[str, dict[str, tuple[list[float], list[float]]]] = {}
    paths = sorted(folder.glob("*.jsonl")) if folder is not None else []
    for raw in (raw for path in paths for raw in read_lines(path)):
        facts = recorded_facts(raw.get("recorded") or {})
        if not facts or (sets and raw["set"] not in sets):
            continue
        pool = read_pool(raw)
        tell(f"{pool.label}: {len(facts):,} recorded facts")
        kept = values.setdefault(pool.set, {name: ([], []) for name in _METRICS})
        without = _answers(pool, memories, None, limit=limit)
        with_facts = _answers(pool, memories, RecordedExtractor(facts), limit=limit)
        for ours, theirs in zip(with_facts, without, strict=True):
            for name, metric in _METRICS.items():
                kept[name][0].append(100 * metric(*ours, k=10))
                kept[name][1].append(100 * metric(*theirs, k=10))
    return {name: _summary(kept) for name, kept in values.items()}


def _answers(
    pool: Pool, memories: Memories, extractor: RecordedExtractor | None, *, limit: int | None
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Ranked ids and evidence of each question."""
    with Mnemis.open(
        memories.folder(), embedder=memories.embedder, config=CONFIG, extractor=extractor
    ) as mnemis:
        memory = mnemis.scope(pool.set, pool.name)
        memory.remember(pool.messages)
        memory.consolidate()
        return [
            (ids_of(memory.recall(each.text, k=_K, asked_at=each.asked_at)), each.evidence)
            for each in spread([q for q in pool.questions if q.kind != APART], limit)
        ]


def _summary(kept: Mapping[str, tuple[list[float], list[float]]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, (ours, theirs) in kept.items():
        found[name] = {
            "n": len(ours),
            "with": sum(ours) / max(1, len(ours)),
            "without": sum(theirs) / max(1, len(theirs)),
            "gain": paired(ours, theirs),
        }
    return found


def facts_table(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as a table people read."""
    if not found:
        return "recorded facts: none of the pools has any"
    lines = ["recorded facts      n  metric  without   with  gain (95 %)"]
    for name, metrics in found.items():
        for metric, each in metrics.items():
            gain = each["gain"]
            told = "" if gain is None else f"{gain.mean:+.1f} ({gain.low:+.1f} to {gain.high:+.1f})"
            lines.append(
                f"{name:14}{each['n']:7}  {metric:6}{each['without']:9.1f}{each['with']:7.1f}  "
                f"{told}"
            )
    return "\n".join(lines)
