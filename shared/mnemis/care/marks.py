"""pin and feedback: a person says what must stay, and what was useful."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from mnemis.care.applying import apply_plan
from mnemis.consolidate.resolve import digest
from mnemis.errors import InputError
from mnemis.model.change import Change, Scope
from mnemis.model.graph import Node, Turn
from mnemis.model.marks import BEFORE, FEEDBACK, PINNED, is_pinned
from mnemis.model.message import Json
from mnemis.model.recall import Hit
from mnemis.ports.store import Store, View

_STEP = 0.1
_LEAST = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The nodes that a mark was put on, as they are now; ``changed`` False when it was there."""

    nodes: tuple[Node, ...]
    changed: bool


def ratings(node: Node) -> tuple[int, int]:
    """(useful, not useful): how often it was rated."""
    held = node.metadata.get(FEEDBACK)
    rated = held if isinstance(held, dict) else {}
    return (_count(rated, "up"), _count(rated, "down"))


def pin(store: Store, scope: Scope, asked: str, *, pinned: bool) -> Marked:
    """Pin or unpin a node, or all turns of a message. Raises InputError for an unknown id."""
    return _mark(store, scope, asked, "pin", lambda node: _pinned(node) if pinned else _loose(node))


def feedback(store: Store, scope: Scope, hit: Hit | str, *, useful: bool) -> Marked:
    """Note that a hit was useful or not; importance moves by a tenth, between 0 and 1.

    A pinned memory keeps its importance. Raises InputError when the hit is gone.
    """
    asked = hit.id if isinstance(hit, Hit) else hit
    return _mark(store, scope, asked, "feedback", lambda node: _rated(node, useful=useful))


def find_nodes(view: View, asked: str) -> tuple[Node, ...]:
    """A node by its id, or the turns of a message. Raises InputError."""
    if not isinstance(asked, str) or not asked:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"the id of a memory or message is wanted, got {asked!r}")
    node = view.get([asked]).get(asked)
    if node is not None:
        return (node,)
    resting = view.by_source([asked]).get(asked, ())
    held = view.get([each for each in resting if each.startswith("turn:")]).values()
    turns = [turn for turn in held if isinstance(turn, Turn) and turn.message_id == asked]
    if not turns:
        raise InputError(f"there is no memory {asked!r}; hit.id and hit.sources tell ids")
    turns.sort(key=lambda turn: (turn.ordinal, turn.id))
    return tuple(turns)


def _mark(
    store: Store,
    scope: Scope,
    asked: str,
    purpose: Literal["pin", "feedback"],
    mark: Callable[[Node], Node],
) -> Marked:
    def plan(view: View) -> tuple[Change | None, Marked]:
        held = find_nodes(view, asked)
        marked = tuple(mark(node) for node in held)
        fresh = tuple(new for new, old in zip(marked, held, strict=True) if new != old)
        if not fresh:
            return None, Marked(nodes=marked, changed=False)
        ids = [node.id for node in fresh]
        change = Change(
            id=f"{purpose}-{view.seq}-{digest(*ids)}",
            purpose=purpose,
            nodes=fresh,
            read_versions=dict(view.versions(ids)),
        )
        return change, Marked(nodes=marked, changed=True)

    marked, _ = apply_plan(store, scope, plan)
    return marked


def _pinned(node: Node) -> Node:
    if is_pinned(node):
        return node
    marks: dict[str, Json] = {PINNED: True, BEFORE: node.importance}
    status = "current" if node.status == "archived" else node.status
    return replace(node, importance=1.0, status=status, metadata={**node.metadata, **marks})


def _loose(node: Node) -> Node:
    if not is_pinned(node):
        return node
    before = node.metadata.get(BEFORE)
    metadata = {k: v for k, v in node.metadata.items() if k not in (PINNED, BEFORE)}
    importance = float(before) if isinstance(before, int | float) else node.importance
    return replace(node, importance=importance, metadata=metadata)


def _rated(node: Node, *, useful: bool) -> Node:
    up, down = ratings(node)
    counted: Json = {"up": up + useful, "down": down + (not useful)}
    moved = node.importance + (_STEP if useful else -_STEP)
    importance = node.importance if is_pinned(node) else round(min(1.0, max(_LEAST, moved)), 6)
    return replace(node, importance=importance, metadata={**node.metadata, FEEDBACK: counted})


def _count(rated: dict[str, Json], key: str) -> int:
    value = rated.get(key)
    return value if isinstance(value, int) else 0
