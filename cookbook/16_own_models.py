"""Your own embeddings and chat model: any of LangChain's power the engine.

A store remembers which embeddings made its vectors and refuses to mix them with others. The
embeddings here count letters and the model answers from a list; put yours in their places.
"""

from collections import Counter
from pathlib import Path

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel

from mnemis import Memory, Message, MnemisError
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


embedder = as_embedder(LetterEmbeddings())
chat_model = as_chat_model(FakeListChatModel(responses=["{}"]), name="my-model")
print("fingerprint:", embedder.fingerprint)
print("chat model:", chat_model.name, "answers", repr(chat_model.complete("Any facts?").text))

with Memory.open("memory", embedder=embedder, chat_model=chat_model) as memory:
    memory.remember(
        [
            Message(role="user", text="The zebra yawned."),
            Message(role="user", text="We bought bread and butter."),
            Message(role="user", text="我们买了面包和黄油。"),
        ]
    )
    for question in ("Zzz, who yawned?", "面包"):
        hit = memory.recall(question, k=1).hits[0]
        print(f"{question} -> {hit.text} (found by {hit.paths[0]})")

try:
    Memory.open("memory")
except MnemisError as error:
    print(f"\nWith the default embedder: {type(error).__name__}")
print("still there:", Path("memory").is_dir())
