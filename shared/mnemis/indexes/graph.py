"""Edges of one scope in memory: columns, compressed adjacency, and an overlay of newer edges.

A *row* is an edge. Rows below ``base`` are sorted by key and reached through compressed sparse
rows; newer ones hang in per-node lists until they are folded in. Dead rows stay until then, so
that readers of an older state are not disturbed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from mnemis.indexes.snapshot import Array, Arrays, SnapshotUnusable, pack, unpack
from mnemis.model.graph import Edge, EdgeKey

Ints = npt.NDArray[np.int64]
Direction = Literal["out", "in", "both"]

_FOLD_AT_LEAST = 4_096


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraphColumns:
    """Edges as arrays of equal length, with the texts that their codes stand for."""

    names: Sequence[str]
    labels: Sequence[str]
    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    type: npt.NDArray[np.int32]
    context: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]


def dump_columns(columns: GraphColumns) -> dict[str, Array]:
    """As arrays for a snapshot."""
    return {
        "names": pack(columns.names),
        "labels": pack(columns.labels),
        "source": columns.source,
        "target": columns.target,
        "type": columns.type,
        "context": columns.context,
        "weight": columns.weight,
    }


def load_columns(arrays: Arrays) -> GraphColumns:
    """From ``dump_columns``; SnapshotUnusable when they do not fit together."""
    names, labels = unpack(arrays["names"]), unpack(arrays["labels"])
    source, target, kind, context = (
        arrays[name].astype(np.int32) for name in ("source", "target", "type", "context")
    )
    weight = arrays["weight"].astype(np.float64)
    fits = len({len(source), len(target), len(kind), len(context), len(weight)}) == 1
    for codes, texts in ((source, names), (target, names), (kind, labels), (context, labels)):
        fits = fits and (not len(codes) or 0 <= codes.min() <= codes.max() < len(texts))
    if not fits:
        raise SnapshotUnusable("its edges do not fit together")
    return GraphColumns(
        names=[sys.intern(name) for name in names],
        labels=labels,
        source=source,
        target=target,
        type=kind,
        context=context,
        weight=weight,
    )


class _Codes:
    """Texts and their numbers, in order of first use."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts: list[str] = list(texts)
        self.of: dict[str, int] = {text: code for code, text in enumerate(self.texts)}

    def code(self, text: str) -> int:
        found = self.of.get(text)
        if found is None:
            text = sys.intern(text)
            found = self.of[text] = len(self.texts)
            self.texts.append(text)
        return found


class _Adjacency:
    """Rows by node in one direction: a compressed base and lists of newer rows."""

    __slots__ = ("ends", "newer", "rows")

    def __init__(self, nodes: npt.NDArray[np.int32], count: int) -> None:
        self.rows: npt.NDArray[np.int32] = np.argsort(nodes, kind="stable").astype(np.int32)
        self.ends: Ints = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(nodes, minlength=count)[:count], out=self.ends[1:])
        self.newer: dict[int, list[int]] = {}

    def at(self, node: int, *, before: int) -> Ints:
        """Rows at a node among the first ``before``, rising."""
        if node + 1 < len(self.ends):
            base = self.rows[self.ends[node] : self.ends[node + 1]]
        else:
            base = self.rows[:0]
        newer = self.newer.get(node)
        if not newer:
            return base.astype(np.int64)
        return np.concatenate([base, [row for row in tuple(newer) if row < before]]).astype(
            np.int64
        )

    def counts(self, nodes: Ints, *, before: int) -> Ints:
        """How many rows ``at`` gives for each node."""
        last = len(self.ends) - 1
        counts = self.ends[np.minimum(nodes + 1, last)] - self.ends[np.minimum(nodes, last)]
        if self.newer:
            newer = (tuple(self.newer.get(node, ())) for node in nodes.tolist())
            counts += np.array([sum(row < before for row in rows) for rows in newer], dtype=int)
        return counts


class GraphTable:
    """Written by one thread at a time; what ``publish`` returned is never disturbed."""

    _nodes: _Codes
    _labels: _Codes
    _codes: list[npt.NDArray[np.int32]]
    _weights: npt.NDArray[np.float64]
    _alive: npt.NDArray[np.bool_]
    _shared: bool
    _count: int
    _base: int
    _loops: bool
    _out: _Adjacency
    _into: _Adjacency
    living: int

    def __init__(self, columns: GraphColumns | None = None) -> None:
        """From edges sorted by key, or empty."""
        empty = np.zeros(0, dtype=np.int32)
        self._load(
            columns
            or GraphColumns(
                names=(),
                labels=(),
                source=empty,
                target=empty,
                type=empty,
                context=empty,
                weight=np.zeros(0),
            )
        )

    def put(self, edge: Edge) -> None:
        """Append an edge in place of the one with its key."""
        self.delete(edge.key)
        source, target = self._nodes.code(edge.source), self._nodes.code(edge.target)
        row = self._count
        if row == len(self._alive):
            self._grow()
        labels = (self._labels.code(edge.type), self._labels.code(edge.context))
        for column, code in zip(self._codes, (source, target, *labels), strict=True):
            column[row] = code
        self._weights[row] = edge.weight
        self._loops = self._loops or source == target
        self._alive[row] = True
        self._count += 1
        self.living += 1
        self._out.newer.setdefault(source, []).append(row)
        self._into.newer.setdefault(target, []).append(row)

    def delete(self, key: EdgeKey) -> None:
        """End the edge with this key, if it is there."""
        source, target = self._nodes.of.get(key[0]), self._nodes.of.get(key[1])
        label = self._labels.of.get(key[2])
        if source is None or target is None or label is None:
            return
        rows = self._out.at(source, before=self._count)
        same = (self._codes[1][rows] == target) & (self._codes[2][rows] == label)
        for row in rows[same & self._alive[rows]].tolist():
            if self._shared:
                self._alive = self._alive.copy()
                self._shared = False
            self._alive[row] = False
            self.living -= 1

    def publish(self) -> GraphSnapshot:
        """The edges as they are now; folds newer ones in when they are many."""
        if self._count - self._base > max(_FOLD_AT_LEAST, self._base // 2):
            self._load(living_columns(self.columns(), self._alive[: self._count]))
        self._shared = True
        return GraphSnapshot(
            nodes=self._nodes.of,
            columns=self.columns(),
            alive=self._alive[: self._count],
            out=self._out,
            into=self._into,
            base=self._base,
            living=self.living,
            loops=self._loops,
        )

    def columns(self) -> GraphColumns:
        """All rows, dead ones too."""
        source, target, kind, context = (column[: self._count] for column in self._codes)
        return GraphColumns(
            names=self._nodes.texts,
            labels=self._labels.texts,
            source=source,
            target=target,
            type=kind,
            context=context,
            weight=self._weights[: self._count],
        )

    def _load(self, columns: GraphColumns) -> None:
        """Start from edges sorted by key; what was published keeps the arrays it has."""
        self._nodes, self._labels = _Codes(columns.names), _Codes(columns.labels)
        self._codes = [columns.source, columns.target, columns.type, columns.context]
        self._weights = columns.weight
        self._count = self._base = self.living = len(columns.weight)
        self._alive = np.ones(self._count, dtype=np.bool_)
        self._shared = False
        self._loops = bool((columns.source == columns.target).any())
        self._out = _Adjacency(columns.source, len(columns.names))
        self._into = _Adjacency(columns.target, len(columns.names))

    def _grow(self) -> None:
        more = max(1_024, self._count)
        self._codes = [np.concatenate([c, np.zeros(more, dtype=np.int32)]) for c in self._codes]
        self._weights = np.concatenate([self._weights, np.zeros(more)])
        self._alive = np.concatenate([self._alive, np.zeros(more, dtype=np.bool_)])
        self._shared = False


class GraphSnapshot:
    """Edges at one state."""

    __slots__ = ("_alive", "_base", "_columns", "_into", "_loops", "_nodes", "_out", "living")

    def __init__(
        self,
        *,
        nodes: dict[str, int],
        columns: GraphColumns,
        alive: npt.NDArray[np.bool_],
        out: _Adjacency,
        into: _Adjacency,
        base: int,
        living: int,
        loops: bool,
    ) -> None:
        self._nodes = nodes
        self._columns = columns
        self._alive = alive
        self._out = out
        self._into = into
        self._base = base
        self._loops = loops
        self.living = living

    def living_columns(self) -> GraphColumns:
        """What is needed to make this state again."""
        return living_columns(self._columns, self._alive)

    def rows(self, node_id: str, direction: Direction = "both") -> Ints:
        """Living edges at a node, a loop once."""
        node = self._nodes.get(node_id)
        count = len(self._alive)
        if node is None:
            return np.zeros(0, dtype=np.int64)
        if direction == "in":
            rows = self._into.at(node, before=count)
        else:
            rows = self._out.at(node, before=count)
            if direction == "both":
                into = self._into.at(node, before=count)
                loops = self._columns.source[into] == node
                rows = np.concatenate([rows, into[~loops]])
        return rows[self._alive[rows]]

    def degrees(self, node_ids: Sequence[str]) -> dict[str, int]:
        """Number of living edges at each node, a loop once."""
        if self._loops or self.living < len(self._alive):
            return {i: len(self.rows(i)) for i in node_ids}
        nodes = {i: node for i in node_ids if (node := self._nodes.get(i)) is not None}
        asked = np.fromiter(nodes.values(), dtype=np.int64, count=len(nodes))
        count = len(self._alive)
        both = self._out.counts(asked, before=count) + self._into.counts(asked, before=count)
        return dict.fromkeys(node_ids, 0) | dict(zip(nodes, both.tolist(), strict=True))

    def edges(self, rows: Ints) -> list[Edge]:
        """Edges without time, sources and position, heaviest first, then by key."""
        columns = self._columns
        names, labels = columns.names, columns.labels
        made = [
            Edge(
                source=names[int(source)],
                target=names[int(target)],
                type=labels[int(kind)],
                weight=float(weight),
                context=labels[int(context)],
            )
            for source, target, kind, context, weight in zip(
                columns.source[rows].tolist(),
                columns.target[rows].tolist(),
                columns.type[rows].tolist(),
                columns.context[rows].tolist(),
                columns.weight[rows].tolist(),
                strict=True,
            )
        ]
        made.sort(key=_heaviest_first)
        return made

    def heaviest(self, rows: Ints, *, types: frozenset[str] | None, limit: int) -> list[Edge]:
        """The first ``limit`` edges of ``edges(rows)`` of some types, without making the rest."""
        if types is not None:
            wanted = [code for code, label in enumerate(self._columns.labels) if label in types]
            rows = rows[np.isin(self._columns.type[rows], wanted)]
        old, new = np.sort(rows[rows < self._base]), rows[rows >= self._base]
        # Rows of the base stand in the order of their keys, so a stable sort by weight suffices.
        old = old[np.argsort(-self._columns.weight[old], kind="stable")[:limit]]
        return self.edges(np.concatenate([old, new]))[:limit]


def _heaviest_first(edge: Edge) -> tuple[float, str, str, str]:
    return (-edge.weight, edge.source, edge.target, edge.type)


def living_columns(columns: GraphColumns, alive: npt.NDArray[np.bool_]) -> GraphColumns:
    """Only living edges and the nodes they touch, sorted by key."""
    rows = np.flatnonzero(alive)
    source, target = columns.source[rows], columns.target[rows]
    used = np.unique(np.concatenate([source, target]))
    order: list[int] = sorted(used.tolist(), key=lambda node: columns.names[node])
    place: npt.NDArray[np.int32] = np.zeros(len(columns.names), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    by_label = sorted(range(len(columns.labels)), key=lambda label: columns.labels[label])
    label_place: npt.NDArray[np.int32] = np.zeros(len(by_label), dtype=np.int32)
    label_place[by_label] = np.arange(len(by_label), dtype=np.int32)
    source, target = place[source], place[target]
    kind, context = label_place[columns.type[rows]], label_place[columns.context[rows]]
    sorting = np.lexsort((kind, target, source))
    return GraphColumns(
        names=[columns.names[node] for node in order],
        labels=[columns.labels[label] for label in by_label],
        source=source[sorting],
        target=target[sorting],
        type=kind[sorting],
        context=context[sorting],
        weight=columns.weight[rows][sorting],
    )
