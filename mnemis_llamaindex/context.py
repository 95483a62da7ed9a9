"""What the memory has to say on a question, as text that fits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from llama_index.core.base.llms.types import ChatMessage, TextBlock
from llama_index.core.instrumentation.events.retrieval import (
    RetrievalEndEvent,
    RetrievalStartEvent,
)
from llama_index.core.schema import NodeWithScore
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.event_handlers import NullEventHandler

from mnemis import Memory, Message, Recall
from mnemis_llamaindex.filters import Where
from mnemis_llamaindex.messages import said
from mnemis_llamaindex.nodes import nodes_of
from mnemis_llamaindex.window import Entry

NOISE: Where = {"role": {"nin": ["tool", "system"]}}
"""Tool results and system messages are kept, but nobody said them."""

_RECENT = 6  # turns that may say what "that one" is
_ATTEMPTS = 4
_SHORT = 20_000  # characters

_dispatcher = get_dispatcher(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of the memory: the text, the turns just before it, and the filter."""

    text: str
    where: Where
    recent: tuple[Message, ...] = ()


def recall_text(
    memory: Memory,
    question: Question,
    *,
    k: int | Literal["auto"],
    tokens: int,
    measure: Callable[[str], int],
) -> str:
    """The memory's context of at most ``tokens``, counted by ``measure``; empty when none fits."""
    if k == 0 or tokens <= 0 or not question.text.strip():
        return ""
    fitting = _Fitting(question, tokens=tokens)
    while (budget := fitting.budget) is not None:
        recall = memory.recall(
            question.text, k=k, where=question.where, recent=question.recent, budget=budget
        )
        fitting.see(recall, measure(recall.context))
    return fitting.text()


async def arecall_text(
    memory: Memory,
    question: Question,
    *,
    k: int | Literal["auto"],
    tokens: int,
    measure: Callable[[str], int],
    keep_best: bool = False,
) -> str:
    """``recall_text`` off the event loop; ``keep_best``: empty unless the best hit is in it."""
    if k == 0 or tokens <= 0 or not question.text.strip():
        return ""
    fitting = _Fitting(question, tokens=tokens)
    while (budget := fitting.budget) is not None:
        recall = await memory.arecall(
            question.text, k=k, where=question.where, recent=question.recent, budget=budget
        )
        text = recall.context
        # A thread takes longer than counting a short text does.
        size = measure(text) if len(text) < _SHORT else await asyncio.to_thread(measure, text)
        fitting.see(recall, size)
    return fitting.text(keep_best=keep_best)


class _Fitting:
    """Asks for less until what comes back fits; tells LlamaIndex when that begins and ends."""

    def __init__(self, question: Question, *, tokens: int) -> None:
        self.budget: int | None = tokens
        self._question = question.text
        self._tokens = tokens
        self._attempts = _ATTEMPTS
        self._last: Recall | None = None
        self._fits = False
        _dispatcher.event(RetrievalStartEvent(str_or_query_bundle=question.text))

    def see(self, recall: Recall, size: int) -> None:
        """What the last budget gave, and its size in the model's tokens."""
        self._last = recall
        self._attempts -= 1
        self._fits = size <= self._tokens
        if self._fits or not self._attempts or self.budget is None:
            self.budget = None
        else:
            # The memory counts by another vocabulary than the model's.
            self.budget = int(self.budget * self._tokens / size * 0.95)

    def text(self, *, keep_best: bool = False) -> str:
        """The context that fits; empty when there is none, or the best hit had to be left out."""
        recall = self._last
        hits = recall.hits if recall else ()
        # Nodes with all their metadata take as long as everything else here: for listeners alone.
        nodes: list[NodeWithScore] = nodes_of(hits) if _is_heard() else []
        _dispatcher.event(RetrievalEndEvent(str_or_query_bundle=self._question, nodes=nodes))
        if recall is None or not hits or not self._fits:
            return ""
        if keep_best and not set(hits[0].sources) & set(recall.context_sources):
            return ""
        return recall.context


def _is_heard() -> bool:
    """Whether anybody listens to this module's events."""
    here = _dispatcher
    while True:
        if any(not isinstance(each, NullEventHandler) for each in here.event_handlers):
            return True
        if not here.propagate:
            return False
        here = here.parent


def recent_of(entries: Sequence[Entry]) -> tuple[Message, ...]:
    """The last things said, oldest first."""
    messages: list[Message] = []
    for entry in reversed(entries):
        heard = said(entry.message)
        if heard is not None and heard.text:
            messages.append(Message(role=heard.role, text=heard.text, time=entry.time))
        if len(messages) == _RECENT:
            break
    return tuple(reversed(messages))


def unseen(session: str, shown: Sequence[Entry]) -> Where:
    """A filter for what the model does not see anyway: older than ``shown``, or another session."""
    first = next((entry.time for entry in shown if entry.time is not None), None)
    if first is None:
        return NOISE
    return {**NOISE, "or": [{"session": {"ne": session}}, {"time": {"lt": first}}]}


def with_context(
    messages: list[ChatMessage], context: str, *, insert: Literal["system", "user"]
) -> list[ChatMessage]:
    """The messages with the context in front: of a system message, or of the last user's text."""
    if not context:
        return messages
    block = TextBlock(text=context)
    if insert == "user":
        for message in reversed(messages):
            if message.role == "user":
                message.blocks = [block, *message.blocks]
                return messages
    if messages and messages[0].role == "system":
        messages[0].blocks = [block, *messages[0].blocks]
        return messages
    return [ChatMessage(role="system", blocks=[block]), *messages]
