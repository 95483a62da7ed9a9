"""A bounded map that keeps what was used lately."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

V = TypeVar("V")


class RecentMap(Generic[V]):
    """Two generations of a dictionary: what was not asked for during a whole one is dropped.

    Between ``limit`` / 2 and ``limit`` units are kept; reads cost one dictionary lookup. Safe for
    many readers; writers must hold a lock.
    """

    def __init__(self, *, limit: int) -> None:
        self._half = max(limit // 2, 1)
        self._young: dict[str, V] = {}
        self._old: dict[str, V] = {}
        self._weight = 0

    def get(self, key: str) -> V | None:
        """The value, if it is still here."""
        found = self._young.get(key)
        return self._old.get(key) if found is None else found

    def find(self, keys: Iterable[str]) -> list[V | None]:
        """``get`` of each key."""
        young, old = self._young.get, self._old.get
        return [old(key) if (found := young(key)) is None else found for key in keys]

    def put(self, key: str, value: V, *, weight: int = 1) -> None:
        """Keep a value; ``weight`` units count against the limit."""
        if self._weight + weight > self._half:
            self._old, self._young, self._weight = self._young, {}, 0
        self._young[key] = value
        self._weight += weight

    def drop(self, key: str) -> None:
        """Remove a value."""
        self._young.pop(key, None)
        self._old.pop(key, None)

    def is_old(self, key: str) -> bool:
        """Whether a value would go with the next generation."""
        return key not in self._young
