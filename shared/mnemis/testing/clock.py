"""A clock that stands still until it is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Answers one instant; ``advance`` and ``set`` move it.

    >>> clock = FakeClock(datetime(2025, 3, 3, 9, tzinfo=UTC))
    >>> clock.advance(timedelta(minutes=5))
    >>> clock.now().isoformat()
    '2025-03-03T09:05:00+00:00'
    """

    def __init__(self, start: datetime = datetime(2025, 1, 1, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """The instant it was left at."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Move forward."""
        self._now += by

    def set(self, now: datetime) -> None:
        """Move to an instant."""
        self._now = now
