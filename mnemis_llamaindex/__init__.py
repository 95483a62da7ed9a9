"""Mnemis for LlamaIndex: long-term memory as a retriever, an agent's memory and a graph.

Needs ``pip install "mnemis[llamaindex]"``.
"""

try:
    from mnemis_llamaindex.block import MnemisMemoryBlock
    from mnemis_llamaindex.documents import aadd_nodes, add_nodes, to_documents
    from mnemis_llamaindex.graph_store import MnemisPropertyGraphStore
    from mnemis_llamaindex.memory import MnemisMemory
    from mnemis_llamaindex.messages import to_messages
    from mnemis_llamaindex.models import MnemisEmbedding, as_chat_model, as_embedder
    from mnemis_llamaindex.pg_retriever import MnemisPGRetriever
    from mnemis_llamaindex.query import MemoryQuery
    from mnemis_llamaindex.reopen import share
    from mnemis_llamaindex.retriever import MnemisRetriever
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "llama_index":
        raise
    from mnemis.errors import MissingExtra

    raise MissingExtra(
        'mnemis_llamaindex needs LlamaIndex: pip install "mnemis[llamaindex]"'
    ) from error

__all__ = [
    "MemoryQuery",
    "MnemisEmbedding",
    "MnemisMemory",
    "MnemisMemoryBlock",
    "MnemisPGRetriever",
    "MnemisPropertyGraphStore",
    "MnemisRetriever",
    "aadd_nodes",
    "add_nodes",
    "as_chat_model",
    "as_embedder",
    "share",
    "to_documents",
    "to_messages",
]
