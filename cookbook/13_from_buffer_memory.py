"""Coming from ConversationBufferMemory: the same chain before and after, and importing the past.

Before, every turn of a chat went into every prompt and was lost at the end of the process. After,
the newest messages and what fits the question are shown, however long the chat has grown, and all
of it stays.
"""

import warnings
from datetime import UTC, datetime

from langchain_classic.chains import ConversationChain
from langchain_classic.memory import ConversationBufferMemory
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.language_models import FakeListChatModel

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_langchain import MnemisMemory, to_messages

warnings.simplefilter("ignore", LangChainDeprecationWarning)  # both are old friends

# Before
before = ConversationBufferMemory()
chain = ConversationChain(llm=FakeListChatModel(responses=["Noted."]), memory=before)
for text in (
    "I moved from Vienna to Hangzhou.",
    "My sister Lin studies medicine.",
    "我每天早上喝一杯龙井茶。",
    "The landlord repaired the heating on Tuesday.",
    *(f"Parcel {number} of the move arrived undamaged." for number in range(1, 41)),
):
    chain.invoke({"input": text})
shown = before.load_memory_variables({})["history"]
print(f"Before: {len(shown):,} characters in every prompt, whatever is asked")

# After: a fixed clock and no work in the background, so that this prints the same every day
mnemis = Mnemis.open(
    "memory",
    clock=FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC)),
    config=Config(consolidate="manual"),
)

# What it held comes along; name the time when it was said, if it is known.
past = before.chat_memory.messages
time = datetime(2025, 2, 1, tzinfo=UTC)
report = mnemis.scope("ana").remember(to_messages(past, session="the old chat", time=time))
print(f"Imported: {report.stored} messages")

after = MnemisMemory(mnemis=mnemis, k=1, recent=2).for_user("ana", session="a new chat")
chain = ConversationChain(llm=FakeListChatModel(responses=["In Hangzhou."]), memory=after)
chain.invoke({"input": "What was that about my flat?"})

for question in ("Where do I live now?", "我早上喝什么？"):
    shown = after.load_memory_variables({"input": question})["history"]
    print(f"\nAfter, {len(shown)} characters, asked: {question}\n{shown}")
mnemis.close()
