"""The memory of an agent or a chat engine: what was just said, and what is remembered for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self
from uuid import uuid4

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms.llm import LLM
from llama_index.core.memory.types import BaseMemory
from llama_index.core.utils import get_tokenizer  # pyright: ignore[reportUnknownVariableType] its list is bare

from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex.binding import Binding, check_folder, check_labels, check_session
from mnemis_llamaindex.context import with_context
from mnemis_llamaindex.conversation import Conversation
from mnemis_llamaindex.messages import copy_of, text_of
from mnemis_llamaindex.query import labels_of
from mnemis_llamaindex.reopen import reopen, share
from mnemis_llamaindex.retriever import K, check_k
from mnemis_llamaindex.turn import TurnRecall
from mnemis_llamaindex.window import Sizes, count_message, count_text, window

TOKEN_LIMIT = 30_000
_OF_WINDOW = 0.75  # of a model's context window; the rest is for tools and the answer


class MnemisMemory(BaseMemory):
    """Long-term memory with a short-term buffer, for ``FunctionAgent`` and the chat engines.

    Every message is written to the memory when it is put, and ``get`` gives the latest messages
    that fit into ``token_limit``, in front of them what is remembered for the question (recalled
    once a turn). One object serves one user's session; ``for_user`` makes the others. Serialised,
    it is the folder's path, the scope and the session, and opens the memory again when used.

    ``k`` 0 turns recall off (for an engine that has a retriever of its own). ``context_tokens``
    bounds what is recalled. ``get_all`` gives the last thousand turns.
    """

    path: str | None = Field(default=None, description="The memory's folder.")
    scope: tuple[str, ...] = Field(default=(), description="Whose memory: labels of the scope.")
    session: str = Field(description="The conversation inside the scope.")
    speaker: str | None = Field(default=None, description="The user's name, for what is said.")
    token_limit: int = Field(default=TOKEN_LIMIT, description="Tokens that get() may fill.")
    context_tokens: int = Field(
        default=1_000, description="Of these, at most for what is recalled."
    )
    k: K = Field(default="auto", description="Memories to recall a turn.")
    insert_method: Literal["system", "user"] = Field(
        default="system", description="Into which message the recalled context goes."
    )
    image_token_size_estimate: int = Field(default=1_024, description="Tokens of an image.")
    audio_token_size_estimate: int = Field(default=256, description="Tokens of a sound.")
    video_token_size_estimate: int = Field(default=2_048, description="Tokens of a video.")
    document_token_size_estimate: int = Field(default=2_048, description="Tokens of a document.")
    tokenizer_fn: Callable[[str], Sequence[object]] = Field(
        exclude=True, description="Text to tokens; chat engines call it too."
    )

    _binding: Binding = PrivateAttr(default_factory=Binding)
    _conversation: Conversation | None = PrivateAttr(default=None)
    _turn: TurnRecall = PrivateAttr(default_factory=TurnRecall)
    _lock: threading.RLock = PrivateAttr(default_factory=threading.RLock)

    def __init__(
        self,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        path: str | None = None,
        scope: Sequence[str] = (),
        session: str | None = None,
        speaker: str | None = None,
        token_limit: int = TOKEN_LIMIT,
        context_tokens: int = 1_000,
        k: K = "auto",
        insert_method: Literal["system", "user"] = "system",
        image_token_size_estimate: int = 1_024,
        audio_token_size_estimate: int = 256,
        video_token_size_estimate: int = 2_048,
        document_token_size_estimate: int = 2_048,
        tokenizer_fn: Callable[[str], Sequence[object]] | None = None,
    ) -> None:
        """With ``mnemis=`` (then ``for_user``), ``memory=``, or ``path=`` and ``scope=``.

        Raises InputError.
        """
        if token_limit < 1:
            raise InputError(f"token_limit must be at least 1, got {token_limit!r}")
        if min(image_token_size_estimate, audio_token_size_estimate,
               video_token_size_estimate, document_token_size_estimate) < 1:  # fmt: skip
            raise InputError("token size estimates must be at least 1")
        check_session(session)
        binding = Binding()
        if path is None:
            binding = Binding.of(mnemis=mnemis, memory=memory, owner="MnemisMemory")
            path, scope = _located(binding, scope)
        elif mnemis is not None or memory is not None:
            raise InputError("MnemisMemory wants one of mnemis=, memory= and path=")
        fields: dict[str, object] = {
            "path": path,
            "scope": tuple(scope),
            "session": session or uuid4().hex,
            "speaker": speaker,
            "token_limit": token_limit,
            "context_tokens": context_tokens,
            "k": check_k(k),
            "insert_method": insert_method,
            "image_token_size_estimate": image_token_size_estimate,
            "audio_token_size_estimate": audio_token_size_estimate,
            "video_token_size_estimate": video_token_size_estimate,
            "document_token_size_estimate": document_token_size_estimate,
            "tokenizer_fn": tokenizer_fn or get_tokenizer(),
        }
        super().__init__(**fields)
        self._binding = binding

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "MnemisMemory"

    @classmethod
    def from_defaults(
        cls,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        path: str | None = None,
        user: str | tuple[str, ...] | None = None,
        session: str | None = None,
        speaker: str | None = None,
        chat_history: list[ChatMessage] | None = None,
        llm: LLM | None = None,
        token_limit: int | None = None,
        context_tokens: int = 1_000,
        k: K = "auto",
        **kwargs: Any,
    ) -> Self:
        """In one call: the store, the user, the limit from the model, and what was said before."""
        if kwargs:
            raise InputError(
                f"MnemisMemory.from_defaults does not know {', '.join(kwargs)}; user= names the "
                "user, session= the conversation"
            )
        if token_limit is None:
            token_limit = int(llm.metadata.context_window * _OF_WINDOW) if llm else TOKEN_LIMIT
        made = cls(
            mnemis=mnemis,
            memory=memory,
            path=path,
            session=session,
            speaker=speaker,
            token_limit=token_limit,
            context_tokens=context_tokens,
            k=k,
        )
        if user is not None:
            made = made.for_user(*labels_of(user), session=session, speaker=speaker)
        if chat_history:
            made.set(chat_history)
        return made

    def for_user(
        self, *labels: str, session: str | None = None, speaker: str | None = None
    ) -> Self:
        """This memory for one user (labels of the scope), in a session, else in a new one.

        ``speaker`` is the user's name, under which facts about "I" are kept.
        """
        check_labels(labels)
        if self.path is not None and self._binding.mnemis is None and self._binding.memory is None:
            made = self._twin(Binding(), labels, session)
        else:
            made = self._twin(self._binding.for_user(labels, session=session), labels, session)
        made.speaker = speaker
        return made

    @property
    def memory(self) -> Memory:
        """The engine's handle, to recall, forget or consolidate. InputError without a user."""
        return self._talk().memory

    def get(
        self, input: str | ChatMessage | None = None, initial_token_count: int = 0, **kwargs: Any
    ) -> list[ChatMessage]:
        """What is remembered for ``input`` (else for the last user's message), then the latest
        messages; all within ``token_limit`` less ``initial_token_count``, but at least the last
        user's message. The messages are copies.
        """
        with self._lock:
            entries = self._talk().entries()
            room = max(0, self.token_limit - initial_token_count)
            share = min(self.context_tokens, room // 2) if self.k != 0 else 0
            shown = window(entries, budget=room - share)
            asked = text_of(input) if isinstance(input, ChatMessage) else input
            context = self._turn.recalled(
                self._talk(), asked, entries, shown, k=self.k, tokens=share, measure=self._count
            )
        messages = [copy_of(entry.message) for entry in shown]
        return with_context(messages, context, insert=self.insert_method)

    def get_all(self) -> list[ChatMessage]:
        """The conversation, uncut and without anything recalled. The messages are copies."""
        with self._lock:
            entries = self._talk().entries()
        return [copy_of(entry.message) for entry in entries]

    def put(self, message: ChatMessage) -> None:
        """Remember one message."""
        self.put_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Remember messages, in order."""
        with self._lock:
            self._talk().put(messages)

    def set(self, messages: list[ChatMessage]) -> None:
        """Make these the conversation; what was remembered before is not remembered twice."""
        with self._lock:
            self._talk().replace(messages)

    def reset(self) -> None:
        """Begin the conversation anew. What was said stays remembered; forget it by ``memory``."""
        self.set([])

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """Path, scope, session and limits. InputError for a memory that lies in no folder."""
        check_folder(self.path)
        return self.model_dump() | {"class_name": self.class_name()}

    def __getstate__(self) -> dict[str, Any]:
        """What ``to_dict`` gives: an open store cannot be pickled, its path can."""
        check_folder(self.path)
        fields = self.model_dump()
        fields.pop("class_name", None)
        return {"__dict__": fields}

    def __copy__(self) -> Self:
        """Another object on the same session of the same open store."""
        return self._twin(self._binding, self.scope, self.session)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """As a copy: the store is shared."""
        return self.__copy__()

    def _twin(self, binding: Binding, scope: Sequence[str], session: str | None) -> Self:
        # Made as if of a folder: what it is bound to is then put in its place.
        twin = type(self)(path=self.path or "", scope=scope, session=session)
        for name in type(self).model_fields:
            if name not in ("scope", "session"):
                setattr(twin, name, getattr(self, name))
        twin._binding = binding
        return twin

    def _talk(self) -> Conversation:
        with self._lock:
            if self._conversation is None:
                if self._binding.memory is None and self.path is not None and self.scope:
                    opened = reopen(self.path)
                    self._binding = Binding(mnemis=opened, memory=opened.scope(*self.scope))
                self._conversation = Conversation(
                    self._binding.resolve(),
                    self.session,
                    speaker=self.speaker,
                    measure=self._size,
                )
            return self._conversation

    def _size(self, message: ChatMessage) -> int:
        sizes = Sizes(
            image=self.image_token_size_estimate,
            audio=self.audio_token_size_estimate,
            video=self.video_token_size_estimate,
            document=self.document_token_size_estimate,
        )
        return count_message(message, self.tokenizer_fn, sizes)

    def _count(self, text: str) -> int:
        return count_text(text, self.tokenizer_fn)


def _located(binding: Binding, scope: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    store = binding.mnemis or (binding.memory.mnemis if binding.memory else None)
    if scope:
        raise InputError("scope= belongs to path=; name a user with .for_user()")
    labels = binding.memory.scope if binding.memory else ()
    return (share(store) if store else None), labels
