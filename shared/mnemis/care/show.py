"""show: one memory with its edges and the messages that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mnemis.care.marks import find_nodes
from mnemis.model.graph import Edge, Node, Turn
from mnemis.ports.store import View
from mnemis.recall.labels import label_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """``node`` (``nodes`` when a document has several turns), its complete ``edges`` by key, the
    ``labels`` of what they lead to by id, the turns of its ``sources``, and ids ``derived`` of it.
    """

    node: Node
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    labels: Mapping[str, str]
    sources: tuple[Turn, ...]
    derived: tuple[str, ...]


def show(view: View, asked: str) -> Shown:
    """A node by its id, or the turns of a message by the message's id. Raises InputError."""
    nodes = find_nodes(view, asked)
    ids = {node.id for node in nodes}
    near = view.neighbours(sorted(ids))
    keys = {edge.key for edges in near.values() for edge in edges}
    complete = view.edges(sources=sorted({key[0] for key in keys}))
    edges = tuple(edge for edge in complete if edge.key in keys)
    others = {end for key in keys for end in key[:2]} - ids
    held = view.get(sorted(others))
    messages = tuple(dict.fromkeys(source for node in nodes for source in node.sources))
    resting = view.by_source(messages)
    below = sorted({each for found in resting.values() for each in found} - ids)
    resting_turns = view.get([each for each in below if each.startswith("turn:")]).values()
    said = [n for n in resting_turns if isinstance(n, Turn) and n.message_id in messages]
    said.sort(key=lambda turn: (turn.ordinal, turn.id))
    derived = below if isinstance(nodes[0], Turn) else []
    return Shown(
        node=nodes[0],
        nodes=nodes,
        edges=edges,
        labels={key: label_of(node) for key, node in sorted(held.items())},
        sources=tuple(said),
        derived=tuple(derived),
    )
