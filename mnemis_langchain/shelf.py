"""A namespace's items at one sequence number, kept so that a search need not read them all."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemis import Memory
from mnemis_langchain.items import StoredItem, item_of

_MOST = 20_000  # items kept over all namespaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The newest version of every key, in the order the keys were first put; expired ones too.

    ``seq`` is the scope's sequence number that this holds for.
    """

    seq: int
    items: Mapping[str, StoredItem]
    by_message: Mapping[str, StoredItem]
    _values: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    @classmethod
    def of(cls, items: Iterable[StoredItem], *, seq: int) -> Shelf:
        """The shelf that holds these, one a key, in their order."""
        known = list(items)
        return cls(
            seq=seq,
            items={each.key: each for each in known},
            by_message={each.message_id: each for each in known},
        )

    def value(self, item: StoredItem) -> Mapping[str, Any]:
        """The item's value, parsed once: to read, not to hand on."""
        known = self._values.get(item.message_id)
        if known is None:
            known = self._values[item.message_id] = item.value()
        return known

    def after(self, items: Iterable[StoredItem], *, seq: int) -> Shelf:
        """The shelf with these items put, at a later sequence number."""
        changed = dict(self.items)
        for item in items:
            old = changed.get(item.key)
            if old is not None and old.position != item.position:
                del changed[item.key]  # it had expired: the key begins anew, at the end
            changed[item.key] = item
        shelf = Shelf.of(changed.values(), seq=seq)
        known = self._values.copy()
        shelf._values.update((each, known[each]) for each in known if each in shelf.by_message)
        return shelf


class Shelves:
    """The shelves read last, at most 20,000 items of them. Safe to use from many threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: OrderedDict[tuple[str, ...], Shelf] = OrderedDict()

    def read(self, memory: Memory) -> Shelf:
        """What the namespace holds now."""
        with memory.mnemis.store.view(memory.scope) as view:
            with self._guard:
                known = self._known.get(memory.scope)
                if known is not None and known.seq == view.seq:
                    self._known.move_to_end(memory.scope)
                    return known
            found = [item for turn in view.scan("turn") if (item := item_of(turn)) is not None]
            newest = {item.key: item for item in found}
            ordered = sorted(newest.values(), key=lambda each: (each.position, each.key))
            shelf = Shelf.of(ordered, seq=view.seq)
        self._keep(memory.scope, shelf)
        return shelf

    def put(
        self, memory: Memory, items: Iterable[StoredItem], *, before: int, seq: int | None
    ) -> None:
        """Take over what was just written; ``before`` and ``seq``: the scope's numbers around it.

        Where somebody else wrote in between, or nothing was known, the next read reads it all.
        """
        with self._guard:
            known = self._known.get(memory.scope)
        if known is None or known.seq != before or seq is None:
            return
        self._keep(memory.scope, known.after(items, seq=seq))

    def _keep(self, scope: tuple[str, ...], shelf: Shelf) -> None:
        with self._guard:
            known = self._known.get(scope)
            if known is None or known.seq <= shelf.seq:
                self._known[scope] = shelf
                self._known.move_to_end(scope)
            while len(self._known) > 1 and sum(len(s.items) for s in self._known.values()) > _MOST:
                self._known.popitem(last=False)
