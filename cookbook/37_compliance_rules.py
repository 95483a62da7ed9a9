"""Compliance over a hierarchy of rules: the team's rule first, then the country's, the group's.

Each document holds at a place in the hierarchy, "Group > Germany > Berlin". A question is asked at
a place: what holds there comes first, then what holds above it, each with its path from the top.
What is written for a sister team or another country is never an answer, and a level that says
nothing on the matter is left out.
"""

from datetime import UTC, datetime

from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import TextNode

from mnemis import Config, Mnemis
from mnemis_llamaindex import MnemisRetriever, add_nodes

RULES = {
    ("Group",): [
        ("G-1", "2024-01-10", "Gifts from suppliers above 100 euros must be refused."),
        ("G-2", "2024-01-10", "Customer data is deleted after five years."),
        ("G-3", "2024-01-10", "Passwords have at least fourteen characters and are never shared."),
    ],
    ("Group", "Germany"): [
        ("DE-1", "2024-05-01", "Gifts from suppliers above 35 euros must be reported."),
        ("DE-2", "2025-03-01", "Customer data is deleted after two years."),
    ],
    ("Group", "Germany", "Berlin"): [
        ("B-1", "2025-02-01", "The team accepts no gifts from suppliers, not even calendars."),
        ("B-2", "2025-02-01", "The office closes at eight in the evening."),
    ],
    ("Group", "Germany", "Munich"): [
        ("M-1", "2025-02-01", "At Oktoberfest the team may accept gifts up to 20 euros."),
    ],
    ("Group", "China"): [
        ("CN-1", "2024-05-01", "供应商的礼品超过二百元必须上报。"),
        ("CN-2", "2024-05-01", "客户数据保存三年后删除。"),
    ],
    ("Group", "China", "Shanghai"): [
        ("S-1", "2025-02-01", "供应商的礼品一律放进年会的抽奖箱。"),
    ],
}

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
rules = mnemis.scope("rules")
for place, own in RULES.items():
    nodes = [
        TextNode(id_=name, text=text, metadata={"title": name, "date": date})
        for name, date, text in own
    ]
    add_nodes(rules, nodes, place=place)
rules.consolidate()

retriever = MnemisRetriever(memory=rules)


def ask(question: str, *place: str) -> None:
    print(f"\n== {place[-1]}: {question}")
    for each in retriever.at(*place).retrieve(question):
        print(f"{each.text}\n    {each.node.metadata['path']}")


ask("May I accept a gift from a supplier?", "Group", "Germany", "Berlin")
ask("When is customer data deleted?", "Group", "Germany", "Berlin")
ask("How long must a password be?", "Group", "Germany", "Berlin")
ask("供应商送的礼品怎么处理？", "Group", "China", "Shanghai")
ask("客户数据什么时候删除？", "Group", "China", "Shanghai")

print("\n== Berlin, as it stood in 2024")
in_2024 = MnemisRetriever(memory=rules, where={"time": {"lt": datetime(2025, 1, 1, tzinfo=UTC)}})
for each in in_2024.at("Group", "Germany", "Berlin").retrieve("When is customer data deleted?"):
    print(f"{each.text}\n    {each.node.metadata['path']}")

print("\n== What a model is asked")
engine = RetrieverQueryEngine.from_args(retriever.at("Group", "Germany", "Berlin"), llm=MockLLM())
print(engine.query("May I accept a gift from a supplier?"))
mnemis.close()
