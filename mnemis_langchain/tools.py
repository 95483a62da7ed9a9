"""Tools with which a model keeps and asks its user's memory itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool

from mnemis import InputError, Memory, Message, Mnemis
from mnemis_langchain.callers import Caller, check_source, configurable_of, find_caller
from mnemis_langchain.content import without_recalled
from mnemis_langchain.documents import format_documents, to_document

ToolName: TypeAlias = Literal["remember", "recall", "forget"]
TOOL_NAMES: tuple[ToolName, ...] = ("remember", "recall", "forget")
_NOTHING = "Nothing is remembered about this. 没有相关的记忆。"


def memory_tools(
    *,
    mnemis: Mnemis | None = None,
    memory: Memory | None = None,
    names: Sequence[ToolName] = TOOL_NAMES,
    k: int | Literal["auto"] = "auto",
) -> list[BaseTool]:
    """The tools ``remember``, ``recall`` and ``forget``, or those of them that are named.

    With ``mnemis`` the user comes from the call's config or the agent's runtime context.
    ``recall`` shows each memory with its path and message id, its artifact are the documents;
    ``forget`` takes such ids, and reaches no other user's memory.
    """
    check_source(mnemis, memory)
    makers = {"remember": _remember_tool, "recall": _recall_tool, "forget": _forget_tool}
    if unknown := sorted(set(names) - set(makers)):
        raise InputError(f"there are no tools {unknown}; there are {', '.join(TOOL_NAMES)}")

    def caller(config: RunnableConfig) -> Caller:
        return find_caller(mnemis, memory, configurable=configurable_of(config))

    return [makers[name](caller, k) for name in names]


def _remember_tool(
    caller: Callable[[RunnableConfig], Caller], _k: int | Literal["auto"]
) -> BaseTool:
    def note(text: str, at: Caller) -> list[Message]:
        said = without_recalled(text).strip()
        if not said:
            raise InputError("there is nothing in the text to remember")
        now = at.memory.mnemis.clock.now()
        return [Message(role="user", text=said, session=at.session, time=now, idempotency_key=said)]

    def remember(text: str, config: RunnableConfig) -> str:
        at = caller(config)
        return _stored(at.memory.remember(note(text, at)).stored)

    async def aremember(text: str, config: RunnableConfig) -> str:
        at = caller(config)
        return _stored((await at.memory.aremember(note(text, at))).stored)

    return StructuredTool.from_function(
        remember,
        aremember,
        name="remember",
        description=(
            "Keep something for good that the user told you or asked you to remember. "
            "One plain sentence that can be understood alone, in the user's language."
        ),
    )


def _recall_tool(caller: Callable[[RunnableConfig], Caller], k: int | Literal["auto"]) -> BaseTool:
    def recall(query: str, config: RunnableConfig) -> tuple[str, list[Document]]:
        hits = caller(config).memory.recall(query, k=k).hits
        return _shown([to_document(hit) for hit in hits])

    async def arecall(query: str, config: RunnableConfig) -> tuple[str, list[Document]]:
        hits = (await caller(config).memory.arecall(query, k=k)).hits
        return _shown([to_document(hit) for hit in hits])

    return StructuredTool.from_function(
        recall,
        arecall,
        name="recall",
        description=(
            "Look up what was said in earlier conversations with this user. "
            "Ask with a full question, in the user's language."
        ),
        response_format="content_and_artifact",
    )


def _forget_tool(caller: Callable[[RunnableConfig], Caller], _k: int | Literal["auto"]) -> BaseTool:
    def forget(message_ids: list[str], config: RunnableConfig) -> str:
        return _gone(caller(config).memory.forget(message_ids=message_ids).messages)

    async def aforget(message_ids: list[str], config: RunnableConfig) -> str:
        report = await caller(config).memory.aforget(message_ids=message_ids)
        return _gone(report.messages)

    return StructuredTool.from_function(
        forget,
        aforget,
        name="forget",
        description=(
            "Delete memories for good when the user asks for it. "
            "Takes the message ids that recall shows in square brackets."
        ),
    )


def _stored(count: int) -> str:
    return "Remembered." if count else "That was remembered already."


def _shown(documents: list[Document]) -> tuple[str, list[Document]]:
    return format_documents(documents, with_ids=True) or _NOTHING, documents


def _gone(ids: Sequence[str]) -> str:
    return f"Forgotten: {', '.join(ids)}." if ids else "There are no such memories."
