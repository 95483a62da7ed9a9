"""How a person would call a node, in the node's own language."""

from __future__ import annotations

from datetime import datetime

from mnemis.model.graph import Category, Entity, Episode, Fact, Node, Turn

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip


def label_of(node: Node) -> str:
    """A short label: a category's or entity's name, an episode's title, a fact's sentence,
    "chat of 3 March 2025" for a turn.
    """
    if isinstance(node, Category):
        return one_line(node.name)
    if isinstance(node, Entity):
        return one_line(f"{node.name} ({node.qualifier})" if node.qualifier else node.name)
    if isinstance(node, Episode):
        return one_line(node.title) or _chat(node.time, node.language)
    if isinstance(node, Turn):
        if node.role == "document":
            return one_line(str(node.metadata.get("title") or node.message_id))
        return _chat(node.time, node.language)
    if isinstance(node, Fact):
        return one_line(node.text)
    return node.id


def day_of(time: datetime, language: str) -> str:
    """ "3 March 2025" or "2025年3月3日", in the time's own zone."""
    if language == "zh":
        return f"{time.year}年{time.month}月{time.day}日"
    return f"{time.day} {_MONTHS[time.month - 1]} {time.year}"


def one_line(text: str, *, limit: int = 80) -> str:
    """Blanks collapsed, cut at ``limit`` characters with an ellipsis."""
    # So many words are longer than the limit: what follows them need not be looked at.
    flat = " ".join(text.split(None, limit // 2 + 1))
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def _chat(time: datetime | None, language: str) -> str:
    if time is None:
        return "对话" if language == "zh" else "chat"
    return f"{day_of(time, 'zh')}的对话" if language == "zh" else f"chat of {day_of(time, 'en')}"
