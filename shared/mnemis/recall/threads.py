"""Runs: what is said of a matter stands together, so turns of a topic complete each other."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from mnemis.ports.store import Floats
from mnemis.recall.evidence import Field, floats

BESIDE: Final = 0.8
"""What a turn has of the fit of the one right beside it."""

BEYOND: Final = 0.6
"""The same, two turns away."""


def in_runs(field: Field, matched: Floats, topical: npt.NDArray[np.bool_]) -> Floats:
    """What each row lacks to its share of the best match one or two turns away in its session;
    0 where it lacks nothing, and for rows outside of the ``topical`` ones.
    """
    best = np.zeros(len(matched), dtype=np.float32)
    for beside in (field.previous, field.following):
        near = np.where(beside >= 0, matched[beside], 0)
        beyond = np.where(beside >= 0, beside[beside], -1)
        far = np.where(beyond >= 0, matched[beyond], 0)
        best = np.maximum(best, np.maximum(BESIDE * near, BEYOND * far))
    return floats(np.where(topical, np.maximum(best - matched, 0), 0))
