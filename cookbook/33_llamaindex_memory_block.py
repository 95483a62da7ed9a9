"""A block for LlamaIndex's Memory: what overflows is remembered, and flush keeps the rest.

Memory hands messages to its blocks only when the conversation has grown too long. A short chat
would leave nothing behind: that is what flush is for.
"""

import asyncio
from datetime import UTC, datetime

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import Memory

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemoryBlock


def say(text: str) -> list[ChatMessage]:
    return [
        ChatMessage(role="user", content=text),
        ChatMessage(role="assistant", content="Noted, and I will keep it to myself."),
    ]


async def main() -> None:
    mnemis = Mnemis.open(
        "memory",
        clock=FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC)),
        config=Config(consolidate="manual"),
    )
    block = MnemisMemoryBlock(mnemis=mnemis, k=2).for_user("ana")

    first = Memory.from_defaults(session_id="monday", memory_blocks=[block])
    await first.aput_messages(say("The spare key is with Mrs Okafor on the third floor."))
    await first.aput_messages(say("我的快递一般放在楼下的便利店。"))
    print(f"a short chat, nothing has overflowed; flush keeps {await block.aflush(first)} messages")
    print(f"flushing again keeps {await block.aflush(first)}")

    for question in ("Who has the spare key?", "快递放在哪里？"):
        second = Memory.from_defaults(session_id="friday", memory_blocks=[block])
        await second.aput(ChatMessage(role="user", content=question))
        print(f"\n== {question}")
        for message in await second.aget():
            print(f"{message.role.value}: {message.content}")

    print("\n== Too long? The memory is asked for fewer tokens, the best hit stays")
    content = await block.aget([ChatMessage(role="user", content="Who has the spare key?")])
    print(await block.atruncate(content, 8))
    mnemis.close()


asyncio.run(main())
