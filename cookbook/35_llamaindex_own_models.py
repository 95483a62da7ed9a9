"""Your own embedding model and chat model, whatever LlamaIndex has a class for.

Both are fakes here, so that this runs anywhere: an embedding that counts characters, and a model
that answers from a list.
"""

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


class Canned(MockLLM):
    """In your program: OpenAI, Anthropic, Ollama…"""

    def complete(
        self, prompt: str, formatted: bool = False, **kwargs: object
    ) -> CompletionResponse:
        return CompletionResponse(text="[]", raw={"usage": {"input_tokens": 9, "output_tokens": 1}})


embedder = as_embedder(Letters(model_name="letters"))
chat_model = as_chat_model(Canned())
settings = Config(consolidate="manual")

with Mnemis.open("memory", embedder=embedder, chat_model=chat_model, config=settings) as mnemis:
    print(f"embedder: {mnemis.embedder.fingerprint}")
    mnemis.scope("ana").remember(
        [
            Message(role="user", text="The bakery opens at seven."),
            Message(role="user", text="图书馆晚上九点关门。"),
        ]
    )
    retriever = MnemisRetriever(mnemis=mnemis, k=1).for_user("ana")
    for question in ("When does the bakery open?", "图书馆几点关门？"):
        print(f"{question} {retriever.retrieve(question)[0].text}")

completion = chat_model.complete("Say nothing.", max_tokens=5)
print(f"chat model: {completion.text!r}, {completion.prompt_tokens} tokens in")

print("\nVectors of two models are never mixed:")
try:
    Mnemis.open("memory", embedder=as_embedder(Letters(model_name="other letters")))
except EmbedderMismatch as error:
    print(type(error).__name__)
