"""What the user asked for, typed; and how the store and the scope it means are found."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Literal

from mnemis.config import Config
from mnemis.errors import InputError
from mnemis.memory import Memory, Mnemis
from mnemis.model.change import Scope
from mnemis.opening import embedder_named, embedder_of
from mnemis.ports.embedder import Embedder


class Request(argparse.Namespace):
    """All options of all commands; a command reads those that its parser sets."""

    run: Callable[[Request], int]
    store: Path
    scope: list[str]
    json: bool
    zone: tzinfo
    file: Path
    format: str
    no_consolidate: bool
    query: str
    k: int | Literal["auto"]
    as_of: datetime | None
    asked_at: datetime | None
    session: str | None
    speaker: str | None
    budget: int | None
    turns: int
    explain: bool
    context: bool
    include_archived: bool
    id: str
    fresh: bool
    message_ids: list[str]
    entity: str | None
    before: datetime | None
    everything: bool
    yes: bool
    name: str
    about: str
    embedder: str
    labels: Path | None
    undo: bool


def open_to_write(request: Request) -> Mnemis:
    """The store, made if need be. The command consolidates by itself, not in the background."""
    config = Config(zone=request.zone, consolidate="manual")
    return Mnemis.open(request.store, embedder=chosen_embedder(request), config=config)


def open_to_read(request: Request) -> Mnemis:
    """The store as it is, also beside a process that writes. Raises InputError when absent."""
    if not request.store.is_dir():
        raise InputError(
            f"there is no memory in {str(request.store)!r}; "
            "run `mnemis ingest FILE` first, or name another folder with --store"
        )
    config = Config(zone=request.zone, consolidate="manual")
    return Mnemis.open(
        request.store, embedder=chosen_embedder(request), config=config, read_only=True
    )


def chosen_embedder(request: Request) -> Embedder:
    """The embedder that was named; with "auto" the one whose vectors the store holds."""
    if request.embedder == "auto":
        return embedder_of(request.store)
    return embedder_named(request.embedder)


def chosen_memory(mnemis: Mnemis, request: Request) -> Memory:
    """The scope that was named, or the only one there is. Raises InputError when that is unclear.

    ``--scope`` takes one label and may be repeated; a whole name as ``mnemis scopes`` prints it
    ("acme/user-42") is understood too.
    """
    known = mnemis.scopes()
    if request.scope:
        return mnemis.scope(*_named(tuple(request.scope), known))
    if len(known) == 1:
        return mnemis.scope(*known[0])
    if not known:
        raise InputError(f"the memory in {str(request.store)!r} is empty; run `mnemis ingest FILE`")
    raise InputError(
        f"the memory holds {len(known)} scopes; name one with --scope:\n{listed(known)}"
    )


def scope_name(scope: Scope) -> str:
    """How a scope is printed: its labels with slashes between."""
    return "/".join(scope)


def listed(scopes: tuple[Scope, ...]) -> str:
    """Up to twenty scopes, one a line."""
    lines = [f"  {scope_name(scope)}" for scope in scopes[:20]]
    if len(scopes) > 20:
        lines.append(f"  … and {len(scopes) - 20} more (mnemis scopes)")
    return "\n".join(lines)


def _named(labels: Scope, known: tuple[Scope, ...]) -> Scope:
    if labels in known:
        return labels
    found = [scope for scope in known if scope_name(scope) == scope_name(labels)]
    if len(found) == 1:
        return found[0]
    if not known:
        raise InputError(f"there is no scope {scope_name(labels)!r}; the memory is empty")
    raise InputError(
        f"there is no scope {scope_name(labels)!r}; the memory holds:\n{listed(known)}"
    )
