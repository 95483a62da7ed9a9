"""``mnemis topics`` and ``mnemis show``: the graph as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mnemis.care.marks import find_nodes
from mnemis.care.names import entities_called, entity_called
from mnemis.care.topics import Topic, topics
from mnemis.cli.render import dump, say, table, when
from mnemis.cli.request import Request, chosen_memory, open_to_read
from mnemis.errors import InputError
from mnemis.model.graph import Category, Edge, Entity, Episode, Fact, Node, Turn
from mnemis.ports.store import View

_SHOWN = 40


def run_topics(request: Request) -> int:
    """The categories as a tree, with how many memories lie under each."""
    with open_to_read(request) as mnemis:
        memory = chosen_memory(mnemis, request)
        with mnemis.store.view(memory.scope) as view:
            roots = topics(view)
    if request.json:
        dump([_topic_json(root) for root in roots])
    elif roots:
        for root in roots:
            _say_topic(root, depth=0)
    else:
        say("No topics yet; they are made by consolidation (mnemis ingest).")
    return 0


def run_show(request: Request) -> int:
    """One memory with its edges and the messages that it rests on."""
    with open_to_read(request) as mnemis:
        memory = chosen_memory(mnemis, request)
        with mnemis.store.view(memory.scope) as view:
            node = _find(view, request.id)
            edges = view.neighbours([node.id]).get(node.id, ())
            others = view.get(sorted({_other(edge, node.id) for edge in edges}))
            derived = view.by_source(node.sources)
            sources = view.get([f"turn:{each}" for each in node.sources])
    if request.json:
        dump(_node_json(node, edges, others, derived))
        return 0
    say(f"{node.kind} {node.id}", style="bold")
    facts = {"time": when(node.time), "status": node.status, **_details(node)}
    for name, value in facts.items():
        if value:
            say(f"{name}: {value}", indent=2)
    say(node.text, indent=2)
    if edges:
        say()
        table(
            ["edge", "weight", "to or from"],
            [
                [
                    f"{edge.type} →" if edge.source == node.id else f"← {edge.type}",
                    f"{edge.weight:.2f}",
                    _label(_other(edge, node.id), others),
                ]
                for edge in edges[:_SHOWN]
            ],
        )
        if len(edges) > _SHOWN:
            say(f"… and {len(edges) - _SHOWN} more edges (--json has all)")
    if node.sources and not isinstance(node, Turn):
        say()
        table(
            ["rests on", "said"],
            [[each, _label(f"turn:{each}", sources)] for each in node.sources[:_SHOWN]],
        )
        if len(node.sources) > _SHOWN:
            say(f"… and {len(node.sources) - _SHOWN} more messages (--json has all)")
    return 0


def _find(view: View, asked: str) -> Node:
    """A node by its id, the turn of a message by the message's id, or an entity by its name."""
    try:
        return find_nodes(view, asked)[0]
    except InputError:
        if not entities_called(view, asked):
            raise
    return entity_called(view, asked)


def _other(edge: Edge, node: str) -> str:
    return edge.target if edge.source == node else edge.source


def _label(key: str, nodes: Mapping[str, Node]) -> str:
    node = nodes.get(key)
    if node is None:
        return key
    text = " ".join(_name(node).split())
    return f"{key}  {text[:79] + '…' if len(text) > 80 else text}"


def _name(node: Node) -> str:
    if isinstance(node, Category | Entity):
        return node.name
    return node.title if isinstance(node, Episode) else node.text


def _details(node: Node) -> dict[str, str]:
    if isinstance(node, Turn):
        return {"speaker": node.speaker, "role": node.role, "session": node.session}
    if isinstance(node, Episode):
        return {"title": node.title, "keywords": ", ".join(node.keywords), "note": node.note}
    if isinstance(node, Fact):
        until = f" until {when(node.valid_to)}" if node.valid_to else ""
        return {
            "fact": f"{node.subject} · {node.relation} · {node.object}",
            "aspect": node.aspect,
            "holds": f"from {when(node.valid_from)}{until}" if node.valid_from else until.strip(),
            "confidence": f"{node.confidence:.2f}",
        }
    if isinstance(node, Entity):
        return {
            "name": node.name,
            "type": node.type,
            "qualifier": node.qualifier,
            "aliases": ", ".join(node.aliases),
        }
    if isinstance(node, Category):
        return {"name": node.name, "layer": str(node.layer), "facet": node.facet}
    return {}


def _node_json(
    node: Node,
    edges: Sequence[Edge],
    others: Mapping[str, Node],
    derived: Mapping[str, tuple[str, ...]],
) -> object:
    links: list[object] = [
        {
            "source": edge.source,
            "target": edge.target,
            "type": edge.type,
            "weight": round(edge.weight, 4),
            "other": _name(others[key]) if (key := _other(edge, node.id)) in others else "",
        }
        for edge in edges
    ]
    return {
        "id": node.id,
        "kind": node.kind,
        "text": node.text,
        "time": node.time.isoformat() if node.time else None,
        "status": node.status,
        "importance": node.importance,
        "language": node.language,
        "metadata": dict(node.metadata),
        **dict(_details(node)),
        "sources": list(node.sources),
        "derived": sorted({each for ids in derived.values() for each in ids} - {node.id}),
        "edges": links,
    }


def _say_topic(topic: Topic, *, depth: int) -> None:
    """One topic and what lies below; a topic with several parents is shown under each."""
    say(f"{topic.name}  ({topic.total})", indent=2 * depth)
    for child in topic.children:
        _say_topic(child, depth=depth + 1)


def _topic_json(topic: Topic) -> dict[str, object]:
    return {
        "id": topic.id,
        "name": topic.name,
        "facet": topic.facet,
        "layer": topic.layer,
        "keywords": list(topic.keywords),
        "members": topic.members,
        "total": topic.total,
        "topics": [_topic_json(child) for child in topic.children],
    }
