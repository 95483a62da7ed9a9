"""Compliance over a hierarchy of rules: group, country and team, filtered by where it applies.

Each rule is a document with its level, country and date. A question brings the rules that apply,
from the general to the particular, each with the path to it.
"""

from datetime import UTC, datetime

from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from mnemis import Config, Mnemis
from mnemis_llamaindex import MnemisRetriever, add_nodes

LEVELS = ("group", "country", "team")
RULES = [
    ("G-1", "group", "all", "2024-01-10", "Gifts from suppliers above 100 euros must be refused."),
    ("G-2", "group", "all", "2024-01-10", "Customer data is deleted after five years."),
    ("DE-1", "country", "DE", "2024-05-01", "In Germany gifts above 35 euros must be reported."),
    ("CN-1", "country", "CN", "2024-05-01", "在中国，供应商的礼品超过二百元必须上报。"),
    ("T-7", "team", "DE", "2025-02-01", "The purchasing team accepts no gifts from suppliers."),
    ("DE-2", "country", "DE", "2025-03-01", "In Germany customer data is deleted after two years."),
]

mnemis = Mnemis.open("memory", config=Config(consolidate="manual"))
rules = mnemis.scope("rules")
add_nodes(
    rules,
    [
        TextNode(
            id_=name,
            text=text,
            metadata={"title": name, "level": level, "country": country, "date": date},
        )
        for name, level, country, date, text in RULES
    ],
)
rules.consolidate()


def applying(country: str) -> MetadataFilters:
    """Rules of the group, and those of one country."""
    return MetadataFilters(
        filters=[
            MetadataFilter(key="level", value="group"),
            MetadataFilter(key="country", value=country, operator=FilterOperator.EQ),
        ],
        condition=FilterCondition.OR,
    )


def show(question: str, country: str, *, k: int) -> None:
    print(f"\n== {country}: {question}")
    found = MnemisRetriever(memory=rules, k=k, filters=applying(country)).retrieve(question)
    for each in sorted(found, key=lambda node: LEVELS.index(node.node.metadata["level"])):
        about = each.node.metadata
        print(f"{about['level']:8} {about['title']:5} {each.text}")
        print(f"         by way of {about['path']}")


show("May I accept a gift from a supplier?", "DE", k=3)
show("供应商送的礼品要上报吗？", "CN", k=1)
show("When is customer data deleted?", "DE", k=2)

print("\n== As it stood in 2024")
in_2024 = MnemisRetriever(
    memory=rules,
    k=2,
    where={"time": {"lt": datetime(2025, 1, 1, tzinfo=UTC)}},
    filters=applying("DE"),
)
for each in in_2024.retrieve("When is customer data deleted?")[:1]:
    print(each.text)
mnemis.close()
