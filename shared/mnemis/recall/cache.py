"""What need not be computed twice while a scope stays as it is.

Everything here is keyed by the scope's sequence number: a write makes it void, and what a scope
held before its last write is dropped at the next look, so nothing forgotten lingers.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from mnemis.model.change import Scope

V = TypeVar("V")


class ScopeCache(Generic[V]):
    """The ``limit`` values used last, each valid for one sequence number of its scope.

    Thread-safe.
    """

    def __init__(self, *, limit: int) -> None:
        self._limit = limit
        self._guard = threading.Lock()
        self._values: OrderedDict[tuple[Scope, Hashable], V] = OrderedDict()
        self._seqs: dict[Scope, int] = {}

    def get(self, scope: Scope, key: Hashable, *, seq: int) -> V | None:
        """The value put at this sequence number, if it is still here."""
        with self._guard:
            if self._seqs.get(scope) != seq:
                return None
            found = self._values.get((scope, key))
            if found is not None:
                self._values.move_to_end((scope, key))
            return found

    def put(self, scope: Scope, key: Hashable, value: V, *, seq: int) -> None:
        """Keep a value; whatever the scope held at another sequence number goes."""
        with self._guard:
            known = self._seqs.get(scope, -1)
            if seq < known:
                return
            if seq > known:
                for stale in [each for each in self._values if each[0] == scope]:
                    del self._values[stale]
                self._seqs[scope] = seq
            self._values[scope, key] = value
            while len(self._values) > self._limit:
                (gone, _), _value = self._values.popitem(last=False)
                if not any(each[0] == gone for each in self._values):
                    self._seqs.pop(gone, None)
