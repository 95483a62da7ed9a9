"""The part of a conversation that fits: whole turns, no tool result without its call.

Counting needs no network: texts by the tokenizer, everything else by fixed sizes.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from mnemis_llamaindex.messages import answers_call, attached_text, calls_of, is_result

logger = logging.getLogger("mnemis_llamaindex")

Tokenizer = Callable[[str], Sequence[object]]

_SLICE = 20_000  # tokenizers slow down on long texts; a count is a sum anyway
_MESSAGE = 4  # what a provider adds around each message


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Tokens of blocks that are not text, each at least this many."""

    image: int
    audio: int
    video: int
    document: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A message of the conversation: its size, where it is kept, and when it was said."""

    message: ChatMessage
    tokens: int
    id: str
    place: int = 0
    time: datetime | None = None


def count_text(text: str, tokenizer: Tokenizer) -> int:
    """Tokens of a text."""
    return sum(
        len(tokenizer(text[start : start + _SLICE])) for start in range(0, len(text), _SLICE)
    )


def count_message(message: ChatMessage, tokenizer: Tokenizer, sizes: Sizes) -> int:
    """Tokens of a message, never 0."""
    fixed = {
        "image": sizes.image,
        "audio": sizes.audio,
        "video": sizes.video,
        "document": sizes.document,
        "cache": 0,
    }
    total = _MESSAGE
    for block in message.blocks:
        least = fixed.get(block.block_type)
        if block.block_type in ("document", "citable", "citation"):
            total += max(least or 0, count_text(attached_text(block), tokenizer))
        elif least is not None:
            total += least
        else:
            total += count_text(_written(block), tokenizer)
    if message.additional_kwargs:
        total += count_text(str(message.additional_kwargs), tokenizer)
    return total


def window(entries: Sequence[Entry], *, budget: int) -> list[Entry]:
    """The latest whole turns within ``budget`` tokens, in order; leading system messages stay.

    At least the last user's message is kept, even when it is larger than the budget. A tool's
    answer never comes without its call, nor a call without its answers.
    """
    units = _units(entries)
    if _size(units) <= budget:
        return _flat(units)
    head = 0
    while head < len(units) and units[head][0].message.role == MessageRole.SYSTEM:
        head += 1
    pinned, turns = units[:head], _turns(units[head:])
    kept: list[list[Entry]] = []
    while turns and _size([*pinned, *turns[-1], *kept]) <= budget:
        kept = [*turns.pop(), *kept]
    if not kept and turns:
        pinned = []
        kept = _fit_turn(turns[-1], budget=budget)
    elif _size([*pinned, *kept]) > budget:
        pinned = []
    shown = _flat([*pinned, *kept])
    logger.info("kept %d of %d messages within %d tokens", len(shown), len(entries), budget)
    return shown


def _fit_turn(turn: list[list[Entry]], *, budget: int) -> list[list[Entry]]:
    asked = turn[:1] if turn and turn[0][0].message.role == MessageRole.USER else []
    later: list[list[Entry]] = []
    for unit in reversed(turn[len(asked) :]):
        if _size([*asked, unit, *later]) > budget:
            break
        later.insert(0, unit)
    return [*asked, *later]


def _units(entries: Sequence[Entry]) -> list[list[Entry]]:
    """What cannot be parted: a call with all its answers, else a message alone."""
    units: list[list[Entry]] = []
    at = 0
    while at < len(entries):
        entry = entries[at]
        at += 1
        calls = calls_of(entry.message)
        if not calls:
            if not is_result(entry.message):
                units.append([entry])
            continue
        answers: list[Entry] = []
        while at < len(entries) and is_result(entries[at].message):
            answers.append(entries[at])
            at += 1
        unit = [entry, *(each for each in answers if _belongs(each.message, calls))]
        if _answered(calls, unit[1:]):
            units.append(unit)
    return units


def _belongs(answer: ChatMessage, calls: Sequence[str]) -> bool:
    named = answers_call(answer)
    return not named or named in calls or "" in calls


def _answered(calls: Sequence[str], answers: Sequence[Entry]) -> bool:
    named = {answers_call(each.message) for each in answers}
    if "" in named or "" in calls:
        return len(answers) >= len(calls)
    return set(calls) <= named


def _turns(units: Sequence[list[Entry]]) -> list[list[list[Entry]]]:
    """Units from one user's message to the next; what comes before the first is a turn as well."""
    turns: list[list[list[Entry]]] = []
    for unit in units:
        if unit[0].message.role == MessageRole.USER or not turns:
            turns.append([])
        turns[-1].append(unit)
    return turns


def _flat(units: Sequence[list[Entry]]) -> list[Entry]:
    return [entry for unit in units for entry in unit]


def _size(units: Sequence[list[Entry]]) -> int:
    return sum(entry.tokens for unit in units for entry in unit)


def _written(block: object) -> str:
    for name in ("text", "content"):
        value = getattr(block, name, None)
        if isinstance(value, str):
            return value
    name, arguments = getattr(block, "tool_name", ""), getattr(block, "tool_kwargs", "")
    return f"{name} {json.dumps(arguments, ensure_ascii=False, default=str)}"
