"""Nodes, edges and scopes as text and back, with one spelling in every store that keeps text.

Bodies are JSON objects that leave defaults out. Times keep their offset. Anything JSON cannot
carry faithfully (NaN, tuples or dates in metadata, lone surrogates) is an InputError.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, asdict, fields
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from mnemis.errors import InputError
from mnemis.model.change import Scope
from mnemis.model.graph import Category, Edge, Entity, Episode, Fact, Node, NodeKind, Turn
from mnemis.model.message import MessagePart

NODE_TYPES: dict[NodeKind, type[Node]] = {
    "turn": Turn,
    "episode": Episode,
    "fact": Fact,
    "entity": Entity,
    "category": Category,
}

_TIMES = frozenset({"time", "start", "end", "valid_from", "valid_to", "recorded"})
_TUPLES = frozenset({"sources", "keywords", "turns", "aliases"})
_SHARED = frozenset({"role", "speaker", "session", "language", "status", "relation"})
"""What many nodes have in common: one object for all of them."""
_IDS = frozenset({"sources", "turns"})
"""Ids of messages and turns, which many nodes name: the same."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_load = json.JSONDecoder().raw_decode
_dump = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def dump_json(value: object) -> str:
    """Compact JSON; InputError for what JSON cannot carry."""
    try:
        text = _dump(value)
        text.encode()  # lone surrogates have no UTF-8
        return text
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"not storable as JSON: {error}") from error


def microseconds(time: datetime) -> int:
    """UTC microseconds since 1970; InputError for a naive time."""
    if time.tzinfo is None:
        raise InputError(f"a stored time needs a zone, got the naive {time!r}")
    return (time - _EPOCH) // _MICROSECOND


def encode_scope(scope: Scope) -> str:
    """A JSON array of the labels: different scopes never share a spelling."""
    return json.dumps(scope, ensure_ascii=True, separators=(",", ":"))


def decode_scope(text: str) -> Scope:
    """The labels of ``encode_scope``."""
    return tuple(cast("list[str]", json.loads(text)))


def encode_node(node: Node) -> str:
    """The body of a node as JSON, without its id."""
    body: dict[str, object] = {}
    for name, default in _fields_of(type(node)):
        value: object = getattr(node, name)
        if value == default and type(value) is type(default):
            continue
        body[name] = _plain(name, value)
    try:
        return dump_json(body)
    except InputError as error:
        raise InputError(f"node {node.id!r} is {error}") from error


def decode_node(kind: NodeKind, node_id: str, body: str) -> Node:
    """The node that ``encode_node`` wrote."""
    values: dict[str, Any] = _load(body)[0]
    for name, value in values.items():
        if name in _READ and value is not None:
            values[name] = _READ[name](value)
    sources = values.get("sources")
    if sources and values.get("message_id") == sources[0]:
        values["message_id"] = sources[0]  # one object for both
    return NODE_TYPES[kind](id=node_id, **values)


def field_reader(kind: NodeKind, names: Sequence[str]) -> Callable[[str, str], tuple[Any, ...]]:
    """What reads these fields from the id and the body of a node, as ``decode_node`` would."""
    absent = {name: default for name, default in _FIELDS[NODE_TYPES[kind]] if name in names}
    parsed = [(name, _READ[name]) for name in names if name in _READ and name not in _SHARED]

    def read(node_id: str, body: str) -> tuple[Any, ...]:
        values: dict[str, Any] = absent | _load(body)[0]
        values["id"] = node_id
        for name, parse in parsed:
            if values[name]:
                values[name] = parse(values[name])
        return tuple(map(values.__getitem__, names))

    return read


def _ids(value: Any) -> tuple[str, ...]:
    return tuple(map(sys.intern, value))


def _parts(value: Any) -> tuple[MessagePart, ...]:
    return tuple(MessagePart(**part) for part in value)


_READ: dict[str, Callable[[Any], object]] = {
    **dict.fromkeys(_TIMES, datetime.fromisoformat),
    **dict.fromkeys(_TUPLES, tuple),
    **dict.fromkeys(_IDS, _ids),
    **dict.fromkeys(_SHARED, sys.intern),
    "parts": _parts,
}
"""From JSON, by field."""


def encode_edge(edge: Edge) -> str:
    """What an edge holds beside its key and weight, as JSON; empty when nothing."""
    body: dict[str, object] = {}
    if edge.time is not None:
        body["time"] = _time(edge.time)
    if edge.sources:
        body["sources"] = list(edge.sources)
    if edge.context:
        body["context"] = edge.context
    if edge.position is not None:
        body["position"] = edge.position
    return dump_json(body) if body else ""


def decode_edge(source: str, target: str, kind: str, weight: float, body: str) -> Edge:
    """The edge that ``encode_edge`` wrote."""
    values = cast("dict[str, Any]", json.loads(body)) if body else {}
    time = values.get("time")
    return Edge(
        source=source,
        target=target,
        type=kind,
        weight=weight,
        time=None if time is None else datetime.fromisoformat(time),
        sources=tuple(values.get("sources", ())),
        context=values.get("context", ""),
        position=values.get("position"),
    )


def _plain(name: str, value: object) -> object:
    if name in _TIMES:
        return None if value is None else _time(value)
    if name in _TUPLES:
        return list(cast("tuple[str, ...]", value))
    if name == "parts":
        return [asdict(part) for part in cast("tuple[MessagePart, ...]", value)]
    if name == "metadata":
        value = dict(cast("Mapping[object, object]", value))
        _check_json(value)
    return value


def _time(value: object) -> str:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise InputError(f"a stored time must be an aware datetime, got {value!r}")
    return value.isoformat()


def _check_json(value: object) -> None:
    if value is None or isinstance(value, str | bool | int):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError(f"metadata cannot hold {value!r}")
        return
    if isinstance(value, list):
        for each in cast("list[object]", value):
            _check_json(each)
        return
    if isinstance(value, dict):
        for key, each in cast("dict[object, object]", value).items():
            if not isinstance(key, str):
                raise InputError(f"metadata keys are text, got {key!r}")
            _check_json(each)
        return
    raise InputError(f"metadata holds JSON values only, got {value!r}")


def _default(factory: object) -> object:
    return cast("Callable[[], object]", factory)()


def _describe(kind: type[Node]) -> tuple[tuple[str, object], ...]:
    found: list[tuple[str, object]] = []
    for field in fields(kind):
        if field.name == "id":
            continue
        if field.default is not MISSING:
            found.append((field.name, field.default))
        elif field.default_factory is not MISSING:
            found.append((field.name, _default(field.default_factory)))
        else:
            found.append((field.name, MISSING))
    return tuple(found)


_FIELDS: dict[type[Node], tuple[tuple[str, object], ...]] = {
    kind: _describe(kind) for kind in NODE_TYPES.values()
}


def _fields_of(kind: type[Node]) -> tuple[tuple[str, object], ...]:
    try:
        return _FIELDS[kind]
    except KeyError:
        raise InputError(f"{kind.__name__} is not a kind of node that can be stored") from None
