"""What the adapters add to the engine's own time, in milliseconds a call.

Every call goes through an adapter; inside it a stopwatch counts what the engine's verbs take, so
that call and engine are timed in the same run, and the difference is the adapter's and its
framework's own. Reading the newest messages of a thread, or an item by its key, counts as the
adapter's; the change that takes a replaced item out counts as the engine's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any
from unittest.mock import patch

from threadpoolctl import threadpool_limits

from mnemis import Memory, Message, Mnemis
from mnemis.ports.store import Store
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import Pool, spread
from tests.benchmarks.scores import percentile
from tests.benchmarks.tables import number, table

_VERBS = ("recall", "arecall", "remember", "aremember")
_WARM = 5
_USER = "adapters"

Call = Callable[[str, int], object]
"""One call through an adapter: of a question, and the number of the call."""

Wait = Callable[[Coroutine[Any, Any, object]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Seconds of one call, and of these the engine's."""

    whole: float
    engine: float


class Stopwatch:
    """Adds up the time inside the engine's verbs; a verb inside another counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    @contextmanager
    def running(self, *, store: Store | None = None) -> Iterator[None]:
        """Counts, while it is open, what ``Memory``'s verbs (and the changes applied to
        ``store``) take in calls one after another.
        """
        with ExitStack() as stack:
            if store is not None:
                stack.enter_context(patch.object(store, "apply", self._of(store.apply)))
            for name in _VERBS:
                verb = getattr(Memory, name)
                timed = self._awaited(verb) if asyncio.iscoroutinefunction(verb) else self._of(verb)
                stack.enter_context(patch.object(Memory, name, timed))
            yield

    def _of(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def timed(*given: Any, **named: Any) -> Any:
            with self._inside():
                return verb(*given, **named)

        return timed

    def _awaited(self, verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        async def timed(*given: Any, **named: Any) -> Any:
            with self._inside():
                return await verb(*given, **named)

        return timed

    @contextmanager
    def _inside(self) -> Iterator[None]:
        self._depth += 1
        began = time.perf_counter()
        try:
            yield
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.perf_counter() - began


def measure(pool: Pool, memories: Memories, *, limit: int | None) -> dict[str, dict[str, Any]]:
    """By adapter call: how many, and p50 of the whole, of the engine in it, and of the rest."""
    questions = [each.text for each in spread(pool.questions, limit)]
    if not questions:
        return {}
    with threadpool_limits(1), memories.open(pool) as memory, asyncio.Runner() as runner:
        wait = runner.get_loop().run_until_complete
        texts = [each.text for each in pool.messages]
        calls = {
            **_langchain(memory, wait),
            **_langgraph(memory, wait, texts),
            **_llamaindex(memory, wait),
        }
        store = memory.mnemis.store
        return {name: _summarise(_time(call, questions, store)) for name, call in calls.items()}


def adapters_table(summary: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as a table."""
    rows = [
        [name, number(of["calls"]), *(number(of[key], 2) for key in ("whole", "engine", "added"))]
        for name, of in summary.items()
    ]
    heads = ("call", "n", "whole p50", "engine p50", "added p50")
    return table("adapters over the engine, ms a call", heads, rows)


def _time(call: Call, questions: Sequence[str], store: Store) -> list[Timed]:
    watch = Stopwatch()
    timed: list[Timed] = []
    with watch.running(store=store):
        for count, question in enumerate([*questions[:_WARM], *questions]):
            watch.seconds, began = 0.0, time.perf_counter()
            call(question, count)
            timed.append(Timed(whole=time.perf_counter() - began, engine=watch.seconds))
    return timed[min(_WARM, len(questions)) :]


def _summarise(timed: Sequence[Timed]) -> dict[str, Any]:
    return {
        "calls": len(timed),
        "whole": percentile([1_000 * each.whole for each in timed], 0.5),
        "engine": percentile([1_000 * each.engine for each in timed], 0.5),
        "added": percentile([1_000 * (each.whole - each.engine) for each in timed], 0.5),
    }


def _langchain(memory: Memory, wait: Wait) -> dict[str, Call]:
    from langchain_core.messages import AIMessage, HumanMessage
    from langgraph.runtime import Runtime

    from mnemis_langchain import (
        MnemisChatMessageHistory,
        MnemisMemory,
        MnemisMiddleware,
        MnemisRetriever,
        memory_tools,
    )

    mnemis: Mnemis = memory.mnemis
    config: Any = {"configurable": {"user_id": memory.scope, "thread_id": "now"}}
    retriever = MnemisRetriever(mnemis=mnemis, k=10)
    remember, recall = memory_tools(mnemis=mnemis, names=["remember", "recall"], k=10)
    chain = MnemisMemory(memory=memory, session="chain", k=10)
    history = MnemisChatMessageHistory(mnemis.scope(_USER, "history"), session="now")
    agent = MnemisMiddleware(memory=memory, k=10)
    written = MnemisMemory(memory=mnemis.scope(_USER, "chain"), session="now")
    noted: Any = {"configurable": {"user_id": (_USER, "tools"), "thread_id": "now"}}

    def turn(question: str, count: int) -> object:
        state: Any = {"messages": [HumanMessage(question, id=f"q{count}")]}
        return agent.before_agent(state, Runtime(context=None))

    return {
        "LangChain retriever.invoke": lambda q, _: retriever.invoke(q, config),
        "LangChain retriever.ainvoke": lambda q, _: wait(retriever.ainvoke(q, config)),
        "LangChain tool recall": lambda q, _: recall.invoke({"query": q}, config),
        "LangChain tool remember": lambda q, n: remember.invoke({"text": f"{n} {q}"}, noted),
        "LangChain chain memory, load": lambda q, _: chain.load_memory_variables({"input": q}),
        "LangChain chain memory, save": lambda q, _: written.save_context(
            {"input": q}, {"output": "Noted."}
        ),
        "LangChain history, add": lambda q, n: history.add_messages(
            [HumanMessage(q, id=f"h{n}"), AIMessage("Noted.", id=f"a{n}")]
        ),
        "LangChain middleware, before a turn": turn,
    }


def _langgraph(memory: Memory, wait: Wait, texts: Sequence[str]) -> dict[str, Call]:
    from langgraph.store.base import PutOp

    from mnemis_langchain import MnemisStore

    store = MnemisStore(memory.mnemis, within=(_USER, "langgraph"))
    read, written = ("read",), ("written",)
    store.batch(
        [PutOp(read, f"k{n}", {"text": text, "even": not n % 2}) for n, text in enumerate(texts)]
    )
    store.put(written, "again", {"text": "Hello."})
    return {
        "LangGraph store, get": lambda _, n: store.get(read, f"k{n}"),
        "LangGraph store, search": lambda q, _: store.search(read, query=q),
        "LangGraph store, asearch": lambda q, _: wait(store.asearch(read, query=q)),
        "LangGraph store, search and filter": lambda q, _: store.search(
            read, query=q, filter={"even": True}
        ),
        "LangGraph store, page": lambda _, n: store.search(read, offset=n),
        "LangGraph store, put": lambda q, n: store.put(written, f"k{n}", {"text": q}),
        "LangGraph store, put again": lambda q, n: store.put(
            written, "again", {"text": f"{n} {q}"}
        ),
    }


def _llamaindex(memory: Memory, wait: Wait) -> dict[str, Call]:
    from llama_index.core.base.llms.types import ChatMessage

    from mnemis_llamaindex import (
        MnemisMemory,
        MnemisMemoryBlock,
        MnemisPGRetriever,
        MnemisRetriever,
    )

    mnemis: Mnemis = memory.mnemis
    retriever = MnemisRetriever(memory=memory, k=10)
    graph = MnemisPGRetriever(memory=memory, k=10)
    talk = MnemisMemory(mnemis=mnemis, k=10).for_user(*memory.scope, session="asked")
    # A conversation of its own: what is put must not change what the others recall.
    written = MnemisMemory(mnemis=mnemis).for_user(_USER, "talk", session="now")
    block = MnemisMemoryBlock(mnemis=mnemis, k=10).for_user(*memory.scope)
    mnemis.scope(_USER, "talk").remember([Message(role="user", text="Hello.")])

    def says(text: str) -> ChatMessage:
        return ChatMessage(role="user", content=text)

    return {
        "LlamaIndex retriever.retrieve": lambda q, _: retriever.retrieve(q),
        "LlamaIndex retriever.aretrieve": lambda q, _: wait(retriever.aretrieve(q)),
        "LlamaIndex memory, get": lambda q, _: talk.get(q),
        "LlamaIndex memory, put": lambda q, n: written.put(says(f"{n} {q}")),
        "LlamaIndex memory block, get": lambda q, _: wait(block.aget([says(q)])),
        "LlamaIndex graph retriever": lambda q, _: graph.retrieve(q),
    }
