"""Commands that change what is kept, or carry it elsewhere: forget, export, import, reindex."""

from __future__ import annotations

import sys

from mnemis.care.importing import exported_scope
from mnemis.cli.render import dump, progress, say
from mnemis.cli.request import (
    Request,
    chosen_embedder,
    chosen_memory,
    open_to_read,
    open_to_write,
    scope_name,
)
from mnemis.config import Config
from mnemis.errors import InputError
from mnemis.memory import Memory, Mnemis
from mnemis.opening import embedder_named


def run_forget(request: Request) -> int:
    """Forget messages and all that rests on them alone; asks first, unless --yes."""
    if not request.store.is_dir():
        raise InputError(f"there is no memory in {str(request.store)!r}; nothing was forgotten")
    with open_to_write(request) as mnemis:
        memory = chosen_memory(mnemis, request)
        if not request.yes and not _is_confirmed(request, scope_name(memory.scope)):
            raise InputError("nothing was forgotten; --yes confirms without asking")
        report = memory.forget(
            message_ids=tuple(request.message_ids) or None,
            entity=request.entity,
            before=request.before,
            session=request.session,
            everything=request.everything,
        )
    if request.json:
        dump(
            {
                "messages": list(report.messages),
                "deleted": list(report.deleted),
                "rewritten": list(report.rewritten),
                "reinstated": list(report.reinstated),
            }
        )
    elif report:
        say(
            f"Forgot {len(report.messages)} messages and {len(report.deleted)} memories; "
            f"{len(report.rewritten)} were rewritten without them, {len(report.reinstated)} facts "
            "hold again."
        )
    else:
        say("Nothing matched; nothing was forgotten.")
    return 0


def run_export(request: Request) -> int:
    """Write one scope to a file: JSON lines, or GraphML by its ending."""
    with open_to_read(request) as mnemis:
        report = chosen_memory(mnemis, request).export(request.file)
    if request.json:
        dump({"path": report.path, "nodes": report.nodes, "edges": report.edges})
    else:
        say(f"Wrote {report.nodes} nodes and {report.edges} edges to {report.path}.")
    return 0


def run_import(request: Request) -> int:
    """Bring an export into the store: into the scope it came from, or the one that is named."""
    config = Config(zone=request.zone, consolidate="manual")
    exported = exported_scope(request.file)  # a bad file is refused before a folder is made
    scope = tuple(request.scope) or exported
    embedder = chosen_embedder(request)
    with Memory.import_(
        request.file, into=request.store, scope=scope, config=config, embedder=embedder
    ) as memory:
        with memory.mnemis.store.view(memory.scope) as view:
            nodes = sum(view.stats().nodes.values())
        scope = memory.scope
    if request.json:
        dump({"scope": list(scope), "nodes": nodes})
    else:
        say(f"{scope_name(scope)} now holds {nodes} nodes.")
    return 0


def run_reindex(request: Request) -> int:
    """Let the named embedder make all vectors anew, all or none."""
    with progress("embedding") as report:
        done = Mnemis.reindex(
            request.store,
            embedder=embedder_named(request.embedder),
            config=Config(zone=request.zone),
            progress=report,
        )
    model = f"{done.embedder.model} ({done.embedder.dimension} dimensions)"
    if request.json:
        dump(
            {
                "embedder": done.embedder.model,
                "dimension": done.embedder.dimension,
                "scopes": done.scopes,
                "entries": done.entries,
                "vectors": done.vectors,
            }
        )
    else:
        say(f"{done.vectors} of {done.entries} entries now have vectors of {model}.")
    return 0


def _is_confirmed(request: Request, scope: str) -> bool:
    """Whether a person at the terminal says yes; nobody can be asked through a pipe."""
    if not sys.stdin.isatty():
        return False
    question = f"Forget this in scope {scope!r} for good? [y/N] "
    print(question, end="", file=sys.stderr, flush=True)  # noqa: T201 the command's way to speak
    return sys.stdin.readline().strip().casefold() in ("y", "yes", "j", "ja", "是", "好")
