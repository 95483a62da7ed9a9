"""A parsed query and what is found for it before it becomes a hit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from mnemis.model.filter import Filter
from mnemis.model.graph import Edge, EdgeKey
from mnemis.model.recall import Route

Intent = Literal["when", "why", "how", "who", "where", "all", "vague", "now", "before"]

TimeRange: TypeAlias = tuple[datetime, datetime]
"""Half-open: start <= time < end, aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPart:
    """One question of a compound query: its text and the tokens that carry meaning."""

    text: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """An entity of the memory that the query names: its id and the words it was named by."""

    id: str
    surface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a query says.

    ``speakers`` are people of the memory that it names; ``entities`` come in order of mention;
    ``relations`` are edge types its words ask along; ``ranges`` are times it names;
    ``specificity`` in [0, 1] grows with named entities, dates and rare words; ``resolved`` tells
    what recent turns added to it, empty when nothing; ``strangers`` are names in it of which the
    memory has no word.
    """

    text: str
    language: str
    parts: tuple[QueryPart, ...]
    entities: tuple[NamedEntity, ...]
    speakers: tuple[str, ...]
    relations: tuple[str, ...]
    ranges: tuple[TimeRange, ...]
    intents: frozenset[Intent]
    specificity: float
    resolved: str = ""
    strangers: tuple[str, ...] = ()
    as_of: datetime | None = None
    where: Filter | None = None
    include_archived: bool = False


Walk: TypeAlias = tuple[tuple[str, EdgeKey | None], ...]
"""Node ids from a seed to where it led, each with the edge that led there (None on the seed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A turn reached by one route, its score in [0, 1], and how: the steps ``before`` it and the
    ``edge`` of the last one, None for a turn that was found by itself.
    """

    turn: str
    route: Route
    score: float
    before: Walk = ()
    edge: Edge | None = None

    @property
    def walk(self) -> Walk:
        """The whole walk. Hundreds are found a query and few are shown, so it is made here."""
        return (*self.before, (self.turn, None if self.edge is None else self.edge.key))
