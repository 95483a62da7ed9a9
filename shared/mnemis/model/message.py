"""What enters: messages, documents and their parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, TypeAlias, cast

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
"""Any JSON value; what metadata may hold."""

Role = Literal["user", "assistant", "system", "tool", "document"]

ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool", "document")


PartKind = Literal["image", "file", "audio", "video"]
PART_KINDS: tuple[PartKind, ...] = ("image", "file", "audio", "video")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePart:
    """One part of a message that is not plain text.

    ``caption`` is searchable text (an image's caption, an attachment's text); ``reference`` is a
    URI or file name, kept but never read.
    """

    kind: PartKind
    caption: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One utterance. ``role`` and ``text`` suffice.

    ``time`` may be naive (the configured zone applies) or aware. ``session`` labels the thread.
    Without ``id`` an identity is derived: with a time from session, speaker, time, text and
    occurrence within the call, so a repeated call changes nothing; without a time from
    ``idempotency_key`` when given, else every call stores anew.
    """

    role: str
    text: str
    speaker: str | None = None
    time: datetime | None = None
    session: str | None = None
    id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    parts: tuple[MessagePart, ...] = ()
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text that was written, not said; stored in overlapping chunks that cite ``id``.

    Without ``id`` one is derived from source, title and text.
    """

    text: str
    title: str = ""
    source: str = ""
    time: datetime | None = None
    id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])


def as_json(value: object) -> Json:
    """A JSON value: as given where it is one, else as text."""
    if value is None or isinstance(value, bool | int | float | str):
        # NaN and the infinities are numbers that JSON does not have.
        return str(value) if isinstance(value, float) and value - value != 0 else value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(key): as_json(each) for key, each in items}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes):
        return [as_json(each) for each in cast("Iterable[object]", value)]
    return value.isoformat() if isinstance(value, datetime | date) else str(value)
