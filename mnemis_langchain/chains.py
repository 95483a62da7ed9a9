"""Long-term memory for existing chains, in the place of a buffer memory.

It keeps the newest messages of the thread word for word and adds what the whole memory holds on
the question, with the paths by which it was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Self, cast
from uuid import uuid4

from langchain_classic.base_memory import BaseMemory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import ConfigDict, Field, model_validator

from mnemis import InputError, Memory, Message, Mnemis
from mnemis.model.graph import Turn
from mnemis_langchain.callers import (
    THREAD_KEY,
    USER_KEY,
    Caller,
    check_source,
    find_caller,
    refuse_pickle,
)
from mnemis_langchain.content import without_recalled
from mnemis_langchain.documents import harmless
from mnemis_langchain.messages import to_messages, write
from mnemis_langchain.traced import atraced, traced

_OUTPUTS = ("output", "answer", "text", "result", "response")
"""Where chains put their answer, in the order of preference, when they return several values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What one load asks: by whom, in which words (empty: none)."""

    caller: Caller
    text: str


class MnemisMemory(BaseMemory):
    """Memory of a chain: loads recalled context and the newest messages, saves both sides.

    With ``mnemis`` each call names its user, as the inputs "user_id" and "thread_id" or as
    ``config["configurable"]`` of the runnable around the chain; ``for_user`` binds both.
    ``recent`` messages of the thread come word for word. With ``return_messages`` the variable is
    a list of messages, the recalled context first, as a user's message; else text.
    ``input_key`` and ``output_key`` are needed only where a chain has several of either.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    mnemis: Mnemis | None = Field(default=None, exclude=True, repr=False)
    memory: Memory | None = Field(default=None, exclude=True, repr=False)
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    return_messages: bool = False
    human_prefix: str = "Human"
    ai_prefix: str = "AI"
    session: str | None = None
    recent: int = Field(default=6, ge=0)
    k: int | Literal["auto"] = "auto"
    budget: int | None = None
    where: Mapping[str, Any] | None = None

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        check_source(self.mnemis, self.memory)
        return self

    def for_user(self, *user: str, session: str | None = None) -> Self:
        """The same settings bound to one user (one label or several) and one thread."""
        if self.mnemis is None:
            raise InputError("this memory is bound to one scope; make it with mnemis= instead")
        caller = find_caller(self.mnemis, None, configurable={USER_KEY: user})
        return self.model_copy(
            update={"mnemis": None, "memory": caller.memory, "session": session or self.session}
        )

    @property
    def memory_variables(self) -> list[str]:
        """The one key that chains receive."""
        return [self.memory_key]

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """What is known on the question; without inputs, the newest messages alone.

        Raises InputError when the question or the user cannot be told from the inputs.
        """
        asked = self._question(inputs)
        newest = self._newest(asked.caller)
        if not asked.text:
            return self._variables("", newest)
        memory = asked.caller.memory
        with traced(memory, asked.text) as tell:
            recall = memory.recall(
                asked.text,
                k=self.k,
                where=self._unseen(newest),
                recent=[_as_message(turn) for turn in newest],
                budget=self.budget,
            )
            tell(recall)
        return self._variables(recall.context, newest)

    async def aload_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """``load_memory_variables`` off the event loop."""
        asked = self._question(inputs)
        pool = asked.caller.memory.mnemis.pool
        newest = await pool.run(lambda: self._newest(asked.caller))
        if not asked.text:
            return self._variables("", newest)
        memory = asked.caller.memory
        async with atraced(memory, asked.text) as tell:
            recall = await memory.arecall(
                asked.text,
                k=self.k,
                where=self._unseen(newest),
                recent=[_as_message(turn) for turn in newest],
                budget=self.budget,
            )
            tell(recall)
        return self._variables(recall.context, newest)

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, str]) -> None:
        """Store what was asked and answered, and nothing of what was loaded before.

        Raises InputError when a chain's keys are ambiguous, TypeError for a value that is neither
        text nor messages.
        """
        caller = self._caller(inputs)
        write(caller.memory, self._said(caller, inputs, outputs))

    async def asave_context(self, inputs: dict[str, Any], outputs: dict[str, str]) -> None:
        """``save_context`` off the event loop; cancelled, it is done wholly or not at all."""
        caller = self._caller(inputs)
        said = self._said(caller, inputs, outputs)
        await caller.memory.mnemis.pool.run(lambda: write(caller.memory, said))

    def clear(self) -> None:
        """Forget the thread at hand; what other threads said stays."""
        caller = self._caller({})
        caller.memory.forget(session=caller.session or "")

    async def aclear(self) -> None:
        """``clear`` off the event loop."""
        caller = self._caller({})
        await caller.memory.aforget(session=caller.session or "")

    def _caller(self, inputs: Mapping[str, Any]) -> Caller:
        named = {key: inputs[key] for key in (USER_KEY, THREAD_KEY) if inputs.get(key) is not None}
        caller = find_caller(self.mnemis, self.memory, context=named or None)
        if self.session is None:
            return caller
        return Caller(memory=caller.memory, session=self.session)

    def _question(self, inputs: Mapping[str, Any]) -> _Question:
        caller = self._caller(inputs)
        if not self._own_keys(inputs):
            return _Question(caller=caller, text="")
        said = _messages(inputs[self._input_key(inputs)], HumanMessage)
        texts = [each.text for each in to_messages(said)]
        return _Question(caller=caller, text=texts[-1] if texts else "")

    def _own_keys(self, inputs: Mapping[str, Any]) -> list[str]:
        """The inputs that the chain was called with, without the memory's and the caller's."""
        not_asked = {self.memory_key, USER_KEY, THREAD_KEY, "stop"}
        return sorted(key for key in inputs if key not in not_asked)

    def _input_key(self, inputs: Mapping[str, Any]) -> str:
        keys = self._own_keys(inputs)
        if self.input_key is not None:
            if self.input_key not in inputs:
                raise InputError(f"input_key={self.input_key!r} is none of the inputs {keys}")
            return self.input_key
        if len(keys) == 1:
            return keys[0]
        if "input" in keys:
            return "input"
        raise InputError(f"which input is the user's? Set input_key= to one of {keys}")

    def _output_key(self, outputs: Mapping[str, Any]) -> str:
        if self.output_key is not None:
            if self.output_key not in outputs:
                raise InputError(
                    f"output_key={self.output_key!r} is none of the outputs {sorted(outputs)}"
                )
            return self.output_key
        if len(outputs) == 1:
            return next(iter(outputs))
        for key in _OUTPUTS:
            if key in outputs:
                return key
        raise InputError(f"which output is the answer? Set output_key= to one of {sorted(outputs)}")

    def _said(
        self, caller: Caller, inputs: Mapping[str, Any], outputs: Mapping[str, Any]
    ) -> list[Message]:
        asked = _messages(inputs[self._input_key(inputs)], HumanMessage)
        answered = _messages(outputs[self._output_key(outputs)], AIMessage)
        named = [
            each if each.id else each.model_copy(update={"id": uuid4().hex})
            for each in (*asked, *answered)
        ]
        return to_messages(named, session=caller.session, time=caller.memory.mnemis.clock.now())

    def _newest(self, caller: Caller) -> tuple[Turn, ...]:
        if not self.recent:
            return ()
        with caller.memory.mnemis.store.view(caller.memory.scope) as view:
            tail = view.tail(caller.session or "", limit=self.recent)
        return tuple(turn for turn in tail if turn.role in ("user", "assistant") and turn.text)

    def _unseen(self, newest: Sequence[Turn]) -> Mapping[str, Any] | None:
        """What is shown word for word need not be recalled."""
        if not newest:
            return self.where
        unseen = {"id": {"nin": [turn.message_id for turn in newest]}}
        return {"and": [self.where, unseen]} if self.where else unseen

    def _variables(self, context: str, newest: Sequence[Turn]) -> dict[str, Any]:
        if self.return_messages:
            shown = [HumanMessage(content=context)] if context else []
            return {self.memory_key: [*shown, *(_as_langchain(turn) for turn in newest)]}
        prefixes = {"user": self.human_prefix, "assistant": self.ai_prefix}
        lines = [f"{prefixes[turn.role]}: {harmless(turn.text)}" for turn in newest]
        return {self.memory_key: "\n\n".join(each for each in (context, "\n".join(lines)) if each)}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> NoReturn:
        """As pickling: InputError."""
        refuse_pickle("a chain's memory")

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """InputError: an open store cannot travel."""
        refuse_pickle("a chain's memory")


def _messages(value: object, default: type[HumanMessage | AIMessage]) -> list[BaseMessage]:
    """A chain's input or output as messages; TypeError when it is neither text nor messages."""
    if value is None:
        return []
    if isinstance(value, str):
        return [default(content=without_recalled(value))]
    several = list(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else [value]
    messages = [each for each in several if isinstance(each, BaseMessage)]
    if len(messages) < len(several):
        raise TypeError(
            f"a chain's memory takes text or messages, got {several!r:.80}; "
            "name another key with input_key= or output_key="
        )
    return messages


def _as_message(turn: Turn) -> Message:
    return Message(
        role=turn.role, text=turn.text, speaker=turn.speaker, time=turn.time, session=turn.session
    )


def _as_langchain(turn: Turn) -> BaseMessage:
    return (HumanMessage if turn.role == "user" else AIMessage)(content=turn.text)
