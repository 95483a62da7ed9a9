"""What is measured: evidence among the first hits, and seconds."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean

FIRST = 10
_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of a pool: ``ranked`` are distinct message ids, best first."""

    pool: str
    question: str
    kind: str
    system: str
    evidence: tuple[str, ...]
    ranked: tuple[str, ...]
    seconds: float

    @property
    def share(self) -> float:
        """The part of the evidence among the first ten."""
        first = set(self.ranked[:FIRST])
        return sum(each in first for each in self.evidence) / len(self.evidence)

    @property
    def is_whole(self) -> bool:
        """All of the evidence is among the first ten."""
        return set(self.evidence) <= set(self.ranked[:FIRST])


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A mean in percent with its 95 % interval over questions (bootstrap, fixed seed)."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} ({self.low:.0f}–{self.high:.0f})"


def figure(asked: Sequence[Asked], value: Callable[[Asked], float]) -> Figure:
    """The mean of a value over questions. ``asked`` must not be empty."""
    values = [100 * float(value(each)) for each in asked]
    chance = random.Random(0)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return Figure(
        mean=mean(values),
        low=means[int(0.025 * _RESAMPLES)],
        high=means[int(0.975 * _RESAMPLES)],
    )


def percentile(seconds: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the sorted values lie, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]
