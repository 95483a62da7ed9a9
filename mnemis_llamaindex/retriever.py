"""The memory as a LlamaIndex retriever, for query engines, chat engines, fusion and tools."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NoReturn, Self

from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters

from mnemis import Hit, InputError, Memory, Mnemis, Recall
from mnemis.model.places import at_place, governing, place_text, upward
from mnemis_llamaindex.binding import Binding, refuse_pickle
from mnemis_llamaindex.filters import Where, both, where_of
from mnemis_llamaindex.nodes import SHOWN, nodes_of, placed_node
from mnemis_llamaindex.query import MemoryQuery, labels_of, question_of

K = int | Literal["auto"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One recall, ready to run: whose memory, the question, and how it is asked."""

    memory: Memory
    question: str
    k: K
    where: Where | None
    as_of: datetime | None
    asked_at: datetime | None
    min_score: float
    include_archived: bool
    place: str | None = None

    def retrieve(self, *, shown: Sequence[str]) -> list[NodeWithScore]:
        """Best first; at a place the nearest level first."""
        if self.place is None:
            return nodes_of(self._recall(self.where).hits, shown=shown)
        levels = [
            (level, self._recall(at_place(self.where, level)).hits) for level in upward(self.place)
        ]
        return _governing(levels, shown=shown)

    async def aretrieve(self, *, shown: Sequence[str]) -> list[NodeWithScore]:
        """``retrieve`` off the event loop."""
        if self.place is None:
            return nodes_of((await self._arecall(self.where)).hits, shown=shown)
        levels = [
            (level, (await self._arecall(at_place(self.where, level))).hits)
            for level in upward(self.place)
        ]
        return _governing(levels, shown=shown)

    def _recall(self, where: Where | None) -> Recall:
        return self.memory.recall(
            self.question,
            k=self.k,
            where=where,
            as_of=self.as_of,
            asked_at=self.asked_at,
            min_score=self.min_score,
            include_archived=self.include_archived,
        )

    async def _arecall(self, where: Where | None) -> Recall:
        return await self.memory.arecall(
            self.question,
            k=self.k,
            where=where,
            as_of=self.as_of,
            asked_at=self.asked_at,
            min_score=self.min_score,
            include_archived=self.include_archived,
        )


class MnemisRetriever(BaseRetriever):
    """Recalls memories by both routes; every node says by which path it was found.

    Built with ``mnemis=`` it serves many users, each by ``for_user`` or by a ``MemoryQuery`` that
    names one; without a user it refuses. Built with ``memory=`` it serves that memory. ``k`` is a
    number of nodes, or "auto" (as many as the question needs). ``where`` takes the engine's
    filter or LlamaIndex's ``MetadataFilters``; ``filters`` is another name for the latter.
    ``shown`` names the metadata that the model sees; ``at`` asks at a place in a hierarchy of
    documents. Use from any number of threads.
    """

    def __init__(
        self,
        *,
        mnemis: Mnemis | None = None,
        memory: Memory | None = None,
        k: K = "auto",
        where: Where | MetadataFilters | None = None,
        filters: MetadataFilters | None = None,
        as_of: datetime | None = None,
        min_score: float = 0.0,
        include_archived: bool = False,
        shown: Sequence[str] = SHOWN,
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
    ) -> None:
        """Raises InputError, and NotImplementedError for a filter that cannot be asked."""
        super().__init__(callback_manager=callback_manager, verbose=verbose)  # pyright: ignore[reportUnknownMemberType] its dict is bare
        self._binding = Binding.of(mnemis=mnemis, memory=memory, owner=type(self).__name__)
        self._k: K = check_k(k)
        self._where = both(where_of(where), where_of(filters))
        self._as_of = as_of
        self._min_score = min_score
        self._include_archived = include_archived
        self._shown = tuple(shown)
        self._place: str | None = None

    def for_user(self, *labels: str, session: str | None = None) -> Self:
        """This retriever for one user (labels of the scope), optionally for one session only."""
        other = copy(self)
        other._binding = self._binding.for_user(labels, session=session)
        return other

    def with_k(self, k: K) -> Self:
        """This retriever with another ``k``."""
        other = copy(self)
        other._k = check_k(k)
        return other

    def with_where(self, where: Where | MetadataFilters | None) -> Self:
        """This retriever with another filter."""
        other = copy(self)
        other._where = where_of(where)
        return other

    def at(self, *place: str, k: int = 1) -> Self:
        """This retriever for questions that are asked at a place in the documents' hierarchy.

        What holds at the place comes first, then what holds above it, level by level: at most
        ``k`` of each, and nothing of a level that has nothing on the matter. What stands beside
        or below is not looked at. Each node's path leads from the top to its own level. Places
        are given to ``add_nodes``.
        """
        other = self.with_k(k)
        other._place = place_text(place)
        return other

    def __copy__(self) -> Self:
        """A cheap twin on the same open store."""
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        return other

    def __reduce__(self) -> NoReturn:
        """Refuse with advice."""
        refuse_pickle(type(self).__name__)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._asked(query_bundle).retrieve(shown=self._shown)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self._asked(query_bundle).aretrieve(shown=self._shown)

    def _asked(self, bundle: QueryBundle) -> Asked:
        call = bundle if isinstance(bundle, MemoryQuery) else MemoryQuery("")
        binding = self._binding
        if call.user is not None:
            binding = binding.for_user(labels_of(call.user), session=call.session)
        session = call.session or binding.session
        where = both(self._where, where_of(call.where))
        # Asked at a place, k is for each level; one that was made for no place has none for it.
        own = 1 if call.place is not None and self._place is None else self._k
        return Asked(
            memory=binding.resolve(),
            question=question_of(bundle),
            k=own if call.k is None else check_k(call.k),
            where=both(where, {"session": session}) if session else where,
            as_of=call.as_of or self._as_of,
            asked_at=call.asked_at,
            min_score=self._min_score if call.min_score is None else call.min_score,
            include_archived=(
                self._include_archived if call.include_archived is None else call.include_archived
            ),
            place=self._place if call.place is None else place_text(call.place),
        )


def _governing(
    levels: Sequence[tuple[str, Sequence[Hit]]], *, shown: Sequence[str]
) -> list[NodeWithScore]:
    return [placed_node(each, shown=shown) for each in governing(levels)]


def check_k(k: K) -> K:
    """A whole number >= 0 or "auto"; else InputError."""
    if k != "auto" and (isinstance(k, bool) or not isinstance(k, int) or k < 0):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f'k must be a whole number >= 0 or "auto", got {k!r}')
    return k
