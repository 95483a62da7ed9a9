"""JSON out of what a chat model wrote: fenced, chatty, thinking aloud, sloppy, or cut off.

Strict JSON is read as it is. What is not is read leniently: single quotes, trailing commas,
full-width punctuation, bare words, quotes inside of strings. Of a reply that breaks off, the
items that are complete are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final, cast

from mnemis.errors import UnusableReply
from mnemis.prompts.lenient_json import Broken, LenientReader
from mnemis.text.normalise import clean

_THOUGHT: Final = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_UNOPENED: Final = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.I)
_OPENERS: Final = re.compile(r"[\[{]")
_BEGINS: Final = re.compile(r"\s*(?:```\w*\s*)?[\[{]")
_MOST_TRIES: Final = 64
_LONGEST: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonReply:
    """The value that was accepted; ``complete`` is False when the reply broke off inside it."""

    value: object
    complete: bool


def read_json(reply: str | None, *, accept: Callable[[object], bool]) -> JsonReply:
    """The first JSON value of a reply that ``accept`` takes, outside of what the model thought.

    A list counts only where no object was passed over: it might be a part of that. Texts in it
    are valid UTF-8 without control characters. Raises UnusableReply.
    """
    if reply is None or not reply.strip():
        raise UnusableReply("the reply is empty")
    text = _without_thoughts(reply[:_LONGEST])
    if not text.strip():
        raise UnusableReply("the reply holds thoughts alone")
    inside = False
    for found in islice(_OPENERS.finditer(text), _MOST_TRIES):
        if inside and found.group() == "[":
            continue
        value, end, complete = _value_at(text, found.start())
        if end > found.start() and accept(value):
            return JsonReply(value=_cleaned(value), complete=complete)
        # What is not wanted may be prose, or hold what is.
        inside = inside or found.group() == "{"
    raise UnusableReply(f"the reply holds no JSON of the asked form: {_excerpt(text)!r}")


def _without_thoughts(reply: str) -> str:
    if _BEGINS.match(reply):
        return reply
    return _UNOPENED.sub("", _THOUGHT.sub(" ", reply))


def _value_at(text: str, start: int) -> tuple[object, int, bool]:
    """(value, where it ends, whether it is whole); the end is ``start`` when there is none."""
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    else:
        return value, end, True
    reader = LenientReader(text, start)
    try:
        value, complete = reader.value()
    except Broken:
        return None, start, False
    return value, reader.at, complete


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("dict[object, object]", value).items()
        return {clean(str(key)): _cleaned(each) for key, each in members}
    return value


def _excerpt(text: str) -> str:
    line = " ".join(clean(text).split())
    return line if len(line) <= 80 else line[:79] + "…"
