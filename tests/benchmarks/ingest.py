"""Writing: throughput beside LangChain + Chroma, size in memory and on disk, start-up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import Any

from threadpoolctl import threadpool_limits

from tests.benchmarks.frameworks import BATCH, LangChainChroma, NotInstalled
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import ROOT, Pool

_PROBE_QUERIES = 20


def measure(pool: Pool, memories: Memories, *, repeats: int) -> dict[str, Any]:
    """Turns a second of both verbs and of Chroma's ``add_texts``, medians over ``repeats``."""
    with threadpool_limits(1):
        built = [memories.build(pool, batch=BATCH)]
        chroma = [_chroma_seconds(pool, memories)]
        for _ in range(repeats - 1):
            built.append(memories.fill(pool, memories.folder(), batch=BATCH))
            chroma.append(_chroma_seconds(pool, memories))
    remember = median(each.remember for each in built)
    consolidate = median(each.consolidate for each in built)
    theirs = [each for each in chroma if each is not None]
    rate = _rate(pool, remember)
    rate_of_chroma = _rate(pool, median(theirs)) if theirs else None
    return {
        "turns": len(pool.messages),
        "remember": rate,
        "consolidate": _rate(pool, consolidate) if built[0].derived else None,
        "both": _rate(pool, remember + consolidate),
        "both_processor": _rate(pool, median(each.processor for each in built)),
        "chroma": rate_of_chroma,
        "remember_to_chroma": rate / rate_of_chroma if rate_of_chroma else None,
        "disk_per_turn": built[0].bytes_on_disk / built[0].turns,
    }


def footprint(pool: Pool, memories: Memories) -> dict[str, Any]:
    """Bytes a turn in RAM, of vectors and beyond; seconds from opening to an answer.

    RAM is what a fresh process holds after some recalls, less one with a memory of two messages,
    so that the model, the token counter and the libraries count on neither side.
    """
    built = memories.build(pool, batch=BATCH)
    tiny = memories.fill(replace(pool, messages=pool.messages[:2]), memories.folder())
    queries = [each.text for each in pool.questions[:_PROBE_QUERIES]] or ["hello"]
    little = probe("open", str(tiny.folder), pool.set, pool.name, *queries)
    full = probe("open", str(built.folder), pool.set, pool.name, *queries)
    vectors = full["vectors"] - little["vectors"]
    residents: list[int | None] = [full["resident"], little["resident"]]
    held = [each for each in residents if each is not None]
    beyond = held[0] - held[1] - vectors if len(held) == 2 else None
    return {
        "turns": built.turns,
        "vectors_per_turn": vectors / built.turns,
        "ram_per_turn_beyond_vectors": None if beyond is None else beyond / built.turns,
        "open": full["open"],
        "first_answer": full["first_answer"],
        "first_answer_processor": full["first_answer_processor"],
        "first_answer_of_two_messages": little["first_answer"],
    }


def import_seconds(*, runs: int = 5) -> dict[str, float]:
    """``import mnemis`` in fresh interpreters: medians by the wall clock and on the processor."""
    found = [probe("import") for _ in range(runs)]
    return {
        "seconds": median(float(each["import"]) for each in found),
        "processor": median(float(each["import_processor"]) for each in found),
    }


def probe(*arguments: str) -> dict[str, Any]:
    """Run ``tests.benchmarks.probe`` with this process's search path; raises when it fails."""
    command: Sequence[str] = (sys.executable, "-m", "tests.benchmarks.probe", *arguments)
    path = os.pathsep.join([str(ROOT / "shared"), *filter(None, sys.path)])
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": path},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _chroma_seconds(pool: Pool, memories: Memories) -> float | None:
    try:
        chroma = LangChainChroma(memories.folder(), embedder=memories.embedder)
    except NotInstalled:
        return None
    began = time.perf_counter()
    chroma.add(pool.messages, batch=BATCH)
    return time.perf_counter() - began


def _rate(pool: Pool, seconds: float) -> float:
    return len(pool.messages) / max(seconds, 1e-9)
