"""What every store refuses before it writes anything."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from mnemis.errors import InputError
from mnemis.model.change import ENTRY_KINDS, Change, IndexEntry, Scope, Vector
from mnemis.model.graph import Edge
from mnemis.ports.store import Floats

_UNIT = 1e-4


def check_scope(scope: Scope) -> None:
    """InputError unless ``scope`` is a tuple of texts."""
    if not isinstance(scope, tuple) or not all(isinstance(label, str) for label in scope):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"a scope is a tuple of texts, got {scope!r}")


def check_texts(texts: Iterable[str], *, what: str) -> None:
    """InputError for an id or label that is empty, not text, or not encodable."""
    for text in texts:
        if not isinstance(text, str) or not text:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"{what} must be a non-empty text, got {text!r}")
        check_encodable(text, what=what)
        if "\0" in text:
            raise InputError(f"{what} cannot hold a NUL character, got {text!r}")


def check_encodable(text: str, *, what: str) -> None:
    """InputError for lone surrogates, which no file can hold as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{what} {text!r} is not valid Unicode: {error.reason}") from error


def check_edge(edge: Edge) -> None:
    """InputError for a weight outside (0, 1]."""
    if not math.isfinite(edge.weight) or not 0 < edge.weight <= 1:
        raise InputError(f"edge {edge.key!r} has weight {edge.weight!r}; it must lie in (0, 1]")


def check_entries(
    entries: Sequence[IndexEntry], *, dimension: int | None
) -> tuple[IndexEntry, ...]:
    """The entries with vectors at unit length; InputError for an unknown kind or a bad vector."""
    for entry in entries:
        if entry.kind not in ENTRY_KINDS:
            raise InputError(f"entry {entry.id!r} has the unknown kind {entry.kind!r}")
        if entry.vector is not None:
            _check_shape(entry.vector, dimension=dimension, what=f"entry {entry.id!r}")
            dimension = len(entry.vector)
    with_vector = [place for place, entry in enumerate(entries) if entry.vector is not None]
    if not with_vector:
        return tuple(entries)
    # One pass over all of them: a call into numpy for each would cost more than the writing.
    matrix = np.asarray([entries[place].vector for place in with_vector], dtype=np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    checked = list(entries)
    for row in np.flatnonzero(~(np.abs(lengths - 1.0) <= _UNIT)).tolist():
        entry = entries[with_vector[row]]
        _check_finite(matrix[row], what=f"entry {entry.id!r}")
        checked[with_vector[row]] = replace(entry, vector=unit(matrix[row]))
    return tuple(checked)


def check_vector(vector: Vector, *, dimension: int | None, what: str = "the query") -> None:
    """InputError for a shape other than (dimension,) or a value that is not finite."""
    _check_shape(vector, dimension=dimension, what=what)
    _check_finite(vector, what=what)


def _check_shape(vector: Vector, *, dimension: int | None, what: str) -> None:
    if vector.ndim != 1 or (dimension is not None and len(vector) != dimension):
        wanted = "one dimension" if dimension is None else f"({dimension},)"
        raise InputError(f"the vector of {what} has shape {vector.shape}, this store has {wanted}")


def _check_finite(vector: Vector, *, what: str) -> None:
    if not np.isfinite(vector).all():
        raise InputError(f"the vector of {what} holds NaN or infinity")


def unit(vector: Vector) -> Floats:
    """The vector at length 1, so that a dot product is a cosine; zeros stay zeros."""
    values = np.asarray(vector, dtype=np.float32)
    length = float(np.sqrt(np.einsum("i,i->", values, values, dtype=np.float64)))
    if length == 0.0 or abs(length - 1.0) <= _UNIT:
        return values
    return (values / np.float32(length)).astype(np.float32)


def check_change(change: Change) -> None:
    """InputError for what can be seen without the store: ids and weights."""
    check_texts((change.id,), what="the id of a change")
    check_texts((node.id for node in change.nodes), what="a node id")
    check_texts((entry.id for entry in change.entries), what="an entry id")
    check_texts(change.jobs, what="a job kind")
    for node in change.nodes:
        check_texts(node.sources, what=f"a source of {node.id!r}")
    for key, value in change.state.items():
        check_encodable(key + value, what="a key or value of the state")
    for edge in change.edges:
        check_texts(edge.key, what="an end or type of an edge")
        check_edge(edge)
