"""Long-term memory for ``create_agent``: recalled once a turn, shown to the model, never stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NoReturn, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.channels.untracked_value import UntrackedValue
from langgraph.runtime import Runtime

from mnemis import Memory, Message, Mnemis
from mnemis_langchain.callers import (
    Caller,
    check_source,
    configurable_of,
    find_caller,
    refuse_pickle,
)
from mnemis_langchain.messages import after, identity, to_messages, write
from mnemis_langchain.tools import memory_tools
from mnemis_langchain.traced import atraced, traced

_RECENT = 6  # messages before the question, so that "that one" can be resolved
_SEEN = 200  # newest messages of the conversation that need no recalling


class MemoryState(AgentState[Any]):
    """The agent's state with what each memory recalled for this turn, by middleware name.

    It is never checkpointed: what is forgotten must not live on in a checkpoint.
    """

    mnemis_recalled: NotRequired[Annotated[dict[str, str], UntrackedValue, PrivateStateAttr]]


class MnemisMiddleware(AgentMiddleware[MemoryState, Any]):
    """Gives an agent the long-term memory of the user who speaks.

    Before a turn it recalls what the memory holds on the user's message, and stores the message,
    so that it survives a model that fails; every model call of the turn sees the recalled context
    for that call only; after the turn it stores what the model said. Tool calls, tool results and
    the recalled context itself are never stored.

    With ``mnemis`` the user is ``runtime.context.user_id`` (or a mapping's) or
    ``config["configurable"]["user_id"]``; the thread is the session. ``as_role`` says in whose
    message the context stands. ``tools=True`` also offers remember, recall and forget.
    Several in one agent need several names.
    """

    state_schema = MemoryState

    def __init__(
        self,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        k: int | Literal["auto"] = "auto",
        budget: int | None = None,
        where: Mapping[str, Any] | None = None,
        as_role: Literal["user", "system"] = "user",
        stores: bool = True,
        tools: bool = False,
        name: str = "mnemis",
    ) -> None:
        super().__init__()
        check_source(mnemis, memory)
        self.tools = memory_tools(mnemis=mnemis, memory=memory) if tools else []
        self._mnemis = mnemis
        self._memory = memory
        self._k: int | Literal["auto"] = k
        self._budget = budget
        self._where = where
        self._as_role = as_role
        self._stores = stores
        self._name = name

    @property
    def name(self) -> str:
        """The name that tells this memory from others in one agent."""
        return self._name

    def before_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Recall for this turn, then store what the user says."""
        caller = self._caller(runtime)
        context = self._recall(caller, state["messages"])
        self._store(caller, _asked(state["messages"]), place=len(_before(state["messages"])))
        return self._update(state, context)

    async def abefore_agent(
        self, state: MemoryState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """``before_agent`` off the event loop."""
        caller = self._caller(runtime)
        context = await self._arecall(caller, state["messages"])
        asked, place = _asked(state["messages"]), len(_before(state["messages"]))
        await caller.memory.mnemis.pool.run(lambda: self._store(caller, asked, place=place))
        return self._update(state, context)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Show the recalled context to this call."""
        context = self._recalled(request.state)
        if context is None:  # a run that goes on after an interrupt begins in its middle
            context = self._recall(self._caller(request.runtime), request.messages)
        return handler(self._shown(request, context))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """``wrap_model_call`` off the event loop."""
        context = self._recalled(request.state)
        if context is None:
            context = await self._arecall(self._caller(request.runtime), request.messages)
        return await handler(self._shown(request, context))

    def after_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Store what the model said in this turn."""
        answered = _answered(state["messages"])
        place = len(state["messages"]) - len(answered)
        self._store(self._caller(runtime), answered, place=place)
        return None

    async def aafter_agent(
        self, state: MemoryState, runtime: Runtime[Any]
    ) -> dict[str, Any] | None:
        """``after_agent`` off the event loop."""
        caller = self._caller(runtime)
        answered = _answered(state["messages"])
        place = len(state["messages"]) - len(answered)
        await caller.memory.mnemis.pool.run(lambda: self._store(caller, answered, place=place))
        return None

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """InputError: an open store cannot travel."""
        refuse_pickle("a middleware")

    def _caller(self, runtime: Runtime[Any]) -> Caller:
        return find_caller(
            self._mnemis,
            self._memory,
            configurable=configurable_of(None),
            context=runtime.context,
        )

    def _recall(self, caller: Caller, messages: Sequence[BaseMessage]) -> str:
        query = _query(messages)
        if not query:
            return ""
        with traced(caller.memory, query) as tell:
            recall = caller.memory.recall(
                query,
                k=self._k,
                recent=_recent(messages),
                where=self._unseen(caller, messages),
                budget=self._budget,
            )
            tell(recall)
        return recall.context

    async def _arecall(self, caller: Caller, messages: Sequence[BaseMessage]) -> str:
        query = _query(messages)
        if not query:
            return ""
        async with atraced(caller.memory, query) as tell:
            recall = await caller.memory.arecall(
                query,
                k=self._k,
                recent=_recent(messages),
                where=self._unseen(caller, messages),
                budget=self._budget,
            )
            tell(recall)
        return recall.context

    def _unseen(self, caller: Caller, messages: Sequence[BaseMessage]) -> Mapping[str, Any] | None:
        """What stands in the conversation itself need not be recalled."""
        ids = [identity(each, caller.session) for each in messages[-_SEEN:] if each.id]
        conditions = [self._where] if self._where else []
        if ids:
            conditions.append({"id": {"nin": ids}})
        if len(conditions) > 1:
            return {"and": conditions}
        return conditions[0] if conditions else None

    def _store(self, caller: Caller, messages: Sequence[BaseMessage], *, place: int) -> None:
        """``place`` of the first in the conversation keeps question and answer in order even for
        a clock that stands still between them.
        """
        if self._stores:
            now = after(caller.memory.mnemis.clock.now(), place)
            write(caller.memory, to_messages(messages, session=caller.session, time=now))

    def _update(self, state: MemoryState, context: str) -> dict[str, Any]:
        return {"mnemis_recalled": {**state.get("mnemis_recalled", {}), self._name: context}}

    def _recalled(self, state: Mapping[str, Any]) -> str | None:
        recalled: Mapping[str, str] = state.get("mnemis_recalled") or {}
        return recalled.get(self._name)

    def _shown(self, request: ModelRequest[Any], context: str) -> ModelRequest[Any]:
        if not context:
            return request
        last = _last_human(request.messages)
        if self._as_role == "system" or last is None:
            return request.override(system_message=_with_context(request.system_message, context))
        messages: list[AnyMessage] = list(request.messages)
        question = messages[last]
        words = question.content
        # In the question's own message: some models refuse two messages of a user in a row.
        content: str | list[str | dict[Any, Any]] = (
            f"{context}\n\n{words}"
            if isinstance(words, str)
            else [{"type": "text", "text": f"{context}\n\n"}, *words]
        )
        messages[last] = question.model_copy(update={"content": content})
        return request.override(messages=messages)


def _last_human(messages: Sequence[BaseMessage]) -> int | None:
    places = [place for place, each in enumerate(messages) if isinstance(each, HumanMessage)]
    return places[-1] if places else None


def _asked(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The user's messages of this turn: the last, and those right before it."""
    last = _last_human(messages)
    if last is None:
        return []
    first = last
    while first > 0 and isinstance(messages[first - 1], HumanMessage):
        first -= 1
    return list(messages[first : last + 1])


def _before(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    last = _last_human(messages)
    return [] if last is None else list(messages[: last + 1 - len(_asked(messages))])


def _answered(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """What came after the user's last message."""
    last = _last_human(messages)
    return [] if last is None else list(messages[last + 1 :])


def _query(messages: Sequence[BaseMessage]) -> str:
    return "\n".join(each.text for each in to_messages(_asked(messages)) if each.text)


def _recent(messages: Sequence[BaseMessage]) -> list[Message]:
    return [_undated(each) for each in to_messages(_before(messages))[-_RECENT:]]


def _undated(message: Message) -> Message:
    return Message(role=message.role, text=message.text, speaker=message.speaker)


def _with_context(system: SystemMessage | None, context: str) -> SystemMessage:
    if system is None:
        return SystemMessage(content=context)
    return SystemMessage(
        content_blocks=[*system.content_blocks, {"type": "text", "text": f"\n\n{context}"}]
    )
