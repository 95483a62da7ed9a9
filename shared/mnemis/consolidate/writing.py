"""From what was learnt to one Change: nodes, edges, index entries, versions read, state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from mnemis.consolidate.knowledge import Knowledge, profile
from mnemis.consolidate.relate import (
    cause_edges,
    fact_edges,
    kin_edge,
    mention_edges,
    related_edge,
    related_pairs,
    relation_edge,
)
from mnemis.consolidate.resolve import capped, digest, exact_keys, short_keys
from mnemis.consolidate.rules.claims import TASTE
from mnemis.consolidate.topics.keywords import phrase_key
from mnemis.consolidate.validity.slots import is_habit
from mnemis.model.change import Change, EntryKind, IndexEntry, Vector
from mnemis.model.graph import Edge, EdgeKey, Entity, Episode, Fact, Node, Turn
from mnemis.model.marks import carry_marks
from mnemis.text.normalise import name_key
from mnemis.text.tokenise import tokenise

if TYPE_CHECKING:
    from mnemis.consolidate.reading import Batch
    from mnemis.consolidate.resources import Resources
    from mnemis.ports.store import View

_HUB: Final = 600
_MOST_FACTS: Final = 12
_TOLD_FACTS: Final = 4
_SAME_MATTER: Final = 24
_LONG: Final = 150  # characters of a summary
_MOST_REFERENCES: Final = 3
_ALWAYS: Final = frozenset({"belongs_to", "supports", "mentions"})


@dataclass(slots=True)
class Draft:
    """A change while it grows; later puts of one key replace earlier ones."""

    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    edges: dict[EdgeKey, Edge] = field(default_factory=dict[EdgeKey, Edge])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    delete_nodes: dict[str, None] = field(default_factory=dict[str, None])
    delete_edges: dict[EdgeKey, None] = field(default_factory=dict[EdgeKey, None])
    read: dict[str, None] = field(default_factory=dict[str, None])

    def put_edges(self, edges: Iterable[Edge]) -> None:
        """Add edges."""
        for edge in edges:
            self.edges[edge.key] = edge


def draft_episodes(draft: Draft, view: View, episodes: Sequence[Episode], batch: Batch) -> None:
    """Episode nodes, turns below them, and what an earlier, shorter cut left behind."""
    homes: dict[str, str] = {}
    for episode in episodes:
        draft.nodes[episode.id] = episode
        draft.texts[episode.id] = f"{episode.title}. {episode.text}"
        for turn in episode.turns:
            homes[turn] = episode.id
    turns = {turn.id: turn for stretch in batch.stretches for turn in stretch.turns}
    draft.put_edges(
        Edge(
            source=turn,
            target=home,
            type="belongs_to",
            time=turns[turn].time,
            sources=turns[turn].sources,
        )
        for turn, home in homes.items()
    )
    for old in batch.before.values():
        draft.read[old.id] = None
        for turn in old.turns:
            if homes.get(turn, old.id) != old.id:
                draft.delete_edges[(turn, old.id, "belongs_to")] = None
    draft.delete_nodes.update(dict.fromkeys(batch.outdated))


def draft_knowledge(
    draft: Draft, view: View, knowledge: Knowledge, turns: Mapping[str, Turn]
) -> None:
    """Fact and entity nodes with all their edges."""
    book = knowledge.book
    draft.put_edges(mention_edges(turns, knowledge.mentions))
    for identity in sorted(book.changed):
        fact = book.facts[identity]
        draft.nodes[identity] = fact
        draft.texts[identity] = _findable(fact)
        draft.put_edges(fact_edges(fact, list(knowledge.supports.get(identity, ()))))
        edge, stale = relation_edge(fact)
        if edge is not None:
            draft.edges[edge.key] = edge
        if stale is not None and stale not in draft.edges:
            draft.delete_edges[stale] = None
    for key in book.linked:
        ends = (book.facts[key[0]], book.facts[key[1]])
        sources = tuple(dict.fromkeys(s for fact in ends for s in fact.sources))
        draft.edges[key] = Edge(
            source=key[0],
            target=key[1],
            type=key[2],
            time=book.ended_at.get(key, ends[0].time),
            sources=sources,
        )
    draft.delete_edges.update(dict.fromkeys(book.undone))
    draft.delete_nodes.update(dict.fromkeys(sorted(book.removed)))
    for (owner, person), turn in knowledge.owned.items():
        names = knowledge.register.entities[person]
        for name in (names.name, *names.aliases):
            if (edge := kin_edge(owner, person, name, turn)) is not None:
                draft.edges.setdefault(edge.key, edge)
    _draft_related(draft, view, knowledge, turns)
    draft.put_edges(cause_edges(knowledge.causes, turns))
    _draft_entities(draft, view, knowledge)
    for key in list(draft.delete_edges):
        if key in draft.edges:
            del draft.delete_edges[key]


def _findable(fact: Fact) -> str:
    """What a fact is found by: one sentence may tell several things that somebody can eat."""
    one_of_several = fact.relation in TASTE or is_habit(fact.relation, fact.aspect)
    return f"{fact.text} {fact.object}" if one_of_several else fact.text


def _draft_related(
    draft: Draft, view: View, knowledge: Knowledge, turns: Mapping[str, Turn]
) -> None:
    pairs: dict[tuple[str, str], dict[str, Turn]] = {}
    for turn_id, spots in knowledge.spots.items():
        for pair in related_pairs(turns[turn_id], spots):
            pairs.setdefault(pair, {})[turn_id] = turns[turn_id]
    firsts = sorted({first for first, _ in pairs if first not in knowledge.register.created})
    degrees = view.degrees(firsts)
    readable = [each for each in firsts if degrees.get(each, 0) <= _HUB]
    before = {edge.key: edge for edge in view.edges(sources=readable)} if readable else {}
    for pair, found in pairs.items():
        edge = related_edge(pair, found.values(), before.get((*pair, "related_to")))
        if edge is not None:
            draft.edges[edge.key] = edge


def _draft_entities(draft: Draft, view: View, knowledge: Knowledge) -> None:
    """Entities whose node or whose facts changed, with their profile told anew."""
    register, book = knowledge.register, knowledge.book
    touched: dict[str, list[str]] = {entity: [] for entity in register.changed}
    for identity in sorted(book.changed):
        for end in (book.facts[identity].subject_id, book.facts[identity].object_id):
            if end is not None:
                touched.setdefault(end, []).append(identity)
    # What an older fact of a touched slot speaks of need not be named in this batch.
    elsewhere = view.get(sorted(touched.keys() - register.entities.keys()))
    for entity_id, fresh in sorted(touched.items()):
        entity = register.entities.get(entity_id) or elsewhere.get(entity_id)
        if not isinstance(entity, Entity):
            continue
        held = entity.metadata.get("facts")
        known = [str(each) for each in held] if isinstance(held, list) else []
        ids = list(dict.fromkeys((*known, *fresh)))
        told = book.get(ids)
        ranked = sorted(
            (fact for fact in told.values() if fact.status != "superseded"),
            key=_worth,
            reverse=True,
        )[:_MOST_FACTS]
        sources = capped(
            tuple(
                dict.fromkeys(
                    (*entity.sources, *(s for f in ranked[:_TOLD_FACTS] for s in f.sources[:4]))
                )
            )
        )
        node = replace(
            entity,
            text=profile(entity, list(dict.fromkeys(fact.text for fact in ranked[:_TOLD_FACTS]))),
            sources=sources,
            importance=max([0.2, *(fact.importance for fact in ranked)]),
            metadata={**entity.metadata, "facts": [fact.id for fact in ranked]},
        )
        register.entities[entity_id] = node
        draft.nodes[entity_id] = node
        draft.texts[entity_id] = node.text


def _worth(fact: Fact) -> tuple[float, float, str]:
    return (round(fact.importance, 1), fact.time.timestamp() if fact.time else 0.0, fact.id)


def build_change(
    draft: Draft,
    view: View,
    resources: Resources,
    *,
    purpose: str,
    turns: Mapping[str, Turn],
    state: Mapping[str, str],
    knowledge: Knowledge,
) -> Change:
    """Embed what is to be found, and put everything into one atomic change."""
    held = view.get(list(draft.nodes))
    vectors = _vectors(draft, view, resources)
    _draft_references(draft, view, vectors)
    entries = tuple(
        _entry(draft.nodes[identity], text, vectors.get(identity))
        for identity, text in draft.texts.items()
    )
    allowed = resources.config.edge_types
    edges = [
        edge
        for edge in draft.edges.values()
        if allowed is None or edge.type in allowed or edge.type in _ALWAYS
    ]
    slots = {f"slot:{slot}": ",".join(ids) for slot, ids in knowledge.book.slots.items() if ids}
    reads = [*draft.read, *draft.nodes, *draft.delete_nodes]
    sources = frozenset(source for turn in turns.values() for source in turn.sources)
    return Change(
        id=f"{purpose}-{view.seq}-{digest(*sorted(turns), *sorted(draft.nodes))}",
        purpose=purpose,
        nodes=tuple(carry_marks(node, held.get(key)) for key, node in draft.nodes.items()),
        edges=tuple(edges),
        entries=entries,
        delete_nodes=tuple(each for each in draft.delete_nodes if each not in draft.nodes),
        delete_edges=tuple(draft.delete_edges),
        state={**state, **slots},
        read_versions=dict(view.versions(list(dict.fromkeys(reads)))),
        sources=sources,
    )


def _vectors(draft: Draft, view: View, resources: Resources) -> dict[str, Vector]:
    """Of everything that is to be found. An episode of one long turn, such as a passage, is about
    what the turn is about: its vector is known, and embedding a page takes long.
    """
    alone = {
        key: node.turns[0]
        for key, node in draft.nodes.items()
        if isinstance(node, Episode) and len(node.turns) == 1 and len(node.text) >= _LONG
    }
    known = view.vectors(list(alone.values()))
    held = {key: known[turn] for key, turn in alone.items() if turn in known}
    left = {key: text for key, text in draft.texts.items() if key not in held}
    return {**_embed(resources, left), **held}


def _embed(resources: Resources, texts: Mapping[str, str]) -> dict[str, Vector]:
    if not texts:
        return {}
    rows = np.asarray(
        resources.embedder.embed([text[:1_000] for text in texts.values()]), dtype=np.float32
    )
    return {
        identity: row
        for identity, row in zip(texts, rows, strict=True)
        if np.isfinite(row).all() and np.any(row)
    }


def _entry(node: Node, text: str, vector: Vector | None) -> IndexEntry:
    kind: EntryKind = node.kind
    names: tuple[str, ...] = ()
    terms = tokenise(text)
    if isinstance(node, Entity):
        names = tuple(
            dict.fromkeys(
                (
                    *exact_keys(node),
                    *short_keys(node),
                    *(name_key(each) for each in (node.name, *node.aliases)),
                )
            )
        )
    elif isinstance(node, Episode):
        terms = [*terms, *(token for word in node.keywords for token in tokenise(word))]
    return IndexEntry(
        id=node.id,
        kind=kind,
        owner=node.id,
        sources=node.sources,
        terms=tuple(terms[:400]),
        vector=vector,
        names=names,
    )


def _draft_references(draft: Draft, view: View, vectors: Mapping[str, Vector]) -> None:
    """``refers_to`` from an episode to earlier ones on the same matter: a shared name or keyword
    and a cosine that stands out among its nearest neighbours.
    """
    episodes = [node for node in draft.nodes.values() if isinstance(node, Episode)]
    for number, episode in enumerate(episodes):
        vector = vectors.get(episode.id)
        if vector is None:
            continue
        found = {
            hit.owner: hit.score
            for hit in view.nearest(vector, k=_SAME_MATTER, kinds=["episode"])
            if hit.owner != episode.id and hit.owner not in draft.delete_nodes
        }
        for earlier in episodes[max(0, number - _SAME_MATTER) : number]:
            if earlier.id in vectors:
                found[earlier.id] = float(vector @ vectors[earlier.id])
        if len(found) < 2:
            continue
        bar = float(np.mean(list(found.values())) + np.std(list(found.values())))
        near = sorted(
            (each for each in found if found[each] >= bar), key=lambda each: (-found[each], each)
        )
        held = {
            **view.get(near),
            **{each: draft.nodes[each] for each in near if each in draft.nodes},
        }
        count = 0
        for each in near:
            other = held.get(each)
            if (
                not isinstance(other, Episode)
                or count == _MOST_REFERENCES
                or not _share(episode, other)
            ):
                continue
            first, second = (
                (episode, other) if _order(episode) > _order(other) else (other, episode)
            )
            count += 1
            draft.edges[(first.id, second.id, "refers_to")] = Edge(
                source=first.id,
                target=second.id,
                type="refers_to",
                weight=max(0.05, min(1.0, found[each])),
                time=first.time,
                sources=(*first.sources[:1], *second.sources[:1]),
            )


def _order(episode: Episode) -> tuple[float, str]:
    return (episode.start.timestamp() if episode.start else 0.0, episode.id)


def _share(first: Episode, second: Episode) -> bool:
    words = {phrase_key(word) for word in first.keywords} & {
        phrase_key(word) for word in second.keywords
    }
    return bool(words) or len(_ids(first) & _ids(second)) > 0


def _ids(episode: Episode) -> set[str]:
    held = episode.metadata.get("entities")
    return {str(each) for each in held} if isinstance(held, list) else set()
