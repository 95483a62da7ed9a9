"""The metrics: pure functions of ranked ids, evidence, and values per question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_RESAMPLES = 2_000
_SEED = 20_250_301


def recall_at(ranked: Sequence[str], evidence: Sequence[str], *, k: int) -> float:
    """R@k: the share of the evidence among the first ``k`` distinct ids, in [0, 1]."""
    first = set(_first(ranked, k))
    wanted = set(evidence)
    return len(wanted & first) / len(wanted)


def whole_at(ranked: Sequence[str], evidence: Sequence[str], *, k: int) -> float:
    """all@k: 1 when the whole evidence is among the first ``k`` distinct ids, else 0."""
    return float(set(evidence) <= set(_first(ranked, k)))


def reciprocal_rank(ranked: Sequence[str], evidence: Sequence[str]) -> float:
    """One over the rank (from 1) of the first evidence among distinct ids; 0 when absent."""
    wanted = set(evidence)
    for rank, each in enumerate(dict.fromkeys(ranked), start=1):
        if each in wanted:
            return 1.0 / rank
    return 0.0


def _first(ranked: Sequence[str], k: int) -> list[str]:
    return list(dict.fromkeys(ranked))[:k]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with the ends of its 95 % interval, all in the values' own unit."""

    mean: float
    low: float
    high: float


def bootstrap(values: Sequence[float]) -> Estimate | None:
    """The mean and its percentile interval over resampled questions (2,000, fixed seed).

    None without values. The interval covers the choice of questions, not that of the pools.
    """
    if not len(values):
        return None
    array = np.asarray(values, dtype=np.float64)
    chance = np.random.default_rng(_SEED)
    # In slices: thousands of questions times thousands of resamples need not be in RAM at once.
    means = np.concatenate(
        [
            array[chance.integers(0, len(array), size=(100, len(array)))].mean(axis=1)
            for _ in range(_RESAMPLES // 100)
        ]
    )
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(mean=float(array.mean()), low=float(low), high=float(high))


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Estimate | None:
    """The mean difference ours − theirs over the same questions, as ``bootstrap``."""
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} values are not of the same questions")
    return bootstrap([mine - other for mine, other in zip(ours, theirs, strict=True)])


def removed(
    ours: Sequence[float], theirs: Sequence[float], *, best: float = 100.0
) -> Estimate | None:
    """The share in percent of the others' remaining error (``best`` less their mean) that is gone,
    over resampled questions as ``bootstrap``; None where nothing remained.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} values are not of the same questions")
    if not len(ours) or best - float(np.mean(theirs)) <= 0:
        return None
    mine, other = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    drawn = np.random.default_rng(_SEED).integers(0, len(mine), size=(_RESAMPLES, len(mine)))
    gained, left = (mine[drawn] - other[drawn]).mean(axis=1), best - other[drawn].mean(axis=1)
    low, high = np.percentile(100 * gained[left > 0] / left[left > 0], [2.5, 97.5])
    whole = 100 * float((mine - other).mean()) / (best - float(other.mean()))
    return Estimate(mean=whole, low=float(low), high=float(high))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """How likely a positive scores above a negative, ties half; None when either is missing."""
    if not len(positive) or not len(negative):
        return None
    above: npt.NDArray[np.float64] = np.asarray(positive, dtype=np.float64)[:, None]
    below: npt.NDArray[np.float64] = np.asarray(negative, dtype=np.float64)[None, :]
    return float((above > below).mean() + 0.5 * (above == below).mean())


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value at ``share`` in [0, 1], linear between neighbours; None without values."""
    return float(np.percentile(np.asarray(values), 100 * share)) if len(values) else None


def fused(rankings: Sequence[Sequence[str]], *, k: int = 60) -> list[str]:
    """Reciprocal rank fusion (Cormack et al. 2009): the sum of 1 / (k + rank), ties by id."""
    sums: dict[str, float] = {}
    for ranking in rankings:
        for rank, each in enumerate(dict.fromkeys(ranking), start=1):
            sums[each] = sums.get(each, 0.0) + 1.0 / (k + rank)
    return sorted(sums, key=lambda each: (-sums[each], each))


def top(scores: npt.NDArray[np.floating], ids: Sequence[str], *, k: int) -> list[str]:
    """The ids of the ``k`` highest scores, best first, ties in the order of ``ids``."""
    order = np.argsort(-scores, kind="stable")[:k]
    return [ids[int(index)] for index in order]
