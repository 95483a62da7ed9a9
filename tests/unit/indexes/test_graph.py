"""The compressed graph answers as a plain dictionary of edges does, folded or not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mnemis.indexes import graph
from mnemis.indexes.graph import GraphTable, dump_columns, load_columns
from mnemis.indexes.snapshot import SnapshotUnusable
from mnemis.model.graph import Edge, EdgeKey

TYPES = ("next", "mentions", "causes")


def _random_edge(chance: random.Random, nodes: int) -> Edge:
    return Edge(
        source=f"n{chance.randrange(nodes)}",
        target=f"n{chance.randrange(nodes)}",
        type=chance.choice(TYPES),
        weight=chance.choice((0.25, 0.5, 1.0)),
        context=chance.choice(("", "c1")),
    )


def _order(edge: Edge) -> tuple[float, EdgeKey]:
    return (-edge.weight, edge.key)


@pytest.mark.parametrize("fold_at_least", [3, 10**9])
def test_random_edges_are_kept_as_in_a_dictionary(
    monkeypatch: pytest.MonkeyPatch, fold_at_least: int
) -> None:
    """Puts, raises and deletes; every published state stays as it was."""
    monkeypatch.setattr(graph, "_FOLD_AT_LEAST", fold_at_least)
    chance = random.Random(7)
    table, truth = GraphTable(), dict[EdgeKey, Edge]()
    states: list[tuple[graph.GraphSnapshot, list[Edge]]] = []
    for _ in range(60):
        for _ in range(chance.randrange(12)):
            edge = _random_edge(chance, 9)
            if chance.random() < 0.3:
                table.delete(edge.key)
                truth.pop(edge.key, None)
            else:
                table.put(edge)
                truth[edge.key] = edge
        states.append((table.publish(), list(truth.values())))
    for snapshot, edges in states:
        _compare(snapshot, edges)
        again = load_columns(dump_columns(snapshot.living_columns()))
        _compare(GraphTable(again).publish(), edges)


def _compare(snapshot: graph.GraphSnapshot, edges: list[Edge]) -> None:
    assert snapshot.living == len(edges)
    for number in range(10):
        node = f"n{number}"
        out = [edge for edge in edges if edge.source == node]
        into = [edge for edge in edges if edge.target == node]
        both = {edge.key: edge for edge in (*out, *into)}
        assert snapshot.edges(snapshot.rows(node, "out")) == sorted(out, key=_order)
        assert snapshot.edges(snapshot.rows(node, "in")) == sorted(into, key=_order)
        wanted = sorted(both.values(), key=_order)
        assert snapshot.edges(snapshot.rows(node)) == wanted
        assert snapshot.degrees([node])[node] == len(wanted)
        for limit in (0, 1, 3, 99):
            rows = snapshot.rows(node)
            assert snapshot.heaviest(rows, types=None, limit=limit) == wanted[:limit]
            some = [edge for edge in wanted if edge.type != "next"]
            types = frozenset(TYPES[1:])
            assert snapshot.heaviest(rows, types=types, limit=limit) == some[:limit]


def test_columns_that_do_not_fit_are_refused() -> None:
    table = GraphTable()
    table.put(Edge(source="a", target="b", type="next"))
    arrays = dump_columns(table.publish().living_columns())
    for wrong in (
        {**arrays, "source": np.array([9], dtype=np.int32)},
        {**arrays, "target": np.array([-1], dtype=np.int32)},
        {**arrays, "weight": np.array([1.0, 2.0])},
    ):
        with pytest.raises(SnapshotUnusable):
            load_columns(wrong)
