"""One atomic change of one scope, and what the store answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemis.model.graph import Edge, EdgeKey, Node

Scope: TypeAlias = tuple[str, ...]
"""Labels of a scope, outermost first; any text; the tuple as a whole is the wall."""

Vector: TypeAlias = npt.NDArray[np.float32]
"""A unit vector of the embedder's dimension."""

EntryKind = Literal["turn", "window", "part", "episode", "fact", "entity", "category"]
ENTRY_KINDS: tuple[EntryKind, ...] = (
    "turn",
    "window",
    "part",
    "episode",
    "fact",
    "entity",
    "category",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndexEntry:
    """One thing that can be found: a node, a turn with its predecessor, a part of a long turn.

    ``owner`` is the node it stands for (itself for a node's own entry). ``terms`` are tokens with
    repeats, in order, for the lexical index; ``vector`` may be absent. ``names`` are name keys
    under which an entity can be looked up. ``sources`` are message ids, for forgetting.
    """

    id: str
    kind: EntryKind
    owner: str
    sources: tuple[str, ...]
    terms: tuple[str, ...] = ()
    vector: Vector | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Change:
    """Everything one stage wants written, all or nothing.

    Order of effects: deletions first, then nodes, edges and entries are put (an equal id or key
    replaces), then ``state`` is merged and ``jobs`` are queued. Deleting a node takes its edges and
    the entries it owns with it. An edge whose end, or an entry whose owner, is missing after the
    change is an InputError, and nothing is written.
    ``read_versions`` maps node ids to the versions the change was computed from (0: absent);
    ``sources`` are message ids that must still be there. If either no longer holds the store
    answers Conflict and writes nothing. Applying the same ``id`` twice does nothing.
    """

    id: str
    purpose: str
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    entries: tuple[IndexEntry, ...] = ()
    delete_nodes: tuple[str, ...] = ()
    delete_edges: tuple[EdgeKey, ...] = ()
    delete_entries: tuple[str, ...] = ()
    state: Mapping[str, str] = field(default_factory=dict[str, str])
    jobs: tuple[str, ...] = ()
    read_versions: Mapping[str, int] = field(default_factory=dict[str, int])
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """``seq`` is the scope's sequence number after the change; ``applied`` False for a repeat."""

    seq: int
    applied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRecord:
    """One line of the change log: ids only, never text."""

    seq: int
    change_id: str
    purpose: str
    time: datetime
    nodes: tuple[str, ...]
    deleted: tuple[str, ...]


JobStatus = Literal["queued", "running", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Queued work of one scope; a finished job is gone. ``leased_until`` while running."""

    id: str
    scope: Scope
    kind: str
    status: JobStatus
    attempts: int = 0
    queued_at: datetime | None = None
    leased_until: datetime | None = None
    owner: str = ""
    error: str = ""
