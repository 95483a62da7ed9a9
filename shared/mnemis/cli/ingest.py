"""``mnemis ingest``: a file becomes memory."""

from __future__ import annotations

from dataclasses import dataclass

from mnemis.cli.render import dump, progress, say, warn
from mnemis.cli.request import Request, open_to_write, scope_name
from mnemis.consolidate.report import ConsolidationReport
from mnemis.errors import InputError, MnemisError
from mnemis.formats import Conversation, Reading, read_file
from mnemis.memory import Memory, Mnemis
from mnemis.model.change import Scope

_BATCH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What one conversation became; ``report`` is None when nothing was consolidated."""

    scope: Scope
    messages: int
    stored: int
    report: ConsolidationReport | None


def run_ingest(request: Request) -> int:
    """Read the whole file first; only when all of it is understood is any of it stored."""
    if str(request.file) == "-":
        raise InputError("ingest wants a file, not standard input; save it to one and name that")
    reading = read_file(request.file, format=request.format, zone=request.zone)
    for note in reading.notes:
        warn(f"note: {note}")
    done: list[Ingested] = []
    with open_to_write(request) as mnemis:
        for conversation in reading.conversations:
            scope = _scope_of(conversation, request, mnemis)
            try:
                done.append(_ingest(mnemis.scope(*scope), conversation, request))
            except MnemisError:
                _warn_of_rest(done, scope)
                raise
    if request.json:
        dump(_as_json(reading, done))
    else:
        for each in done:
            say(_sentence(each))
    return 0


def remember_all(memory: Memory, conversation: Conversation, *, title: str) -> int:
    """Store in batches with a bar; returns how many messages were new."""
    messages = conversation.messages
    stored = 0
    with progress(title) as report:
        for start in range(0, len(messages), _BATCH):
            stored += memory.remember(messages[start : start + _BATCH]).stored
            report(min(start + _BATCH, len(messages)), len(messages))
    return stored


def consolidate_all(memory: Memory, *, title: str) -> ConsolidationReport:
    """Consolidate with a bar."""
    with progress(title) as report:
        return memory.consolidate(progress=report)


def _ingest(memory: Memory, conversation: Conversation, request: Request) -> Ingested:
    name = scope_name(memory.scope)
    stored = remember_all(memory, conversation, title=f"remembering {name}")
    report = None
    if not request.no_consolidate:
        report = consolidate_all(memory, title=f"consolidating {name}")
    return Ingested(
        scope=memory.scope, messages=len(conversation.messages), stored=stored, report=report
    )


def _scope_of(conversation: Conversation, request: Request, mnemis: Mnemis) -> Scope:
    """Labels on the command line come first, the file's own after; "default" without either.

    A name as ``mnemis scopes`` prints it means that scope, not a new one with a slash in it.
    """
    named = tuple(request.scope)
    if named and named not in mnemis.scopes():
        same = [each for each in mnemis.scopes() if scope_name(each) == scope_name(named)]
        named = same[0] if len(same) == 1 else named
    return (*named, *conversation.labels) or ("default",)


def _warn_of_rest(done: list[Ingested], scope: Scope) -> None:
    finished = ", ".join(scope_name(each.scope) for each in done) or "none"
    warn(
        f"stopped in scope {scope_name(scope)!r} (finished before it: {finished}); "
        "run the same command again to complete it, nothing is stored twice"
    )


def _sentence(done: Ingested) -> str:
    new = "nothing new" if done.stored == 0 else f"{done.stored} new"
    text = f"{scope_name(done.scope)}: {_counted(done.messages, 'messages')}, {new}"
    report = done.report
    if report is None:
        return text + "; not consolidated"
    made = {
        "episodes": report.episodes,
        "facts": report.facts,
        "entities": report.entities,
        "topics": report.categories,
        "superseded": report.superseded,
        "failed": len(report.failed),
    }
    counted = ", ".join(_counted(count, name) for name, count in made.items() if count)
    text = f"{text}; {counted or 'nothing to consolidate'}"
    if report.lost:
        text += (
            f". {len(report.lost)} numbers or names are not in the summaries; the turns keep them"
            if len(report.lost) > 1
            else ". 1 number or name is not in the summaries; the turns keep it"
        )
    return text


def _counted(count: int, plural: str) -> str:
    """ "1 episode", "2 episodes", "1 entity"."""
    if count != 1 or not plural.endswith("s"):
        return f"{count} {plural}"
    return f"1 {plural[:-3]}y" if plural.endswith("ies") else f"1 {plural[:-1]}"


def _as_json(reading: Reading, done: list[Ingested]) -> object:
    return {
        "format": reading.format,
        "notes": list(reading.notes),
        "scopes": [
            {
                "scope": list(each.scope),
                "messages": each.messages,
                "stored": each.stored,
                "consolidated": _report_json(each.report),
            }
            for each in done
        ],
    }


def _report_json(report: ConsolidationReport | None) -> object:
    if report is None:
        return None
    return {
        "turns": report.turns,
        "episodes": report.episodes,
        "facts": report.facts,
        "entities": report.entities,
        "categories": report.categories,
        "superseded": report.superseded,
        "failed": [list(each) for each in report.failed],
        "lost": list(report.lost),
        "warnings": list(report.warnings),
        "seconds": round(report.seconds, 3),
    }
