"""The memory as a block of LlamaIndex's ``Memory``."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Self, cast

from llama_index.core.async_utils import asyncio_run  # pyright: ignore[reportUnknownVariableType] its coroutine is bare
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory.memory import BaseMemoryBlock
from llama_index.core.memory.memory import Memory as ShortTermMemory
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.utils import get_tokenizer  # pyright: ignore[reportUnknownVariableType] its list is bare

from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex.binding import Binding, check_folder
from mnemis_llamaindex.context import NOISE, Question, arecall_text
from mnemis_llamaindex.filters import Where
from mnemis_llamaindex.messages import stripped, text_of
from mnemis_llamaindex.reopen import reopen, share
from mnemis_llamaindex.retriever import K, check_k
from mnemis_llamaindex.transcript import STEP, fingerprint, record
from mnemis_llamaindex.window import Tokenizer, count_text

_REMEMBERED = 16  # contexts that may still be asked to be shorter


class MnemisMemoryBlock(BaseMemoryBlock[str]):
    """Recalls for the last user's message, and remembers what short-term memory lets go of.

    ``Memory`` hands messages on only when its short-term part overflows; call ``flush`` (or
    ``aflush``) at the end of a conversation for the rest. What was flushed and overflows later is
    not stored twice. Truncation asks the memory again for fewer tokens: the best hit
    stays, or nothing does.
    """

    path: str | None = Field(default=None, description="The memory's folder.")
    scope: tuple[str, ...] = Field(default=(), description="Whose memory: labels of the scope.")
    speaker: str | None = Field(default=None, description="The user's name, for what is said.")
    k: K = Field(default="auto", description="Memories to recall.")
    context_tokens: int = Field(default=1_000, description="At most this much is recalled.")
    flushed: dict[str, list[tuple[str, str]]] = Field(
        default_factory=dict[str, list[tuple[str, str]]],
        description="By session: fingerprint and id of what is stored and still short-term.",
    )

    _binding: Binding = PrivateAttr(default_factory=Binding)
    _asked: dict[str, Question] = PrivateAttr(default_factory=dict[str, Question])
    _latest: datetime = PrivateAttr(default=datetime.min.replace(tzinfo=UTC))
    _lock: threading.RLock = PrivateAttr(default_factory=threading.RLock)
    # The other one is held while messages are stored, too long for an event loop to wait.
    _asking: threading.RLock = PrivateAttr(default_factory=threading.RLock)

    def __init__(
        self,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        path: str | None = None,
        scope: Sequence[str] = (),
        speaker: str | None = None,
        name: str = "long_term_memory",
        description: str | None = "What was said before, with the path to each memory.",
        priority: int = 1,
        accept_short_term_memory: bool = True,
        k: K = "auto",
        context_tokens: int = 1_000,
        flushed: dict[str, list[tuple[str, str]]] | None = None,
    ) -> None:
        """With ``mnemis=`` (then ``for_user``), ``memory=``, or ``path=`` and ``scope=``."""
        binding = Binding()
        if path is None:
            binding = Binding.of(mnemis=mnemis, memory=memory, owner="MnemisMemoryBlock")
            store = binding.mnemis or (binding.memory.mnemis if binding.memory else None)
            path = share(store) if store else None
            scope = binding.memory.scope if binding.memory else ()
        elif mnemis is not None or memory is not None:
            raise InputError("MnemisMemoryBlock wants one of mnemis=, memory= and path=")
        fields: dict[str, Any] = {
            "path": path,
            "scope": tuple(scope),
            "speaker": speaker,
            "name": name,
            "description": description,
            "priority": priority,
            "accept_short_term_memory": accept_short_term_memory,
            "k": check_k(k),
            "context_tokens": context_tokens,
            "flushed": flushed or {},
        }
        super().__init__(**fields)
        self._binding = binding

    def for_user(self, *labels: str, speaker: str | None = None) -> Self:
        """This block for one user; the session is that of the ``Memory`` it is given to.

        ``speaker`` is the user's name, under which facts about "I" are kept.
        """
        opened = reopen(self.path) if self._unbound() and self.path else None
        source = Binding(mnemis=opened) if opened else self._binding
        return self._twin(
            source.for_user(labels, session=None),
            {"scope": labels, "speaker": speaker, "flushed": {}},
        )

    @property
    def memory(self) -> Memory:
        """The engine's handle. Raises InputError when no user was named."""
        with self._lock:
            if self._unbound() and self.path is not None and self.scope:
                opened = reopen(self.path)
                self._binding = Binding(mnemis=opened, memory=opened.scope(*self.scope))
        return self._binding.resolve()

    async def aflush(self, memory: ShortTermMemory) -> int:
        """Remember what is still in short-term memory; how many messages that were."""
        active = await memory.aget_all(status=MessageStatus.ACTIVE)
        return await asyncio.to_thread(
            self._remember, active, session=memory.session_id, flush=True
        )

    def flush(self, memory: ShortTermMemory) -> int:
        """``aflush`` for programs without an event loop."""
        return cast("int", asyncio_run(self.aflush(memory)))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The context again with so many tokens less; None when its best hit does not fit."""
        question = self._asked.get(content)
        target = _count(content) - tokens_to_truncate
        if question is None or target <= 0:
            return None
        return await self._recall(question, target, keep_best=True) or None

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = next((m for m in reversed(messages or []) if m.role == "user"), None)
        if asked is None:
            return ""
        session = str(block_kwargs.get("session_id") or "")
        shown = [identity for _, identity in self.flushed.get(session, [])]
        where: Where = {**NOISE, "id": {"nin": shown}} if shown else NOISE
        return await self._recall(Question(text=text_of(asked), where=where), self.context_tokens)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        sessions: dict[str, list[ChatMessage]] = {}
        for message in messages:
            session = str(message.additional_kwargs.get("session_id") or "")
            sessions.setdefault(session, []).append(message)
        for session, group in sessions.items():
            await asyncio.to_thread(self._remember, group, session=session, flush=False)

    async def _recall(self, question: Question, tokens: int, *, keep_best: bool = False) -> str:
        # Reopening a folder takes a while; a memory at hand needs no thread.
        opened = not self._unbound()
        memory = self._binding.resolve() if opened else await asyncio.to_thread(self._opened)
        text = await arecall_text(
            memory, question, k=self.k, tokens=tokens, measure=_count, keep_best=keep_best
        )
        with self._asking:
            if text:
                self._asked[text] = question
            while len(self._asked) > _REMEMBERED:
                self._asked.pop(next(iter(self._asked)))
        return text

    def _opened(self) -> Memory:
        return self.memory

    def _remember(self, messages: Sequence[ChatMessage], *, session: str, flush: bool) -> int:
        with self._lock:
            known = list(self.flushed.get(session, []))
            fresh: list[ChatMessage] = []
            for message in messages:
                chat = _without_session(message)
                if chat is None:
                    continue
                mark = fingerprint(chat)
                stored = next((each for each in known if each[0] == mark), None)
                if stored is None:
                    fresh.append(chat)
                else:
                    known.remove(stored)
            now = self._latest = max(self.memory.mnemis.clock.now(), self._latest + STEP)
            recorded = record(fresh, session=session, now=now, speaker=self.speaker)
            self._latest += len(recorded) * STEP
            spoken = [each.message for each in recorded if each.message.text or each.message.parts]
            if spoken:
                self.memory.remember(spoken)
            if flush:
                new = [
                    (fingerprint(each.chats[-1]), each.message.id or "")
                    for each in recorded
                    if each.message in spoken
                ]
                self.flushed[session] = [*self.flushed.get(session, []), *new]
            else:
                self.flushed[session] = known
        return len(spoken)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Another block; the open store is shared."""
        return self._twin(self._binding, {"flushed": dict(self.flushed)})

    def __reduce__(self) -> tuple[Any, ...]:
        """The folder's path and the settings; InputError for a memory that lies in no folder."""
        check_folder(self.path)
        return (_again, (self.model_dump(),))

    def _twin(self, binding: Binding, changed: dict[str, Any]) -> Self:
        other = self.model_copy(update=changed)
        other._binding = binding
        other._asked = {}
        other._lock = threading.RLock()
        other._asking = threading.RLock()
        return other

    def _unbound(self) -> bool:
        return self._binding.mnemis is None and self._binding.memory is None


def _again(fields: dict[str, Any]) -> MnemisMemoryBlock:
    return MnemisMemoryBlock(**fields)


def _without_session(message: ChatMessage) -> ChatMessage | None:
    chat = stripped(message)
    if chat is not None:
        # Memory writes its own session into every message that it lets go of.
        chat.additional_kwargs.pop("session_id", None)
    return chat


def _count(text: str) -> int:
    return count_text(text, cast("Tokenizer", get_tokenizer()))
