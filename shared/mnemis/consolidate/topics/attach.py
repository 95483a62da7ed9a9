"""Incremental placing: each new episode beneath its best parents, each entity beside its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from mnemis.config import CategoryConfig
from mnemis.consolidate.resolve import capped
from mnemis.consolidate.topics.facets import facet_category, month_category
from mnemis.consolidate.topics.keywords import phrase_key
from mnemis.model.change import Vector
from mnemis.model.graph import Category, Edge, Entity, Episode, Node
from mnemis.ports.store import View
from mnemis.text.tokenise import tokenise

_LOOKED_AT: Final = 8


@dataclass(slots=True)
class Attached:
    """Categories touched or made, their new centroids, and the edges to them."""

    held: dict[str, Category] = field(default_factory=dict[str, Category])
    vectors: dict[str, Vector] = field(default_factory=dict[str, Vector])
    ties: dict[tuple[str, str], Edge] = field(default_factory=dict[tuple[str, str], Edge])
    created: int = 0

    @property
    def categories(self) -> tuple[Category, ...]:
        """In order of id."""
        return tuple(self.held[each] for each in sorted(self.held))

    @property
    def edges(self) -> tuple[Edge, ...]:
        """``belongs_to`` edges, in order of key."""
        return tuple(self.ties[each] for each in sorted(self.ties))


def attach(view: View, nodes: Sequence[Node], *, config: CategoryConfig) -> Attached:
    """Place nodes that have no parent yet; nothing that is placed already moves."""
    made = Attached()
    vectors = view.vectors([node.id for node in nodes])
    episodes = [node for node in nodes if isinstance(node, Episode)]
    for episode in episodes:
        _place_episode(view, made, episode, vectors.get(episode.id), config)
    for node in nodes:
        if isinstance(node, Entity):
            _place_entity(view, made, node, vectors.get(node.id), episodes)
    return made


def _place_episode(
    view: View, made: Attached, episode: Episode, vector: Vector | None, config: CategoryConfig
) -> None:
    scores = _scores(view, episode, vector)
    best = sorted(scores, key=lambda each: (-scores[each], each))
    chosen = [each for each in best if scores[each] >= 0.5 * scores[best[0]]][
        : config.max_parents - 1
    ]
    for each in chosen:
        _tie(view, made, episode, each, vector, min(1.0, max(0.3, scores[each])))
    if episode.start is not None:
        month = month_category(episode.start, chinese=episode.language == "zh")
        _make(view, made, month)
        _tie(view, made, episode, month.id, vector, 0.6)


def _scores(view: View, episode: Episode, vector: Vector | None) -> dict[str, float]:
    """Topics of the first layer by shared keywords and cosine, in (0, 2]."""
    tokens = list(dict.fromkeys(t for word in episode.keywords for t in tokenise(word)))
    found: dict[str, float] = {}
    if vector is not None:
        for hit in view.nearest(vector, k=_LOOKED_AT, kinds=["category"]):
            found[hit.owner] = max(0.05, hit.score)
    words = view.search(tokens, k=_LOOKED_AT, kinds=["category"]) if tokens else ()
    top = words[0].score if words else 1.0
    for hit in words:
        found[hit.owner] = found.get(hit.owner, 0.0) + 0.5 * hit.score / top
    held = view.get(sorted(found))
    keys = {phrase_key(word) for word in episode.keywords}
    scores: dict[str, float] = {}
    for each, score in found.items():
        node = held.get(each)
        if isinstance(node, Category) and node.layer == 1 and node.facet == "what":
            named = any(phrase_key(word) in keys for word in node.keywords[:2])
            scores[each] = score + (0.5 if named else 0.0)
    return scores


def _place_entity(
    view: View, made: Attached, entity: Entity, vector: Vector | None, episodes: Sequence[Episode]
) -> None:
    kind = facet_category(entity.type, chinese=entity.language == "zh")
    if kind is not None:
        _make(view, made, kind)
        _tie(view, made, entity, kind.id, vector, 0.8)
        return
    for episode in episodes:
        held = episode.metadata.get("entities")
        if isinstance(held, list) and entity.id in held:
            topics = [t for (s, t) in made.ties if s == episode.id and made.held[t].facet == "what"]
            for topic in topics[:1]:
                _tie(view, made, entity, topic, None, 0.5)
            return


def _make(view: View, made: Attached, category: Category) -> None:
    if category.id in made.held or category.id in view.get([category.id]):
        return
    made.held[category.id] = category
    made.created += 1


def _tie(
    view: View, made: Attached, node: Node, category: str, vector: Vector | None, weight: float
) -> None:
    """One edge, and the centroid moved by one member."""
    if category not in made.held:
        held = view.get([category]).get(category)
        if not isinstance(held, Category):
            return
        made.held[category] = held
    if category not in made.vectors:
        known = view.vectors([category]).get(category)
        if known is not None:
            made.vectors[category] = known
    old = made.held[category]
    size = old.metadata.get("size")
    count = size if isinstance(size, int) else 0
    made.held[category] = replace(
        old,
        sources=capped(tuple(dict.fromkeys((*old.sources, *node.sources[:4])))),
        metadata={**old.metadata, "size": count + 1},
    )
    if vector is not None:
        total = made.vectors.get(category, np.zeros_like(vector)) * count + vector
        length = float(np.linalg.norm(total))
        if length > 0:
            made.vectors[category] = (total / length).astype(np.float32)
    made.ties[(node.id, category)] = Edge(
        source=node.id, target=category, type="belongs_to", weight=weight, sources=node.sources[:8]
    )
