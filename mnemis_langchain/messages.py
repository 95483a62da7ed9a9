"""LangChain's messages as Mnemis's, and writing them so that a repeat changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b

from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage

from mnemis import Memory, Message
from mnemis.errors import MessageConflict
from mnemis_langchain.content import parts, spoken

_SOURCE = "lc_source"
"""LangChain marks with it what a middleware wrote (a summary of the conversation, say)."""


def to_messages(
    messages: Iterable[BaseMessage],
    *,
    session: str | None = None,
    time: datetime | None = None,
) -> list[Message]:
    """What people and models said to each other, for ``memory.remember``.

    Instructions, tool calls and tool results are no memories and are left out, as are messages
    that say nothing. A message's id counts within its session; its name is the speaker. ``time``
    is when the first was said; the others follow a microsecond apart, so that their order shows.
    """
    return [
        Message(
            role=role,
            text=spoken(each),
            speaker=each.name,
            time=after(time, place),
            session=session,
            id=identity(each, session),
            parts=parts(each),
        )
        for place, each in enumerate(messages)
        if (role := role_of(each)) in ("user", "assistant")
        and _SOURCE not in each.additional_kwargs
        and (spoken(each) or parts(each))
    ]


def after(time: datetime | None, place: int) -> datetime | None:
    """So many microseconds later."""
    return None if time is None else time + timedelta(microseconds=place)


def role_of(message: BaseMessage) -> str:
    """The Mnemis role; what is neither said by a user nor by a model is "tool" or "system"."""
    if isinstance(message, HumanMessage):
        return "user"
    if isinstance(message, AIMessage):
        return "assistant"
    if isinstance(message, ChatMessage):
        roles = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
        return roles.get(message.role.lower(), "system")
    return "system" if message.type == "system" else "tool"


def identity(message: BaseMessage, session: str | None) -> str | None:
    """The message's id within its session, None when it has none."""
    if not message.id:
        return None
    return message.id if session is None else f"{session}/{message.id}"


def write(memory: Memory, messages: Sequence[Message]) -> None:
    """Remember; a message whose text was changed under its old id is kept beside the old one."""
    if not messages:
        return
    try:
        memory.remember(messages)
    except MessageConflict:
        for each in messages:
            _write_one(memory, each)


def _write_one(memory: Memory, message: Message) -> None:
    try:
        memory.remember([message])
    except MessageConflict:
        mark = blake2b(message.text.encode("utf-8", "replace"), digest_size=6).hexdigest()
        memory.remember([replace(message, id=f"{message.id}~{mark}")])
