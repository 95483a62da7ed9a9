"""topics: the categories as a tree, with how much lies below each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemis.model.graph import Category, Facet
from mnemis.ports.store import View

DEEPEST = 64
"""Levels of the tree; what would lie deeper is counted, not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """``members`` are memories directly below, ``total`` all distinct ones at any depth.

    A topic with several parents stands under each of them.
    """

    id: str
    name: str
    facet: Facet
    layer: int
    keywords: tuple[str, ...]
    members: int
    total: int
    children: tuple[Topic, ...]


def topics(view: View) -> tuple[Topic, ...]:
    """The top topics, largest first; a cycle is cut where it would return to a topic above."""
    nodes = {n.id: n for n in view.scan("category") if isinstance(n, Category)}
    inside, members = _below(view, nodes)
    roots, children, order = _acyclic(nodes, inside)
    depth = dict.fromkeys(nodes, 0)
    for key in reversed(order):  # parents first
        for child in children[key]:
            depth[child] = max(depth[child], depth[key] + 1)
    held: dict[str, set[str]] = {}
    made: dict[str, Topic] = {}
    for key in order:
        held[key] = set(members[key]).union(*(held[child] for child in children[key]))
        shown = [made[child] for child in children[key]] if depth[key] < DEEPEST - 1 else []
        node = nodes[key]
        made[key] = Topic(
            id=key,
            name=node.name,
            facet=node.facet,
            layer=node.layer,
            keywords=node.keywords,
            members=len(members[key]),
            total=len(held[key]),
            children=_sorted(shown),
        )
    return _sorted([made[root] for root in roots])


def find_cycles(inside: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """(parent, child) of each edge that returns to a category above it, self-loops too."""
    _, back = _walk(sorted(inside), inside)
    return tuple(sorted(back))


def children_of(view: View) -> dict[str, list[str]]:
    """Category ids directly below each category."""
    nodes = {n.id: n for n in view.scan("category") if isinstance(n, Category)}
    return _below(view, nodes)[0]


def _below(
    view: View, nodes: Mapping[str, Category]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    near = view.neighbours(list(nodes), types=("belongs_to",), direction="in")
    inside: dict[str, list[str]] = {}
    members: dict[str, list[str]] = {}
    for key in nodes:
        ends = sorted({edge.source for edge in near.get(key, ()) if edge.target == key})
        inside[key] = [each for each in ends if each in nodes]
        members[key] = [each for each in ends if each not in nodes]
    return inside, members


def _acyclic(
    nodes: Mapping[str, Category], inside: Mapping[str, Sequence[str]]
) -> tuple[list[str], dict[str, list[str]], list[str]]:
    """Roots, children without returning edges, and all ids with children before parents."""
    below = {child for key, found in inside.items() for child in found if child != key}
    tops = sorted(set(nodes) - below)
    high = sorted(nodes, key=lambda key: (-nodes[key].layer, key))
    order, back = _walk([*tops, *high], inside)
    children = {key: [c for c in inside[key] if (key, c) not in back] for key in nodes}
    under = {child for found in children.values() for child in found}
    return sorted(set(nodes) - under), children, order


def _walk(
    starts: Sequence[str], inside: Mapping[str, Sequence[str]]
) -> tuple[list[str], set[tuple[str, str]]]:
    """Depth first without recursion: ids in the order they are left, and returning edges."""
    order: list[str] = []
    back: set[tuple[str, str]] = set()
    done: set[str] = set()
    for start in starts:
        if start in done:
            continue
        path: dict[str, None] = {start: None}
        stack = [(start, iter(inside[start]))]
        while stack:
            key, rest = stack[-1]
            for child in rest:
                if child in path:
                    back.add((key, child))
                elif child not in done:
                    path[child] = None
                    stack.append((child, iter(inside[child])))
                    break
            else:
                stack.pop()
                path.pop(key)
                done.add(key)
                order.append(key)
    return order, back


def _sorted(found: Sequence[Topic]) -> tuple[Topic, ...]:
    return tuple(sorted(found, key=lambda each: (-each.total, each.name, each.id)))
