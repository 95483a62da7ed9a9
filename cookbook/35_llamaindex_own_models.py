"""Your own embedding model and chat model, whatever LlamaIndex has a class for.

The embedding makes the vectors; the chat model reads each episode when the memory consolidates, and
what it claims is kept only where the turn says so. Both are fakes here, so that this runs anywhere:
an embedding that counts characters, and a model that always gives the same answer.
"""

import json

from llama_index.core.base.llms.types import CompletionResponse
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM

from mnemis import Config, Message, Mnemis
from mnemis.errors import EmbedderMismatch
from mnemis_llamaindex import MnemisRetriever, as_chat_model, as_embedder


class Letters(BaseEmbedding):
    """Alike spellings are near each other; in your program: OpenAIEmbedding, OllamaEmbedding…"""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(sum(ord(each) % 64 == slot for each in text.lower())) for slot in range(64)]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


READ = [
    {"turn": 1, "subject": "Mira", "relation": "works_at", "object": "bakery",
     "polarity": True, "quote": "Mira works at the bakery"},
    {"turn": 2, "subject": "周老师", "relation": "lives_in", "object": "苏州",
     "polarity": True, "quote": "周老师住在苏州"},
    {"turn": 1, "subject": "Mira", "relation": "owns", "object": "the bakery",
     "polarity": True, "quote": "Mira owns the bakery"},  # nobody said so
]  # fmt: skip


class Canned(MockLLM):
    """In your program: OpenAI, Anthropic, Ollama…"""

    def complete(
        self, prompt: str, formatted: bool = False, **kwargs: object
    ) -> CompletionResponse:
        usage = {"input_tokens": 900, "output_tokens": 80}
        return CompletionResponse(text=json.dumps({"facts": READ}), raw={"usage": usage})


embedder = as_embedder(Letters(model_name="letters"))
chat_model = as_chat_model(Canned())
settings = Config(consolidate="manual")

with Mnemis.open("memory", embedder=embedder, chat_model=chat_model, config=settings) as mnemis:
    print(f"embedder: {mnemis.embedder.fingerprint}")
    memory = mnemis.scope("ana")
    memory.remember(
        [
            Message(role="user", text="Mira works at the bakery, which opens at seven."),
            Message(role="user", text="周老师住在苏州，图书馆晚上九点关门。"),
        ]
    )
    retriever = MnemisRetriever(mnemis=mnemis, k=1).for_user("ana")
    for question in ("When does the bakery open?", "图书馆几点关门？"):
        print(f"{question} {retriever.retrieve(question)[0].text}")

    report = memory.consolidate()
    print(f"\nThe chat model was asked {report.model_calls} time, {report.model_tokens} tokens:")
    for who in ("Mira", "周老师"):
        for relation, facts in memory.profile(who).facts.items():
            print(f"    {who} {relation} {'; '.join(fact.object for fact in facts)}")

print("\nVectors of two models are never mixed:")
try:
    Mnemis.open("memory", embedder=as_embedder(Letters(model_name="other letters")))
except EmbedderMismatch as error:
    print(type(error).__name__)
