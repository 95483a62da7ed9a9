"""Coming from ChatMemoryBuffer: the same chat engine before and after, and importing the past.

Before, the buffer forgot what no longer fitted. After, the newest messages are shown as they were,
and what fits the question comes back from everything that was ever said.
"""

from datetime import UTC, datetime

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import ChatMemoryBuffer

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemory, to_messages

SAID = (
    "My locker at the pool is number 47.",
    "I swim on Tuesdays and Fridays.",
    "我游泳的教练姓周。",
    "The water was cold today.",
)


def shown(answer: object) -> None:
    # MockLLM answers with the prompt that it was given.
    for line in str(answer).splitlines():
        print(f"    {line}")


llm = MockLLM(max_tokens=1, is_chat_model=True)

print("== Before: a buffer of 40 tokens")
before = ChatMemoryBuffer.from_defaults(token_limit=40)
engine = SimpleChatEngine.from_defaults(memory=before, llm=llm)
for text in SAID:
    engine.chat(text)
for message in before.get():
    print(f"    {message}")

print("\n== After: import what it held, and change one line")
mnemis = Mnemis.open(
    "memory",
    clock=FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC)),
    config=Config(consolidate="manual"),
)
past = to_messages(
    before.get_all(), session="the old chat", time=datetime(2025, 2, 1, tzinfo=UTC), speaker="Ana"
)
print(f"imported: {mnemis.scope('ana').remember(past).stored} messages")

after = MnemisMemory(mnemis=mnemis, token_limit=200, k=2).for_user("ana", session="a new chat")
engine = SimpleChatEngine.from_defaults(memory=after, llm=MockLLM(is_chat_model=True))
for question in ("Which locker is mine?", "我的教练姓什么？"):
    print(f"\nasked: {question}")
    shown(engine.chat(question))
    after.reset()  # a new conversation; nothing is forgotten
mnemis.close()
