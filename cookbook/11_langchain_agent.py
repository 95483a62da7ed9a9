"""An agent that remembers across threads and restarts: MnemisMiddleware for create_agent.

Recalled memories are shown to the model for one call and never stored; the user comes from the
runtime context. The program stops in the middle and starts again: a new thread, the same memory.
The model is a fake that prints what it is shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisChatMessageHistory, MnemisMiddleware


@dataclass
class Context:
    user_id: str


class ShowingModel(GenericFakeChatModel):
    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        for message in messages:
            print(f"    {message.type}: {message.text}".replace("\n", "\n      "))
        return super()._generate(messages, *args, **kwargs)


@tool
def book_table(restaurant: str, people: int) -> str:
    """Books a table."""
    return f"booked: {restaurant}, {people} people, reference 7731"


def start(day: int, replies: list[AIMessage]) -> tuple[Any, Mnemis]:
    """What an application does when it starts."""
    # A fixed clock, and consolidation by hand instead of in the background, so that this prints
    # the same every day.
    mnemis = Mnemis.open(
        "memory",
        clock=FakeClock(datetime(2025, 3, day, 9, tzinfo=UTC)),
        config=Config(consolidate="manual"),
    )

    def speak() -> Iterator[AIMessage]:
        yield from replies

    agent = create_agent(
        ShowingModel(messages=speak()),
        [book_table],
        system_prompt="You book tables.",
        middleware=[MnemisMiddleware(mnemis=mnemis)],
        context_schema=Context,
        checkpointer=InMemorySaver(),
    )
    return agent, mnemis


def say(agent: Any, user: str, thread: str, text: str) -> None:
    print(f"{user}, thread {thread}: {text}")
    result = agent.invoke(
        {"messages": [{"role": "user", "content": text}]},
        {"configurable": {"thread_id": thread}},
        context=Context(user_id=user),
    )
    print(f"  -> {result['messages'][-1].text}\n")


print("== 3 March")
agent, mnemis = start(3, [AIMessage("I will keep that in mind."), AIMessage("记住了。")])
say(agent, "ana", "t1", "I am vegetarian, and I need a table by the window.")
say(agent, "小明", "t2", "我对花生过敏，订餐馆请注意。")
for scope in mnemis.scopes():
    mnemis.scope(*scope).consolidate()
mnemis.close()

print("== 10 March, after a restart")
call = {"id": "c1", "name": "book_table", "args": {"restaurant": "Green Leaf", "people": 2}}
agent, mnemis = start(
    10,
    [
        AIMessage("", tool_calls=[call]),
        AIMessage("Booked at Green Leaf, vegetarian, by the window."),
        AIMessage("我找一家不用花生的餐馆。"),
    ],
)
say(agent, "ana", "t3", "Book a table in a restaurant for two, please.")
say(agent, "小明", "t4", "请帮我订一家餐馆。")

print("== What Ana's memory holds now: what was said, no tool calls, no recalled context")
for thread in ("t1", "t3"):
    for message in MnemisChatMessageHistory(mnemis.scope("ana"), session=thread).messages:
        print(f"  {thread} {message.type}: {message.text}")
mnemis.close()
