"""LlamaIndex query engine: answers from memory, the path visible, one engine, many users.

The model is LlamaIndex's MockLLM, which answers with the prompt it was given: so you see exactly
what your own model would see. Put that in its place.
"""

from datetime import UTC, datetime

from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.tools import RetrieverTool
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters

from mnemis import InputError, Message, Mnemis
from mnemis_llamaindex import MemoryQuery, MnemisRetriever

mnemis = Mnemis.open("memory")
mnemis.scope("ana").remember(
    [
        Message(
            role="user",
            speaker="Ana",
            text="The launch of the tea shop is on April 12th.",
            time=datetime(2025, 3, 3, 9, tzinfo=UTC),
            metadata={"topic": "launch"},
        ),
        Message(
            role="user",
            speaker="Ana",
            text="We ordered forty cups from the potter in Leeds.",
            time=datetime(2025, 3, 5, 9, tzinfo=UTC),
            metadata={"topic": "supplies"},
        ),
    ]
)
mnemis.scope("小明").remember(
    [
        Message(
            role="user",
            speaker="小明",
            text="茶馆五月三日开业，杯子向景德镇的师傅订。",
            time=datetime(2025, 3, 4, 9, tzinfo=UTC),
        )
    ]
)

print("== What the model is shown: the memory and the path by which it was found")
retriever = MnemisRetriever(mnemis=mnemis, k=1)
ana = RetrieverQueryEngine.from_args(retriever.for_user("ana"), llm=MockLLM())
response = ana.query("When is the launch of the tea shop?")
print(response)

print("\n== What your program gets besides")
node = response.source_nodes[0]
print(node.node.metadata["time"], node.node.metadata["speaker"], node.node.metadata["status"])
print(f"a score between 0 and 1: {0.0 <= (node.score or 0.0) <= 1.0}")

print("\n== One engine for all: the query names its user")
shared = RetrieverQueryEngine.from_args(retriever, llm=MockLLM())
print(shared.query(MemoryQuery("茶馆什么时候开业？", user="小明")).source_nodes[0].text)
try:
    shared.query("When is the launch?")
except InputError as error:
    print(f"without a user: {error}")

print("\n== Filters as in every LlamaIndex store")
supplies = MetadataFilters(filters=[MetadataFilter(key="topic", value="supplies")])
for each in retriever.for_user("ana").with_where(supplies).retrieve("What about the tea shop?"):
    print(each.text)

print("\n== As a tool of an agent")
tool = RetrieverTool.from_defaults(
    retriever.for_user("ana"), name="memory", description="What the user said before."
)
print(tool.call(input="cups").content.strip())

mnemis.close()
