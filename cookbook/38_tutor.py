"""A tutor with constraints: what the pupil cannot do is remembered when the week is planned.

Said once, weeks ago, in another conversation, and in either language: it is in front of the model
when it matters. The model is a fake that prints what it is shown.
"""

import asyncio
from datetime import UTC, datetime, timedelta

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemory

LESSONS = [
    ["On Wednesdays I have violin, so no maths that day.", "Fractions are easy for me."],
    ["I mix up sine and cosine every time.", "I learn best with drawings."],
    ["我对花生过敏，别给我花生做奖励。", "我想在六月通过考试。"],
    ["Violin moved: it is on Thursdays now, no longer on Wednesdays."],
]


def answer(messages: list[ChatMessage], **_: object) -> ChatMessage:
    for each in messages:
        if each.role.value == "system":
            print(each.content)
    return ChatMessage(role="assistant", content="Good.")


async def main() -> None:
    clock = FakeClock(datetime(2025, 2, 3, 16, tzinfo=UTC))
    mnemis = Mnemis.open("memory", clock=clock, config=Config(consolidate="manual"))
    pupils = MnemisMemory(mnemis=mnemis, k=3)
    for number, lesson in enumerate(LESSONS):
        talk = pupils.for_user("mia", session=f"lesson {number}", speaker="Mia")
        for text in lesson:
            talk.put(ChatMessage(role="user", content=text))
            clock.advance(timedelta(minutes=1))
        clock.advance(timedelta(days=7))
    mnemis.scope("mia").consolidate()

    agent = FunctionAgent(llm=MockFunctionCallingLLM(response_generator=answer), tools=[])
    for question in (
        "On which day is violin?",
        "Which exercises with sine and cosine shall we do?",
        "奖励我一包零食吧，什么都行？",
    ):
        print(f"\n== {question}")
        await agent.run(question, memory=pupils.for_user("mia", session=question, speaker="Mia"))
    mnemis.close()


asyncio.run(main())
