"""The memory's recall among the sub-retrievers of a ``PropertyGraphIndex``."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NoReturn, Self

from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.graph_stores.types import PropertyGraphStore
from llama_index.core.indices.property_graph import BasePGRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters

from mnemis import Memory, Mnemis
from mnemis_llamaindex.binding import refuse_pickle
from mnemis_llamaindex.filters import Where
from mnemis_llamaindex.graph_store import MnemisPropertyGraphStore
from mnemis_llamaindex.nodes import SHOWN
from mnemis_llamaindex.retriever import K, MnemisRetriever


class MnemisPGRetriever(BasePGRetriever):
    """Recalls as ``MnemisRetriever`` does, beside the graph's own retrievers.

    With ``include_text`` the facts and entities among the hits bring the turn that they rest on.
    ``graph_store`` is only needed when source texts lie in another graph.
    """

    def __init__(
        self,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        k: K = "auto",
        where: Where | MetadataFilters | None = None,
        filters: MetadataFilters | None = None,
        shown: Sequence[str] = SHOWN,
        graph_store: PropertyGraphStore | None = None,
        include_text: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """As ``MnemisRetriever``."""
        self._recall = MnemisRetriever(
            mnemis=mnemis, memory=memory, k=k, where=where, filters=filters, shown=shown
        )
        self._own_graph = graph_store is None
        super().__init__(
            graph_store=graph_store or MnemisPropertyGraphStore(mnemis=mnemis, memory=memory),
            include_text=include_text,
            callback_manager=callback_manager,
        )

    def for_user(self, *labels: str, session: str | None = None) -> Self:
        """This retriever for one user, optionally for one session only."""
        other = copy(self)
        other._recall = self._recall.for_user(*labels, session=session)
        if self._own_graph and isinstance(self._graph_store, MnemisPropertyGraphStore):
            other._graph_store = self._graph_store.for_user(*labels)
        return other

    def with_k(self, k: K) -> Self:
        """This retriever with another ``k``."""
        other = copy(self)
        other._recall = self._recall.with_k(k)
        return other

    def retrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """Hits as nodes, best first."""
        return self._recall._retrieve(query_bundle)  # pyright: ignore[reportPrivateUsage] its events are this one's

    async def aretrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """``retrieve_from_graph`` off the event loop."""
        return await self._recall._aretrieve(query_bundle)  # pyright: ignore[reportPrivateUsage] its events are this one's

    def __copy__(self) -> Self:
        """A cheap twin on the same open store."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        return other

    def __reduce__(self) -> NoReturn:
        """Refuse with advice."""
        refuse_pickle(type(self).__name__)
