"""LangGraph's store on a Mnemis folder: any JSON value under a namespace and a key.

A namespace is a scope of its own, a key a session in it, an item one message: so ``search`` with
a query is the engine's recall, and deleting a namespace's items reaches no other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Literal, NoReturn, TypedDict, cast
from uuid import uuid4

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from mnemis import Hit, InputError, Memory, Mnemis
from mnemis_langchain.callers import check_mnemis, refuse_pickle
from mnemis_langchain.items import StoredItem, item_of, session_of, test_of, text_of
from mnemis_langchain.replacing import drop
from mnemis_langchain.shelf import Shelf, Shelves

_FEWEST = 32  # hits asked for first when a filter may drop some
_NAMED = 64  # items up to which a filter's matches are named to the engine


class StoreIndex(TypedDict, total=False):
    """Which parts of a value are searched: paths such as "text" or "notes[*].body"."""

    fields: Sequence[str]


class MnemisStore(BaseStore):
    """A durable store for LangGraph with semantic search, in English and Chinese alike.

    ``within`` are the scope labels under which all namespaces lie. Without ``index`` every text
    in a value is searched. Times to live are minutes; an expired item is gone at once. The bytes
    of what was replaced or has expired leave the disk with the next delete or ``sweep_ttl``.

    In one batch all reads come before all writes, the last write of a key counts, and the writes
    of one namespace are stored together.
    """

    supports_ttl = True

    def __init__(
        self,
        mnemis: Mnemis,
        *,
        within: Sequence[str] = ("langgraph-store",),
        index: StoreIndex | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        check_mnemis(mnemis)
        if isinstance(within, str) or not within:
            raise InputError(f"within= wants scope labels in a tuple, got {within!r}")
        if unknown := sorted(set(index or {}) - {"fields"}):
            raise InputError(
                f"index= knows fields alone, got {unknown} too: values are found by the memory's "
                "own embedder, which is chosen by Mnemis.open(…, embedder=as_embedder(…))"
            )
        self.mnemis = mnemis
        self.within = tuple(within)
        self.ttl_config = ttl
        self._fields = tuple((index or {}).get("fields") or ("$",))
        self._shelves = Shelves()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Results in the order of the operations; None for a write."""
        results: list[Result] = []
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in ops:
            if isinstance(op, GetOp):
                results.append(self._get(op))
            elif isinstance(op, SearchOp):
                results.append(self._search(op))
            elif isinstance(op, ListNamespacesOp):
                results.append(self._list(op))
            elif isinstance(op, PutOp):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
                puts[op.namespace, op.key] = op
                results.append(None)
            else:
                raise InputError(f"this store does not know the operation {type(op).__name__}")
        by_namespace: dict[tuple[str, ...], list[PutOp]] = {}
        for op in puts.values():
            by_namespace.setdefault(op.namespace, []).append(op)
        for namespace, writes in by_namespace.items():
            self._put(namespace, writes)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """``batch`` off the event loop."""
        known = list(ops)
        return await self.mnemis.pool.run(lambda: self.batch(known))

    def sweep_ttl(self) -> int:
        """Delete what has expired; how many items that were."""
        swept = 0
        for namespace in self._namespaces(()):
            memory = self._memory(namespace)
            with self._lock(memory):
                items = self._shelves.read(memory).items.values()
                expired = [each for each in items if self._is_over(each)]
                if expired:
                    memory.forget(message_ids=[each.message_id for each in expired])
            swept += len(expired)
        return swept

    async def asweep_ttl(self) -> int:
        """``sweep_ttl`` off the event loop."""
        return await self.mnemis.pool.run(self.sweep_ttl)

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """InputError: an open store cannot travel."""
        refuse_pickle("a store")

    def _get(self, op: GetOp) -> Item | None:
        memory = self._memory(op.namespace)
        item = self._newest(memory, op.key)
        if item is None or self._is_over(item):
            return None
        if op.refresh_ttl and item.ttl is not None:
            self._refresh(memory, [item])
        return Item(
            value=item.value(),
            key=item.key,
            namespace=op.namespace,
            created_at=item.created_at,
            updated_at=item.updated_at,
        )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        end = max(0, op.offset + op.limit)
        found: list[tuple[tuple[str, ...], StoredItem, float | None]] = []
        for namespace in self._namespaces(op.namespace_prefix):
            memory = self._memory(namespace)
            if op.query:
                ranked = self._ranked(memory, op, op.query, end)
                found += [(namespace, item, score) for item, score in ranked]
            else:
                shelf = self._shelves.read(memory)
                found += [(namespace, item, None) for item in self._chosen(shelf, op)]
        if op.query:
            found.sort(key=lambda each: (each[2] is None, -(each[2] or 0.0)))
        page = found[op.offset : end]
        if op.refresh_ttl:
            for namespace, item, _ in page:
                if item.ttl is not None:
                    self._refresh(self._memory(namespace), [item])
        return [
            SearchItem(
                namespace=namespace,
                key=item.key,
                value=item.value(),
                created_at=item.created_at,
                updated_at=item.updated_at,
                score=score,
            )
            for namespace, item, score in page
        ]

    def _ranked(
        self, memory: Memory, op: SearchOp, query: str, wanted: int
    ) -> list[tuple[StoredItem, float | None]]:
        """The best items of one namespace, then those that have nothing of the query (score 0),
        then those that are not indexed (no score).
        """
        if not wanted:
            return []
        shelf = self._shelves.read(memory)
        chosen = self._chosen(shelf, op) if op.filter else None
        where: dict[str, object] = {"kind": "turn"}
        k = wanted
        if chosen is not None and len(chosen) <= _NAMED:
            # Few: the engine looks at these alone.
            where["id"] = {"in": [each.message_id for each in chosen if each.indexed]}
        elif chosen is not None:
            k = max(_FEWEST, wanted)
        fitting = None if chosen is None else {each.message_id for each in chosen}
        while True:
            hits = memory.recall(query, k=k, where=where).hits
            best = self._scored(shelf, hits, fitting)
            # A hit that scores nothing only fills up: behind it there is nothing to be found.
            if len(best) >= wanted or len(hits) < k or hits[-1].score <= 0:
                break
            k *= 4
        if len(best) >= wanted:
            return [*best]
        scored = {item.key for item, _ in best}
        rest = self._chosen(shelf, op) if chosen is None else chosen
        return [
            *best,
            *((each, 0.0) for each in rest if each.indexed and each.key not in scored),
            *((each, None) for each in rest if not each.indexed),
        ]

    def _scored(
        self, shelf: Shelf, hits: Sequence[Hit], fitting: Collection[str] | None
    ) -> list[tuple[StoredItem, float]]:
        """The live items among the hits that score (and are fitting, where that is known)."""
        now = self.mnemis.clock.now()
        found = [(shelf.by_message.get(each.sources[0]), each.score) for each in hits]
        return [
            (item, score)
            for item, score in found
            if item is not None
            and score > 0
            and not item.is_over(now)
            and (fitting is None or item.message_id in fitting)
        ]

    def _chosen(self, shelf: Shelf, op: SearchOp) -> list[StoredItem]:
        """What is alive and meets the filter, in the order in which the keys were first put."""
        now = self.mnemis.clock.now()
        alive = [each for each in shelf.items.values() if not each.is_over(now)]
        if not op.filter:
            return alive
        meets = test_of(op.filter)
        return [each for each in alive if meets(shelf.value(each))]

    def _list(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        matching = [
            namespace
            for namespace in self._namespaces(())
            if all(_matches(each, namespace) for each in conditions)
        ]
        if op.max_depth is not None:
            matching = list({namespace[: op.max_depth] for namespace in matching})
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _put(self, namespace: tuple[str, ...], writes: Sequence[PutOp]) -> None:
        memory = self._memory(namespace)
        with self._lock(memory):
            with self.mnemis.store.view(memory.scope) as view:
                seq = view.seq
            replaced: list[str] = []
            deleted: list[str] = []
            items: list[StoredItem] = []
            for number, op in enumerate(writes):
                versions = self._versions(memory, op.key)
                old = [each.message_id for each in versions]
                if op.value is None:
                    deleted += old
                    continue
                replaced += old
                live = [each for each in versions if not self._is_over(each)]
                items.append(self._item(op, live[-1] if live else None, (seq, number)))
            # New before old: a crash between the two leaves the newer version to be read.
            if items:
                self._write(memory, items, replaced=replaced, before=seq)
            if deleted:
                memory.forget(message_ids=deleted)

    def _write(
        self,
        memory: Memory,
        items: Sequence[StoredItem],
        *,
        replaced: Sequence[str],
        before: int,
    ) -> None:
        seq: int | None = memory.remember([each.message() for each in items]).seq
        steps = 1
        if replaced:
            seq = drop(memory, replaced)
            steps = 2
        alone = seq is not None and seq == before + steps
        self._shelves.put(memory, items, before=before, seq=seq if alone else None)

    def _item(self, op: PutOp, old: StoredItem | None, position: tuple[int, int]) -> StoredItem:
        now = self.mnemis.clock.now()
        value = cast("dict[str, object]", op.value)
        fields = self._fields if op.index is None else op.index
        return StoredItem(
            message_id=uuid4().hex,
            key=op.key,
            text="" if fields is False else text_of(value, fields),
            encoded=StoredItem.encode(value),
            created_at=old.created_at if old else now,
            updated_at=now,
            position=old.position if old else position,
            indexed=op.index is not False,
            ttl=op.ttl,
            expires=None if op.ttl is None else now + timedelta(minutes=op.ttl),
        )

    def _refresh(self, memory: Memory, items: Sequence[StoredItem]) -> None:
        """A read prolongs a life: the item is written anew with a later end."""
        with self._lock(memory):
            for item in items:
                current = self._newest(memory, item.key)
                if current is None or current.ttl is None or self._is_over(current):
                    continue
                now = self.mnemis.clock.now()
                later = current.prolonged(uuid4().hex, until=now + timedelta(minutes=current.ttl))
                memory.remember([later.message()])
                drop(memory, [current.message_id])

    def _namespaces(self, prefix: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Namespaces under a prefix that hold items, sorted."""
        if isinstance(prefix, str):
            raise InputError(f"a namespace is a tuple of labels, got {prefix!r}")
        start = (*self.within, *prefix)
        scopes = [
            scope
            for scope in self.mnemis.scopes()
            if scope[: len(start)] == start and len(scope) > len(self.within)
        ]
        return [scope[len(self.within) :] for scope in scopes if self._holds(scope)]

    def _holds(self, scope: tuple[str, ...]) -> bool:
        with self.mnemis.store.view(scope) as view:
            return bool(view.tail(None, limit=1))

    def _memory(self, namespace: tuple[str, ...]) -> Memory:
        if isinstance(namespace, str):
            raise InputError(f"a namespace is a tuple of labels, got {namespace!r}")
        return self.mnemis.scope(*self.within, *namespace)

    def _lock(self, memory: Memory) -> AbstractContextManager[object]:
        return self.mnemis.locks.of("langgraph-store", memory.scope)

    def _versions(self, memory: Memory, key: str) -> list[StoredItem]:
        with self.mnemis.store.view(memory.scope) as view:
            turns = view.tail(session_of(key), limit=100)
        return [item for turn in turns if (item := item_of(turn)) is not None]

    def _newest(self, memory: Memory, key: str) -> StoredItem | None:
        versions = self._versions(memory, key)
        return versions[-1] if versions else None

    def _is_over(self, item: StoredItem) -> bool:
        return item.is_over(self.mnemis.clock.now())


def _matches(condition: MatchCondition, namespace: tuple[str, ...]) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    kind: Literal["prefix", "suffix"] = condition.match_type
    part = namespace[: len(path)] if kind == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
