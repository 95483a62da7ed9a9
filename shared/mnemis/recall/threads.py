"""Threads: what is said of a matter stands together and names the same things, so the turns of a
topic complete each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mnemis.ports.store import Floats, View
from mnemis.recall.columns import Ints
from mnemis.recall.evidence import Field, best_rows

Doubles = npt.NDArray[np.float64]

_SEEDS: Final = 8  # best matches that a thread is followed from
_GOOD: Final = 50  # best matches whose sessions a thread may go through
_ONWARD: Final = 0.7  # of a turn's weight, what goes on to its neighbours in each step
_STEPS: Final = 12  # after these less than 2 % of the weight is still on its way
_BESIDE: Final = 2.0  # a neighbour in time against all that name the same thing
_HUB: Final = 0.25  # share of the topic's turns from which on a name ties nothing together
_FULL: Final = 3  # from this rank on a turn lies fully on the thread


def on_thread(view: View, field: Field, raw: Floats, topical: npt.NDArray[np.bool_]) -> Floats:
    """How far each row lies on the thread of the best matches, in [0, 1]; all 0 where Route 2 has
    found none of them ``topical``.

    Personalised PageRank (Page, Brin, Motwani and Winograd 1999), restarted at the best matches by
    the square of their ``raw`` sums, along two kinds of steps: to the turn right before and after
    in the session, and to the turns that mention the same entity, the less the more of them there
    are. It goes through the sessions that hold a topical turn or a good match, so a turn that
    speaks of the matter in no word of the question, nor of the category, is still found.
    """
    out = np.zeros(len(raw), dtype=np.float32)
    rows = _within_reach(field, raw, topical)
    seed = np.zeros(len(rows))
    best = best_rows(raw[rows], _SEEDS)
    seed[best] = np.maximum(raw[rows][best], 0.0) ** 2
    if not seed.any():
        return out
    seed /= seed.sum()
    steps = _steps(view, field, rows)
    weight = seed.copy()
    for _ in range(_STEPS):
        weight = (1 - _ONWARD) * seed + _ONWARD * steps.take(weight)
    full = float(np.sort(weight)[-min(_FULL, len(weight))])
    out[rows] = np.minimum(weight / max(full, 1e-9), 1.0)
    return out


def _within_reach(field: Field, raw: Floats, topical: npt.NDArray[np.bool_]) -> Ints:
    """All rows of the stretches that hold a topical row or a good match."""
    if not topical.any():
        return np.empty(0, dtype=np.int64)
    touched = np.zeros(len(field.starts), dtype=bool)
    touched[field.stretch[topical]] = True
    touched[field.stretch[best_rows(raw, _GOOD)]] = True
    return np.flatnonzero(touched[field.stretch])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Steps:
    """Ways between turns, all by position. ``beside``: the turn before and after, -1 for none,
    and ``aside``, what each of them gets; turn ``named[i]`` mentions name ``name[i]``, which gets
    ``sent[i]`` of its weight and gives ``back[i]`` of its own to it.
    """

    beside: Ints
    aside: Doubles
    named: Ints
    name: Ints
    sent: Doubles
    back: Doubles

    def take(self, weight: Doubles) -> Doubles:
        """Every turn's weight passed on once; what leads nowhere is lost."""
        count = len(weight)
        gone = np.zeros(count)
        for to in self.beside:
            there = to >= 0
            gone += np.bincount(to[there], weights=(self.aside * weight)[there], minlength=count)
        at_name = np.bincount(self.name, weights=self.sent * weight[self.named])
        return gone + np.bincount(
            self.named, weights=self.back * at_name[self.name], minlength=count
        )


def _steps(view: View, field: Field, rows: Ints) -> _Steps:
    beside = _beside(field, rows)
    sides = (beside >= 0).sum(axis=0)
    named, name, rarity = _naming(view, tuple(map(field.ids.__getitem__, rows.tolist())))
    rare = np.bincount(named, weights=rarity, minlength=len(rows))
    both = _BESIDE * (sides > 0) + (rare > 0)
    return _Steps(
        beside=beside,
        aside=_BESIDE / np.maximum(both * sides, 1.0),
        named=named,
        name=name,
        sent=rarity / (rare * both)[named],
        back=1.0 / np.bincount(name)[name],
    )


def _beside(field: Field, rows: Ints) -> Ints:
    """Which of ``rows`` stands before and after each of them, as positions, -1 for none."""
    place = np.full(len(field.ids), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    sides = (field.previous[rows], field.following[rows])
    return np.stack([np.where(side >= 0, place[side], -1) for side in sides])


def _naming(view: View, turns: Sequence[str]) -> tuple[Ints, Ints, Doubles]:
    """Which turn mentions which name, as positions, and how rare the name is (its idf)."""
    mentions = view.neighbours(turns, types=("mentions",), direction="out")
    holders: dict[str, list[int]] = {}
    for place, turn in enumerate(turns):
        for link in mentions.get(turn, ()):
            holders.setdefault(link.target, []).append(place)
    most = max(2.0, _HUB * len(turns))
    shared = [each for each in holders.values() if 2 <= len(each) <= most]
    named = [place for each in shared for place in each]
    name = [number for number, each in enumerate(shared) for _ in each]
    rarity = [math.log(1 + len(turns) / len(each)) for each in shared for _ in each]
    return np.array(named, dtype=np.int64), np.array(name, dtype=np.int64), np.array(rarity)
