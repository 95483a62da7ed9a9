"""A query that says, for one call, who asks and how much is wanted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from llama_index.core.schema import QueryBundle
from llama_index.core.vector_stores.types import MetadataFilters

from mnemis_llamaindex.filters import Where

# RetrieverTool writes its arguments as "\ninput is …\n"; the words around are not the question's.
_TOOL_QUERY = re.compile(r"\n?input is (.+)\n", re.DOTALL)


class MemoryQuery(QueryBundle):
    """A ``QueryBundle`` for ``MnemisRetriever``, taken wherever LlamaIndex takes a query.

    What is None is as the retriever has it. ``user`` is a label, or a tuple of labels;
    ``session`` keeps to one conversation; ``where`` is added to the retriever's own filter;
    ``as_of`` asks what held then; ``asked_at`` anchors "last Friday"; ``place`` asks at a place
    in the documents' hierarchy, as ``MnemisRetriever.at`` does (``k`` is then for each level).
    """

    def __init__(
        self,
        query_str: str,
        *,
        k: int | Literal["auto"] | None = None,
        user: str | tuple[str, ...] | None = None,
        session: str | None = None,
        where: Where | MetadataFilters | None = None,
        as_of: datetime | None = None,
        asked_at: datetime | None = None,
        min_score: float | None = None,
        include_archived: bool | None = None,
        place: str | Sequence[str] | None = None,
    ) -> None:
        super().__init__(query_str)
        self.k: int | Literal["auto"] | None = k
        self.user = user
        self.session = session
        self.where = where
        self.as_of = as_of
        self.asked_at = asked_at
        self.min_score = min_score
        self.include_archived = include_archived
        self.place = place


def question_of(bundle: QueryBundle) -> str:
    """The question itself, without what a ``RetrieverTool`` writes around it."""
    wrapped = _TOOL_QUERY.fullmatch(bundle.query_str)
    return wrapped.group(1).strip() if wrapped else bundle.query_str


def labels_of(user: str | tuple[str, ...]) -> tuple[str, ...]:
    """A user's labels as a tuple."""
    return (user,) if isinstance(user, str) else tuple(user)
