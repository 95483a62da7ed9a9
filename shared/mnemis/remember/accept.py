"""First stage: callers' messages become checked ones, with clean text, aware times and ids."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from hashlib import blake2b
from typing import cast

from mnemis.errors import InputError, MessageConflict
from mnemis.model.message import PART_KINDS, ROLES, Document, Json, Message, MessagePart
from mnemis.text.normalise import clean

_MAX_ID = 512
PART_MARK = "¶"
"""Stands between a message's id and the number of a chunk or part; ids may not hold it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A message fit to be stored. ``id`` is None when only a new ordinal can identify it."""

    id: str | None
    role: str
    speaker: str
    text: str
    time: datetime | None
    session: str
    metadata: Mapping[str, Json]
    parts: tuple[MessagePart, ...]


def accept(messages: Iterable[Message], *, zone: tzinfo) -> tuple[Accepted, ...]:
    """Check every message before anything is stored; equal repeats within the call are dropped.

    Within a session whose messages all have times, the order is by time, ties by call order.
    Raises InputError naming the position, MessageConflict for one id with two texts.
    """
    if isinstance(messages, Message | str) or not isinstance(messages, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"remember() wants a list of Message objects, got {type(messages).__name__}"
        )
    repeats: Counter[tuple[object, ...]] = Counter()
    accepted: dict[str | int, Accepted] = {}
    for position, message in enumerate(messages):
        one = _accept_one(message, position=position, zone=zone, repeats=repeats)
        key = position if one.id is None else one.id
        known = accepted.get(key)
        if known is not None and known.text != one.text:
            raise MessageConflict(
                f"message {position}: id {one.id!r} is given twice with different texts"
            )
        accepted.setdefault(key, one)
    return _in_time_order(tuple(accepted.values()))


def document_message(document: Document) -> Message:
    """A document as one message of role "document", its id derived when it has none."""
    if not isinstance(document, Document):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"add_documents() wants Mnemis's own Document objects, got {_kind(document)}; "
            "to_documents() of mnemis_langchain or mnemis_llamaindex makes them of a framework's"
        )
    for name in ("text", "title", "source"):
        if not isinstance(getattr(document, name), str):
            raise InputError(
                f"a document's {name} must be text, got {getattr(document, name)!r:.40}"
            )
    identity = document.id or "doc-" + digest(
        "document", document.source, document.title, document.text
    )
    extra: dict[str, Json] = {"title": document.title, "source": document.source}
    return Message(
        id=identity,
        role="document",
        text=document.text,
        time=document.time,
        session=identity,
        speaker=document.title or document.source or identity,
        metadata={**{key: value for key, value in extra.items() if value}, **document.metadata},
    )


def digest(*values: object) -> str:
    """32 hex digits over the values, each told apart from its neighbours."""
    encoded = json.dumps([str(value) for value in values], ensure_ascii=True)
    return blake2b(encoded.encode(), digest_size=16).hexdigest()


def _accept_one(
    message: Message, *, position: int, zone: tzinfo, repeats: Counter[tuple[object, ...]]
) -> Accepted:
    if not isinstance(message, Message):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"message {position} is a {_kind(message)}, not one of Mnemis's own Message objects; "
            "to_messages() of mnemis_langchain or mnemis_llamaindex makes them of a framework's"
        )
    if message.role not in ROLES:
        raise InputError(
            f"message {position}: role {message.role!r} is unknown; use one of {', '.join(ROLES)}"
        )
    if not isinstance(message.text, str):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"message {position}: text must be str, got {type(message.text).__name__}")
    for name in ("speaker", "session", "idempotency_key"):
        value: object = getattr(message, name)
        if value is not None and not isinstance(value, str):
            raise InputError(
                f"message {position}: {name} must be text, got {type(value).__name__} {value!r:.40}"
            )
    text = clean(message.text)
    speaker = clean(message.speaker or message.role)
    session = clean(message.session or "")
    time = _aware(message.time, position=position, zone=zone)
    return Accepted(
        id=_identify(
            message,
            text=text,
            speaker=speaker,
            session=session,
            time=time,
            position=position,
            repeats=repeats,
        ),
        role=message.role,
        speaker=speaker,
        text=text,
        time=time,
        session=session,
        metadata=check_metadata(message.metadata, where=f"message {position}"),
        parts=_parts(message.parts, position=position),
    )


def _identify(
    message: Message,
    *,
    text: str,
    speaker: str,
    session: str,
    time: datetime | None,
    position: int,
    repeats: Counter[tuple[object, ...]],
) -> str | None:
    if message.id is not None:
        if not isinstance(message.id, str) or not message.id or len(message.id) > _MAX_ID:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(
                f"message {position}: id must be a text of 1 to {_MAX_ID} characters, "
                f"got {str(message.id)[:40]!r}"
            )
        if clean(message.id) != message.id or PART_MARK in message.id:
            raise InputError(
                f"message {position}: id {message.id!r:.80} holds a control character, half a "
                f"surrogate pair or {PART_MARK!r}, which ids may not"
            )
        return message.id
    if message.idempotency_key is not None:
        return "key-" + digest(session, message.idempotency_key)
    if time is None:
        return None
    key = (session, speaker, message.role, time, text)
    repeats[key] += 1
    return "msg-" + digest(*key, repeats[key])


def _parts(parts: tuple[MessagePart, ...], *, position: int) -> tuple[MessagePart, ...]:
    if not isinstance(parts, Sequence) or isinstance(parts, str):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"message {position}: parts must be a sequence, got {parts!r:.40}")
    checked: list[MessagePart] = []
    for part in parts:
        if not isinstance(part, MessagePart):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"message {position}: {part!r:.60} is not a MessagePart")
        if part.kind not in PART_KINDS:
            raise InputError(
                f"message {position}: part kind {part.kind!r} is unknown; "
                f"use one of {', '.join(PART_KINDS)}"
            )
        if not isinstance(part.caption, str) or not isinstance(part.reference, str):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"message {position}: a part's caption and reference must be text")
        checked.append(
            MessagePart(
                kind=part.kind, caption=clean(part.caption), reference=clean(part.reference)
            )
        )
    return tuple(checked)


def _aware(time: datetime | None, *, position: int, zone: tzinfo) -> datetime | None:
    if time is None:
        return None
    if not isinstance(time, datetime):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"message {position}: time must be a datetime, got {type(time).__name__} {time!r}"
        )
    aware = time if time.tzinfo is not None else time.replace(tzinfo=zone)
    try:
        aware.timestamp()
    except (OverflowError, ValueError) as error:
        raise InputError(f"message {position}: time {time!r} is out of range") from error
    return aware


def check_metadata(metadata: Mapping[str, Json], *, where: str) -> dict[str, Json]:
    """A copy, when every value is JSON (finite numbers, text keys); else InputError."""
    if not isinstance(metadata, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"{where}: metadata must be a mapping, got {type(metadata).__name__}")
    return {
        _key(key, where): _json(value, f"{where}: metadata[{key!r}]", 0)
        for key, value in metadata.items()
    }


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{where}: metadata keys must be text, got {key!r}")
    return clean(key)


def _json(value: object, where: str, depth: int) -> Json:
    if depth > 32:
        raise InputError(f"{where} is nested deeper than 32 levels")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"{where} is {value!r}; JSON has no such number")
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {_key(key, where): _json(each, where, depth + 1) for key, each in items}
    if isinstance(value, Sequence):
        return [_json(each, where, depth + 1) for each in cast("Sequence[object]", value)]
    raise InputError(f"{where} is a {type(value).__name__}; only JSON values can be stored")


def _in_time_order(accepted: tuple[Accepted, ...]) -> tuple[Accepted, ...]:
    by_session: dict[str, list[Accepted]] = {}
    for each in accepted:
        by_session.setdefault(each.session, []).append(each)
    queues: dict[str, list[Accepted]] = {}
    for session, members in by_session.items():
        times = [each.time for each in members if each.time is not None]
        if len(times) == len(members):
            members = [
                m for _, _, m in sorted(zip(times, range(len(members)), members, strict=True))
            ]
        queues[session] = members[::-1]
    return tuple(queues[each.session].pop() for each in accepted)


def _kind(value: object) -> str:
    """The type with its module, where a name alone could be another's."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
