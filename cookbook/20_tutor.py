"""A tutor that respects what its pupil told it: constraints are kept by a tool, recalled by topic.

The model decides with ``remember`` what is worth keeping for good. In a later lesson, in another
thread, the middleware shows it before the model plans anything. The model is a fake that answers
from a list; what it is shown is printed.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatResult

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisMiddleware


class ShowingModel(GenericFakeChatModel):
    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        last = messages[-1]
        name = f"tool {last.name}" if isinstance(last, ToolMessage) else "pupil"
        print(f"    {name}: " + last.text.replace("\n", "\n      "))
        return super()._generate(messages, *args, **kwargs)


def keep(text: str) -> AIMessage:
    call = {"id": "c1", "name": "remember", "args": {"text": text}}
    return AIMessage("", tool_calls=[call])


def answers() -> Iterator[AIMessage]:
    yield keep("The pupil has no time on Wednesdays because of judo.")
    yield AIMessage("Then never on a Wednesday.")
    yield keep("学生觉得分数很难，用图形讲解才听得懂。")
    yield AIMessage("好，以后分数都用图形来讲。")
    yield AIMessage("Tuesday at five, then; Wednesday is judo.")
    yield AIMessage("我们先画一个圆，分成八块。")


clock = FakeClock(datetime(2025, 3, 3, 17, tzinfo=UTC))
mnemis = Mnemis.open("memory", clock=clock, config=Config(consolidate="manual"))
agent: Any = create_agent(
    ShowingModel(messages=answers()),
    system_prompt="You are a patient tutor.",
    middleware=[MnemisMiddleware(mnemis=mnemis, tools=True, k=2, where={"role": "user"})],
)


def lesson(number: int, text: str) -> None:
    print(f"{clock.now():%d %B}, lesson {number}")
    config = {"configurable": {"user_id": "pupil 12", "thread_id": f"lesson {number}"}}
    result = agent.invoke({"messages": [HumanMessage(text)]}, config)
    print(f"    -> {result['messages'][-1].text}\n")
    clock.advance(timedelta(days=7))


lesson(1, "On Wednesdays I have judo, so I cannot come then.")
lesson(2, "分数我总是听不懂，画图的时候我才明白。")
mnemis.scope("pupil 12").consolidate()
lesson(3, "Can we meet on Tuesday or Wednesday next week?")
lesson(4, "今天我们学分数的加法吗？")
mnemis.close()
