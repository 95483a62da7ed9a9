"""FunctionAgent with memory: it remembers across conversations and across restarts of the program.

The model is a fake that prints what it is shown; put your own in its place. Three lines give an
agent its memory: open the store, make a MnemisMemory, pass it to run().
"""

import asyncio
import json
from datetime import UTC, datetime

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.workflow import Context

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemory


def answer(messages: list[ChatMessage], **_: object) -> ChatMessage:
    for each in messages:
        print(f"    {each.role.value}: {each.content}")
    return ChatMessage(role="assistant", content="I will keep that in mind.")


def open_memory() -> Mnemis:
    # A fixed clock and no work in the background, so that this prints the same every day.
    clock = FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC))
    return Mnemis.open("memory", clock=clock, config=Config(consolidate="manual"))


async def main() -> None:
    agent = FunctionAgent(
        llm=MockFunctionCallingLLM(response_generator=answer),
        tools=[],
        system_prompt="You are a travel agent.",
    )

    print("== Monday's conversation: nothing is remembered yet")
    mnemis = open_memory()
    users = MnemisMemory(mnemis=mnemis)
    context = Context(agent)
    await agent.run(
        "I am allergic to shellfish, and I only travel by train.",
        ctx=context,
        memory=users.for_user("ana", session="monday", speaker="Ana"),
    )
    saved = json.dumps(context.to_dict())
    mnemis.close()

    print("\n== Tuesday, another process, another conversation: what was said on Monday is there")
    mnemis = open_memory()
    users = MnemisMemory(mnemis=mnemis)
    await agent.run(
        "Where shall I eat?", memory=users.for_user("ana", session="tuesday", speaker="Ana")
    )

    print("\n== Another user sees nothing of it")
    await agent.run("我对什么过敏？", memory=users.for_user("小明", session="tuesday"))

    print("\n== Monday's conversation goes on: its saved Context opens the memory again")
    context = Context.from_dict(agent, json.loads(saved))
    await agent.run("And how do I get to Vienna?", ctx=context)
    mnemis.close()


asyncio.run(main())
