"""The memory as a property graph: triplets that hold today, and recall inside PropertyGraphIndex.

Nothing is extracted by a model here: facts come from what was said, by rules, and each knows the
message it rests on.
"""

from datetime import UTC, datetime, timedelta

from llama_index.core import PropertyGraphIndex
from llama_index.core.llms import MockLLM

from mnemis import Config, Message, Mnemis
from mnemis_llamaindex import MnemisEmbedding, MnemisPGRetriever, MnemisPropertyGraphStore

SAID = (
    "My sister Clara lives in Lisbon.",
    "Clara works at the Harbour Museum.",
    "Tom Becker works at Acme Robotics.",
    "Clara moved to Porto.",
    "我的朋友李雷在腾讯工作。",
)

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
memory = mnemis.scope("ana")
start = datetime(2025, 3, 3, 9, tzinfo=UTC)
memory.remember(
    [
        Message(
            id=f"m{day}",
            role="user",
            speaker="Ana",
            text=text,
            time=start + timedelta(days=7 * day),
            session=f"week {day}",
        )
        for day, text in enumerate(SAID)
    ]
)
memory.consolidate()

print("== What holds now (Lisbon does not)")
graph = MnemisPropertyGraphStore(memory=memory)
for subject, relation, target in graph.get_triplets(relation_names=["works_at", "lives_in"]):
    sources = ", ".join(relation.properties["sources"])
    print(f"{subject.id} -> {relation.id} -> {target.id}   (said in {sources})")

print("\n== Around Clara, one step, without topics")
around = graph.get_rel_map(
    graph.get(ids=["clara"]), depth=1, ignore_rels=["belongs_to", "related_to"]
)
for subject, relation, target in around:
    print(f"{subject.id} -> {relation.id} -> {target.id}")

print("\n== Recall as a sub-retriever of an index")
index = PropertyGraphIndex.from_existing(
    graph, llm=MockLLM(), embed_model=MnemisEmbedding(mnemis.embedder)
)
retriever = index.as_retriever(sub_retrievers=[MnemisPGRetriever(memory=memory, k=2)])
for each in retriever.retrieve("Where does Clara live?"):
    print(f"{each.node.metadata['status']}: {each.text}   [{each.node.metadata['path']}]")

print("\n== It is a view: facts are derived, not written")
try:
    graph.delete(entity_names=["Clara"])
except NotImplementedError as error:
    print(error)
mnemis.close()
