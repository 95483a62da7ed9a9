"""The figures that the project means to hold, set beside what was measured. Nothing is asserted:
they are for two free cores and the default embedder, and a busy machine misses them honestly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.benchmarks.tables import number

Figure = tuple[str, str, str, bool | None]

_EVIDENCE: Mapping[str, float] = {"locomo": 70, "memdaily": 62, "beam": 54, "musique": 57}
_BEHIND = 1.0  # points below the best baseline that are still held


def compare(summary: Mapping[str, Any]) -> list[Figure]:
    """(what, wanted, measured, held) for every figure of a section that ran."""
    found: list[Figure] = []
    found.extend(_of_evidence(summary.get("evidence", {})))
    found.extend(_of_latency(summary.get("latency", {})))
    for call, timed in summary.get("adapters", {}).items():
        found.append(_at_most(f"{call}: added, ms", timed["added"], 1, 2))
    if "ingest" in summary:
        found.extend(_of_ingest(summary["ingest"]))
    return found


def _of_evidence(evidence: Mapping[str, Any]) -> Iterator[Figure]:
    for name, of_set in evidence.items():
        if "against" not in of_set:
            continue
        measured = of_set["systems"]["Mnemis"]["R@10"].mean
        if name in _EVIDENCE:
            yield _at_least(f"{name}: R@10", measured, _EVIDENCE[name], 1)
        best = of_set["against"]
        ahead = best["difference"]["R@10"].mean
        yield _at_least(f"{name}: R@10 less {best['baseline']}", ahead, -_BEHIND, 1)


def _of_latency(latency: Mapping[str, Any]) -> Iterator[Figure]:
    for where, found in latency.items():
        times = found["all"]
        at_best = f" (CPU {number(times['processor_p50'], 1)})"
        what, wanted, measured, held = _at_most(f"{where}: recall p50, ms", times["p50"], 10, 1)
        yield what, wanted, measured + at_best, held
        yield _at_most(f"{where}: recall p95, ms", times["p95"], 25, 1)


def _of_ingest(ingest: Mapping[str, Any]) -> Iterator[Figure]:
    for where, found in ingest["memories"].items():
        made = found["consolidate"] is not None
        yield _at_least(f"{where}: remember ÷ Chroma add", found["remember_to_chroma"], 0.8, 2)
        yield _at_least(f"{where}: consolidate, turns/s", found["consolidate"], 300)
        what, wanted, measured, held = _at_least(
            f"{where}: remember + consolidate, turns/s", found["both"] if made else None, 150
        )
        yield what, wanted, f"{measured} (CPU {number(found['both_processor'])})", held
    for where, found in ingest["footprint"].items():
        beyond = found["ram_per_turn_beyond_vectors"]
        yield _at_most(f"{where}: RAM beyond vectors, bytes a turn", beyond, 1_500)
        yield _at_most(f"{where}: open to first answer, ms", 1_000 * found["first_answer"], 2_000)
    yield _at_most("import mnemis, ms", 1_000 * ingest["import"]["seconds"], 300)


def _at_least(what: str, measured: float | None, wanted: float, digits: int = 0) -> Figure:
    held = None if measured is None else measured >= wanted
    return what, f"≥ {number(wanted, digits)}", number(measured, digits), held


def _at_most(what: str, measured: float | None, wanted: float, digits: int = 0) -> Figure:
    held = None if measured is None else measured <= wanted
    return what, f"≤ {number(wanted, digits)}", number(measured, digits), held
