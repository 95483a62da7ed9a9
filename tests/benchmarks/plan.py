"""What a run measures, read from the command line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemis.opening import EMBEDDERS
from tests.benchmarks import change_sets
from tests.benchmarks.change_sets import ChangeSet, load_changes
from tests.benchmarks.class_sets import FOLDER, HALVES, ClassSet, load_classes
from tests.benchmarks.pools import ROOT, Pool, load_pools, one_a_set, shipped_pools, stretched

SECTIONS = (
    "evidence", "classes", "changes", "latency", "adapters", "ingest", "ablation", "facts"
)  # fmt: skip
_OWN = {"classes", "changes"}  # sections that bring their own conversations


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run measures. ``pools`` are asked; questions of ``everything`` serve as strangers;
    ``changes`` only where that section runs.
    """

    pools: tuple[Pool, ...]
    everything: tuple[Pool, ...]
    out: Path
    limit: int | None
    turns: int
    is_quick: bool
    sections: tuple[str, ...]
    embedder: str
    classes: ClassSet
    changes: ChangeSet | None = None
    folder: Path | None = None

    def questions(self, *, quick: int, full: int | None) -> int | None:
        """How many questions a pool: the caller's limit, else what the mode says."""
        return self.limit or (quick if self.is_quick else full)

    def sizes(self) -> tuple[Pool, Pool]:
        """One conversation, and as many turns as wanted made of the same set's conversations."""
        chosen = next((pool.set for pool in self.pools if pool.set == "locomo"), self.pools[0].set)
        same = [pool for pool in self.pools if pool.set == chosen]
        return same[0], stretched(same, turns=self.turns)


def read_plan(arguments: Sequence[str] | None, *, description: str | None) -> Plan:
    """The plan of a command line; raises FileNotFoundError when what it asks cannot be read."""
    options = _parser(description).parse_args(arguments)
    everything = _pools(options)
    sections = tuple(options.only or SECTIONS)
    return Plan(
        pools=one_a_set(everything) if options.quick else everything,
        everything=everything,
        out=options.out,
        limit=options.limit,
        turns=options.turns or (600 if options.quick else 10_000),
        is_quick=options.quick,
        sections=sections,
        embedder=options.embedder,
        classes=load_classes(options.classes, half=options.half),
        changes=load_changes(options.changes, half=options.half) if "changes" in sections else None,
        folder=_folder(options),
    )


def _parser(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=description)
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
    parser.add_argument("--embedder", choices=EMBEDDERS, default=EMBEDDERS[0])
    parser.add_argument(
        "--half", choices=HALVES, default="dev",
        help="of the questions by class and of changes; the sealed half is scored once, when all is done",
    )  # fmt: skip
    parser.add_argument(
        "--classes", type=Path, default=FOLDER, help="folder of the questions by class"
    )
    parser.add_argument(
        "--changes", type=Path, default=change_sets.FOLDER, help="folder of the changing facts"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "bench-results")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _folder(options: argparse.Namespace) -> Path | None:
    folder = options.pools or os.environ.get("MNEMIS_POOLS")
    return Path(folder) if folder else None


def _pools(options: argparse.Namespace) -> tuple[Pool, ...]:
    if options.only and _OWN.issuperset(options.only):
        return shipped_pools()
    if folder := options.pools or os.environ.get("MNEMIS_POOLS"):
        return load_pools(Path(folder), sets=options.sets)
    print(
        "No pools were given (--pools DIR or MNEMIS_POOLS): measuring the shipped conversation.\n"
        "It is small and was written for this library; its figures say that things work.\n"
    )
    return shipped_pools()
