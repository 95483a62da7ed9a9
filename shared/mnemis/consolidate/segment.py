"""First stage: where one topic ends and the next begins.

Cosine valleys between neighbouring stretches (after TextTiling, Hearst 1997), pauses, and words
that announce a new matter; sizes between the configured bounds. One pass, looking only a bounded
way ahead, so that how turns arrived does not change the cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mnemis.config import SegmentConfig
from mnemis.consolidate.rules.cues import OPENER
from mnemis.model.graph import Turn

_STRETCH: Final = 3
_OPENER_BONUS: Final = 0.25
_ANSWER_COST: Final = 0.3
_LENGTH_COST: Final = 0.25
_LULL_BONUS: Final = 0.15


def segment(
    turns: Sequence[Turn], vectors: npt.NDArray[np.float32], *, config: SegmentConfig
) -> tuple[tuple[int, int], ...]:
    """Half-open index ranges that cover ``turns`` (one session, in order).

    ``vectors`` has a row a turn, zero where there is none.
    """
    if not turns:
        return ()
    forced = [
        0,
        *(i for i in range(1, len(turns)) if _paused(turns[i - 1], turns[i], config)),
        len(turns),
    ]
    valleys = _valleys(vectors)
    ranges: list[tuple[int, int]] = []
    for start, stop in zip(forced, forced[1:], strict=False):
        ranges.extend(_stretch(turns, valleys, start, stop, config))
    return tuple(ranges)


def settled(ranges: Sequence[tuple[int, int]], *, total: int, config: SegmentConfig) -> int:
    """Index of the first turn whose episode may still change when turns are appended."""
    for start, _ in ranges:
        if start + config.max_turns + 2 * _STRETCH > total:
            return start
    return total


def _stretch(
    turns: Sequence[Turn],
    valleys: npt.NDArray[np.float64],
    start: int,
    stop: int,
    config: SegmentConfig,
) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    while stop - start > max(config.typical_turns, config.min_turns + 1):
        latest = min(start + config.max_turns, stop)
        places = range(
            start + config.min_turns, latest - (0 if latest < stop else config.min_turns) + 1
        )
        if len(places) == 0:
            break
        window = valleys[start + _STRETCH : min(stop, start + config.max_turns + _STRETCH)]
        spread = float(window.std()) or 1.0
        middle = float(window.mean()) if len(window) else 0.0

        def worth(
            place: int, start: int = start, spread: float = spread, middle: float = middle
        ) -> float:
            away = abs(place - start - config.typical_turns) / config.typical_turns
            return (
                (float(valleys[place]) - middle) / spread * 0.5
                + _hints(turns, place)
                - _LENGTH_COST * away
            )

        best = max(places, key=lambda place: (worth(place), -place))
        if stop - start <= config.max_turns and worth(best) < 0.5:
            break
        ranges.append((start, best))
        start = best
    if stop > start:
        ranges.append((start, stop))
    return ranges


def _hints(turns: Sequence[Turn], place: int) -> float:
    score = _OPENER_BONUS if OPENER.match(turns[place].text) else 0.0
    if turns[place - 1].question_share > 0.5 and turns[place - 1].speaker != turns[place].speaker:
        score -= _ANSWER_COST
    if turns[place].question_share > 0.5:
        score += 0.1
    before, here = turns[place - 1].time, turns[place].time
    if before is not None and here is not None and (here - before).total_seconds() > 1_800:
        score += _LULL_BONUS
    return score


def _paused(before: Turn, here: Turn, config: SegmentConfig) -> bool:
    if before.time is None or here.time is None:
        return False
    return abs(here.time - before.time) > config.pause


def _valleys(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For each gap before turn i, one minus the cosine of the stretches on its two sides."""
    count = len(vectors)
    sums = np.concatenate(
        [np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)]
    )
    places = np.arange(count)
    left = sums[places] - sums[np.maximum(places - _STRETCH, 0)]
    right = sums[np.minimum(places + _STRETCH, count)] - sums[places]
    dots = np.einsum("ij,ij->i", left, right)
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    # Rounded, so that where the sums began to be counted does not decide between equals.
    cosines = np.divide(dots, norms, out=np.zeros(count), where=norms > 0)
    return np.asarray(np.round(1.0 - cosines, 9), dtype=np.float64)
