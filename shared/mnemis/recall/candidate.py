"""A ranked turn on its way from the shortlist to the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mnemis.model.graph import Turn
from mnemis.model.query import Found
from mnemis.model.recall import Route
from mnemis.recall.rank import squash
from mnemis.recall.status import Successor


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A ranked turn: ``raw`` sum, ``score`` in [0, 1], share of the query's idf it ``covered``,
    the part of the sum that comes from how it ``matched`` alone.
    """

    turn: Turn
    raw: float
    score: float
    covered: float
    matched: float
    walks: tuple[Found, ...]
    routes: Mapping[Route, float] = field(default_factory=dict[Route, float])
    lifted_by: tuple[Successor, ...] = ()
    weak: bool = False

    def raised(self, raw: float) -> Candidate:
        """The same with another raw sum, and the score that goes with it."""
        return replace(self, raw=raw, score=squash(raw))
