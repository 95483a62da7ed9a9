"""A conversation as it is kept in the memory: every message, in order, able to come back whole.

What was said is a turn like any other and can be recalled. What was not (tool calls and results,
system messages) rides in the metadata of the next turn that was, or on a turn without text, which
nothing finds. ``set`` and ``reset`` leave a mark that lists what the conversation is from there on.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import TypeAlias, cast

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from mnemis import Memory, Message
from mnemis.model.graph import Turn
from mnemis_llamaindex.messages import is_plain, is_result, said
from mnemis_llamaindex.nodes import TRANSCRIPT

logger = logging.getLogger("mnemis_llamaindex")

LONGEST = 1_000
"""Turns of a session that are read back."""

STEP = timedelta(microseconds=1)
"""Between two messages that come at once; their order is the order of their times."""

_LARGEST = 2_000_000  # characters of one message's blocks kept besides its text

Place: TypeAlias = tuple[str, int]
"""Where a message is kept: the turn's message id, and its index among what that turn carries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A message to remember, and the chat messages that come back from it."""

    message: Message
    chats: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A chat message of the conversation, where it is kept and when it was said."""

    chat: ChatMessage
    place: Place
    time: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A session read back. ``latest`` is the time of its newest turn, where it has one.

    ``current`` is the conversation since the last ``set``; ``everything`` all that was ever in it.
    """

    latest: datetime | None
    current: tuple[Kept, ...]
    everything: tuple[Kept, ...]


def record(
    chats: Sequence[ChatMessage], *, session: str, now: datetime, speaker: str | None = None
) -> list[Recorded]:
    """The messages to remember for these chat messages, in order, a microsecond apart.

    ``speaker`` names the user. A message's id follows from session, time and content: within a
    session no time may repeat.
    """
    recorded: list[Recorded] = []
    waiting: list[ChatMessage] = []
    for chat in chats:
        heard = said(chat)
        if heard is None:
            waiting.append(chat)
            continue
        payload = _payload(waiting, None if is_plain(chat) else chat)
        time = now + len(recorded) * STEP
        message = Message(
            id=_identity(session, time, heard.role, heard.text, payload),
            role=heard.role,
            text=heard.text,
            speaker=speaker if heard.role == "user" else None,
            parts=heard.parts,
            session=session,
            time=time,
            metadata={TRANSCRIPT: payload} if payload else {},
        )
        recorded.append(Recorded(message=message, chats=(*waiting, chat)))
        waiting = []
    if waiting:
        role = "tool" if any(is_result(each) for each in waiting) else "system"
        payload = _payload(waiting, None) or "{}"
        message = _silent(payload, role=role, session=session, time=now + len(recorded) * STEP)
        recorded.append(Recorded(message=message, chats=tuple(waiting)))
    return recorded


def mark(places: Sequence[Place], *, session: str, now: datetime) -> Message:
    """What says that the conversation consists of these messages from here on."""
    listed = json.dumps({"history": [list(each) for each in places]})
    return _silent(listed, role="system", session=session, time=now)


def read(memory: Memory, session: str) -> Transcript:
    """The last thousand turns of a session as a conversation."""
    with memory.mnemis.store.view(memory.scope) as view:
        turns = view.tail(session, limit=LONGEST)
    everything: list[Kept] = []
    current: list[Kept] = []
    for turn in turns:
        payload = _parse(turn)
        history = payload.get("history")
        if isinstance(history, list):
            known = {each.place: each for each in everything}
            places = _places(cast("list[object]", history))
            current = [known[place] for place in places if place in known]
            continue
        unfolded = list(_unfold(turn, payload))
        everything += unfolded
        current += unfolded
    return Transcript(
        latest=max((turn.time for turn in turns if turn.time is not None), default=None),
        current=tuple(current),
        everything=tuple(everything),
    )


def fingerprint(chat: ChatMessage) -> str:
    """Equal for one message given twice, whatever its blanks."""
    heard = said(chat) if is_plain(chat) else None
    if heard is not None:
        # A turn's text has no control characters any more; blanks and they are no difference.
        squeezed = "".join(c for c in heard.text if c.isprintable() and not c.isspace())
        value = f"{heard.role}:{squeezed}"
    else:
        value = json.dumps(_dump(chat), sort_keys=True, default=str)
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _silent(payload: str, *, role: str, session: str, time: datetime) -> Message:
    return Message(
        id=_identity(session, time, role, "", payload),
        role=role,
        text="",
        session=session,
        time=time,
        metadata={TRANSCRIPT: payload},
    )


def _identity(session: str, time: datetime, role: str, text: str, payload: str) -> str:
    value = json.dumps([session, time.isoformat(), role, text, payload])
    return f"chat-{blake2b(value.encode(), digest_size=16).hexdigest()}"


def _payload(before: Sequence[ChatMessage], chat: ChatMessage | None) -> str:
    if not before and chat is None:
        return ""
    value: dict[str, object] = {"before": [_dump(each) for each in before]}
    if chat is not None:
        value["chat"] = _dump(chat)
    text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= _LARGEST:
        return text
    logger.warning("blocks of %d characters are not kept with the message's text", len(text))
    return ""


def _dump(chat: ChatMessage) -> dict[str, object]:
    try:
        return chat.model_dump(mode="json")
    except (PydanticSerializationError, UnicodeDecodeError) as error:
        logger.warning("additional_kwargs cannot be kept: %s", error)
        return ChatMessage(role=chat.role, blocks=chat.blocks).model_dump(mode="json")


def _parse(turn: Turn) -> Mapping[str, object]:
    text = turn.metadata.get(TRANSCRIPT)
    if not isinstance(text, str):
        return {}
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _unfold(turn: Turn, payload: Mapping[str, object]) -> Iterator[Kept]:
    chats: list[ChatMessage] = []
    before = payload.get("before")
    for value in cast("list[object]", before) if isinstance(before, list) else []:
        if (chat := _load(value)) is not None:
            chats.append(chat)
    whole = _load(payload["chat"]) if "chat" in payload else None
    if whole is None and turn.role in ("user", "assistant"):
        whole = ChatMessage(role=MessageRole(turn.role), blocks=[TextBlock(text=turn.text)])
    if whole is not None:
        chats.append(whole)
    for index, chat in enumerate(chats):
        yield Kept(chat=chat, place=(turn.message_id, index), time=turn.time)


def _load(value: object) -> ChatMessage | None:
    try:
        return ChatMessage.model_validate(value)
    except ValidationError as error:  # a file that is gone, a kind of block that is not known here
        logger.warning("a message's blocks cannot be read back: %s", error)
        return None


def _places(history: list[object]) -> list[Place]:
    pairs = [cast("list[object]", each) for each in history if isinstance(each, list)]
    return [
        (pair[0], pair[1])
        for pair in pairs
        if len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], int)
    ]
