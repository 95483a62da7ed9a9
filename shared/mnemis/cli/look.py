"""Commands that look and change nothing: recall, scopes, jobs."""

from __future__ import annotations

from mnemis.cli.render import dump, recall_json, say, say_hit, say_verbatim, table, when
from mnemis.cli.request import Request, chosen_memory, open_to_read, scope_name


def run_recall(request: Request) -> int:
    """Ask; hits best first, or the prompt's context, or JSON."""
    with open_to_read(request) as mnemis:
        recall = chosen_memory(mnemis, request).recall(
            request.query,
            k=request.k,
            as_of=request.as_of,
            asked_at=request.asked_at,
            where=_where(request),
            budget=request.budget,
            include_archived=request.include_archived,
        )
    if request.json:
        found = recall_json(recall)
        if request.explain:
            found["explanation"] = recall.explain()
        dump(found)
    elif request.context:
        say_verbatim(recall.context)
    elif request.explain:
        say_verbatim(recall.explain())
    else:
        for rank, hit in enumerate(recall.hits, start=1):
            say_hit(rank, hit)
        if not recall.hits:
            say("Nothing found.")
        elif not recall.confident:
            say("No sure match; these are the nearest.")
    return 0


def run_scopes(request: Request) -> int:
    """Every scope with what it holds."""
    rows: list[list[str]] = []
    found: list[object] = []
    with open_to_read(request) as mnemis:
        for scope in mnemis.scopes():
            with mnemis.store.view(scope) as view:
                stats = view.stats()
            nodes = {kind: stats.nodes.get(kind, 0) for kind in _COUNTED}
            newest = stats.newest
            found.append(
                {
                    "scope": list(scope),
                    "nodes": dict(nodes),
                    "edges": stats.edges,
                    "newest": newest.isoformat() if newest else None,
                }
            )
            rows.append([scope_name(scope), *map(str, nodes.values()), when(newest)])
    if request.json:
        dump(found)
    elif rows:
        table(["scope", "turns", "episodes", "facts", "entities", "topics", "newest"], rows)
    else:
        say("No scopes yet.")
    return 0


def run_jobs(request: Request) -> int:
    """Consolidation that waits, runs or failed, with why."""
    with open_to_read(request) as mnemis:
        jobs = mnemis.jobs()
    if request.json:
        dump(
            [
                {
                    "id": job.id,
                    "scope": list(job.scope),
                    "kind": job.kind,
                    "status": job.status,
                    "attempts": job.attempts,
                    "queued_at": job.queued_at.isoformat() if job.queued_at else None,
                    "error": job.error,
                }
                for job in jobs
            ]
        )
    elif jobs:
        table(
            ["scope", "work", "status", "attempts", "queued", "error"],
            [
                [scope_name(job.scope), job.kind, job.status, str(job.attempts),
                 when(job.queued_at), job.error]
                for job in jobs
            ],
        )  # fmt: skip
    else:
        say("No work waits.")
    return 0


_COUNTED = ("turn", "episode", "fact", "entity", "category")


def _where(request: Request) -> dict[str, object] | None:
    asked = {"session": request.session, "speaker": request.speaker}
    where: dict[str, object] = {key: value for key, value in asked.items() if value is not None}
    return where or None
