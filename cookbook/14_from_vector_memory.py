"""Coming from VectorStoreRetrieverMemory: before and after, and importing the vector store.

Before, pieces came back by likeness alone, without their time, their order or a reason. After,
each comes with who said it and when, under the path by which it was found.
"""

import warnings
from datetime import UTC, datetime

from langchain_classic.memory import VectorStoreRetrieverMemory
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

from mnemis import Config, Message, Mnemis
from mnemis_langchain import MnemisMemory, MnemisRetriever, format_documents

warnings.simplefilter("ignore", LangChainDeprecationWarning)

# Before
vectors = InMemoryVectorStore(DeterministicFakeEmbedding(size=64))
before = VectorStoreRetrieverMemory(retriever=vectors.as_retriever(search_kwargs={"k": 2}))
for said, answered in (
    ("We ship on Friday.", "Noted, Friday."),
    ("The supplier is late, so we ship on Monday instead.", "Noted, Monday."),
    ("运费由我们承担。", "好的。"),
):
    before.save_context({"input": said}, {"output": answered})
print("Before, asked when we ship:")
print(before.load_memory_variables({"prompt": "When do we ship?"})["history"], "\n")

# What it held: one document for each exchange, "input: …\noutput: …".
ROLES = {"input": "user", "output": "assistant"}
messages: list[Message] = []
for number, (key, stored) in enumerate(vectors.store.items()):
    for line in stored["text"].splitlines():
        role, _, text = line.partition(": ")
        time = datetime(2025, 3, 3, 9, number, tzinfo=UTC)  # the order is all that is known
        messages.append(
            Message(role=ROLES[role], text=text, session="imported", time=time, id=f"{key}/{role}")
        )

with Mnemis.open("memory", config=Config(consolidate="manual")) as mnemis:
    memory = mnemis.scope("ana")
    report = memory.remember(messages)
    again = memory.remember(messages)
    memory.consolidate()
    print(f"Imported {report.stored} messages; once more: {again.stored} new\n")

    after = MnemisMemory(memory=memory, k=2, recent=0)
    print("After, asked when we ship:")
    print(after.load_memory_variables({"prompt": "When do we ship?"})["history"])

    print("\nOr as a retriever, where a chain wants documents:")
    print(format_documents(MnemisRetriever(memory=memory, k=1).invoke("谁付运费？")))
