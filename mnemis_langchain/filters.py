"""LangChain's structured filters as the engine's ``where=``; nothing is ever ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, cast

from langchain_core.structured_query import (
    Comparator,
    Comparison,
    FilterDirective,
    Operation,
    Operator,
)

from mnemis import InputError

Filter: TypeAlias = Mapping[str, Any]
"""A filter in the engine's own spelling, such as ``{"speaker": "Ana"}``."""

FIELDS = frozenset({"id", "kind", "role", "speaker", "session", "time", "status", "language"})
"""Attributes that mean the memory's own fields; any other is one of the message's metadata."""

_COMPARATORS: Mapping[Comparator, str] = {
    Comparator.EQ: "eq",
    Comparator.NE: "ne",
    Comparator.GT: "gt",
    Comparator.GTE: "gte",
    Comparator.LT: "lt",
    Comparator.LTE: "lte",
    Comparator.CONTAIN: "eq",  # on a stored list "eq" asks for membership
    Comparator.IN: "in",
    Comparator.NIN: "nin",
}


def where_of(condition: Filter | FilterDirective | None) -> Filter | None:
    """The engine's filter, from its own spelling or from ``langchain_core.structured_query``.

    Raises NotImplementedError for a comparator that the engine has no equal of, InputError for
    what is no filter.
    """
    if condition is None or isinstance(condition, Mapping):
        return condition or None
    if isinstance(condition, Comparison):
        return _compared(condition)
    if isinstance(condition, Operation):
        return _joined(condition)
    raise InputError(
        f"where= is a mapping or one of langchain_core.structured_query's Comparison and "
        f"Operation, got {type(condition).__name__}"
    )


def _compared(comparison: Comparison) -> Filter:
    key = comparison.attribute
    field = key if key in FIELDS or key.startswith("metadata.") else f"metadata.{key}"
    operator = _COMPARATORS.get(comparison.comparator)
    if operator is None:
        known = ", ".join(each.value for each in _COMPARATORS)
        raise NotImplementedError(
            f"the memory cannot filter {key!r} by {comparison.comparator.value!r}; it knows {known}"
        )
    value: object = comparison.value
    if operator in ("in", "nin"):
        values = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
        return {field: {operator: [_plain(each) for each in values]}}
    return {field: {operator: _plain(value)}}


def _joined(operation: Operation) -> Filter:
    operands = [each for one in operation.arguments if (each := where_of(one))]
    if not operands:
        raise InputError(f"{operation.operator.value!r} of nothing means nothing")
    if operation.operator == Operator.OR:
        return {"or": operands}
    if operation.operator == Operator.NOT:
        return {"not": {"or": operands}}
    return {"and": operands}


def _plain(value: object) -> object:
    """A query constructor writes days as {"date": "2025-03-01", "type": "date"}."""
    if not isinstance(value, Mapping):
        return value
    written = cast("Mapping[str, object]", value)
    given = written.get("date") or written.get("datetime")
    try:
        return datetime.fromisoformat(str(given))
    except ValueError as error:
        raise InputError(f"a filter's value is no date: {dict(written)!r}") from error
