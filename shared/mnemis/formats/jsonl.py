"""JSON lines: one message a line, or one pool of messages a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any, cast

from mnemis.errors import InputError
from mnemis.formats.reading import Conversation, Problems, Reading, note_of_lines, with_ids
from mnemis.model.message import ROLES, Json, Message, MessagePart

_KEYS = (
    "role",
    "text",
    "content",
    "speaker",
    "time",
    "session",
    "id",
    "metadata",
    "parts",
    "image_caption",
)
_PART_KINDS = ("image", "file", "audio", "video")


def read_messages(text: str, *, name: str, zone: tzinfo) -> Reading:
    """One JSON object a line with the fields of ``Message`` (``content`` may stand for ``text``).

    ``image_caption`` stands for a part that is an image with that caption. A JSON list of such
    objects is read too. Raises InputError that names every bad line.
    """
    problems = Problems(name)
    messages: list[Message] = []
    empty: list[int] = []
    for line, value in _objects(text, problems):
        try:
            message = _message(value, zone=zone)
        except InputError as error:
            problems.add(line, str(error))
            continue
        if message.text.strip() or message.parts:
            messages.append(message)
        else:
            empty.append(line)
    problems.raise_if_any()
    return Reading(
        format="messages",
        conversations=(Conversation(labels=(), messages=with_ids(messages)),),
        notes=note_of_lines("messages without text were left out", empty),
    )


def read_pools(text: str, *, name: str, zone: tzinfo) -> Reading:
    """One pool a line: ``{"set", "name", "messages": […]}``; its scope is (set, name).

    The role is assistant where the speaker is "assistant", else user; the caption of a shared
    image is added to the text. Other fields of a pool are ignored.
    """
    problems = Problems(name)
    conversations: list[Conversation] = []
    for line, value in _objects(text, problems):
        raw = value.get("messages")
        labels = tuple(str(value[key]) for key in ("set", "name") if value.get(key))
        if not isinstance(raw, list) or not labels:
            problems.add(line, 'a pool wants "name" and a list "messages"')
            continue
        messages: list[Message] = []
        for index, item in enumerate(cast("list[object]", raw), start=1):
            try:
                messages.append(_pool_message(item, zone=zone))
            except InputError as error:
                problems.add(line, f"message {index} of the pool: {error}")
        conversations.append(Conversation(labels=labels, messages=with_ids(messages)))
    problems.raise_if_any()
    return Reading(format="pools", conversations=tuple(conversations))


def _objects(text: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with the line it stands on; whatever is no object becomes a problem."""
    if text.lstrip().startswith("["):
        for index, value in enumerate(_list(text, problems), start=1):
            if isinstance(value, dict):
                yield index, cast("dict[str, Any]", value)
            else:
                problems.add(None, f"item {index} of the list is no JSON object")
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            problems.add(number, f"no valid JSON ({error.msg}, column {error.colno})")
            continue
        if isinstance(value, dict):
            yield number, cast("dict[str, Any]", value)
        else:
            problems.add(number, f"expected a JSON object {{…}}, got {type(value).__name__}")


def _list(text: str, problems: Problems) -> list[object]:
    try:
        return cast("list[object]", json.loads(text))
    except json.JSONDecodeError as error:
        problems.add(error.lineno, f"no valid JSON ({error.msg}, column {error.colno})")
        return []


def _message(value: Mapping[str, Any], *, zone: tzinfo) -> Message:
    unknown = sorted(set(value) - set(_KEYS))
    if unknown:
        raise InputError(
            f"does not know {', '.join(map(repr, unknown))}; "
            'put values of your own under "metadata"'
        )
    text = value.get("text", value.get("content"))
    parts = [_part(each) for each in _list_of(value, "parts")]
    if isinstance(text, list):  # chat APIs give content as a list of parts
        text, more = _content(cast("list[object]", text))
        parts += more
    if value.get("image_caption"):
        parts.append(MessagePart(kind="image", caption=str(value["image_caption"])))
    if not isinstance(text, str):
        raise InputError(f'wants "text", got {text!r}')
    role = value.get("role") or "user"
    if role not in ROLES:
        raise InputError(f'"role" {role!r} is not one of {", ".join(ROLES)}')
    metadata: object = value.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise InputError(f'"metadata" must be an object, got {metadata!r}')
    return Message(
        role=role,
        text=text,
        speaker=_text_or_none(value, "speaker"),
        time=time_of(value.get("time"), zone=zone),
        session=_text_or_none(value, "session"),
        id=_text_or_none(value, "id"),
        metadata=cast("dict[str, Json]", metadata),
        parts=tuple(parts),
    )


def _pool_message(item: object, *, zone: tzinfo) -> Message:
    if not isinstance(item, dict):
        raise InputError(f"expected an object, got {item!r}")
    value = cast("dict[str, Any]", item)
    text = value.get("text")
    if not isinstance(text, str):
        raise InputError(f'wants "text", got {text!r}')
    caption = value.get("image_caption")
    speaker = _text_or_none(value, "speaker")
    return Message(
        role="assistant" if speaker == "assistant" else "user",
        text=f"{text} [shares {caption}]" if caption else text,
        speaker=speaker,
        time=time_of(value.get("time"), zone=zone),
        session=_text_or_none(value, "session"),
        id=_text_or_none(value, "id"),
    )


def time_of(value: object, *, zone: tzinfo) -> datetime | None:
    """An ISO date or time (naive ones get ``zone``), or seconds since 1970; None stays None."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            return time if time.tzinfo else time.replace(tzinfo=zone)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        pass
    raise InputError(f'"time" {value!r} is no ISO time such as "2025-03-01T09:00:00+00:00"')


def _content(items: list[object]) -> tuple[str, list[MessagePart]]:
    texts: list[str] = []
    parts: list[MessagePart] = []
    for item in items:
        if isinstance(item, str):
            texts.append(item)
            continue
        value = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        if isinstance(value.get("text"), str):
            texts.append(value["text"])
        elif "image_url" in value:
            url = value["image_url"]
            url = cast("dict[str, Any]", url).get("url") if isinstance(url, dict) else url
            # A data: URL is the picture itself, not a reference to one.
            reference = "" if str(url).startswith("data:") else str(url)
            parts.append(MessagePart(kind="image", reference=reference))
        else:
            raise InputError(f'"content" holds a part that is not understood: {item!r:.80}')
    return "\n".join(texts), parts


def _part(item: object) -> MessagePart:
    value = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    kind = value.get("kind")
    if kind not in _PART_KINDS:
        raise InputError(f'"parts" wants objects with "kind" of {", ".join(_PART_KINDS)}')
    return MessagePart(
        kind=kind,
        caption=str(value.get("caption") or ""),
        reference=str(value.get("reference") or ""),
    )


def _list_of(value: Mapping[str, Any], key: str) -> list[object]:
    found: object = value.get(key) or []
    if not isinstance(found, list):
        raise InputError(f'"{key}" must be a list, got {found!r}')
    return cast("list[object]", found)


def _text_or_none(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    if found is None or found == "":
        return None
    if not isinstance(found, str | int) or isinstance(found, bool):
        raise InputError(f'"{key}" must be text, got {found!r}')
    return str(found)
