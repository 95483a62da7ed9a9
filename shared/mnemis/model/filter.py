"""``where=``: a small typed filter with one meaning in every store and adapter.

A filter is a mapping, read by ``parse_filter``::

    {"speaker": "Ana"}                                   equal
    {"session": ["s1", "s2"]}                            one of
    {"time": {"gte": datetime(...), "lt": datetime(...)}}  a range (gt, gte, lt, lte)
    {"metadata.tag": {"ne": "draft"}}                    eq, ne, in, nin, exists
    {"and": [f, g]}, {"or": [f, g]}, {"not": f}

Several keys in one mapping are joined by and. Fields: id (message id), kind, role, speaker,
session, time, status, language, and ``metadata.KEY``. A field that a node lacks equals nothing.
Recall answers with turns; ``{"kind": "fact"}`` (or episode, entity, category) asks for those
instead. ``status`` is the node's own: a fact's may be superseded or disputed, a turn's is current
or archived (a hit's status also tells what became of what the turn says).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Literal, TypeAlias, cast

from mnemis.errors import InputError
from mnemis.model.graph import NODE_KINDS, Node, Turn
from mnemis.model.message import ROLES

Operator = Literal["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists"]
OPERATORS: tuple[Operator, ...] = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists")
FIELDS: tuple[str, ...] = (
    "id",
    "kind",
    "role",
    "speaker",
    "session",
    "time",
    "status",
    "language",
)
OWN_FIELDS: tuple[str, ...] = ("kind", "status")
"""Fields that a derived node answers for itself and not through its messages."""

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "kind": NODE_KINDS,
    "role": ROLES,
    "status": ("current", "superseded", "disputed", "archived"),
}

Scalar: TypeAlias = bool | int | float | str | datetime | None
Where: TypeAlias = "Mapping[str, object]"
"""What callers write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """``field operator value``; ``value`` is a tuple for in / nin."""

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Junction:
    """All (``and``) or any (``or``) of the operands."""

    kind: Literal["and", "or"]
    operands: tuple[Filter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """Not the operand."""

    operand: Filter


Filter: TypeAlias = "Compare | Junction | Negation"


def parse_filter(where: Where | Filter | None, *, zone: tzinfo = UTC) -> Filter | None:
    """Read a caller's filter; naive times get ``zone``; None and ``{}`` mean no filter.

    Raises InputError naming the key that is not understood.
    """
    try:
        return _parse(where, zone)
    except RecursionError as error:
        raise InputError("where= is nested too deeply") from error


def _parse(where: Where | Filter | None, zone: tzinfo) -> Filter | None:
    if where is None or isinstance(where, Compare | Junction | Negation):
        return where
    if not isinstance(where, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"where= must be a mapping, got {type(where).__name__}")
    operands = tuple(_parse_item(str(key), value, zone) for key, value in where.items())
    if not operands:
        return None
    return operands[0] if len(operands) == 1 else Junction(kind="and", operands=operands)


def matches(node: Node, condition: Filter) -> bool:
    """Whether this one node meets the filter (the meaning all stores must give it)."""
    return _holds(node, node, condition)


def allows(node: Node, condition: Filter, *, turns: Callable[[str], Sequence[Turn]]) -> bool:
    """Whether a filter lets ``node`` be returned; ``turns`` gives the turns of a message id.

    A turn must match itself. A derived node must hold for every message it rests on: kind and
    status are its own, all other fields the message's. One that rests on nothing is tested alone.
    """
    if isinstance(node, Turn) or not node.sources:
        return matches(node, condition)
    for source in node.sources:
        said = turns(source)
        if not said or not all(_holds(node, turn, condition) for turn in said):
            return False
    return True


def _holds(node: Node, said: Node, condition: Filter) -> bool:
    if isinstance(condition, Negation):
        return not _holds(node, said, condition.operand)
    if isinstance(condition, Junction):
        test = all if condition.kind == "and" else any
        return test(_holds(node, said, each) for each in condition.operands)
    holder = node if condition.field in OWN_FIELDS else said
    return _compare(_field(holder, condition.field), condition.operator, condition.value)


def _parse_item(key: str, value: object, zone: tzinfo) -> Filter:
    if key in ("and", "or"):
        if not isinstance(value, Sequence) or isinstance(value, str) or not value:
            raise InputError(f"where= {key!r} wants a non-empty list of filters, got {value!r}")
        parsed = [_parse(each, zone) for each in cast("Sequence[Where]", value)]
        if any(each is None for each in parsed):
            raise InputError(f"where= {key!r} holds an empty filter")
        return Junction(
            kind="and" if key == "and" else "or",
            operands=tuple(each for each in parsed if each is not None),
        )
    if key == "not":
        inner = _parse(cast("Where", value), zone)
        if inner is None:
            raise InputError("where= 'not' holds an empty filter")
        return Negation(operand=inner)
    if key not in FIELDS and not (key.startswith("metadata.") and len(key) > len("metadata.")):
        raise InputError(
            f"where= does not know the field {key!r}; fields are {', '.join(FIELDS)}, and a "
            f"message's own metadata, asked as 'metadata.{key.removeprefix('metadata.')}'"
        )
    return _parse_condition(key, value, zone)


def _parse_condition(key: str, value: object, zone: tzinfo) -> Filter:
    if isinstance(value, Mapping):
        tests = cast("Mapping[object, object]", value)
        if not tests:
            raise InputError(f"where= {key!r} has an empty condition")
        compared = tuple(_compare_of(key, str(op), operand, zone) for op, operand in tests.items())
        return compared[0] if len(compared) == 1 else Junction(kind="and", operands=compared)
    if isinstance(value, list | tuple | set | frozenset):
        return _compare_of(key, "in", cast("object", value), zone)
    return _compare_of(key, "eq", value, zone)


def _compare_of(key: str, operator: str, operand: object, zone: tzinfo) -> Compare:
    if operator not in OPERATORS:
        raise InputError(
            f"where= {key!r} does not know the operator {operator!r}; use {', '.join(OPERATORS)}"
        )
    if operator in ("in", "nin"):
        if not isinstance(operand, list | tuple | set | frozenset):
            raise InputError(f"where= {key!r} {operator!r} wants a list, got {operand!r}")
        values = tuple(_scalar(key, each, zone) for each in cast("Sequence[object]", operand))
        return Compare(field=key, operator=operator, value=values)
    return Compare(field=key, operator=operator, value=_scalar(key, operand, zone))


def _scalar(key: str, value: object, zone: tzinfo) -> Scalar:
    if key == "time" and isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as error:
            raise InputError(f"where= 'time' is not an ISO date: {value!r}") from error
    known = _KNOWN.get(key)
    if known is not None and value not in known:
        raise InputError(f"where= {key!r} is one of {', '.join(known)}, got {value!r}")
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=zone)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=zone)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise InputError(f"where= {key!r} cannot compare with {value!r}")


def _field(node: Node, field: str) -> object:
    if field.startswith("metadata."):
        return node.metadata.get(field.removeprefix("metadata."))
    if field == "id":
        return node.message_id if isinstance(node, Turn) else node.id
    return getattr(node, field, None)


def _compare(actual: object, operator: Operator, value: Scalar | tuple[Scalar, ...]) -> bool:
    if operator == "exists":
        return (actual is not None) == bool(value)
    if operator in ("in", "nin"):
        found = any(_equal(actual, each) for each in cast("tuple[Scalar, ...]", value))
        return found == (operator == "in")
    if operator in ("eq", "ne"):
        return _equal(actual, value) == (operator == "eq")
    return _ordered(actual, operator, value)


def _equal(actual: object, value: object) -> bool:
    if isinstance(actual, list):
        return any(_equal(each, value) for each in cast("list[object]", actual))
    if isinstance(actual, bool) != isinstance(value, bool):
        return False
    return actual == value


def _ordered(actual: object, operator: Operator, value: object) -> bool:
    numbers = isinstance(actual, int | float) and isinstance(value, int | float)
    texts = isinstance(actual, str) and isinstance(value, str)
    times = isinstance(actual, datetime) and isinstance(value, datetime)
    if not (numbers or texts or times):
        return False
    left, right = cast("float", actual), cast("float", value)
    if operator == "gt":
        return left > right
    if operator == "gte":
        return left >= right
    if operator == "lt":
        return left < right
    return left <= right
