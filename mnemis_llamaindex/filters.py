"""LlamaIndex's ``MetadataFilters`` as the engine's ``where=``; nothing is ever ignored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)

from mnemis import InputError

Where: TypeAlias = Mapping[str, object]
"""A filter in the engine's own spelling, such as ``{"speaker": "Ana"}``."""

FIELDS = frozenset({"id", "kind", "role", "speaker", "session", "time", "status", "language"})
"""Keys that mean the memory's own fields; any other key is one of the message's metadata."""


def where_of(filters: Where | MetadataFilters | None) -> Where | None:
    """The engine's filter; None when nothing is filtered.

    Raises NotImplementedError for an operator that the engine has no equal of, InputError for
    what is no filter.
    """
    if filters is None:
        return None
    if isinstance(filters, MetadataFilters):
        return _group(filters)
    if not isinstance(filters, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f"filters are MetadataFilters or a where= mapping, got {type(filters).__name__}"
        )
    return filters or None


def both(first: Where | None, second: Where | None) -> Where | None:
    """What meets the two filters at once."""
    if not first or not second:
        return first or second
    return {"and": [first, second]}


def _group(filters: MetadataFilters) -> Where | None:
    operands: list[Where] = []
    for each in filters.filters:
        one = _group(each) if isinstance(each, MetadataFilters) else _single(each)
        if one:
            operands.append(one)
        elif filters.condition in (FilterCondition.OR, FilterCondition.NOT):
            raise InputError(f"an empty filter inside {str(filters.condition)!r} means nothing")
    if not operands:
        return None
    joined: Where
    if filters.condition == FilterCondition.OR:
        joined = {"or": operands}
    elif filters.condition == FilterCondition.NOT:
        # As LlamaIndex's own stores read it: none of the filters may hold.
        joined = {"not": {"or": operands}}
    else:
        joined = {"and": operands}
    return joined


def _single(filter_: MetadataFilter) -> Where:
    key = filter_.key
    field = key if key in FIELDS or key.startswith("metadata.") else f"metadata.{key}"
    build = _OPERATORS.get(filter_.operator)
    if build is None:
        known = ", ".join(each.value for each in _OPERATORS)
        raise NotImplementedError(
            f"the memory cannot filter {key!r} by {filter_.operator.value!r}; it knows {known}"
        )
    return build(field, filter_.value)


def _compare(operator: str) -> Callable[[str, object], Where]:
    def build(field: str, value: object) -> Where:
        if isinstance(value, list):
            raise InputError(f"the filter {field} {operator} wants one value, got {value!r}")
        return {field: {operator: value}}

    return build


def _member(operator: str) -> Callable[[str, object], Where]:
    def build(field: str, value: object) -> Where:
        return {field: {operator: _values(field, value)}}

    return build


def _all_of(field: str, value: object) -> Where:
    wanted = _values(field, value)
    return {"and": [{field: {"eq": each}} for each in wanted]} if wanted else {}


def _values(field: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise InputError(f"the filter on {field} wants a list of values, got {value!r}")
    return cast("list[object]", value)


# "eq" on a stored list asks for membership: that is what CONTAINS, ANY and ALL mean.
_OPERATORS: dict[FilterOperator, Callable[[str, object], Where]] = {
    FilterOperator.EQ: _compare("eq"),
    FilterOperator.NE: _compare("ne"),
    FilterOperator.GT: _compare("gt"),
    FilterOperator.GTE: _compare("gte"),
    FilterOperator.LT: _compare("lt"),
    FilterOperator.LTE: _compare("lte"),
    FilterOperator.IN: _member("in"),
    FilterOperator.NIN: _member("nin"),
    FilterOperator.ANY: _member("in"),
    FilterOperator.ALL: _all_of,
    FilterOperator.CONTAINS: _compare("eq"),
}
