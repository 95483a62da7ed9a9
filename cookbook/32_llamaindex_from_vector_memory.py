"""Coming from VectorMemory: what it held, imported; what it could not do, done.

VectorMemory brought back whatever was similar, however old. Mnemis knows that one thing replaced
another, says so, and shows the path to each memory.
"""

import warnings
from datetime import UTC, datetime

from llama_index.core.llms import ChatMessage

from mnemis import Config, Mnemis
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisEmbedding, MnemisMemory, to_messages

warnings.simplefilter("ignore", DeprecationWarning)  # VectorMemory is one
from llama_index.core.memory import VectorMemory  # noqa: E402

clock = FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC))
mnemis = Mnemis.open("memory", clock=clock, config=Config(consolidate="manual"))

print("== Before")
before = VectorMemory.from_defaults(
    embed_model=MnemisEmbedding(mnemis.embedder), retriever_kwargs={"similarity_top_k": 2}
)
for text in ("I live in Berlin.", "I moved to Lisbon last week.", "我的猫叫米索。"):
    before.put(ChatMessage(role="user", content=text))
    before.put(ChatMessage(role="assistant", content="Noted."))
for message in before.get("Where do I live?"):
    print(f"    {message}")

print("\n== Its batches hold the messages; remember them, then let the memory think about them")
past = [
    ChatMessage.model_validate(each)
    for node in before.vector_index.docstore.docs.values()
    for each in node.metadata["sub_dicts"]
]
ana = mnemis.scope("ana")
stored = ana.remember(
    to_messages(past, session="before", time=datetime(2025, 2, 1, tzinfo=UTC), speaker="Ana")
)
print(f"imported: {stored.stored} messages")
ana.consolidate()

print("\n== After")
after = MnemisMemory(mnemis=mnemis, k=2).for_user("ana", session="now")
for question in ("Where do I live?", "我的猫叫什么？"):
    print(f"\nasked: {question}")
    print(after.get(input=question)[0].content)
mnemis.close()
