"""An item of the LangGraph store as a message, and back."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias, cast

from langgraph.store.base import get_text_at_path

from mnemis import InputError, Message
from mnemis.model.graph import Node, Turn
from mnemis_langchain.documents import PRIVATE_PREFIX

Test: TypeAlias = Callable[[Any], bool]
"""Whether a value meets a condition."""

_KEY = f"{PRIVATE_PREFIX}_item"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """One version of an item.

    ``text`` is what can be searched of it, ``encoded`` its value as JSON; ``position`` orders the
    keys of a namespace by when they were first put; ``ttl`` are minutes, ``expires`` their end.
    """

    message_id: str
    key: str
    text: str
    encoded: str
    created_at: datetime
    updated_at: datetime
    position: tuple[int, int]
    indexed: bool = True
    ttl: float | None = None
    expires: datetime | None = None

    @staticmethod
    def encode(value: Mapping[str, object]) -> str:
        """The value as JSON in ASCII. Raises InputError for what JSON cannot say."""
        if not isinstance(value, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"a value is a dictionary, got {type(value).__name__}")
        for key in _keys(value):
            if not isinstance(key, str):
                raise InputError(f"keys in a value must be text, got {key!r}")
        try:
            return json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"a value must be JSON: {error}") from error

    def value(self) -> dict[str, Any]:
        """A fresh copy of the value."""
        return cast("dict[str, Any]", json.loads(self.encoded))

    def message(self) -> Message:
        """The message that keeps this version."""
        stored = {
            "key": self.key,
            "value": self.encoded,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
            "position": self.position,
            "indexed": self.indexed,
            "ttl": self.ttl,
            "expires": self.expires.isoformat() if self.expires else None,
        }
        return Message(
            role="user",
            text=self.text,
            time=self.updated_at,
            session=session_of(self.key),
            id=self.message_id,
            # ASCII, so that the cleaning of texts cannot change a key or a value.
            metadata={_KEY: json.dumps(stored)},
        )

    def is_over(self, now: datetime) -> bool:
        """Whether its time to live has ended."""
        return self.expires is not None and self.expires <= now

    def prolonged(self, message_id: str, *, until: datetime) -> StoredItem:
        """The same item under a new message id with a later end."""
        return replace(self, message_id=message_id, expires=until)


def item_of(node: Node) -> StoredItem | None:
    """The item that a turn keeps, None for anything else."""
    stored = node.metadata.get(_KEY)
    if not isinstance(node, Turn) or not isinstance(stored, str):
        return None
    known = cast("dict[str, Any]", json.loads(stored))
    return StoredItem(
        message_id=node.message_id,
        key=known["key"],
        text=node.text,
        encoded=known["value"],
        created_at=datetime.fromisoformat(known["created_at"]),
        updated_at=datetime.fromisoformat(known["updated_at"]),
        position=(known["position"][0], known["position"][1]),
        indexed=known["indexed"],
        ttl=known["ttl"],
        expires=datetime.fromisoformat(known["expires"]) if known["expires"] else None,
    )


def session_of(key: str) -> str:
    """The session that holds a key's versions: ASCII, and never the session without a name."""
    return "key:" + json.dumps(key)


def text_of(value: Mapping[str, object], fields: Sequence[str]) -> str:
    """What is searched of a value: all its texts and numbers, or what the paths name."""
    texts: list[str] = []
    for field in fields:
        texts += _leaves(value) if field == "$" else get_text_at_path(value, field)
    return "\n".join(each for each in texts if each.strip())


def test_of(condition: Mapping[str, Any]) -> Test:
    """LangGraph's filter: equal values, nested ones too, and $eq $ne $gt $gte $lt $lte.

    What cannot be compared does not match. Raises InputError for another operator.
    """
    tests = [(key, _test_of(wanted)) for key, wanted in condition.items()]
    return lambda value: all(test(value.get(key)) for key, test in tests)


def _test_of(wanted: Any) -> Test:
    if isinstance(wanted, Mapping):
        inner = cast("Mapping[str, Any]", wanted)
        if any(key.startswith("$") for key in inner):
            tests = [_operation(name, operand) for name, operand in inner.items()]
            return lambda actual: all(test(actual) for test in tests)
        whole = test_of(inner)
        return lambda actual: isinstance(actual, dict) and whole(actual)
    if isinstance(wanted, list | tuple):
        return _all_of([_test_of(each) for each in cast("Sequence[Any]", wanted)])
    return lambda actual: actual == wanted


def _all_of(tests: Sequence[Test]) -> Test:
    def holds(actual: Any) -> bool:
        if not isinstance(actual, list):
            return False
        held = cast("Sequence[Any]", actual)
        return len(held) == len(tests) and all(
            test(each) for test, each in zip(tests, held, strict=True)
        )

    return holds


def _operation(name: str, operand: Any) -> Test:
    if name == "$eq":
        return lambda actual: actual == operand
    if name == "$ne":
        return lambda actual: actual != operand
    compare = _ORDERS.get(name)
    if compare is None:
        raise InputError(f"a filter does not know {name!r}; use $eq, $ne, $gt, $gte, $lt or $lte")

    def holds(actual: Any) -> bool:
        try:
            return compare(float(actual), float(operand))
        except (TypeError, ValueError):
            return False

    return holds


_ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for each in cast("Mapping[str, object]", value).values():
            yield from _leaves(each)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[object]", value):
            yield from _leaves(each)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _keys(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for key, each in cast("Mapping[object, object]", value).items():
            yield key
            yield from _keys(each)
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[object]", value):
            yield from _keys(each)
