"""Your own embeddings and chat model: any of LangChain's power the engine.

A store remembers which embeddings made its vectors and refuses to mix them with others. With a chat
model ``consolidate`` has it read each episode and checks what it says against the words of the
turn: one claim of this model is made up, and is left out. The embeddings here count letters and the
model answers from a list; put yours in their places.
"""

import json
from collections import Counter
from pathlib import Path

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel

from mnemis import Config, Memory, Message, MnemisError
from mnemis_langchain import as_chat_model, as_embedder


class LetterEmbeddings(Embeddings):
    """Stands for OpenAIEmbeddings, HuggingFaceEmbeddings, OllamaEmbeddings and the like."""

    model = "letters-1"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        counts = Counter(text.lower())
        vector = [float(counts[chr(ord("a") + place)]) for place in range(26)]
        vector.append(float(sum(count for letter, count in counts.items() if ord(letter) > 127)))
        return vector


def claim(turn: int, subject: str, relation: str, value: str, quote: str) -> dict[str, object]:
    return {"turn": turn, "subject": subject, "relation": relation, "object": value,
            "polarity": True, "quote": quote}  # fmt: skip


READ = {
    "facts": [
        claim(1, "Mina", "plays", "cello", "Mina plays the cello"),
        claim(1, "Mina", "lives_in", "Paris", "Mina lives in Paris"),  # nobody said so
        claim(3, "小明", "allergic_to", "花生", "我对花生过敏"),
    ]
}

embedder = as_embedder(LetterEmbeddings())
chat_model = as_chat_model(FakeListChatModel(responses=[json.dumps(READ)]), name="my-model")
print("fingerprint:", embedder.fingerprint)

settings = Config(consolidate="manual")
with Memory.open("memory", embedder=embedder, chat_model=chat_model, config=settings) as memory:
    memory.remember(
        [
            Message(role="user", speaker="Ana", text="My sister Mina plays the cello."),
            Message(role="user", speaker="Ana", text="The zebra yawned."),
            Message(role="user", speaker="小明", text="我对花生过敏。"),
        ]
    )
    report = memory.consolidate()
    print(f"model calls: {report.model_calls}, facts: {report.facts}")
    for who in ("Mina", "小明"):
        for relation, facts in memory.profile(who).facts.items():
            print(f"    {who} {relation} {'; '.join(fact.object for fact in facts)}")
    for question in ("Zzz, who yawned?", "花生"):
        hit = memory.recall(question, k=1).hits[0]
        print(f"{question} -> {hit.text} (found by {hit.paths[0]})")

try:
    Memory.open("memory")
except MnemisError as error:
    print(f"\nWith the default embedder: {type(error).__name__}")
print("still there:", Path("memory").is_dir())
