"""The clock port."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where "now" comes from."""

    def now(self) -> datetime:
        """An aware datetime."""
        ...


class SystemClock:
    """The machine's clock, UTC."""

    def now(self) -> datetime:
        """The current instant, UTC."""
        return datetime.now(UTC)
