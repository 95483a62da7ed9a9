"""From a file to messages, whatever its format."""

from __future__ import annotations

import json
import re
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Literal, cast, get_args

from mnemis.errors import InputError
from mnemis.formats.chatgpt import read_chatgpt
from mnemis.formats.jsonl import read_messages, read_pools
from mnemis.formats.reading import Reading
from mnemis.formats.transcript import read_transcript

Format = Literal["messages", "pools", "chatgpt", "transcript"]
FORMATS: tuple[Format, ...] = get_args(Format)

_JSON_LIST = re.compile(r"^\s*\[\s*[\[{\]]")


def read_file(path: str | Path, *, format: str = "auto", zone: tzinfo = UTC) -> Reading:
    """Read a whole file, or nothing of it.

    Times without an offset get ``zone``. A transcript's session is the file's name without its
    ending. Raises InputError that names the lines which are not understood and what to do.
    """
    path = Path(path)
    text = read_text(path)
    if not text.strip():
        raise InputError(f"{path.name} is empty; there is nothing to ingest")
    chosen = detect(text) if format == "auto" else format
    if chosen == "messages":
        return read_messages(text, name=path.name, zone=zone)
    if chosen == "pools":
        return read_pools(text, name=path.name, zone=zone)
    if chosen == "chatgpt":
        return read_chatgpt(text, name=path.name, zone=zone)
    if chosen == "transcript":
        return read_transcript(text, name=path.name, session=path.stem, zone=zone)
    raise InputError(f"the format {format!r} is not one of auto, {', '.join(FORMATS)}")


def read_text(path: Path) -> str:
    """The file's text: UTF-8, or UTF-16 with its mark; line ends become "\\n"."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"there is no file {str(path)!r}") from error
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from error
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path.name} is a zip archive; unpack it and ingest the file inside")
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path.name} is no UTF-8 text (line {line}, byte {error.start}); save it as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def detect(text: str) -> Format:
    """Tell the format by what the text starts with.

    >>> detect('{"role": "user", "text": "hi"}'), detect("[2025-03-01 09:00] Ana: hi")
    ('messages', 'transcript')
    """
    head = text.lstrip()
    if head.startswith("{"):
        first = head.split("\n", 1)[0]
        return _of_object(_json(first) or _json(head))
    if _JSON_LIST.match(head):
        items = _json(head)
        first_item = cast("list[object]", items)[0] if isinstance(items, list) and items else None
        found = _of_object(first_item)
        # A broken list still tells an export by its best-known key.
        return "chatgpt" if items is None and '"mapping"' in head else found
    return "transcript"


def _of_object(value: object) -> Format:
    keys: dict[str, Any] = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if "mapping" in keys:
        return "chatgpt"
    return "pools" if isinstance(keys.get("messages"), list) else "messages"


def _json(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except json.JSONDecodeError:
        return None
