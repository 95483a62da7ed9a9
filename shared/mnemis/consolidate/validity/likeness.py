"""How much two turns mean the same, on a scale that fits whichever embedder wrote their vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mnemis.model.change import Vector
from mnemis.ports.store import View

_SAMPLE: Final = 64
_FEWEST: Final = 24
"""With fewer vectors, their cosines tell little of the embedder."""
_FLOOR, _SPAN = 0.1, 0.3
_SPREADS: Final = 3.6
_LEAST_SPAN: Final = 0.05


@dataclass(slots=True, kw_only=True)
class Likeness:
    """Compares the stored vectors of turns; reads every vector once."""

    view: View
    _vectors: dict[str, Vector] = field(default_factory=dict[str, Vector])
    _known_scale: tuple[float, float] | None = None

    def of(self, one: str, two: str) -> float:
        """Likeness of two turns by id: 0 for a cosine that any two turns have or less, 1 for one
        that is as good as a rare word in common; 0 where a vector is missing.
        """
        first, second = self.vector(one), self.vector(two)
        if first is None or second is None:
            return 0.0
        floor, span = self._scale()
        return max(0.0, float(np.dot(first, second)) - floor) / span

    def vector(self, turn: str) -> Vector | None:
        """The turn's vector, None if none is stored."""
        if turn not in self._vectors:
            self._vectors.update(self.view.vectors([turn]))
        return self._vectors.get(turn)

    def _scale(self) -> tuple[float, float]:
        """Cosine from which on meaning links two turns, and how much of it is one rare word."""
        if self._known_scale is None:
            self._known_scale = self._measured()
        return self._known_scale

    def _measured(self) -> tuple[float, float]:
        latest = self.view.tail(None, limit=_SAMPLE)
        stored = self.view.vectors([each.id for each in latest])
        if len(stored) < _FEWEST:
            return _FLOOR, _SPAN
        rows = np.stack([stored[each] for each in sorted(stored)]).astype(np.float64)
        cosines = (rows @ rows.T)[np.triu_indices(len(rows), k=1)]
        return float(cosines.mean()), max(_LEAST_SPAN, _SPREADS * float(cosines.std()))
