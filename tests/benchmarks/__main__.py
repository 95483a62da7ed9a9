"""Measure Mnemis on pools of messages with questions; print tables, write JSON.

Pools come from --pools, else from $MNEMIS_POOLS; without either the shipped conversation is
measured. Questions by class and of changes bring their own conversations. Into --out go
summary.json, and every question's ranked ids without text: questions.jsonl, classes.jsonl and
changes.jsonl (of the dev half alone).
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mnemis.opening import embedder_named
from tests.benchmarks import (
    ablation,
    adapters,
    by_route,
    changes,
    class_figures,
    class_tables,
    classes,
    evidence,
    facts,
    figures,
    ingest,
    latency,
    tables,
)
from tests.benchmarks.memories import Memories
from tests.benchmarks.plan import Plan, read_plan
from tests.benchmarks.pools import shipped_pools

_PACKAGES = ("numpy", "scipy", "chromadb", "langchain-chroma", "llama-index-core")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen sections; 0, or 2 when what it asks cannot be read."""
    try:
        plan = read_plan(arguments, description=__doc__)
    except FileNotFoundError as error:
        print(f"make bench: {error}", file=sys.stderr)
        return 2
    plan.out.mkdir(parents=True, exist_ok=True)
    summary: dict[str, Any] = {"run": _run_notes(plan)}
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="mnemis-bench-", ignore_cleanup_errors=True) as folder:
        memories = Memories(Path(folder), embedder=embedder_named(plan.embedder), tell=_tell)
        for section in plan.sections:
            _SECTIONS[section](plan, memories, summary)
            _write(plan.out, summary)
    if held := figures.compare(summary):
        print(tables.figures_table(held))
    print(f"{time.perf_counter() - began:.0f} s; details in {plan.out}/", flush=True)
    return 0


def _evidence(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    found = evidence.measure(
        plan.pools,
        memories,
        others=plan.everything,
        limit=plan.questions(quick=20, full=None),
        tell=_tell,
    )
    for reason in found.left_out:
        print(f"left out: {reason}")
    summary["evidence"] = evidence.summarise(found)
    with (plan.out / "questions.jsonl").open("w", encoding="utf-8") as out:
        for each in found.asked:
            out.write(json.dumps(_question_record(each), ensure_ascii=False) + "\n")
    print(tables.evidence_tables(summary["evidence"]), flush=True)


def _classes(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    answered = classes.measure(plan.classes, memories, limit=plan.limit, tell=_tell)
    (shipped,) = shipped_pools()
    summary["classes"] = {
        "half": plan.classes.half,
        **class_figures.summarise(answered),
        "routes": by_route.measure(shipped, memories, limit=plan.limit, tell=_tell),
    }
    if plan.classes.half == "dev":
        with (plan.out / "classes.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(classes.record(each)) + "\n" for each in answered)
    print(class_tables.class_tables(summary["classes"]), flush=True)


def _changes(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    if plan.changes is None:
        return
    judged = changes.measure(plan.changes, memories, limit=plan.limit, tell=_tell)
    summary["changes"] = {"half": plan.changes.half, "groups": changes.summarise(judged)}
    if plan.changes.half == "dev":
        with (plan.out / "changes.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(changes.record(each)) + "\n" for each in judged)
    print(changes.changes_table(summary["changes"]), flush=True)


def _latency(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    found = summary.setdefault("latency", {})
    for pool in plan.sizes():
        memories.build(pool, batch=1_000)
        _tell(f"timing recall on {pool.label}")
        limit = plan.questions(quick=20, full=150)
        if timed := latency.measure(pool, memories, limit=limit):
            found[f"{pool.label} ({len(pool.messages):,})"] = latency.summarise(timed)
    print(tables.latency_tables(found), flush=True)


def _adapters(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    conversation, _ = plan.sizes()
    _tell(f"timing the adapters on {conversation.label}")
    try:
        timed = adapters.measure(conversation, memories, limit=plan.questions(quick=20, full=150))
    except ImportError as error:
        print(f"left out: {error}")
        return
    summary["adapters"] = timed
    print(adapters.adapters_table(timed), flush=True)


def _ingest(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    conversation, big = plan.sizes()
    found: dict[str, Any] = {}
    for pool, repeats in ((conversation, 1 if plan.is_quick else 3), (big, 1)):
        _tell(f"timing writes of {pool.label}")
        found[pool.label] = ingest.measure(pool, memories, repeats=repeats)
    _tell("starting fresh processes")
    summary["ingest"] = {
        "memories": found,
        "footprint": {big.label: ingest.footprint(big, memories)},
        "import": ingest.import_seconds(runs=1 if plan.is_quick else 5),
    }
    print(tables.ingest_tables(summary["ingest"]), flush=True)


def _ablation(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    summary["ablation"] = ablation.measure(
        [*plan.pools, *ablation.class_pools(plan.classes)],
        memories,
        limit=plan.questions(quick=10, full=30),
        groups_only=plan.is_quick,
        tell=_tell,
    )
    print(tables.ablation_table(summary["ablation"]), flush=True)


def _facts(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    summary["facts"] = facts.measure(
        plan.folder,
        memories,
        sets=tuple(dict.fromkeys(pool.set for pool in plan.pools)),
        limit=plan.questions(quick=10, full=None),
        tell=_tell,
    )
    print(facts.facts_table(summary["facts"]), flush=True)


_SECTIONS = {
    "evidence": _evidence,
    "classes": _classes,
    "changes": _changes,
    "latency": _latency,
    "adapters": _adapters,
    "ingest": _ingest,
    "ablation": _ablation,
    "facts": _facts,
}


def _run_notes(plan: Plan) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "packages": {name: _version(name) for name in ("mnemis", *_PACKAGES)},
        "quick": plan.is_quick,
        "limit": plan.limit,
        "embedder": plan.embedder,
        "pools": {pool.label: len(pool.messages) for pool in plan.pools},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _question_record(asked: evidence.Asked) -> dict[str, Any]:
    return {
        "set": asked.set,
        "pool": asked.pool,
        "id": asked.question.id,
        "kind": asked.question.kind,
        "evidence": asked.question.evidence,
        "confidence": round(asked.confidence, 4),
        "systems": {
            system: {
                "R@10": evidence.METRICS["R@10"](ranked, asked.question.evidence),
                "ranked": ranked,
                "context": asked.contexts[system],
            }
            for system, ranked in asked.ranked.items()
        },
    }


def _write(out: Path, summary: dict[str, Any]) -> None:
    text = json.dumps(summary, ensure_ascii=False, indent=2, default=_plain)
    (out / "summary.json").write_text(text + "\n", encoding="utf-8")


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{value!r} does not go into JSON")


def _tell(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
