"""Last stage: category layers over episodes and entities, by what, who, where and when.

A whole rebuild is a function of the episodes and entities alone, so it does not matter in which
steps they came; ids follow from what a category is about, so they survive rebuilds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.config import CategoryConfig
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.topics.concepts import Concept, Item, concepts
from mnemis.consolidate.topics.drafts import (
    MOST_KEYWORDS,
    Draft,
    Names,
    Rows,
    is_chinese,
    mean_of,
    sources_of,
)
from mnemis.consolidate.topics.facets import FACETS, entities_of, facet_layer, month_layer
from mnemis.consolidate.topics.keywords import phrase_key
from mnemis.consolidate.topics.layers import joined, upper_layers, years
from mnemis.model.change import Vector
from mnemis.model.graph import Category, Edge, Entity, Episode


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hierarchy:
    """Categories with their centroids, and ``belongs_to`` edges of everything below them."""

    categories: tuple[Category, ...]
    vectors: Mapping[str, Vector]
    edges: tuple[Edge, ...]


def categorise(
    episodes: Sequence[Episode],
    vectors: Mapping[str, Vector],
    entities: Mapping[str, Entity],
    *,
    config: CategoryConfig,
    dimension: int,
) -> Hierarchy:
    """The whole hierarchy. Every episode given is reachable from its top layer.

    ``vectors`` are the episodes' unit vectors. An episode's ``metadata["entities"]`` lists the ids
    of what it names, most named first.
    """
    if not episodes:
        return Hierarchy(categories=(), vectors={}, edges=())
    chinese = sum(each.language == "zh" for each in episodes) * 2 > len(episodes)
    rows = np.stack([vectors.get(each.id, np.zeros(dimension, np.float32)) for each in episodes])
    names = Names()
    first = _concept_layer(episodes, rows, entities, config, names)
    facets = facet_layer(episodes, rows, entities, config, names, chinese=chinese)
    months = month_layer(episodes, rows, names)
    drafts = [*first, *facets, *months]
    drafts.extend(upper_layers(first, config, names, chinese=chinese))
    drafts.extend(years(months, names, config))
    drafts.extend(joined(drafts, names, config, chinese=chinese))
    return _hierarchy(drafts, {each.id: each for each in episodes}, entities)


def _concept_layer(
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
    config: CategoryConfig,
    names: Names,
) -> list[Draft]:
    people = {
        phrase_key(name)
        for entity in entities.values()
        if entity.type in ("person", "animal", "place")
        for whole in (entity.name, *entity.aliases)
        for name in (whole, *whole.split(), whole[1:])
    }
    items = [Item(id=each.id, keywords=each.keywords, themes=_themes_of(each)) for each in episodes]
    found = concepts(
        items,
        rows,
        parents=max(1, config.max_parents - 1),
        smallest=config.min_children,
        excluded=people,
    )
    drafts = [
        _concept_draft(concept, episodes, rows, names) for concept in sorted(found, key=_by_size)
    ]
    _add_entities(drafts, episodes, entities)
    return drafts


def _themes_of(episode: Episode) -> dict[int, str]:
    held = episode.metadata.get("themes")
    return (
        {int(theme): str(words) for theme, words in held.items()} if isinstance(held, dict) else {}
    )


def _by_size(concept: Concept) -> tuple[int, str]:
    return (-len(concept.members), " ".join(concept.labels))


def _concept_draft(
    concept: Concept, episodes: Sequence[Episode], rows: Rows, names: Names
) -> Draft:
    members = sorted(concept.members)
    counts: Counter[str] = Counter()
    for index in members:
        for place, keyword in enumerate(episodes[index].keywords):
            counts[keyword] += 12 - place
    keywords = [
        *concept.labels,
        *concept.words,
        *(word for word, _ in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))),
    ]
    label_text = " ".join(concept.labels) or " ".join(keywords[:2])
    chinese = any("\u4e00" <= char <= "\u9fff" for char in label_text)
    key = phrase_key(keywords[0]) if keywords else ""
    apart = "" if concept.labels else episodes[members[0]].id
    return Draft(
        id=f"category:{digest('what', '1', key, apart)}",
        name=names.claim([*concept.labels[:2]] or keywords[:2], chinese=chinese),
        layer=1,
        facet="what",
        keywords=list(dict.fromkeys(keywords))[:MOST_KEYWORDS],
        children={episodes[index].id: concept.members[index] for index in members},
        vector=mean_of(rows[members]),
        sources=sources_of(episodes[index].sources for index in members),
        key=key,
    )


def _add_entities(
    drafts: Sequence[Draft], episodes: Sequence[Episode], entities: Mapping[str, Entity]
) -> None:
    """Things and concepts go under the topics of the episodes that name them."""
    parents: dict[str, list[int]] = defaultdict(list)
    for place, draft in enumerate(drafts):
        for child in draft.children:
            parents[child].append(place)
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for episode in episodes:
        for entity in entities_of(episode):
            if entity in entities:
                votes[entity].update(parents[episode.id])
    for entity, counted in sorted(votes.items()):
        most = 1 if entities[entity].type in FACETS else 2
        for place, count in sorted(counted.items(), key=lambda kv: (-kv[1], kv[0]))[:most]:
            drafts[place].children[entity] = min(1.0, 0.4 + 0.1 * count)


def _hierarchy(
    drafts: Sequence[Draft], episodes: Mapping[str, Episode], entities: Mapping[str, Entity]
) -> Hierarchy:
    categories: list[Category] = []
    edges: list[Edge] = []
    nodes = {**episodes, **entities}
    for draft in drafts:
        times = [
            time
            for child in draft.children
            if child in episodes and (time := episodes[child].end) is not None
        ]
        categories.append(
            Category(
                id=draft.id,
                text=f"{draft.name}: {', '.join(draft.keywords[:8])}",
                name=draft.name,
                layer=draft.layer,
                facet=draft.facet,
                keywords=tuple(draft.keywords),
                sources=draft.sources,
                time=max(times) if times else None,
                language="zh" if is_chinese([draft.name], False) else "en",
                metadata={"size": len(draft.children)},
            )
        )
        for child, weight in sorted(draft.children.items()):
            sources = nodes[child].sources if child in nodes else ()
            edges.append(
                Edge(
                    source=child,
                    target=draft.id,
                    type="belongs_to",
                    weight=weight,
                    sources=sources[:8],
                )
            )
    return Hierarchy(
        categories=tuple(categories),
        vectors={draft.id: draft.vector for draft in drafts},
        edges=tuple(edges),
    )
