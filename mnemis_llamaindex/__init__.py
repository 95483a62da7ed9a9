"""Mnemis for LlamaIndex: long-term memory as a retriever.

Needs ``pip install "mnemis[llamaindex]"``.
"""

try:
    from mnemis_llamaindex.query import MemoryQuery
    from mnemis_llamaindex.retriever import MnemisRetriever
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "llama_index":
        raise
    from mnemis.errors import MissingExtra

    raise MissingExtra(
        'mnemis_llamaindex needs LlamaIndex: pip install "mnemis[llamaindex]"'
    ) from error

__all__ = ["MemoryQuery", "MnemisRetriever"]
