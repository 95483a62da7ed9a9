"""An evolving customer profile: what holds now, what held before, and when it changed.

Preferences and addresses change over months of conversation. The profile is read from the graph,
where each entry names the message it rests on; a question of the past gets the past.
"""

from datetime import UTC, datetime

from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine

from mnemis import Config, Message, Mnemis
from mnemis_llamaindex import MnemisPropertyGraphStore, MnemisRetriever

SAID = [
    (datetime(2025, 1, 8, 9, tzinfo=UTC), "Lena", "I live in Hamburg."),
    (datetime(2025, 1, 8, 9, tzinfo=UTC), "Lena", "I work at Nordlicht."),
    (datetime(2025, 1, 8, 9, tzinfo=UTC), "Lena", "I am allergic to lactose."),
    (datetime(2025, 3, 2, 9, tzinfo=UTC), "Lena", "I moved to Bremen last week."),
    (datetime(2025, 4, 9, 9, tzinfo=UTC), "Lena", "I work at Weserbank now."),
    (datetime(2025, 1, 9, 9, tzinfo=UTC), "小美", "我住在南京，在一家书店工作。"),
    (datetime(2025, 5, 6, 9, tzinfo=UTC), "小美", "我搬到苏州了。"),
]

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
for customer in ("Lena", "小美"):
    memory = mnemis.scope("shop", customer)
    memory.remember(
        [
            Message(role="user", speaker=who, text=text, time=time, session=f"{time:%Y-%m}")
            for time, who, text in SAID
            if who == customer
        ]
    )
    memory.consolidate()

graphs = MnemisPropertyGraphStore(mnemis=mnemis)
for customer in ("Lena", "小美"):
    print(f"== {customer} today")
    for subject, relation, target in graphs.for_user("shop", customer).get_triplets(
        relation_names=["lives_in", "works_at", "allergic_to"]
    ):
        since = (relation.properties["valid_from"] or "")[:10]
        print(f"{subject.id} {relation.id} {target.id}   (since {since})")
    for fact in mnemis.scope("shop", customer).profile(customer).past:
        print(f"before: {fact.relation} {fact.object}   (until {fact.valid_to:%Y-%m-%d})")

print("\n== What the model is shown: the old value never without the new one")
retriever = MnemisRetriever(mnemis=mnemis, k=2)
engine = RetrieverQueryEngine.from_args(retriever.for_user("shop", "Lena"), llm=MockLLM())
print(str(engine.query("Where does Lena live?")).split("---------------------")[1].strip())

print("\n== 小美住在哪里？")
for each in retriever.for_user("shop", "小美").retrieve("小美住在哪里？"):
    print(f"{each.node.metadata['status']}: {each.text}")
mnemis.close()
