"""The order of the turns of a session, grown at its end without disturbing readers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from mnemis.model.graph import Turn


class SessionOrder:
    """The first ``count`` turns of shared, append-only lists."""

    __slots__ = ("_count", "_ids", "_ordinals")

    def __init__(self, ids: list[str], ordinals: list[int], count: int) -> None:
        self._ids = ids
        self._ordinals = ordinals
        self._count = count

    @classmethod
    def of(cls, rows: Sequence[tuple[str, int]]) -> SessionOrder:
        """From (id, ordinal) in order."""
        return cls([i for i, _ in rows], [ordinal for _, ordinal in rows], len(rows))

    def __len__(self) -> int:
        return self._count

    def extended(self, turns: Sequence[Turn]) -> SessionOrder | None:
        """With turns added that come after all others; None when they do not."""
        rows = sorted((turn.ordinal, turn.id) for turn in turns)
        behind = not self._count or rows[0][0] > self._ordinals[self._count - 1]
        if not behind or self._count != len(self._ids):
            return None
        self._ids.extend(i for _, i in rows)
        self._ordinals.extend(ordinal for ordinal, _ in rows)
        return SessionOrder(self._ids, self._ordinals, self._count + len(rows))

    def place(self, turn_id: str, ordinal: int) -> int:
        """Where a turn of this session stands."""
        place = bisect_left(self._ordinals, ordinal, 0, self._count)
        while self._ids[place] != turn_id:
            place += 1
        return place

    def ids(self, start: int, end: int) -> list[str]:
        """Ids of the turns at these places."""
        return self._ids[start:end]


def stretches(places: Sequence[int], radius: int, count: int) -> Iterator[tuple[int, int]]:
    """Ranges [start, end) within ``radius`` of rising places; ranges that touch are one."""
    start, end = -1, -1
    for place in places:
        low, high = max(place - radius, 0), min(place + radius + 1, count)
        if low > end:
            if end > 0:
                yield start, end
            start = low
        end = high
    if end > 0:
        yield start, end
