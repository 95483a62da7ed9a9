"""Many users at once, on threads and on a loop: nobody sees another's, nothing blocks."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage

from mnemis import Memory, Mnemis
from mnemis_llamaindex import MemoryQuery, MnemisMemory, MnemisRetriever

from .fakes import ScriptedLLM

USERS = 50


def number_of(user: int) -> str:
    return f"{user:02d}-{user * 7919 % 10_000:04d}"


def check(user: int, shown: str) -> None:
    assert number_of(user) in shown, f"user {user} misses the own number"
    foreign = [other for other in range(USERS) if other != user and number_of(other) in shown]
    assert not foreign, f"user {user} sees numbers of {foreign}"


def order(user: int, round_: int) -> list[ChatMessage]:
    return [
        ChatMessage(role="user", content=f"My order is {number_of(user)}, part {round_}."),
        ChatMessage(role="assistant", content="Noted."),
    ]


def test_fifty_users_on_threads_share_one_object(mnemis: Mnemis) -> None:
    root = MnemisMemory(mnemis=mnemis)
    retriever = MnemisRetriever(mnemis=mnemis, k=20)
    barrier = threading.Barrier(16)

    def turn(user: int, round_: int) -> None:
        if round_ == 0 and user < 16:
            barrier.wait(timeout=30)
        memory = root.for_user(f"user-{user}", session=f"s{round_}")
        memory.put_messages(order(user, round_))
        shown = "\n".join(str(m.content) for m in memory.get(input="What is my order?"))
        nodes = retriever.for_user(f"user-{user}").retrieve("What is my order?")
        check(user, shown + "\n".join(each.text for each in nodes))

    with ThreadPoolExecutor(16) as pool:
        for round_ in range(3):
            users = list(range(16)) + random.Random(round_).sample(range(16, USERS), USERS - 16)
            list(pool.map(turn, users, [round_] * USERS))
    assert len(mnemis.scopes()) == USERS


async def test_fifty_users_on_a_loop_share_one_object(mnemis: Mnemis) -> None:
    root = MnemisMemory(mnemis=mnemis)
    retriever = MnemisRetriever(mnemis=mnemis, k=20)

    async def turn(user: int, round_: int) -> None:
        memory = root.for_user(f"user-{user}", session=f"s{round_}")
        await memory.aput_messages(order(user, round_))
        shown = "\n".join(str(m.content) for m in await memory.aget(input="What is my order?"))
        nodes = await retriever.aretrieve(MemoryQuery("What is my order?", user=f"user-{user}"))
        check(user, shown + "\n".join(each.text for each in nodes))

    for round_ in range(3):
        users = random.Random(round_).sample(range(USERS), USERS)
        await asyncio.gather(*(turn(user, round_) for user in users))


async def test_agents_of_many_users_run_at_once(mnemis: Mnemis) -> None:
    shown: dict[int, str] = {}

    async def run(user: int) -> None:
        def answer(messages: Any, **_: Any) -> ChatMessage:
            shown[user] = "\n".join(str(each.content) for each in messages)
            return ChatMessage(role="assistant", content="Noted.")

        agent = FunctionAgent(llm=ScriptedLLM(answer), tools=[])
        root = MnemisMemory(mnemis=mnemis)
        before = root.for_user(f"user-{user}", session="one")
        await agent.run(f"My order is {number_of(user)}.", memory=before)
        await agent.run("What is my order?", memory=root.for_user(f"user-{user}", session="two"))

    await asyncio.gather(*(run(user) for user in range(10)))
    for user in range(10):
        check(user, shown[user])


async def test_one_conversation_on_many_tasks_loses_nothing(mnemis: Mnemis) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")
    messages = [ChatMessage(role="user", content=f"message {n}") for n in range(40)]
    await asyncio.gather(*(memory.aput(each) for each in messages))
    assert sorted(str(m.content) for m in memory.get_all()) == sorted(
        str(each.content) for each in messages
    )
    again = MnemisMemory(memory=memory.memory, session="s1")
    assert again.get_all() == memory.get_all()


async def test_the_loop_keeps_beating(
    mnemis: Mnemis, ana: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    recall, remember = Memory.recall, Memory.remember

    def slow_recall(self: Memory, *args: Any, **options: Any) -> Any:
        time.sleep(0.2)
        return recall(self, *args, **options)

    def slow_remember(self: Memory, *args: Any, **options: Any) -> Any:
        time.sleep(0.2)
        return remember(self, *args, **options)

    monkeypatch.setattr(Memory, "recall", slow_recall)
    monkeypatch.setattr(Memory, "remember", slow_remember)
    gaps: list[float] = []

    async def heart() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            gaps.append(time.monotonic() - before)

    beating = asyncio.create_task(heart())
    memory = MnemisMemory(memory=ana, session="s9")
    await memory.aput(ChatMessage(role="user", content="When is the launch?"))
    await memory.aget()
    await MnemisRetriever(memory=ana).aretrieve("launch")
    beating.cancel()
    assert len(gaps) >= 20
    assert max(gaps) < 0.15


def test_a_second_loop_works_as_the_first(mnemis: Mnemis) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")

    async def talk(number: int) -> None:
        await asyncio.gather(
            *(memory.aput(ChatMessage(role="user", content=f"{number}-{n}")) for n in range(5))
        )
        await memory.aget()

    asyncio.run(talk(1))
    asyncio.run(talk(2))
    threads = [threading.Thread(target=lambda n=n: asyncio.run(talk(n))) for n in (3, 4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(memory.get_all()) == 20


async def test_a_cancelled_put_is_whole_or_not_there(mnemis: Mnemis) -> None:
    memory = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")
    for delay in range(10):
        pair = [
            ChatMessage(role="user", content=f"ask {delay}"),
            ChatMessage(role="assistant", content=f"reply {delay}"),
        ]
        task = asyncio.create_task(memory.aput_messages(pair))
        await asyncio.sleep(delay / 2_000)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    await memory.aput(ChatMessage(role="user", content="the end"))
    said = [str(each.content) for each in memory.get_all()]
    assert said[-1] == "the end"
    for delay in range(10):
        assert (f"ask {delay}" in said) == (f"reply {delay}" in said)
