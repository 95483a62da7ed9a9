"""A second brain: months of notes, found again by a vague memory of them.

"Something about the cloud… storage, I think": such a question has no name and no date. The notes
are LlamaIndex documents; topics are made of them, and each note comes back with the way to it.
"""

from llama_index.core.schema import Document
from llama_index.core.tools import RetrieverTool

from mnemis import Config, Mnemis
from mnemis_llamaindex import MnemisRetriever, add_nodes

NOTES = [
    ("2025-01-07", "Compared cloud storage: Hetzner is half the price of S3 for our backups."),
    ("2025-01-15", "Sourdough: 75 percent hydration, and fold it every half hour."),
    ("2025-02-02", "Backups now run to Hetzner at night; restoring one took twelve minutes."),
    ("2025-02-11", "Podcast on sleep: light in the morning matters more than dark at night."),
    ("2025-02-20", "读《置身事内》：地方政府靠土地财政，第二章讲得最清楚。"),
    ("2025-03-05", "Rye sourdough needs no folding, but a longer rest in the cold."),
    ("2025-03-12", "Encrypted the backups with age; the key is on paper in the safe."),
    ("2025-03-30", "和老周聊土地出让金：他觉得以后会改成房产税。"),
]

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
brain = mnemis.scope("me")
add_nodes(
    brain,
    [
        Document(id_=f"note-{number}", text=text, metadata={"date": date})
        for number, (date, text) in enumerate(NOTES)
    ],
)
brain.consolidate()

print("== Topics that the notes fell into")
for topic in brain.topics():
    print(f"{topic.name}: {topic.total} notes")
    for part in topic.children:
        print(f"    {part.name}: {part.total}")

retriever = MnemisRetriever(memory=brain, k=2)
for question in (
    "something about the cloud… storage, I think",
    "bread, what was that about folding?",
    "之前看的书，关于土地的",
):
    print(f"\n== {question}")
    for each in retriever.retrieve(question):
        print(f"{each.node.metadata['time'][:10]} {each.text}")

print("\n== As a tool, for an agent of your own")
tool = RetrieverTool.from_defaults(
    retriever.with_k(1), name="notes", description="My notes of the last months."
)
print(tool.call(input="where is the key of the backups?").content.strip())
mnemis.close()
