"""One object serves many users at once: none sees another's memory, and nothing blocks the loop."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import SimpleChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnablePassthrough

from mnemis import Config, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.ports.embedder import Fingerprint
from mnemis.stores.oracle import OracleStore
from mnemis_langchain import (
    MnemisChatMessageHistory,
    MnemisMemory,
    MnemisMiddleware,
    MnemisRetriever,
    MnemisStore,
    memory_tools,
)

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

USERS = 50
NUMBER = re.compile(r"order is (\d+)")


class Echo(SimpleChatModel):
    """Answers with what it was shown."""

    @property
    def _llm_type(self) -> str:
        return "echo"

    def _call(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> str:
        return "shown: " + "\n".join(message.text for message in messages)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        answer = AIMessage(self._call(messages))
        return ChatResult(generations=[ChatGeneration(message=answer)])


def config(user: int, turn: int) -> Any:
    return {"configurable": {"user_id": f"用户 {user}", "thread_id": f"t{turn}"}}


Ask = Callable[[int, int], str]
AAsk = Callable[[int, int], Awaitable[str]]


def chain_asks(mnemis: Mnemis) -> tuple[Ask, AAsk]:
    chain = RunnablePassthrough() | ConversationChain(
        llm=Echo(), memory=MnemisMemory(mnemis=mnemis, k=5)
    )

    def ask(user: int, turn: int) -> str:
        chain.invoke({"input": f"my order is {user}"}, config(user, turn))
        return str(chain.invoke({"input": "Which order is mine?"}, config(user, turn + 1)))

    async def aask(user: int, turn: int) -> str:
        await chain.ainvoke({"input": f"my order is {user}"}, config(user, turn))
        return str(await chain.ainvoke({"input": "Which order is mine?"}, config(user, turn + 1)))

    return ask, aask


def agent_asks(mnemis: Mnemis) -> tuple[Ask, AAsk]:
    agent: Any = create_agent(Echo(), middleware=[MnemisMiddleware(mnemis=mnemis, k=5)])

    def say(text: str) -> dict[str, Any]:
        return {"messages": [HumanMessage(text)]}

    def ask(user: int, turn: int) -> str:
        agent.invoke(say(f"my order is {user}"), config(user, turn))
        result = agent.invoke(say("Which order is mine?"), config(user, turn + 1))
        return str(result["messages"][-1].text)

    async def aask(user: int, turn: int) -> str:
        await agent.ainvoke(say(f"my order is {user}"), config(user, turn))
        result = await agent.ainvoke(say("Which order is mine?"), config(user, turn + 1))
        return str(result["messages"][-1].text)

    return ask, aask


def tool_asks(mnemis: Mnemis) -> tuple[Ask, AAsk]:
    remember, recall, _ = memory_tools(mnemis=mnemis, k=5)
    retriever = MnemisRetriever(mnemis=mnemis, k=5)

    def ask(user: int, turn: int) -> str:
        remember.invoke({"text": f"my order is {user}"}, config(user, turn))
        found = retriever.invoke("order", config(user, turn))
        shown = recall.invoke({"query": "Which order is mine?"}, config(user, turn))
        return f"{shown}\n{[each.page_content for each in found]}"

    async def aask(user: int, turn: int) -> str:
        await remember.ainvoke({"text": f"my order is {user}"}, config(user, turn))
        found = await retriever.ainvoke("order", config(user, turn))
        shown = await recall.ainvoke({"query": "Which order is mine?"}, config(user, turn))
        return f"{shown}\n{[each.page_content for each in found]}"

    return ask, aask


def history_asks(mnemis: Mnemis) -> tuple[Ask, AAsk]:
    get = MnemisChatMessageHistory.for_users(mnemis)

    def ask(user: int, turn: int) -> str:
        get(f"用户 {user}", "t").add_user_message(f"my order is {user}")
        return "\n".join(each.text for each in get(f"用户 {user}", "t").messages)

    async def aask(user: int, turn: int) -> str:
        history = get(f"用户 {user}", "t")
        await history.aadd_messages([HumanMessage(f"my order is {user}")])
        return "\n".join(each.text for each in await history.aget_messages())

    return ask, aask


def store_asks(mnemis: Mnemis) -> tuple[Ask, AAsk]:
    store = MnemisStore(mnemis)

    def ask(user: int, turn: int) -> str:
        store.put(("memories", f"用户 {user}"), f"k{turn}", {"text": f"my order is {user}"})
        return str(store.search(("memories", f"用户 {user}"), query="Which order?"))

    async def aask(user: int, turn: int) -> str:
        await store.aput(("memories", f"用户 {user}"), f"k{turn}", {"text": f"my order is {user}"})
        return str(await store.asearch(("memories", f"用户 {user}"), query="Which order?"))

    return ask, aask


EVERYBODY = pytest.mark.parametrize(
    "make", [chain_asks, agent_asks, tool_asks, history_asks, store_asks]
)


def turns() -> list[tuple[int, int]]:
    """Two rounds of all users, each round in another order."""
    chance = random.Random(4)
    planned: list[tuple[int, int]] = []
    for turn in range(2):
        users = list(range(USERS))
        chance.shuffle(users)
        planned += [(user, 2 * turn) for user in users]
    return planned


def check(user: int, shown: str) -> None:
    assert set(NUMBER.findall(shown)) == {str(user)}, f"user {user} was shown {shown}"


@EVERYBODY
def test_on_threads_each_sees_their_own(
    mnemis: Mnemis, make: Callable[[Mnemis], tuple[Ask, AAsk]]
) -> None:
    ask, _ = make(mnemis)
    with ThreadPoolExecutor(16) as threads:
        asked = [(user, threads.submit(ask, user, turn)) for user, turn in turns()]
        for user, answer in asked:
            check(user, answer.result())


@EVERYBODY
def test_on_a_loop_each_sees_their_own(
    mnemis: Mnemis, make: Callable[[Mnemis], tuple[Ask, AAsk]]
) -> None:
    _, aask = make(mnemis)

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*(aask(user, turn) for user, turn in turns()))

    for (user, _turn), shown in zip(turns(), asyncio.run(all_at_once()), strict=True):
        check(user, shown)


def test_two_loops_one_after_the_other_share_the_objects(mnemis: Mnemis) -> None:
    _, aask = agent_asks(mnemis)
    for turn in (0, 2):
        check(3, asyncio.run(aask(3, turn)))  # type: ignore[arg-type]


def test_loops_on_two_threads_share_the_objects(mnemis: Mnemis) -> None:
    _, aask = agent_asks(mnemis)

    def ask_all(users: range) -> list[str]:
        async def at_once() -> list[str]:
            return await asyncio.gather(*(aask(user, turn) for turn in (0, 1) for user in users))

        return asyncio.run(at_once())

    halves = (range(5), range(5, 10))
    with ThreadPoolExecutor(2) as threads:
        for users, shown in zip(halves, threads.map(ask_all, halves), strict=True):
            for user, answer in zip([*users, *users], shown, strict=True):
                check(user, answer)


class Gated:
    """An embedder that answers only while the event loop runs free."""

    def __init__(self) -> None:
        self._inner = HashingEmbedder()
        self._beat = threading.Event()
        self.waited = 0
        self.loop_thread: int | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.loop_thread is not None:
            assert threading.get_ident() != self.loop_thread, "embedding on the event loop"
            self._beat.clear()
            assert self._beat.wait(10), "the event loop stood still"
            self.waited += 1
        return self._inner.embed(texts)

    async def heart(self) -> None:
        self.loop_thread = threading.get_ident()
        while True:
            self._beat.set()
            await asyncio.sleep(0.001)


@EVERYBODY
def test_the_loop_runs_while_a_memory_works(make: Callable[[Mnemis], tuple[Ask, AAsk]]) -> None:
    gated = Gated()
    manual = Config(consolidate="manual")

    async def beat_and_ask(aask: AAsk) -> str:
        heart = asyncio.create_task(gated.heart())
        await asyncio.sleep(0)
        try:
            return await aask(7, 0)
        finally:
            heart.cancel()

    with Mnemis(OracleStore(), embedder=gated, config=manual) as mnemis:
        _, aask = make(mnemis)
        check(7, asyncio.run(beat_and_ask(aask)))
    assert gated.waited >= 1


def test_the_gate_sees_a_blocked_loop() -> None:
    gated = Gated()

    async def block(mnemis: Mnemis) -> None:
        heart = asyncio.create_task(gated.heart())
        await asyncio.sleep(0)
        try:
            mnemis.scope("ana").remember([Message(role="user", text="on the loop")])
        finally:
            heart.cancel()

    manual = Config(consolidate="manual")
    with (
        Mnemis(OracleStore(), embedder=gated, config=manual) as mnemis,
        pytest.raises(AssertionError, match="on the event loop"),
    ):
        asyncio.run(block(mnemis))


def test_cancelled_saves_are_whole_or_absent(mnemis: Mnemis) -> None:
    async def save_and_cancel(user: int, delay: int) -> bool:
        memory = MnemisMemory(mnemis=mnemis).for_user(f"u{user}", session="t")
        task = asyncio.create_task(memory.asave_context({"input": "a"}, {"output": "b"}))
        for _ in range(delay):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task], timeout=5)
        return task.cancelled()

    async def every_delay() -> list[bool]:
        return [await save_and_cancel(number, number % 6) for number in range(30)]

    assert sum(asyncio.run(every_delay())) >= 5  # those cancelled before they were done
    for number in range(30):
        memory = mnemis.scope(f"u{number}")
        memory.remember([Message(role="user", text="after", session="t")])
        kept = MnemisChatMessageHistory(memory, session="t").messages
        assert [each.text for each in kept] in (["a", "b", "after"], ["after"])
