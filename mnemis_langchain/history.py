"""A thread's messages, exactly as they were, kept in the memory that can also be asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NoReturn, cast
from uuid import uuid4

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.runnables import ConfigurableFieldSpec

from mnemis import InputError, Memory, Message, Mnemis
from mnemis.model.graph import Turn
from mnemis_langchain.callers import (
    THREAD_KEY,
    USER_KEY,
    check_memory,
    find_caller,
    label,
    refuse_pickle,
)
from mnemis_langchain.content import parts, spoken
from mnemis_langchain.documents import PRIVATE_PREFIX
from mnemis_langchain.messages import after, role_of, write

_KEY = f"{PRIVATE_PREFIX}_messages"


class MnemisChatMessageHistory(BaseChatMessageHistory):
    """One thread of one user's memory, for RunnableWithMessageHistory and plain use.

    What is said becomes findable memory; tool calls, tool results and instructions are returned
    as they were but cannot be found. ``max_tokens`` (estimated) and ``max_messages`` bound what
    ``messages`` returns to the newest, beginning with a user's message, every tool call with its
    results. A message whose id the thread holds already is not added again.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        session: str,
        max_tokens: int | None = None,
        max_messages: int | None = None,
    ) -> None:
        check_memory(memory)
        thread = label(session, THREAD_KEY)
        if thread is None:
            raise InputError("a history is one thread: name its session=")
        self.memory = memory
        self.session = thread
        self._max_tokens = max_tokens
        self._max_messages = max_messages

    @classmethod
    def for_users(
        cls, mnemis: Mnemis, *, max_tokens: int | None = None, max_messages: int | None = None
    ) -> Callable[[str, str], MnemisChatMessageHistory]:
        """``get_session_history`` for many users; ``history_factory_config`` is ``fields()``."""

        def get_session_history(user_id: str, thread_id: str) -> MnemisChatMessageHistory:
            caller = find_caller(mnemis, None, configurable={USER_KEY: user_id})
            return cls(
                caller.memory, session=thread_id, max_tokens=max_tokens, max_messages=max_messages
            )

        return get_session_history

    @staticmethod
    def fields() -> list[ConfigurableFieldSpec]:
        """The user and the thread, as ``config["configurable"]`` names them."""
        return [
            ConfigurableFieldSpec(id=name, annotation=str, name=name, is_shared=True)
            for name in (USER_KEY, THREAD_KEY)
        ]

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # read from the store
        """The thread's messages, oldest first, within the bounds."""
        with self.memory.mnemis.store.view(self.memory.scope) as view:
            turns = view.tail(self.session, limit=max(1, view.stats().nodes.get("turn", 0)))
        kept = [message for turn in turns for message in _restore(turn)]
        if self._max_tokens is None and self._max_messages is None:
            return kept
        return fit(kept, max_tokens=self._max_tokens, max_messages=self._max_messages)

    async def aget_messages(self) -> list[BaseMessage]:
        """``messages`` off the event loop."""
        return await self.memory.mnemis.pool.run(lambda: self.messages)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store durably; they can be recalled at once."""
        write(self.memory, self._to_store(messages))

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """``add_messages`` off the event loop; cancelled, it is done wholly or not at all."""
        await self.memory.mnemis.pool.run(lambda: self.add_messages(messages))

    def clear(self) -> None:
        """Forget this thread; other threads stay."""
        self.memory.forget(session=self.session)

    async def aclear(self) -> None:
        """``clear`` off the event loop."""
        await self.memory.aforget(session=self.session)

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """InputError: an open store cannot travel."""
        refuse_pickle("a history")

    def _to_store(self, messages: Sequence[BaseMessage]) -> list[Message]:
        """One memory for each message that says something, carrying the silent ones before it."""
        now = self.memory.mnemis.clock.now()
        stored: list[Message] = []
        waiting: list[BaseMessage] = []
        for position, message in enumerate(messages):
            waiting.append(message)
            silent = role_of(message) not in ("user", "assistant") or not _says_something(message)
            if silent and position < len(messages) - 1:
                continue
            originals = json.dumps([message_to_dict(each) for each in waiting])
            stored.append(
                Message(
                    role="tool" if silent else role_of(message),
                    text="" if silent else spoken(message),
                    speaker=message.name,
                    time=after(now, position),
                    session=self.session,
                    id=f"{self.session}/{message.id or uuid4().hex}",
                    metadata={_KEY: originals},
                    parts=() if silent else parts(message),
                )
            )
            waiting = []
        return stored


def fit(
    messages: Sequence[BaseMessage], *, max_tokens: int | None, max_messages: int | None
) -> list[BaseMessage]:
    """The longest end of a conversation that fits, begins with a user's message, and holds every
    tool call together with all its results; empty when no such end fits.
    """
    whole = _paired(messages)
    start, tokens = len(whole), 0
    for position in range(len(whole) - 1, -1, -1):
        tokens += count_tokens_approximately([whole[position]])
        if max_messages is not None and len(whole) - position > max_messages:
            break
        if max_tokens is not None and tokens > max_tokens:
            break
        if isinstance(whole[position], HumanMessage):
            start = position
    return whole[start:]


def _paired(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Without tool results that nobody called for, and calls that were not all answered."""
    results = {each.tool_call_id for each in messages if isinstance(each, ToolMessage)}
    answered: set[str] = set()
    kept: list[BaseMessage] = []
    for message in messages:
        if isinstance(message, AIMessage) and message.tool_calls:
            calls = {str(call["id"]) for call in message.tool_calls}
            if not calls <= results:
                continue
            answered |= calls
        if isinstance(message, ToolMessage) and message.tool_call_id not in answered:
            continue
        kept.append(message)
    return kept


def _says_something(message: BaseMessage) -> bool:
    return bool(spoken(message) or parts(message))


def _restore(turn: Turn) -> list[BaseMessage]:
    """The original messages; a turn that came another way is told in plain ones."""
    originals = turn.metadata.get(_KEY)
    if isinstance(originals, str):
        return messages_from_dict(cast("list[dict[str, object]]", json.loads(originals)))
    if turn.role == "user":
        return [HumanMessage(content=turn.text, id=turn.message_id)]
    return [AIMessage(content=turn.text, id=turn.message_id)] if turn.role == "assistant" else []
