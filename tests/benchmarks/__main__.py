"""``make bench``: pools in, a table out, every question's result in bench-results/.

Pools are found in --pools, else $MNEMIS_POOLS, else beside the repository; without any the
shipped demo conversation is measured.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemis import Config, Mnemis
from mnemis.demo import load_conversation, load_questions
from mnemis.formats import Conversation, read_file
from tests.benchmarks.measure import Asked, figure, percentile
from tests.benchmarks.systems import ask_baselines, ask_mnemis
from tests.conftest import ROOT, outside_folder

APART = ("adversarial",)  # questions without an answer are no test of finding it


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A conversation with questions: (id, kind, text, evidence, asked at)."""

    set: str
    conversation: Conversation
    questions: tuple[tuple[str, str, str, tuple[str, ...], datetime | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Seconds to take in a pool."""

    set: str
    turns: int
    remember: float
    consolidate: float


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(prog="make bench", description=__doc__)
    options.add_argument("--pools", type=Path, default=None)
    options.add_argument("--only", default="", help="sets whose name contains this")
    options.add_argument("--limit", type=int, default=None, help="questions a pool")
    options.add_argument("--out", type=Path, default=ROOT / "bench-results")
    chosen = options.parse_args()
    asked: list[Asked] = []
    costs: list[Costs] = []
    for pool in _pools(chosen.pools):
        if chosen.only in pool.set:
            print(f"{pool.set}/{pool.conversation.labels[-1]} …", flush=True)
            _measure(pool, chosen.limit, asked, costs)
    _report(asked, costs)
    chosen.out.mkdir(exist_ok=True)
    with (chosen.out / "questions.jsonl").open("w", encoding="utf-8") as out:
        for each in asked:
            record = asdict(each) | {"ranked": each.ranked[:20], "share": each.share}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def _measure(pool: Pool, limit: int | None, asked: list[Asked], costs: list[Costs]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Mnemis.open(folder, config=Config(consolidate="manual")) as mnemis,
    ):
        memory = mnemis.scope(*pool.conversation.labels)
        mnemis.embedder.embed(["loads the model"])
        began = time.perf_counter()
        memory.remember(pool.conversation.messages)
        remembered = time.perf_counter()
        memory.consolidate()
        costs.append(
            Costs(
                set=pool.set,
                turns=len(pool.conversation.messages),
                remember=remembered - began,
                consolidate=time.perf_counter() - remembered,
            )
        )
        for key, kind, text, evidence, asked_at in pool.questions[:limit]:
            answers = {"mnemis": ask_mnemis(memory, text, asked_at)} | ask_baselines(memory, text)
            asked.extend(
                Asked(
                    pool=pool.set, question=key, kind=kind, system=system,
                    evidence=evidence, ranked=ranked, seconds=seconds,
                )
                for system, (ranked, seconds) in answers.items()
            )  # fmt: skip


def _report(asked: list[Asked], costs: list[Costs]) -> None:
    print("\n| set | system | questions | R@10 | all@10 | p50 ms | p95 ms |")
    print("|---|---|---|---|---|---|---|")
    for pool in dict.fromkeys(each.pool for each in asked):
        for system in dict.fromkeys(each.system for each in asked):
            some = [each for each in asked if (each.pool, each.system) == (pool, system)]
            _row(pool, system, some)
    print("\n| set | kind | questions | R@10 | all@10 | p50 ms | p95 ms |")
    print("|---|---|---|---|---|---|---|")
    ours = [each for each in asked if each.system == "mnemis"]
    for pool, kind in dict.fromkeys((each.pool, each.kind) for each in ours):
        _row(pool, kind, [each for each in ours if (each.pool, each.kind) == (pool, kind)])
    print("\n| set | turns | remember turns/s | consolidate turns/s |\n|---|---|---|---|")
    for pool in dict.fromkeys(each.set for each in costs):
        some_costs = [each for each in costs if each.set == pool]
        turns = sum(each.turns for each in some_costs)
        remember = turns / sum(each.remember for each in some_costs)
        consolidate = turns / sum(each.consolidate for each in some_costs)
        print(f"| {pool} | {turns} | {remember:.0f} | {consolidate:.0f} |")


def _row(first: str, second: str, asked: list[Asked]) -> None:
    seconds = [each.seconds for each in asked]
    share, whole = figure(asked, lambda each: each.share), figure(asked, lambda each: each.is_whole)
    speed = f"{percentile(seconds, 0.5):.1f} | {percentile(seconds, 0.95):.1f}"
    print(f"| {first} | {second} | {len(asked)} | {share} | {whole} | {speed} |")


def _pools(folder: Path | None) -> Iterator[Pool]:
    paths = sorted((folder or outside_folder("MNEMIS_POOLS", "data")).glob("*.jsonl"))
    if not paths:
        yield _demo()
    for path in paths:
        lines = path.read_text("utf-8").split("\n")
        raw: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
        reading = read_file(path, format="pools")
        for pool, conversation in zip(raw, reading.conversations, strict=True):
            yield Pool(
                set=pool["set"],
                conversation=conversation,
                questions=tuple(
                    (
                        each["id"],
                        each["kind"],
                        each["text"],
                        tuple(dict.fromkeys(each["evidence"])),
                        datetime.fromisoformat(each["asked_at"]) if each.get("asked_at") else None,
                    )
                    for each in pool["questions"]
                    if each["evidence"] and each["kind"] not in APART
                ),
            )


def _demo() -> Pool:
    return Pool(
        set="demo",
        conversation=Conversation(labels=("demo",), messages=load_conversation().messages),
        questions=tuple(
            (each.id, each.kind, each.text, each.evidence, each.asked_at)
            for each in load_questions()
        ),
    )


if __name__ == "__main__":
    main()
