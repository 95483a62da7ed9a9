"""``mnemis tune``: the ranking fitted to labelled queries, or back to what was shipped."""

from __future__ import annotations

from mnemis.care.labels import read_labels
from mnemis.care.tune import TuneReport
from mnemis.cli.render import dump, progress, say, table, warn
from mnemis.cli.request import Request, chosen_memory, open_to_write
from mnemis.errors import InputError
from mnemis.memory import Memory


def run_tune(request: Request) -> int:
    """Fit, judge on queries the fit has not seen, keep only what helps; 1 when nothing was kept."""
    if not request.store.is_dir():
        raise InputError(f"there is no memory in {str(request.store)!r}; run `mnemis ingest FILE`")
    labelled = () if request.labels is None else read_labels(request.labels, zone=request.zone)
    with open_to_write(request) as mnemis:
        memory = chosen_memory(mnemis, request)
        if request.labels is None:
            return _undo(memory, request)
        with progress("tuning") as bar:
            report = memory.tune(labelled, progress=bar)
    if request.json:
        dump(
            {
                "queries": report.queries,
                "before": round(report.before, 6),
                "after": round(report.after, 6),
                "error": round(report.error, 6),
                "accepted": report.accepted,
                "changed": dict(report.changed),
            }
        )
    else:
        _tell(report)
    if not report.accepted:
        warn("mnemis: no weights helped on queries they were not fitted to; nothing was changed")
    return 0 if report.accepted else 1


def _undo(memory: Memory, request: Request) -> int:
    undone = memory.untune()
    if request.json:
        dump({"undone": undone})
    else:
        say(
            "Back to the shipped weights." if undone else "The shipped weights were in use already."
        )
    return 0


def _tell(report: TuneReport) -> None:
    gain = report.after - report.before
    say(
        f"{report.queries} queries, each judged by weights fitted to others: mean of recall@10 and "
        f"reciprocal rank {report.before:.3f} before, {report.after:.3f} after "
        f"({gain:+.3f}, standard error {report.error:.3f})."
    )
    if report.accepted:
        say("The fitted weights are now in use; `mnemis tune --undo` takes them back.")
        table(["weight", "now"], [[name, f"{value:g}"] for name, value in report.changed])
