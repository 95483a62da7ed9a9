"""What a query lets be a hit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mnemis.model.filter import matches
from mnemis.model.graph import Turn
from mnemis.model.message import MessagePart
from mnemis.model.query import Query

_CONTENT = re.compile(r"[^\s\u200b-\u200f\u2060\ufeff]")


def says_anything(text: str, parts: Sequence[MessagePart]) -> bool:
    """Whether a turn with these words and parts has any content."""
    return _CONTENT.search(text) is not None or any(part.caption.strip() for part in parts)


def is_allowed(node: object, query: Query) -> bool:
    """Whether the query lets this node be a hit: a turn with content that meets its filter."""
    if not isinstance(node, Turn) or not says_anything(node.text, node.parts):
        return False
    if node.status == "archived" and not query.include_archived:
        return False
    if query.as_of is not None and node.time is not None and node.time > query.as_of:
        return False
    return query.where is None or matches(node, query.where)
