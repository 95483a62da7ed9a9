"""Marks that a person leaves on a node: reserved keys of its metadata, which hold no text.

``mnemis.pinned`` (true while pinned), ``mnemis.importance`` (what it was before),
``mnemis.feedback`` ({"up": n, "down": n}). They go with the node, and stay when it is made anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from mnemis.model.graph import Node

RESERVED: Final = "mnemis."
PINNED: Final = f"{RESERVED}pinned"
BEFORE: Final = f"{RESERVED}importance"
FEEDBACK: Final = f"{RESERVED}feedback"

Kind = TypeVar("Kind", bound=Node)


def is_pinned(node: Node) -> bool:
    """Whether a person said that this must stay."""
    return node.metadata.get(PINNED) is True


def carry_marks(new: Kind, old: Node | None) -> Kind:
    """``new`` with the marks of the node that it replaces; what is pinned keeps importance 1."""
    if old is None:
        return new
    marks = {key: value for key, value in old.metadata.items() if key.startswith(RESERVED)}
    if not marks:
        return new
    importance = 1.0 if is_pinned(old) else new.importance
    return replace(new, importance=importance, metadata={**new.metadata, **marks})
