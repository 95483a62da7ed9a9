"""Chat messages of every shape, and what of them is said and worth remembering.

Blocks are told apart by ``block_type``, so that the kinds a release of LlamaIndex does not have,
or a newer one adds, do no harm.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock

from mnemis import Message, MessagePart

PartKind = Literal["image", "file", "audio", "video"]

_SPEAKERS = {
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
    MessageRole.CHATBOT: "assistant",
    MessageRole.MODEL: "assistant",
}
_RESULTS = (MessageRole.TOOL, MessageRole.FUNCTION)
# The block that a context opens with; what was recalled must not be remembered again.
_RECALLED = re.compile(r'<memory note="[^"]*">.*?</memory>', re.DOTALL)
_LONGEST_CAPTION = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a person or the assistant said: text, and parts with captions and references."""

    role: str
    text: str
    parts: tuple[MessagePart, ...]


def to_messages(
    chats: Iterable[ChatMessage],
    *,
    session: str | None = None,
    time: datetime | None = None,
    speaker: str | None = None,
) -> list[Message]:
    """What was said in a conversation from elsewhere, for ``memory.remember``.

    System messages, tool calls and results, reasoning and recalled memories are left out.
    ``speaker`` names the user. With ``time`` the same conversation again changes nothing.
    """
    return [
        Message(
            role=heard.role,
            text=heard.text,
            speaker=speaker if heard.role == "user" else None,
            parts=heard.parts,
            session=session,
            time=time,
        )
        for each in chats
        if (heard := said(each)) is not None
    ]


def said(message: ChatMessage) -> Said | None:
    """What is worth remembering of a message, None when nothing is.

    System messages, tool calls, tool results and reasoning are not said by anybody; a block of
    recalled memories inside a text is left out.
    """
    role = _SPEAKERS.get(message.role)
    if role is None or calls_of(message):
        return None
    text = without_recalled(text_of(message))
    parts = tuple(parts_of(message))
    if not text.strip() and not any(part.caption or part.reference for part in parts):
        return None
    return Said(role=role, text=text, parts=parts)


def text_of(message: ChatMessage) -> str:
    """The text blocks, a line each."""
    return "\n".join(
        str(getattr(block, "text", "") or "")
        for block in message.blocks
        if block.block_type == "text"
    )


def without_recalled(text: str) -> str:
    """The text without blocks of recalled memories."""
    return _RECALLED.sub("", text).strip() if "<memory note=" in text else text


def stripped(message: ChatMessage) -> ChatMessage | None:
    """A copy without recalled memories; None when there was nothing else in it."""
    copied = copy_of(message)
    if "<memory note=" not in text_of(message):
        return copied
    for block in copied.blocks:
        if isinstance(block, TextBlock):
            block.text = without_recalled(block.text)
    copied.blocks = [
        block for block in copied.blocks if not isinstance(block, TextBlock) or block.text
    ]
    return copied if copied.blocks or copied.additional_kwargs else None


def copy_of(message: ChatMessage) -> ChatMessage:
    """A copy whose blocks and arguments can be changed."""
    blocks = [block.model_copy() for block in message.blocks]
    arguments = deepcopy(message.additional_kwargs) if message.additional_kwargs else {}
    return message.model_copy(update={"blocks": blocks, "additional_kwargs": arguments})


def is_plain(message: ChatMessage) -> bool:
    """Whether role and text are all there is to it."""
    return (
        not message.additional_kwargs
        and len(message.blocks) == 1
        and message.blocks[0].block_type == "text"
        and message.role in (MessageRole.USER, MessageRole.ASSISTANT)
    )


def calls_of(message: ChatMessage) -> tuple[str, ...]:
    """Ids of the tools that an assistant's message calls ("" for a call without id)."""
    ids = [
        str(getattr(block, "tool_call_id", None) or "")
        for block in message.blocks
        if block.block_type == "tool_call"
    ]
    listed: object = message.additional_kwargs.get("tool_calls")
    if isinstance(listed, Sequence) and not isinstance(listed, str):
        ids += [_call_id(each) for each in cast("Sequence[object]", listed)]
    return tuple(dict.fromkeys(ids))


def is_result(message: ChatMessage) -> bool:
    """Whether it is what a tool answered."""
    return message.role in _RESULTS


def answers_call(message: ChatMessage) -> str:
    """The id of the call that a tool's message answers, "" when it does not say."""
    return str(message.additional_kwargs.get("tool_call_id") or "")


def parts_of(message: ChatMessage) -> Iterable[MessagePart]:
    """Images, files and sounds of a message: caption where there is text, reference where a URI."""
    for block in message.blocks:
        kind = _PARTS.get(block.block_type)
        if kind is not None:
            yield MessagePart(kind=kind, caption=_caption(block), reference=_reference(block))


_PARTS: Mapping[str, PartKind] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "document": "file",
    "citable": "file",
}


def attached_text(block: object) -> str:
    """The text inside a document's or a quotation's block; empty when it holds none."""
    inner: object = getattr(block, "content", None)
    if isinstance(inner, list):
        texts = [getattr(each, "text", None) for each in cast("list[object]", inner)]
        return "\n".join(each for each in texts if isinstance(each, str))
    mimetype = str(getattr(block, "document_mimetype", None) or "")
    data: object = getattr(block, "data", None)
    if not mimetype.startswith("text/") or not isinstance(data, bytes):
        return ""
    try:
        return base64.b64decode(data, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return data.decode("utf-8", "replace")


def _caption(block: object) -> str:
    title = str(getattr(block, "title", None) or "")
    text = attached_text(block)[:_LONGEST_CAPTION]
    # LlamaIndex calls every document without a title this.
    named = [each for each in (title, text) if each and each != "input_document"]
    return "\n".join(named)


def _reference(block: object) -> str:
    for name in ("url", "path", "source"):
        value = getattr(block, name, None)
        if value and not str(value).startswith("data:"):
            return str(value)
    return ""


def _call_id(call: object) -> str:
    if isinstance(call, Mapping):
        named = cast("Mapping[str, object]", call)
        return str(named.get("id") or named.get("tool_call_id") or named.get("tool_id") or "")
    for name in ("id", "tool_call_id", "tool_id"):
        if value := getattr(call, name, None):
            return str(value)
    return ""
