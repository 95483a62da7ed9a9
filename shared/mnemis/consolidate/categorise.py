"""Last stage: category layers over episodes and entities, by what, who, where and when.

A whole rebuild is a function of the episodes and entities alone, so it does not matter in which
steps they came; ids follow from what a category is about, so they survive rebuilds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt

from mnemis.config import CategoryConfig
from mnemis.consolidate.communities import communities
from mnemis.consolidate.concepts import Concept, Item, concepts, groups_of
from mnemis.consolidate.keywords import phrase_key
from mnemis.consolidate.resolve import capped, digest
from mnemis.model.change import Vector
from mnemis.model.graph import Category, Edge, Entity, Episode, Facet

Rows = npt.NDArray[np.float32]

_TOP: Final = 7
_MOST_KEYWORDS: Final = 24
_COMMUNITY_FROM: Final = 9
_FACETS: Final[dict[str, tuple[Facet, str, str]]] = {
    "person": ("who", "People", "人物"),
    "organisation": ("who", "Organisations", "机构"),
    "place": ("where", "Places", "地点"),
    "product": ("what", "Products and tools", "产品与工具"),
    "event": ("when", "Events", "活动"),
    "animal": ("who", "Animals", "动物"),
}
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hierarchy:
    """Categories with their centroids, and ``belongs_to`` edges of everything below them."""

    categories: tuple[Category, ...]
    vectors: Mapping[str, Vector]
    edges: tuple[Edge, ...]


@dataclass(slots=True)
class _Draft:
    """A category while it is built; ``children`` maps ids below to the strength of the tie."""

    id: str
    name: str
    layer: int
    facet: Facet
    keywords: list[str]
    children: dict[str, float]
    vector: Vector
    sources: tuple[str, ...]
    key: str = ""


@dataclass(slots=True)
class _Names:
    """Unique names, compared without case."""

    taken: set[str] = field(default_factory=set[str])

    def claim(self, labels: Sequence[str], *, chinese: bool, most: int = 2) -> str:
        """A name from the labels, as few of them as make it unique."""
        useful = list(dict.fromkeys(label for label in labels if label)) or [
            "其他" if chinese else "Other"
        ]
        for size in (*range(min(most, len(useful)), len(useful) + 1),):
            name = _join(useful[:size], chinese=chinese)
            if name.casefold() not in self.taken:
                break
        else:
            name = _join(useful[:most], chinese=chinese)
        number = 2
        unique = name
        while unique.casefold() in self.taken:
            unique, number = f"{name} {number}", number + 1
        self.taken.add(unique.casefold())
        return unique


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
    names = _Names()
    first = _concept_layer(episodes, rows, entities, config, names)
    facets = _facet_layer(episodes, rows, entities, config, names, chinese=chinese)
    months = _month_layer(episodes, rows, names)
    drafts = [*first, *facets, *months]
    drafts.extend(_upper_layers(first, config, names, chinese=chinese))
    drafts.extend(_years(months, names, config))
    drafts.extend(_joined(drafts, names, config, chinese=chinese))
    return _hierarchy(drafts, {each.id: each for each in episodes}, entities)


def _concept_layer(
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
    config: CategoryConfig,
    names: _Names,
) -> list[_Draft]:
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
    concept: Concept, episodes: Sequence[Episode], rows: Rows, names: _Names
) -> _Draft:
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
    return _Draft(
        id=f"category:{digest('what', '1', key, '' if concept.labels else episodes[members[0]].id)}",
        name=names.claim([*concept.labels[:2]] or keywords[:2], chinese=chinese),
        layer=1,
        facet="what",
        keywords=list(dict.fromkeys(keywords))[:_MOST_KEYWORDS],
        children={episodes[index].id: concept.members[index] for index in members},
        vector=_mean(rows[members]),
        sources=_sources(episodes[index].sources for index in members),
        key=key,
    )


def _add_entities(
    drafts: Sequence[_Draft], episodes: Sequence[Episode], entities: Mapping[str, Entity]
) -> None:
    """Things and concepts go under the topics of the episodes that name them."""
    parents: dict[str, list[int]] = defaultdict(list)
    for place, draft in enumerate(drafts):
        for child in draft.children:
            parents[child].append(place)
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for episode in episodes:
        for entity in _entities_of(episode):
            if entity in entities:
                votes[entity].update(parents[episode.id])
    for entity, counted in sorted(votes.items()):
        most = 1 if entities[entity].type in _FACETS else 2
        for place, count in sorted(counted.items(), key=lambda kv: (-kv[1], kv[0]))[:most]:
            drafts[place].children[entity] = min(1.0, 0.4 + 0.1 * count)


def _entities_of(episode: Episode) -> list[str]:
    return _ids_of(episode, "entities")


def _ids_of(episode: Episode, key: str) -> list[str]:
    held = episode.metadata.get(key)
    return [str(each) for each in held] if isinstance(held, list) else []


def _facet_layer(
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
    config: CategoryConfig,
    names: _Names,
    *,
    chinese: bool,
) -> list[_Draft]:
    where: dict[str, list[int]] = defaultdict(list)
    for index, episode in enumerate(episodes):
        for entity in (*_entities_of(episode), *_ids_of(episode, "speakers")):
            if index not in where[entity]:
                where[entity].append(index)
    drafts: list[_Draft] = []
    for kind, (facet, english, other) in _FACETS.items():
        held = sorted(each for each in where if each in entities and entities[each].type == kind)
        if len(held) < config.min_children:
            continue
        name = names.claim([other if chinese else english], chinese=chinese)
        drafts.append(
            _entity_draft(
                f"category:{digest(facet, kind)}",
                name,
                facet,
                held,
                where,
                episodes,
                rows,
                entities,
            )
        )
    known = {entity: found for entity, found in where.items() if entity in entities}
    if len(known) >= _COMMUNITY_FROM:
        for group in communities(
            [[e for e in _entities_of(each) if e in entities] for each in episodes]
        ):
            people = sum(entities[each].type in ("person", "organisation") for each in group)
            labels = [
                entities[each].name
                for each in sorted(group, key=lambda each: (-len(where[each]), each))
            ]
            drafts.append(
                _entity_draft(
                    f"category:{digest('community', group[0])}",
                    names.claim(labels, chinese=chinese),
                    "who" if people * 2 >= len(group) else "what",
                    group,
                    where,
                    episodes,
                    rows,
                    entities,
                )
            )
    return drafts


def _entity_draft(
    identity: str,
    name: str,
    facet: Facet,
    held: Sequence[str],
    where: Mapping[str, Sequence[int]],
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
) -> _Draft:
    places = sorted({index for entity in held for index in where[entity]})
    ordered = sorted(held, key=lambda each: (-len(where[each]), each))
    return _Draft(
        id=identity,
        name=name,
        layer=1,
        facet=facet,
        keywords=[entities[each].name for each in ordered][:_MOST_KEYWORDS],
        children=dict.fromkeys(held, 0.8),
        vector=_mean(rows[places]),
        sources=_sources(episodes[index].sources for index in places),
        key=identity,
    )


def _month_layer(episodes: Sequence[Episode], rows: Rows, names: _Names) -> list[_Draft]:
    months: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, episode in enumerate(episodes):
        if episode.start is not None:
            months[(episode.start.year, episode.start.month)].append(index)
    drafts: list[_Draft] = []
    for (year, month), members in sorted(months.items()):
        chinese = sum(episodes[index].language == "zh" for index in members) * 2 > len(members)
        spelled = [f"{_MONTHS[month - 1]} {year}", f"{year}年{month}月"]
        drafts.append(
            _Draft(
                id=f"category:{digest('when', f'{year}-{month:02d}')}",
                name=names.claim([spelled[1] if chinese else spelled[0]], chinese=chinese),
                layer=1,
                facet="when",
                keywords=spelled,
                children={episodes[index].id: 0.6 for index in members},
                vector=_mean(rows[members]),
                sources=_sources(episodes[index].sources for index in members),
                key=str(year),
            )
        )
    return drafts


def _years(months: Sequence[_Draft], names: _Names, config: CategoryConfig) -> list[_Draft]:
    years: dict[str, list[_Draft]] = defaultdict(list)
    for month in months:
        years[month.key].append(month)
    return [
        _above(
            held, f"category:{digest('when', year)}", names.claim([year], chinese=False), 2, [year]
        )
        for year, held in sorted(years.items())
        if len(held) >= config.min_children and config.max_layers >= 2
    ]


def _upper_layers(
    below: Sequence[_Draft], config: CategoryConfig, names: _Names, *, chinese: bool
) -> list[_Draft]:
    made: list[_Draft] = []
    layer = list(below)
    for depth in range(2, config.max_layers + 1):
        if len(layer) <= _TOP:
            break
        vectors = np.stack([each.vector for each in layer])
        shared = _shared_members(layer)
        wanted = max(2, round(len(layer) / 4))
        groups = groups_of(vectors, shared, wanted=wanted, smallest=config.min_children)
        upper: list[_Draft] = []
        for group in groups:
            held = sorted(
                (layer[index] for index in group), key=lambda each: (-len(each.children), each.id)
            )
            labels = [label for each in held for label in each.keywords[:1]]
            name = names.claim(labels, chinese=_is_chinese(labels[:2], chinese))
            upper.append(
                _above(
                    held, f"category:{digest('what', str(depth), held[0].key)}", name, depth, labels
                )
            )
        made.extend(upper)
        layer = upper
    return made


def _is_chinese(labels: Iterable[str], default: bool) -> bool:
    text = "".join(labels)
    return any("\u4e00" <= char <= "\u9fff" for char in text) if text else default


def _shared_members(layer: Sequence[_Draft]) -> Rows:
    sets = [set(each.children) for each in layer]
    where: dict[str, list[int]] = defaultdict(list)
    for index, held in enumerate(sets):
        for child in held:
            where[child].append(index)
    shared = np.zeros((len(layer), len(layer)), np.float32)
    for found in where.values():
        for index in found:
            shared[index, found] += 1
    sizes = np.asarray([max(1, len(held)) for held in sets], np.float32)
    return shared / (sizes[:, None] + sizes[None, :] - shared)


def _above(
    held: Sequence[_Draft], identity: str, name: str, layer: int, labels: Sequence[str]
) -> _Draft:
    words = dict.fromkeys((*labels, *(word for each in held for word in each.keywords[:4])))
    return _Draft(
        id=identity,
        name=name,
        layer=layer,
        facet=held[0].facet,
        keywords=list(words)[:_MOST_KEYWORDS],
        children={each.id: 0.9 for each in held},
        vector=_mean(np.stack([each.vector for each in held])),
        sources=_sources(each.sources for each in held),
        key=held[0].key,
    )


def _joined(
    drafts: Sequence[_Draft], names: _Names, config: CategoryConfig, *, chinese: bool
) -> list[_Draft]:
    """One more category over the tops, only when the hierarchy falls into pieces."""
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for draft in drafts:
        for child in draft.children:
            parent[root(child)] = root(draft.id)
    below = {child for draft in drafts for child in draft.children}
    tops = [draft for draft in drafts if draft.id not in below]
    if len({root(draft.id) for draft in tops}) < 2:
        return []
    layer = max(draft.layer for draft in tops) + 1
    name = names.claim(["全部话题" if chinese else "All topics"], chinese=chinese)
    return [_above(tops, f"category:{digest('what', 'all')}", name, layer, [])]


def _hierarchy(
    drafts: Sequence[_Draft], episodes: Mapping[str, Episode], entities: Mapping[str, Entity]
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
                language="zh" if _is_chinese([draft.name], False) else "en",
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


def _sources(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return capped(tuple(dict.fromkeys(source for group in groups for source in group)))


def _mean(rows: Rows) -> Vector:
    total = rows.sum(axis=0)
    length = float(np.linalg.norm(total))
    return (total / length if length > 0 else total).astype(np.float32)


def _join(labels: Sequence[str], *, chinese: bool) -> str:
    if len(labels) == 1:
        name = labels[0]
    elif chinese:
        name = "、".join(labels[:-1]) + "与" + labels[-1]
    else:
        name = ", ".join(labels[:-1]) + " and " + labels[-1]
    return name[:1].upper() + name[1:]


def facet_category(kind: str, *, chinese: bool) -> Category | None:
    """The empty facet category of an entity type; None for types that go under topics."""
    if kind not in _FACETS:
        return None
    facet, english, other = _FACETS[kind]
    name = other if chinese else english
    return Category(
        id=f"category:{digest(facet, kind)}",
        text=name,
        name=name,
        layer=1,
        facet=facet,
        language="zh" if chinese else "en",
        metadata={"size": 0},
    )


def month_category(when: datetime, *, chinese: bool) -> Category:
    """The empty category of a month."""
    spelled = (f"{_MONTHS[when.month - 1]} {when.year}", f"{when.year}年{when.month}月")
    return Category(
        id=f"category:{digest('when', f'{when.year}-{when.month:02d}')}",
        text=spelled[chinese],
        name=spelled[chinese],
        layer=1,
        facet="when",
        keywords=spelled,
        language="zh" if chinese else "en",
        metadata={"size": 0},
    )
