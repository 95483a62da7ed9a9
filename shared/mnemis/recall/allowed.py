"""What a query lets be a hit."""

from __future__ import annotations

import re

from mnemis.model.filter import matches
from mnemis.model.graph import Turn
from mnemis.model.query import Query

_CONTENT = re.compile(r"[^\s\u200b-\u200f\u2060\ufeff]")


def has_content(turn: Turn) -> bool:
    """Whether anything is said."""
    return _CONTENT.search(turn.spoken) is not None


def is_allowed(node: object, query: Query) -> bool:
    """Whether the query lets this node be a hit: a turn with content that meets its filter."""
    if not isinstance(node, Turn) or not has_content(node):
        return False
    if node.status == "archived" and not query.include_archived:
        return False
    if query.as_of is not None and node.time is not None and node.time > query.as_of:
        return False
    return query.where is None or matches(node, query.where)
