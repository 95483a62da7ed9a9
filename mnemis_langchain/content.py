"""What a LangChain message says: its words, and its parts that are not words.

Content is a string or a list of blocks in the shapes of LangChain, OpenAI, Anthropic and Google.
Tool calls, tool results, reasoning and whatever else is not said to anybody are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, cast

from langchain_core.messages import AIMessage, BaseMessage

from mnemis import MessagePart

Block: TypeAlias = "Mapping[str, object]"
Kind: TypeAlias = Literal["image", "file", "audio", "video"]

_TEXT = frozenset({"text", "input_text", "output_text"})
_KINDS: Mapping[str, Kind] = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio": "audio",
    "input_audio": "audio",
    "video": "video",
    "video_url": "video",
    "file": "file",
    "input_file": "file",
    "document": "file",
    "text-plain": "file",
}
_CAPTIONS = ("caption", "alt", "alt_text", "description", "transcript", "title", "filename", "name")
_REFERENCES = ("url", "image_url", "video_url", "file_url", "file_id", "filename")
_NESTED = ("extras", "metadata", "image_url", "source", "file", "input_audio")
_RECALLED = re.compile(r"<memory note=\"[^\"\n]*\">.*?</memory>\s*", re.DOTALL)


def spoken(message: BaseMessage) -> str:
    """The message's words. What a memory rendered into them is cut out: it is known already."""
    blocks = list(_blocks(message.content))
    words = [each if isinstance(each, str) else str(each["text"]) for each in blocks if _says(each)]
    # One sentence of a model may come in several blocks (with citations between them).
    joined = ("" if isinstance(message, AIMessage) else "\n").join(words)
    return without_recalled(joined).strip()


def parts(message: BaseMessage) -> tuple[MessagePart, ...]:
    """Images, files, sounds and films with caption and reference; their bytes are not kept."""
    found: list[MessagePart] = []
    for block in _blocks(message.content):
        if isinstance(block, str) or (kind := _KINDS.get(str(block.get("type")))) is None:
            continue
        caption = _text_of_file(block) or _first(block, _CAPTIONS)
        found.append(MessagePart(kind=kind, caption=caption, reference=_reference(block)))
    return tuple(found)


def without_recalled(text: str) -> str:
    """The text without blocks that a memory rendered for a prompt."""
    return _RECALLED.sub("", text) if "<memory note=" in text else text


def _blocks(content: object) -> Iterator[str | Block]:
    blocks = cast("Sequence[object]", content) if isinstance(content, list | tuple) else [content]
    for block in blocks:
        if isinstance(block, str):
            yield block
        elif isinstance(block, Mapping):
            yield cast("Block", block)


def _says(block: str | Block) -> bool:
    if isinstance(block, str):
        return True
    return block.get("type") in _TEXT and isinstance(block.get("text"), str)


def _text_of_file(block: Block) -> str:
    """An attachment's own text, where it has one."""
    source = block.get("source")
    holder = cast("Block", source) if isinstance(source, Mapping) else block
    if block.get("type") == "text-plain":
        return str(block.get("text") or "")
    return str(holder.get("data") or "") if holder.get("type") == "text" else ""


def _first(block: Block, keys: Sequence[str]) -> str:
    holders = [block, *(block[key] for key in _NESTED if key in block)]
    for holder in holders:
        if isinstance(holder, Mapping):
            for key in keys:
                value = cast("Block", holder).get(key)
                if isinstance(value, str) and value.strip():
                    return value.strip()
    return ""


def _reference(block: Block) -> str:
    found = _first(block, _REFERENCES)
    return "" if found.startswith("data:") else found  # bytes in the place of an address
