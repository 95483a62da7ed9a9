"""ChatGPT's data export: ``conversations.json``.

A conversation there is a tree, because every edited or regenerated message starts a branch. What
the user last saw is the chain from ``current_node`` up to the root; that chain is read.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, tzinfo
from typing import Any, TypeAlias, cast

from mnemis.errors import InputError
from mnemis.formats.reading import Conversation, Problems, Reading, with_ids
from mnemis.model.message import Message, MessagePart

_Object: TypeAlias = dict[str, Any]
_ROLES = ("user", "assistant", "system", "tool")


def read_chatgpt(text: str, *, name: str, zone: tzinfo) -> Reading:
    """Every conversation becomes a session named by its id; its title goes into the metadata.

    Hidden and empty messages are left out; a tool's output has the role tool; pictures become
    parts with the file's reference and, where they were generated, the prompt as caption.
    Times are shown in ``zone``. Raises InputError that names each conversation that is broken.
    """
    problems = Problems(name)
    messages: list[Message] = []
    notes: list[str] = []
    for index, conversation in enumerate(_conversations(text, problems), start=1):
        title = str(conversation.get("title") or f"conversation {index}")
        mapping = conversation.get("mapping")
        if not isinstance(mapping, dict):
            problems.add(None, f'conversation {index} ({title!r}) has no "mapping" of messages')
            continue
        nodes = cast("dict[str, _Object]", mapping)
        leaf = conversation.get("current_node")
        if leaf not in nodes:
            leaf = _latest_leaf(nodes)
            notes.append(f"{title!r} names no current message; its newest branch was read")
        session = str(conversation.get("conversation_id") or conversation.get("id") or title)
        for node in _chain(nodes, leaf):
            message = _message(node, session=session, title=title, zone=zone)
            if message is not None:
                messages.append(message)
    problems.raise_if_any()
    conversations = (Conversation(labels=(), messages=with_ids(messages)),)
    return Reading(format="chatgpt", conversations=conversations, notes=tuple(notes))


def _conversations(text: str, problems: Problems) -> list[_Object]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        problems.add(error.lineno, f"no valid JSON ({error.msg}); export the data again")
        problems.raise_if_any()
        raise  # unreachable: a problem was just added
    items = cast("list[object]", value if isinstance(value, list) else [value])
    if not all(isinstance(item, dict) for item in items):
        raise InputError(f"{text[:40]!r}… is not the list of conversations that ChatGPT exports")
    return cast("list[_Object]", items)


def _chain(nodes: dict[str, _Object], leaf: str | None) -> list[_Object]:
    """From the root to ``leaf``; a damaged export that runs in a circle ends where it closes."""
    chain: list[_Object] = []
    seen: set[str] = set()
    while leaf is not None and leaf in nodes and leaf not in seen:
        seen.add(leaf)
        chain.append(nodes[leaf])
        leaf = nodes[leaf].get("parent")
    return chain[::-1]


def _latest_leaf(nodes: dict[str, _Object]) -> str | None:
    def written(key: str) -> tuple[float, str]:
        message: _Object = nodes[key].get("message") or {}
        return (float(message.get("create_time") or 0.0), key)

    leaves = [key for key, node in nodes.items() if not node.get("children")]
    return max(leaves, key=written, default=None)


def _message(node: _Object, *, session: str, title: str, zone: tzinfo) -> Message | None:
    raw: _Object = node.get("message") or {}
    author: _Object = raw.get("author") or {}
    role = author.get("role")
    metadata: _Object = raw.get("metadata") or {}
    if role not in _ROLES or metadata.get("is_visually_hidden_from_conversation"):
        return None
    text, parts = _content(raw.get("content") or {})
    if not text.strip() and not parts:
        return None
    seconds = raw.get("create_time")
    return Message(
        role=role,
        text=text,
        speaker=author.get("name") if role == "tool" else None,
        time=datetime.fromtimestamp(seconds, UTC).astimezone(zone) if seconds else None,
        session=session,
        id=str(raw["id"]) if raw.get("id") else None,
        metadata={"title": title},
        parts=parts,
    )


def _content(content: _Object) -> tuple[str, tuple[MessagePart, ...]]:
    """The words and the pictures; kinds without words for the user (thoughts) give nothing."""
    kind = content.get("content_type")
    if kind in ("text", "multimodal_text"):
        texts: list[str] = []
        parts: list[MessagePart] = []
        for part in cast("list[object]", content.get("parts") or []):
            if isinstance(part, str):
                texts.append(part)
            elif isinstance(part, dict):
                _add_part(cast("_Object", part), texts, parts)
        return "\n".join(each for each in texts if each), tuple(parts)
    if kind in ("code", "execution_output"):
        return str(content.get("text") or ""), ()
    if kind == "tether_quote":
        quoted = (content.get("title"), content.get("text"), content.get("url"))
        return "\n".join(str(each) for each in quoted if each), ()
    if kind == "tether_browsing_display":
        return str(content.get("result") or ""), ()
    return "", ()


def _add_part(part: _Object, texts: list[str], parts: list[MessagePart]) -> None:
    kind = part.get("content_type")
    reference = str(part.get("asset_pointer") or "")
    if kind == "image_asset_pointer":
        metadata: _Object = part.get("metadata") or {}
        generated: _Object = metadata.get("dalle") or metadata.get("generation") or {}
        caption = str(generated.get("prompt") or "")
        parts.append(MessagePart(kind="image", caption=caption, reference=reference))
    elif kind == "audio_transcription":
        texts.append(str(part.get("text") or ""))
    elif reference:
        audio = "audio" in str(kind)
        parts.append(MessagePart(kind="audio" if audio else "file", reference=reference))
