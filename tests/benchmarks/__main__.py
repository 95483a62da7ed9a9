"""Measure Mnemis on pools of messages with questions; print tables, write JSON.

Pools come from --pools, else from $MNEMIS_POOLS; without either the shipped conversation is
measured. Into --out go summary.json and questions.jsonl (every question's ranked ids; no text).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mnemis.embedders.use import UniversalSentenceEncoder
from tests.benchmarks import ablation, evidence, figures, ingest, latency, tables
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import ROOT, Pool, load_pools, one_a_set, shipped_pools, stretched

SECTIONS = ("evidence", "latency", "ingest", "ablation")
_PACKAGES = ("numpy", "scipy", "chromadb", "langchain-chroma", "llama-index-core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run measures. ``pools`` are asked; questions of ``everything`` serve as strangers."""

    pools: tuple[Pool, ...]
    everything: tuple[Pool, ...]
    out: Path
    limit: int | None
    turns: int
    is_quick: bool

    def questions(self, *, quick: int, full: int | None) -> int | None:
        """How many questions a pool: the caller's limit, else what the mode says."""
        return self.limit or (quick if self.is_quick else full)

    def sizes(self) -> tuple[Pool, Pool]:
        """One conversation, and as many turns as wanted made of the same set's conversations."""
        chosen = next((pool.set for pool in self.pools if pool.set == "locomo"), self.pools[0].set)
        same = [pool for pool in self.pools if pool.set == chosen]
        return same[0], stretched(same, turns=self.turns)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen sections; 0, or 2 when the pools cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        plan = _plan(options)
    except FileNotFoundError as error:
        print(f"make bench: {error}", file=sys.stderr)
        return 2
    plan.out.mkdir(parents=True, exist_ok=True)
    summary: dict[str, Any] = {"run": _run_notes(plan)}
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="mnemis-bench-", ignore_cleanup_errors=True) as folder:
        memories = Memories(Path(folder), embedder=UniversalSentenceEncoder(), tell=_tell)
        for section in options.only or SECTIONS:
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


def _latency(plan: Plan, memories: Memories, summary: dict[str, Any]) -> None:
    found = summary.setdefault("latency", {})
    for pool in plan.sizes():
        memories.build(pool, batch=1_000)
        _tell(f"timing recall on {pool.label}")
        limit = plan.questions(quick=20, full=150)
        if timed := latency.measure(pool, memories, limit=limit):
            found[f"{pool.label} ({len(pool.messages):,})"] = latency.summarise(timed)
    print(tables.latency_tables(found), flush=True)


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
        plan.pools,
        memories,
        limit=plan.questions(quick=10, full=30),
        routes_only=plan.is_quick,
        tell=_tell,
    )
    print(tables.ablation_table(summary["ablation"]), flush=True)


_SECTIONS = {"evidence": _evidence, "latency": _latency, "ingest": _ingest, "ablation": _ablation}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--pools", type=Path, help="folder of *.jsonl, one pool a line")
    parser.add_argument("--sets", type=_names, default=(), help="only these sets: locomo,memdaily")
    parser.add_argument("--limit", type=int, help="questions a pool")
    parser.add_argument(
        "--only", action="append", choices=SECTIONS, help="one section; may be repeated"
    )
    parser.add_argument("--turns", type=int, help="size of the big memory (10,000; quick 600)")
    parser.add_argument(
        "--quick", action="store_true", help="one pool a set, few questions: a look, no result"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "bench-results")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _plan(options: argparse.Namespace) -> Plan:
    everything = _pools(options.pools or os.environ.get("MNEMIS_POOLS"), options.sets)
    return Plan(
        pools=one_a_set(everything) if options.quick else everything,
        everything=everything,
        out=options.out,
        limit=options.limit,
        turns=options.turns or (600 if options.quick else 10_000),
        is_quick=options.quick,
    )


def _pools(folder: str | Path | None, sets: Sequence[str]) -> tuple[Pool, ...]:
    if folder:
        return load_pools(Path(folder), sets=sets)
    print(
        "No pools were given (--pools DIR or MNEMIS_POOLS): measuring the shipped conversation.\n"
        "It is small and was written for this library; its figures say that things work.\n"
    )
    return shipped_pools()


def _run_notes(plan: Plan) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "packages": {name: _version(name) for name in ("mnemis", *_PACKAGES)},
        "quick": plan.is_quick,
        "limit": plan.limit,
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
