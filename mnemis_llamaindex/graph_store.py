"""The memory as a LlamaIndex property graph: read it, add texts to it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, NoReturn, Self

import numpy as np
from llama_index.core.graph_stores.types import (
    ChunkNode,
    LabelledNode,
    Relation,
    Triplet,
)
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from mnemis import Document, InputError, Memory, Mnemis
from mnemis.model.filter import parse_filter
from mnemis.model.graph import Turn
from mnemis.model.message import as_json
from mnemis_llamaindex.binding import Binding, refuse_pickle
from mnemis_llamaindex.documents import add_nodes
from mnemis_llamaindex.filters import where_of
from mnemis_llamaindex.graph_awaited import AwaitedGraph
from mnemis_llamaindex.graph_view import GraphView, chunk_node, graph_view
from mnemis_llamaindex.nodes import TRANSCRIPT

_DERIVED = (
    "entities, topics and facts are derived from what was said and cannot be written; "
    "remember the text instead (memory.remember, add_nodes), and consolidate"
)
_FORGET = (
    "entities and relations go with the messages they rest on; "
    "use memory.forget(entity=…) or memory.forget(message_ids=…)"
)


class MnemisPropertyGraphStore(AwaitedGraph):
    """Entities and topics as nodes, facts and relations as triplets; what no longer holds is out.

    Nodes are found by name, alias or the memory's own id, in any case; two of one name have
    their id beside it. Turns, episodes and facts are chunks under their ids. Texts can be added
    and deleted; writing or deleting entities and relations, and Cypher, raise NotImplementedError
    and say what to do. Vector queries want the memory's own embedder (``MnemisEmbedding``).
    """

    supports_structured_queries = False
    supports_vector_queries = True

    def __init__(self, *, mnemis: Mnemis | None = None, memory: Memory | None = None) -> None:
        """With ``memory=``, or ``mnemis=`` and then ``for_user``."""
        self._binding = Binding.of(mnemis=mnemis, memory=memory, owner=type(self).__name__)
        self._view: GraphView | None = None
        self._lock = threading.Lock()

    def for_user(self, *labels: str) -> Self:
        """The graph of one user."""
        other = copy(self)
        other._binding = self._binding.for_user(labels, session=None)
        return other

    @property
    def client(self) -> Memory:
        """The memory itself."""
        return self._binding.resolve()

    def get(
        self, properties: dict[str, Any] | None = None, ids: list[str] | None = None
    ) -> list[LabelledNode]:
        """Nodes by name, alias or id, in the order asked; with neither, all that have a name."""
        graph = self._graph()
        if ids is None:
            found: list[LabelledNode] = list(graph.nodes.values())
        else:
            found = [graph.nodes[name] for name in self._names(graph, ids)]
            found += self._chunks([each for each in ids if each.casefold() not in graph.names])
        return [node for node in found if _has(node.properties, properties)]

    def get_triplets(
        self,
        entity_names: list[str] | None = None,
        relation_names: list[str] | None = None,
        properties: dict[str, Any] | None = None,
        ids: list[str] | None = None,
    ) -> list[Triplet]:
        """Triplets that meet every condition given; none when none is given."""
        if not (entity_names or relation_names or properties or ids):
            return []
        graph = self._graph()
        found = list(graph.triplets)
        for wanted in (entity_names, ids):
            if wanted:
                names = {*self._names(graph, wanted), *wanted}
                found = [t for t in found if t[0].id in names or t[2].id in names]
        if relation_names:
            found = [triplet for triplet in found if triplet[1].id in relation_names]
        if properties:
            found = [t for t in found if any(_has(each.properties, properties) for each in t)]
        return found

    def get_rel_map(
        self,
        graph_nodes: list[LabelledNode],
        depth: int = 2,
        limit: int = 30,
        ignore_rels: list[str] | None = None,
    ) -> list[Triplet]:
        """Triplets within ``depth`` steps of the nodes, nearest first, each once."""
        graph = self._graph()
        ignored = set(ignore_rels or [])
        reached = {node.id for node in graph_nodes}
        frontier = set(reached)
        found: dict[int, Triplet] = {}
        for _ in range(depth):
            following: set[str] = set()
            for number, triplet in enumerate(graph.triplets):
                ends = {triplet[0].id, triplet[2].id}
                if number in found or triplet[1].id in ignored or not ends & frontier:
                    continue
                found[number] = triplet
                following |= ends - reached
            reached |= following
            frontier = following
            if len(found) >= limit or not frontier:
                break
        return list(found.values())[:limit]

    def get_llama_nodes(self, node_ids: list[str]) -> list[BaseNode]:
        """Turns, episodes and facts as text nodes."""
        return [_text_node(node) for node in self._chunks(node_ids)]

    def get_schema(self, refresh: bool = False) -> dict[str, list[str]]:
        """The labels of nodes and relations in use."""
        graph = self._graph()
        return {
            "nodes": sorted({node.label for node in graph.nodes.values()}),
            "relations": sorted({triplet[1].label for triplet in graph.triplets}),
        }

    def vector_query(
        self, query: VectorStoreQuery, **kwargs: Any
    ) -> tuple[list[LabelledNode], list[float]]:
        """The entities nearest to the query, by themselves or by a fact about them, and how near
        in [0, 1].
        """
        memory = self.client
        embedder = memory.mnemis.embedder
        if query.query_embedding is not None:
            vector = np.asarray(query.query_embedding, dtype=np.float32)
        elif query.query_str:
            vector = embedder.embed([query.query_str])[0]
        else:
            raise InputError("a vector query wants query_embedding or query_str")
        if vector.shape != (embedder.fingerprint.dimension,):
            raise InputError(
                f"the query's vector has shape {vector.shape}, the memory's embedder gives "
                f"{embedder.fingerprint.dimension} numbers; use MnemisEmbedding(mnemis.embedder)"
            )
        length = float(np.linalg.norm(vector))
        where = parse_filter(where_of(query.filters))
        graph = self._graph()
        with memory.mnemis.store.view(memory.scope) as view:
            scored = view.nearest(
                vector / length if length else vector,
                k=2 * query.similarity_top_k,
                kinds=("entity", "fact"),
                where=where,
            )
        best: dict[str, float] = {}
        for each in scored:
            for name in graph.names.get(each.owner, ()):
                best.setdefault(name, min(1.0, max(0.0, each.score)))
        nearest = list(best.items())[: query.similarity_top_k]
        return [graph.nodes[name] for name, _ in nearest], [score for _, score in nearest]

    def upsert_nodes(self, nodes: Sequence[LabelledNode]) -> None:
        """Remember chunks of text as documents. NotImplementedError for anything else."""
        chunks = [node for node in nodes if isinstance(node, ChunkNode)]
        if len(chunks) < len(nodes):
            raise NotImplementedError(_DERIVED)
        documents = [
            Document(
                id=node.id,
                text=node.text,
                metadata={str(key): as_json(value) for key, value in node.properties.items()},
            )
            for node in chunks
            if node.text.strip()
        ]
        self.client.add_documents(documents)

    def upsert_llama_nodes(self, llama_nodes: list[BaseNode]) -> None:
        """Remember nodes as documents, under their own ids."""
        add_nodes(self.client, llama_nodes)

    def upsert_relations(self, relations: list[Relation]) -> None:
        """NotImplementedError, unless there are none."""
        if relations:
            raise NotImplementedError(_DERIVED)

    def delete(
        self,
        entity_names: list[str] | None = None,
        relation_names: list[str] | None = None,
        properties: dict[str, Any] | None = None,
        ids: list[str] | None = None,
    ) -> None:
        """Forget messages or documents by id, with all that rests on them.

        NotImplementedError for anything else; then nothing was forgotten.
        """
        wanted = list(ids or [])
        found = self._messages(wanted)
        if entity_names or relation_names or properties or len(found) < len(set(wanted)):
            raise NotImplementedError(_FORGET)
        if found:
            self.client.forget(message_ids=found.values())

    def delete_llama_nodes(
        self, node_ids: list[str] | None = None, ref_doc_ids: list[str] | None = None
    ) -> None:
        """Forget nodes by id, and all nodes of documents; ids that are unknown change nothing."""
        parents = set(ref_doc_ids or [])
        gone = set(self._messages([*(node_ids or []), *parents]).values())
        memory = self.client
        if parents:
            with memory.mnemis.store.view(memory.scope) as view:
                turns = [turn for turn in view.scan("turn") if isinstance(turn, Turn)]
            gone |= {t.message_id for t in turns if t.metadata.get("ref_doc_id") in parents}
        if gone:
            memory.forget(message_ids=gone)

    def structured_query(self, query: str, param_map: dict[str, Any] | None = None) -> NoReturn:
        """NotImplementedError."""
        raise NotImplementedError("the memory speaks no Cypher; use memory.graph() or recall")

    def __copy__(self) -> Self:
        """A twin that reads its own graph."""
        other = type(self).__new__(type(self))
        other._binding = self._binding
        other._view = None
        other._lock = threading.Lock()
        return other

    def __reduce__(self) -> NoReturn:
        """Refuse with advice."""
        refuse_pickle(type(self).__name__)

    def _graph(self) -> GraphView:
        memory = self.client
        with self._lock, memory.mnemis.store.view(memory.scope) as view:
            if self._view is None or self._view.seq != view.seq:
                self._view = graph_view(view)
            return self._view

    def _names(self, graph: GraphView, wanted: Sequence[str]) -> list[str]:
        return list(
            dict.fromkeys(name for each in wanted for name in graph.names.get(each.casefold(), ()))
        )

    def _messages(self, ids: Sequence[str]) -> dict[str, str]:
        """By id: the message it is of, for ids of turns and of messages."""
        memory = self.client
        with memory.mnemis.store.view(memory.scope) as view:
            turns = view.get(ids)
            known = view.by_source(ids)
        found = {each: each for each in ids if each in known}
        return found | {
            each: turn.message_id for each, turn in turns.items() if isinstance(turn, Turn)
        }

    def _chunks(self, ids: Sequence[str]) -> list[ChunkNode]:
        memory = self.client
        with memory.mnemis.store.view(memory.scope) as view:
            known = view.get(ids)
        chunks = [known[each] for each in ids if each in known]
        return [chunk_node(node) for node in chunks if node.kind in ("turn", "episode", "fact")]


def _has(properties: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    return all(properties.get(key) == value for key, value in (wanted or {}).items())


def _text_node(node: ChunkNode) -> TextNode:
    metadata = {key: value for key, value in node.properties.items() if key != TRANSCRIPT}
    return TextNode(
        id_=node.id,
        text=node.text,
        extra_info=metadata,
        excluded_llm_metadata_keys=list(metadata),
        excluded_embed_metadata_keys=list(metadata),
    )
