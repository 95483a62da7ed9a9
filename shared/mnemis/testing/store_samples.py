"""Small nodes, entries and changes for tests of stores."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnemis.model.change import Change, EntryKind, IndexEntry, Receipt, Scope, Vector
from mnemis.model.graph import Category, Edge, EdgeKey, Entity, Episode, Fact, Node, Status, Turn
from mnemis.model.message import Json
from mnemis.ports.clock import Clock
from mnemis.ports.embedder import Fingerprint
from mnemis.ports.store import Store
from mnemis.testing.clock import FakeClock

DIMENSION = 8
FINGERPRINT = Fingerprint(model="samples", dimension=DIMENSION, version="1")
START = datetime(2025, 3, 3, 9, tzinfo=UTC)
SCOPE: Scope = ("acme", "user-1")

_numbers = itertools.count(1)

Opener = Callable[[Path, Clock], Store]
"""Opens the store of a folder, again with what it held when it is durable."""


class StoreBench:
    """One open store on its own folder, with a clock, for one test."""

    def __init__(self, opener: Opener, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock(START)
        self._opener = opener
        self.store = opener(folder, self.clock)

    def reopen(self) -> Store:
        """The store closed and opened again, or as it is when it is not durable."""
        if self.store.capabilities.durable:
            self.store.close()
            self.store = self._opener(self.folder, self.clock)
        return self.store

    def put(self, change: Change, *, scope: Scope = SCOPE) -> Receipt:
        """Apply a change."""
        return self.store.apply(scope, change)

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def change(
    *nodes: Node,
    change_id: str | None = None,
    edges: Sequence[Edge] = (),
    entries: Sequence[IndexEntry] = (),
    delete_nodes: Sequence[str] = (),
    delete_edges: Sequence[EdgeKey] = (),
    delete_entries: Sequence[str] = (),
    state: Mapping[str, str] | None = None,
    jobs: Sequence[str] = (),
    read_versions: Mapping[str, int] | None = None,
    sources: Sequence[str] = (),
) -> Change:
    """A change with a new id unless one is given."""
    return Change(
        id=change_id or f"change-{next(_numbers)}",
        purpose="test",
        nodes=nodes,
        edges=tuple(edges),
        entries=tuple(entries),
        delete_nodes=tuple(delete_nodes),
        delete_edges=tuple(delete_edges),
        delete_entries=tuple(delete_entries),
        state=state or {},
        jobs=tuple(jobs),
        read_versions=read_versions or {},
        sources=frozenset(sources),
    )


def turn(
    number: int,
    text: str = "hello",
    *,
    speaker: str = "Ana",
    session: str = "s1",
    time: datetime | None = None,
    message: str | None = None,
    metadata: Mapping[str, Json] | None = None,
) -> Turn:
    """Turn ``turn:m<number>`` of message ``m<number>``, said ``number`` minutes after START."""
    message_id = message or f"m{number}"
    return Turn(
        id=f"turn:m{number}",
        text=text,
        time=time or START + timedelta(minutes=number),
        sources=(message_id,),
        metadata=metadata or {},
        message_id=message_id,
        role="user",
        speaker=speaker,
        session=session,
        ordinal=number,
    )


def fact(name: str, *sources: str, status: Status = "current") -> Fact:
    """Fact ``fact:<name>`` that rests on these messages."""
    return Fact(
        id=f"fact:{name}",
        text=f"{name} holds",
        sources=sources,
        status=status,
        subject="Ana",
        relation="likes",
        object=name,
    )


def entity(name: str, *sources: str) -> Entity:
    """Entity ``entity:<name>``."""
    return Entity(id=f"entity:{name}", text=name, name=name, sources=sources)


def episode(name: str, turns: Sequence[Turn]) -> Episode:
    """Episode ``episode:<name>`` over these turns."""
    return Episode(
        id=f"episode:{name}",
        text=f"about {name}",
        time=turns[0].time,
        sources=tuple(turn.message_id for turn in turns),
        title=name,
        keywords=(name,),
        session=turns[0].session,
        turns=tuple(turn.id for turn in turns),
        start=turns[0].time,
        end=turns[-1].time,
    )


def category(name: str, *sources: str) -> Category:
    """Category ``category:<name>`` in the first layer."""
    return Category(id=f"category:{name}", text=name, name=name, layer=1, sources=sources)


def edge(source: Node, target: Node, kind: str = "related_to", weight: float = 1.0) -> Edge:
    """An edge between two nodes."""
    return Edge(source=source.id, target=target.id, type=kind, weight=weight)


def entry(
    node: Node,
    *terms: str,
    vector: Vector | None = None,
    names: tuple[str, ...] = (),
    kind: EntryKind | None = None,
    suffix: str = "",
) -> IndexEntry:
    """The entry of a node, or with ``suffix`` another one that it owns."""
    return IndexEntry(
        id=node.id + suffix,
        kind=kind or node.kind,
        owner=node.id,
        sources=node.sources,
        terms=terms,
        vector=vector,
        names=names,
    )


def direction(*weights: float) -> Vector:
    """A unit vector whose first coordinates are in these proportions."""
    values = np.zeros(DIMENSION, dtype=np.float32)
    values[: len(weights)] = weights
    return np.asarray(values / np.linalg.norm(values), dtype=np.float32)


def close_to(
    expected: object, *, within: float | None = None, relative: float | None = None
) -> Any:
    """Equal to numbers, lists or mappings of numbers but for rounding."""
    return pytest.approx(expected, abs=within, rel=relative)  # pyright: ignore[reportUnknownMemberType] pytest leaves it untyped
