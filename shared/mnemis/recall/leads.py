"""What the routes found, as columns: hundreds of walks a query, of which few are ever shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mnemis.model.graph import Edge
from mnemis.model.query import Found, Walk
from mnemis.model.recall import Route

Ints = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]

Feature: TypeAlias = Literal["similarity", "relations", "hierarchy", "fact", "mention", "cause"]
FEATURES: Final[tuple[Feature, ...]] = (
    "similarity", "relations", "hierarchy", "fact", "mention", "cause"
)  # fmt: skip

Way: TypeAlias = tuple[Walk, Edge]
"""The steps before a turn, and the edge that led from them to it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leads:
    """Turns that a route found in one manner, a turn perhaps in several ways.

    ``feature``: the score that they feed, None for none; ``scores`` in [0, 1]; ``ways``: how each
    was found, empty when all were found by themselves. All columns have one value a walk.
    """

    route: Route
    feature: Feature | None
    turns: Sequence[str]
    scores: Sequence[float]
    ways: Sequence[Way] = ()

    def __len__(self) -> int:
        return len(self.turns)

    def found(self, place: int) -> Found:
        """One of them as a walk."""
        before, edge = self.ways[place] if self.ways else ((), None)
        return Found(
            turn=self.turns[place],
            route=self.route,
            score=self.scores[place],
            before=before,
            edge=edge,
        )


class Walks(Mapping[str, tuple[Found, ...]]):
    """The walks to each turn, in the order in which they were found; made when they are read."""

    __slots__ = ("_best", "_leads", "_number")

    def __init__(self, leads: Iterable[Leads]) -> None:
        self._leads = tuple(leads)
        turns = dict.fromkeys(chain.from_iterable(each.turns for each in self._leads))
        self._number = dict(zip(turns, count(), strict=False))
        self._best: dict[Feature, Doubles] = {}

    def __len__(self) -> int:
        return len(self._number)

    def __iter__(self) -> Iterator[str]:
        return iter(self._number)

    def __contains__(self, turn: object) -> bool:
        return turn in self._number

    def __getitem__(self, turn: str) -> tuple[Found, ...]:
        return self.to((turn,))[turn]

    def to(self, turns: Iterable[str]) -> dict[str, tuple[Found, ...]]:
        """The walks to each of these turns, each walk once, at its best score; KeyError for a turn
        that none leads to.
        """
        every: dict[str, list[Found]] = {turn: [] for turn in turns}
        for leads in self._leads:
            for place in [place for place, turn in enumerate(leads.turns) if turn in every]:
                found, known = leads.found(place), every[leads.turns[place]]
                if known:
                    _take(found, known)
                else:
                    known.append(found)
        if not all(every.values()):
            raise KeyError(next(turn for turn, known in every.items() if not known))
        return {turn: tuple(known) for turn, known in every.items()}

    def numbers(self, turns: Sequence[str]) -> Ints:
        """Which of the walks' turns these are, counted in their order; KeyError for another."""
        return np.fromiter(map(self._number.__getitem__, turns), dtype=np.int64, count=len(turns))

    def best(self, feature: Feature) -> Doubles:
        """What each turn scores at best by this feature, below 0 where it does not by any walk; not
        to be changed.
        """
        known = self._best.get(feature)
        if known is not None:
            return known
        best: Doubles = np.full(len(self._number), -1.0)
        for leads in self._leads:
            if leads.feature == feature and leads.turns:
                np.maximum.at(best, self.numbers(leads.turns), leads.scores)
        self._best[feature] = best
        return best

    def joined(self, more: Leads) -> Walks:
        """The same with more of them."""
        made = Walks(())
        made._leads = (*self._leads, more)
        made._number = dict(self._number)
        for turn in more.turns:
            made._number.setdefault(turn, len(made._number))
        fresh = np.full(len(made) - len(self), -1.0)
        made._best = {
            name: np.concatenate([best, fresh])
            for name, best in self._best.items()
            if name != more.feature
        }
        return made


def _take(found: Found, known: list[Found]) -> None:
    for place, other in enumerate(known):
        if other.before == found.before and _is_same(other.edge, found.edge):
            if other.score < found.score:
                known[place] = found
            return
    known.append(found)


def _is_same(one: Edge | None, other: Edge | None) -> bool:
    return one is other or (one is not None and other is not None and one.key == other.key)
