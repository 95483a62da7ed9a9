"""Memories as LangChain documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NoReturn, Self, TypeAlias

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever, LangSmithRetrieverParams
from langchain_core.runnables import RunnableConfig
from langchain_core.structured_query import FilterDirective
from pydantic import ConfigDict, model_validator

from mnemis import Hit, InputError, Memory, Mnemis
from mnemis.model.places import at_place, governing, upward
from mnemis_langchain.callers import (
    Caller,
    check_source,
    configurable_of,
    find_caller,
    refuse_pickle,
)
from mnemis_langchain.documents import to_document, to_placed_document
from mnemis_langchain.filters import Filter, where_of
from mnemis_langchain.traced import ls_params

Count: TypeAlias = int | Literal["auto"]
Place: TypeAlias = str | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """How one call asks; ``levels`` are the places it looks at, nearest first, or None alone."""

    k: Count
    where: Filter | None
    min_score: float
    as_of: datetime | None
    levels: tuple[str | None, ...]

    def recall(
        self, memory: Memory, query: str, level: str | None
    ) -> tuple[str | None, Sequence[Hit]]:
        """The level and its hits, best first."""
        where = self.where if level is None else at_place(self.where, level)
        recall = memory.recall(
            query, k=self.k, where=where, min_score=self.min_score, as_of=self.as_of
        )
        return level, recall.hits

    async def arecall(
        self, memory: Memory, query: str, level: str | None
    ) -> tuple[str | None, Sequence[Hit]]:
        """``recall`` off the event loop."""
        where = self.where if level is None else at_place(self.where, level)
        recall = await memory.arecall(
            query, k=self.k, where=where, min_score=self.min_score, as_of=self.as_of
        )
        return level, recall.hits


class MnemisRetriever(BaseRetriever):
    """Brings memories back, best first, each with the path by which it was found.

    ``memory`` fixes one scope; with ``mnemis`` every call names its user in
    ``config={"configurable": {"user_id": …}}``. ``k`` "auto" adapts to the question, a number
    gives min(k, what there is). ``where`` is Mnemis's filter, or one of LangChain's
    ``structured_query``; ``this_thread_only`` narrows it to the call's "thread_id". ``with_path``
    puts path and status into ``page_content`` too, for whatever shows nothing else to its model.

    ``place`` asks at a place in a hierarchy of documents (see ``to_documents``): what holds there
    comes first, then what holds above it, level by level, at most ``k`` of each (one with "auto")
    and nothing of a level that has nothing on the matter.

    ``k``, ``where``, ``session``, ``min_score``, ``as_of`` and ``place`` can also be given to
    ``invoke``.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    mnemis: Mnemis | None = None
    memory: Memory | None = None
    k: Count = "auto"
    where: Filter | FilterDirective | None = None
    min_score: float = 0.0
    place: Place | None = None
    this_thread_only: bool = False
    with_path: bool = False

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        check_source(self.mnemis, self.memory)
        if self.k != "auto" and self.k < 0:
            raise InputError(f'k must be a whole number >= 0 or "auto", got {self.k!r}')
        return self

    def invoke(  # type: ignore[override]  # named arguments in the place of any
        self,
        input: str,
        config: RunnableConfig | None = None,
        *,
        k: Count | None = None,
        where: Filter | FilterDirective | None = None,
        session: str | None = None,
        min_score: float | None = None,
        as_of: datetime | None = None,
        place: Place | None = None,
    ) -> list[Document]:
        """The documents. Raises InputError when a user is needed and the call names none."""
        return super().invoke(
            input,
            config,
            k=k,
            where=where,
            session=session,
            min_score=min_score,
            as_of=as_of,
            place=place,
            configurable=configurable_of(config),
        )

    async def ainvoke(  # type: ignore[override]  # as invoke
        self,
        input: str,
        config: RunnableConfig | None = None,
        *,
        k: Count | None = None,
        where: Filter | FilterDirective | None = None,
        session: str | None = None,
        min_score: float | None = None,
        as_of: datetime | None = None,
        place: Place | None = None,
    ) -> list[Document]:
        """``invoke`` that never blocks the event loop."""
        return await super().ainvoke(
            input,
            config,
            k=k,
            where=where,
            session=session,
            min_score=min_score,
            as_of=as_of,
            place=place,
            configurable=configurable_of(config),
        )

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: Count | None = None,
        where: Filter | FilterDirective | None = None,
        session: str | None = None,
        min_score: float | None = None,
        as_of: datetime | None = None,
        place: Place | None = None,
        configurable: Mapping[str, object] | None = None,
    ) -> list[Document]:
        caller = find_caller(self.mnemis, self.memory, configurable=configurable)
        asked = self._asked(caller, k, where, session, min_score, as_of, place)
        return self._documents([asked.recall(caller.memory, query, at) for at in asked.levels])

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: Count | None = None,
        where: Filter | FilterDirective | None = None,
        session: str | None = None,
        min_score: float | None = None,
        as_of: datetime | None = None,
        place: Place | None = None,
        configurable: Mapping[str, object] | None = None,
    ) -> list[Document]:
        caller = find_caller(self.mnemis, self.memory, configurable=configurable)
        asked = self._asked(caller, k, where, session, min_score, as_of, place)
        return self._documents(
            [await asked.arecall(caller.memory, query, at) for at in asked.levels]
        )

    def _asked(
        self,
        caller: Caller,
        k: Count | None,
        where: Filter | FilterDirective | None,
        session: str | None,
        min_score: float | None,
        as_of: datetime | None,
        place: Place | None,
    ) -> _Asked:
        at = self.place if place is None else place
        count = self.k if k is None else k
        return _Asked(
            k=1 if at is not None and count == "auto" else count,
            where=self._filter(where_of(where), session, caller),
            min_score=self.min_score if min_score is None else min_score,
            as_of=as_of,
            levels=(None,) if at is None else upward(at),
        )

    def _filter(self, where: Filter | None, session: str | None, caller: Caller) -> Filter | None:
        """Both filters hold; a session given with the call narrows further."""
        thread = session
        if thread is None and self.this_thread_only:
            if caller.session is None:
                raise InputError(
                    'this_thread_only=True needs config={"configurable": {"thread_id": …}}'
                )
            thread = caller.session
        conditions = [each for each in (where_of(self.where), where) if each]
        if thread is not None:
            conditions.append({"session": thread})
        if len(conditions) > 1:
            return {"and": conditions}
        return conditions[0] if conditions else None

    def _documents(self, found: Sequence[tuple[str | None, Sequence[Hit]]]) -> list[Document]:
        levels = [(level, hits) for level, hits in found if level is not None]
        if levels:
            placed = governing(levels)
            return [to_placed_document(each, with_path=self.with_path) for each in placed]
        return [to_document(hit, with_path=self.with_path) for _, hits in found for hit in hits]

    def _get_ls_params(self, **_kwargs: Any) -> LangSmithRetrieverParams:
        return ls_params(self.mnemis or (self.memory.mnemis if self.memory else None))

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> NoReturn:
        """As pickling: InputError."""
        refuse_pickle("a retriever")

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """InputError: an open store cannot travel."""
        refuse_pickle("a retriever")
