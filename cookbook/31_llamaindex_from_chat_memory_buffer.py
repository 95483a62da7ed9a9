"""Coming from ChatMemoryBuffer: the same chat engine before and after, and importing the past.

Before, the buffer forgot what no longer fitted. After, the newest messages are shown as they were,
and what fits the question comes back from everything that was ever said. The model is a fake that
prints what it is shown and answers from a list.
"""

from datetime import UTC, datetime
from typing import Any

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
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


class ListLLM(CustomLLM):
    answers: list[str]
    shows: bool = False

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        if self.shows:
            print("    " + prompt.replace("\n", "\n    "))
        return CompletionResponse(text=self.answers.pop(0))

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        yield self.complete(prompt)


print("== Before: a buffer of 40 tokens")
llm = ListLLM(answers=["Noted."] * len(SAID))
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

after = MnemisMemory(mnemis=mnemis, token_limit=200, k=1).for_user("ana", session="a new chat")
llm = ListLLM(answers=["Number 47.", "姓周。"], shows=True)
engine = SimpleChatEngine.from_defaults(memory=after, llm=llm)
for question in ("Which locker is mine?", "我的教练姓什么？"):
    print(f"\nasked: {question}")
    print(f"    -> {engine.chat(question)}")
    after.reset()  # a new conversation; nothing is forgotten
mnemis.close()
