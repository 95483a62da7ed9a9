"""One memory's entities, topics and facts as LlamaIndex's labelled nodes and triplets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from llama_index.core.graph_stores.types import (
    TRIPLET_SOURCE_KEY,
    ChunkNode,
    EntityNode,
    LabelledNode,
    Relation,
    Triplet,
)

from mnemis.model.graph import Category, Edge, Entity, Episode, Fact, Node, Turn
from mnemis.ports.store import View

BELONGS = "belongs_to"
_HOLDS = ("current", "disputed")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphView:
    """The graph at one sequence number.

    ``nodes`` by shown name, which is unique; ``names`` gives the shown names of a folded name or
    alias, or of a memory's id (a fact's: its subject and object); ``triplets`` hold what is
    current or disputed: facts first, then other relations, then who belongs to which topic.
    """

    seq: int
    nodes: Mapping[str, EntityNode]
    names: Mapping[str, tuple[str, ...]]
    triplets: tuple[Triplet, ...]


def graph_view(view: View) -> GraphView:
    """Read everything that has a name. Grows with the number of entities, topics and facts."""
    named: list[Entity | Category] = [
        node for node in view.scan("entity") if isinstance(node, Entity)
    ]
    named += [node for node in view.scan("category") if isinstance(node, Category)]
    shown = _shown_names(named)
    nodes = {shown[node.id]: _entity_node(node, shown[node.id]) for node in named}
    facts = [fact for fact in view.scan("fact") if isinstance(fact, Fact)]
    names: dict[str, list[str]] = {}
    for node in named:
        aliases = node.aliases if isinstance(node, Entity) else ()
        for name in (node.id, node.name, shown[node.id], *aliases):
            names.setdefault(name.casefold(), []).append(shown[node.id])
    by_id = {identity: nodes[name] for identity, name in shown.items()}
    told = tuple(_facts(facts, by_id))
    for head, relation, tail in told:
        ends = [end.id for end in (head, tail) if end.id in nodes]
        names[str(relation.properties["memory_id"])] = ends
    triplets = (
        *told,
        *_relations(view.edges(sources=list(by_id)), by_id, _keys_of(facts)),
    )
    return GraphView(
        seq=view.seq,
        nodes=nodes,
        names={name: tuple(dict.fromkeys(found)) for name, found in names.items()},
        triplets=tuple(triplets),
    )


def chunk_node(node: Node) -> ChunkNode:
    """A turn, an episode or a fact as a chunk of text under its own id."""
    properties: dict[str, object] = {
        **node.metadata,
        "kind": node.kind,
        "status": node.status,
        "time": node.time.isoformat() if node.time else None,
        "sources": list(node.sources),
    }
    if isinstance(node, Turn):
        properties |= {"role": node.role, "speaker": node.speaker, "session": node.session}
    if isinstance(node, Episode):
        properties |= {"title": node.title, "keywords": list(node.keywords)}
    return ChunkNode(text=node.text, id_=node.id, label=node.kind, properties=properties)


def _shown_names(named: Sequence[Entity | Category]) -> dict[str, str]:
    """By id: the name, with the qualifier where it has one, with the id where two are alike."""
    wanted = {node.id: _plain_name(node) for node in named}
    folded: dict[str, int] = {}
    for name in wanted.values():
        folded[name.casefold()] = folded.get(name.casefold(), 0) + 1
    return {
        identity: name if folded[name.casefold()] == 1 else f"{name} [{identity}]"
        for identity, name in wanted.items()
    }


def _plain_name(node: Entity | Category) -> str:
    name = node.name
    if isinstance(node, Entity) and node.qualifier:
        name = f"{name} ({node.qualifier})"
    # LlamaIndex takes a node's id from its name and has no double quotes in it.
    return name.replace('"', " ") or node.id


def _entity_node(node: Entity | Category, name: str) -> EntityNode:
    properties: dict[str, object] = {
        "memory_id": node.id,
        "kind": node.kind,
        "text": node.text,
        "status": node.status,
        "time": node.time.isoformat() if node.time else None,
        "sources": list(node.sources),
    }
    if node.sources:
        properties[TRIPLET_SOURCE_KEY] = f"turn:{node.sources[0]}"
    if isinstance(node, Entity):
        properties["aliases"] = list(node.aliases)
        return EntityNode(name=name, label=node.type, properties=properties)
    properties |= {"layer": node.layer, "facet": node.facet, "keywords": list(node.keywords)}
    return EntityNode(name=name, label="category", properties=properties)


def _facts(facts: Sequence[Fact], by_id: Mapping[str, EntityNode]) -> Iterator[Triplet]:
    for fact in facts:
        subject = by_id.get(fact.subject_id or "")
        if subject is None or fact.status not in _HOLDS:
            continue
        known = by_id.get(fact.object_id or "")
        target = known or EntityNode(name=fact.object or fact.text, label="value")
        if target.id == subject.id:  # "Clara is named Clara" says nothing
            continue
        relation = fact.relation if fact.polarity else f"not {fact.relation}"
        properties: dict[str, object] = {
            "memory_id": fact.id,
            "text": fact.text,
            "status": fact.status,
            "aspect": fact.aspect,
            "confidence": fact.confidence,
            "valid_from": fact.valid_from.isoformat() if fact.valid_from else None,
            "valid_to": fact.valid_to.isoformat() if fact.valid_to else None,
            "sources": list(fact.sources),
        }
        source = f"turn:{fact.sources[0]}" if fact.sources else None
        yield _triplet(subject, relation, target, properties, source=source)


def _relations(
    edges: Sequence[Edge],
    by_id: Mapping[str, EntityNode],
    told: frozenset[tuple[str, str, str]],
) -> Iterator[Triplet]:
    """Edges between named nodes that no fact tells, topics last."""
    between = [e for e in edges if e.source in by_id and e.target in by_id and e.key not in told]
    for edge in sorted(between, key=lambda edge: (edge.type == BELONGS, -edge.weight, edge.key)):
        properties: dict[str, object] = {
            "weight": edge.weight,
            "context": edge.context,
            "time": edge.time.isoformat() if edge.time else None,
            "sources": list(edge.sources),
        }
        source = f"turn:{edge.sources[0]}" if edge.sources else None
        yield _triplet(by_id[edge.source], edge.type, by_id[edge.target], properties, source=source)


def _keys_of(facts: Sequence[Fact]) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (fact.subject_id, fact.object_id, fact.relation)
        for fact in facts
        if fact.subject_id and fact.object_id
    )


def _triplet(
    subject: EntityNode,
    label: str,
    target: LabelledNode,
    properties: dict[str, object],
    *,
    source: str | None,
) -> Triplet:
    # LlamaIndex looks for the source text of a triplet at its subject.
    own = {**subject.properties, TRIPLET_SOURCE_KEY: source} if source else subject.properties
    head = EntityNode(name=subject.name, label=subject.label, properties=own)
    relation = Relation(
        label=label, source_id=subject.id, target_id=target.id, properties=properties
    )
    return (head, relation, target)
