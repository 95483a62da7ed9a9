"""What one call of ``consolidate`` spends on its extractor, and when it stops asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mnemis.errors import BudgetSpent, ModelError, ModelRefused, ModelUnavailable
from mnemis.model.graph import Turn
from mnemis.ports.extractor import BudgetedExtractor, Extraction, Extractor

_PATIENCE: Final = 3
"""Calls without any reply, in a row, after which the model is not asked again in this call."""


@dataclass(slots=True)
class Ledger:
    """Calls and tokens so far, failed ones included; ``stopped`` says why nothing is asked."""

    budget: int | None = None
    calls: int = 0
    tokens: int = 0
    stopped: str = ""
    _unreached: int = 0

    def extract(self, extractor: Extractor, turns: Sequence[Turn]) -> Extraction:
        """Ask the extractor, unless asking is over. Raises ModelError."""
        if self.stopped:
            raise ModelError(self.stopped)
        try:
            found = self._ask(extractor, turns)
        except ModelError as error:
            self._count(error.calls, error.tokens)
            self._judge(error)
            raise
        self._unreached = 0
        self._count(found.model_calls, found.model_tokens)
        return found

    def notes(self) -> tuple[str, ...]:
        """What a person must know of the whole call."""
        return (self.stopped,) if self.stopped else ()

    def _ask(self, extractor: Extractor, turns: Sequence[Turn]) -> Extraction:
        if self.budget is None:
            return extractor.extract(turns)
        left = max(0, self.budget - self.tokens)
        if isinstance(extractor, BudgetedExtractor):
            return extractor.extract_within(turns, tokens=left)
        if self.tokens and not left:
            raise BudgetSpent(f"the budget of {self.budget} model tokens is spent")
        return extractor.extract(turns)

    def _count(self, calls: int, tokens: int) -> None:
        self.calls += calls
        self.tokens += tokens

    def _judge(self, error: ModelError) -> None:
        """Whether the error makes further questions pointless."""
        no_reply = isinstance(error, ModelUnavailable) or (
            type(error) is ModelError and error.calls
        )
        self._unreached = self._unreached + 1 if no_reply else 0
        rest = "rules stand in for the rest, and consolidate(retry_failed=True) asks again"
        if isinstance(error, BudgetSpent):
            self.stopped = (
                f"the budget of {self.budget} model tokens is spent ({self.tokens} used); {rest}"
            )
        elif isinstance(error, ModelRefused) or self._unreached >= _PATIENCE:
            self.stopped = f"{error}; {rest}"
