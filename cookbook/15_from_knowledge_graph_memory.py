"""Coming from ConversationKGMemory: what its graph file held becomes memory that is kept current.

Before, a model was asked on every turn for triples, and a triple that no longer holds stood beside
the one that replaced it. After, the conversation itself is stored, rules or a model make the facts
of it, and an overturned fact is marked and brings its successor.
"""

from datetime import UTC, datetime
from pathlib import Path

import networkx as nx

from mnemis import Config, Message, Mnemis
from mnemis_langchain import MnemisRetriever, format_documents

# Before: `memory.kg.write_to_gml("triples.gml")` left such a file (made here as it was made there).
graph = nx.DiGraph()
graph.add_edge("Ana", "Vega", relation="works at")
graph.add_edge("Ana", "Vienna", relation="lives in")
graph.add_edge("Ben", "Ana", relation="is a friend of")
graph.add_edge("小明", "杭州", relation="住在")
nx.write_gml(graph, "triples.gml")

# Import: a triple is a statement like any other, so it becomes a message of its own.
imported = [
    Message(
        role="user",
        text=f"{subject}{relation}{target}。"
        if relation == "住在"
        else f"{subject} {relation} {target}.",
        session="imported triples",
        time=datetime(2024, 12, 1, tzinfo=UTC),
        id=f"triple/{subject}/{relation}/{target}",
    )
    for subject, target, relation in nx.read_gml(Path("triples.gml")).edges(data="relation")
]

with Mnemis.open("memory", config=Config(consolidate="manual")) as mnemis:
    memory = mnemis.scope("team")
    print(f"Imported {memory.remember(imported).stored} triples")

    # After: people just talk.
    memory.remember(
        [
            Message(role="user", speaker="Ana", text=text, session="chat",
                    time=datetime(2025, 3, day, tzinfo=UTC))
            for day, text in (
                (3, "I left Vega. I work at Orion now."),
                (9, "I moved from Vienna to Hangzhou."),
            )
        ]
    )  # fmt: skip
    memory.consolidate()

    retriever = MnemisRetriever(memory=memory)
    for question, k in (
        ("Where does Ana work?", 2),
        ("Where does Ana live?", 2),
        ("小明住在哪里？", 1),
    ):
        print(f"\n{question}")
        print(format_documents(retriever.invoke(question, k=k)))
