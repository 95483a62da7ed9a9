"""An existing chain gets long-term memory: MnemisMemory in the place of a buffer memory.

One memory object serves two users of a ConversationChain. The newest messages of a thread are
shown word for word; what other threads said comes back with the path by which it was found.
The model is a fake that prints what it is shown and answers from a list.
"""

import asyncio
import warnings
from datetime import UTC, datetime
from typing import Any

from langchain_classic.chains import ConversationChain
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import BaseMessage
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import RunnablePassthrough

from mnemis import Config, InputError, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisMemory

warnings.simplefilter("ignore", LangChainDeprecationWarning)  # ConversationChain is old


class ShowingModel(FakeListChatModel):
    def _call(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> str:
        print("   ", messages[-1].text.replace("\n", "\n    "))
        return super()._call(messages, *args, **kwargs)


# A fixed clock and no work in the background, so that this prints the same every day: leave both
# out in an application.
mnemis = Mnemis.open(
    "memory",
    clock=FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC)),
    config=Config(consolidate="manual"),
)
chain = ConversationChain(
    llm=ShowingModel(responses=["Noted.", "Green tea.", "记住了。", "去西湖吧。"]),
    prompt=PromptTemplate.from_template("{history}\nHuman: {input}\nAI:"),
    memory=MnemisMemory(mnemis=mnemis),
)
# Around the chain a runnable hands the call's config on to the memory.
app = RunnablePassthrough() | chain


def say(user: str, thread: str, text: str) -> None:
    print(f"{user}, thread {thread}")
    config: Any = {"configurable": {"user_id": user, "thread_id": thread}}
    answer = app.invoke({"input": text}, config)
    print(f"    -> {answer['response']}\n")


say("ana", "monday", "My doctor told me to drink no coffee any more.")
mnemis.scope("ana").consolidate()  # topics and facts; an application leaves it to the background
say("ana", "tuesday", "Which drink shall I order, coffee or tea?")
say("小明", "周一", "我下个月搬到杭州去住。")


async def say_async() -> None:
    config: Any = {"configurable": {"user_id": "小明", "thread_id": "周二"}}
    answer = await app.ainvoke({"input": "下个月周末我去哪里散步好？"}, config)
    print(f"    -> {answer['response']}\n")


print("小明, thread 周二, asynchronously")
asyncio.run(say_async())

print("Bound to one user, for code that calls the chain alone:")
bound = MnemisMemory(mnemis=mnemis).for_user("ana", session="tuesday")
print(bound.load_memory_variables({})["history"])

try:
    chain.invoke({"input": "Who am I?"})
except InputError as error:
    print(f"\nWithout a user: {error}")
mnemis.close()
