"""The graph as networkx: for analysis and export, a copy of one sequence number."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from mnemis.model.graph import NODE_KINDS, Node
from mnemis.ports.store import View

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(view: View) -> nx.MultiDiGraph[str]:
    """Nodes carry ``kind`` and all their fields; an edge's key is its type."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(seq=view.seq)
    for kind in NODE_KINDS:
        for node in view.scan(kind):
            graph.add_node(node.id, kind=kind, **_attributes(node))
    for edge in view.edges():
        graph.add_edge(
            edge.source,
            edge.target,
            key=edge.type,
            type=edge.type,
            weight=edge.weight,
            time=edge.time,
            sources=edge.sources,
            context=edge.context,
            position=edge.position,
        )
    return graph


def _attributes(node: Node) -> dict[str, object]:
    return {each.name: getattr(node, each.name) for each in fields(node) if each.name != "id"}
