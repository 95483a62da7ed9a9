"""Categories by who, where and when: types of entities, communities, months."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from mnemis.config import CategoryConfig
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.topics.communities import communities
from mnemis.consolidate.topics.drafts import (
    MOST_KEYWORDS,
    Draft,
    Names,
    Rows,
    is_chinese,
    mean_of,
    sources_of,
)
from mnemis.model.graph import Category, Entity, Episode, Facet

COMMUNITY_FROM: Final = 9
_EVERYWHERE: Final = 0.25
"""Who or what is named in more of the episodes than this tells no group apart."""


FACETS: Final[dict[str, tuple[Facet, str, str]]] = {
    "person": ("who", "People", "人物"),
    "organisation": ("who", "Organisations", "机构"),
    "place": ("where", "Places", "地点"),
    "product": ("what", "Products and tools", "产品与工具"),
    "event": ("when", "Events", "活动"),
    "animal": ("who", "Animals", "动物"),
}


MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)


def entities_of(episode: Episode) -> list[str]:
    """Ids of what an episode names, most named first."""
    return ids_of(episode, "entities")


def ids_of(episode: Episode, key: str) -> list[str]:
    """Ids that an episode keeps under a metadata key."""
    held = episode.metadata.get(key)
    return [str(each) for each in held] if isinstance(held, list) else []


def facet_layer(
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
    config: CategoryConfig,
    names: Names,
    *,
    chinese: bool,
) -> list[Draft]:
    """One category for each type of entity, and one for each community."""
    where: dict[str, list[int]] = defaultdict(list)
    for index, episode in enumerate(episodes):
        for entity in (*entities_of(episode), *ids_of(episode, "speakers")):
            if index not in where[entity]:
                where[entity].append(index)
    drafts: list[Draft] = []
    for kind, (facet, english, other) in FACETS.items():
        held = sorted(each for each in where if each in entities and entities[each].type == kind)
        if len(held) < config.min_children:
            continue
        name = names.claim([other if chinese else english], chinese=chinese)
        drafts.append(
            entity_draft(
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
    if len(known) >= COMMUNITY_FROM:
        for group in communities(
            [[e for e in entities_of(each) if e in entities] for each in episodes]
        ):
            people = sum(entities[each].type in ("person", "organisation") for each in group)
            sense: Facet = "who" if people * 2 >= len(group) else "what"
            everywhere = len(episodes) * _EVERYWHERE
            labels = [
                entities[each].name
                for each in sorted(
                    group,
                    key=lambda each: (
                        len(where[each]) > everywhere,
                        sense == "what" and entities[each].type == "person",
                        -len(where[each]),
                        each,
                    ),
                )
            ]
            drafts.append(
                entity_draft(
                    f"category:{digest('community', group[0])}",
                    names.claim(labels, chinese=is_chinese(labels[:2], chinese)),
                    sense,
                    group,
                    where,
                    episodes,
                    rows,
                    entities,
                )
            )
    return drafts


def entity_draft(
    identity: str,
    name: str,
    facet: Facet,
    held: Sequence[str],
    where: Mapping[str, Sequence[int]],
    episodes: Sequence[Episode],
    rows: Rows,
    entities: Mapping[str, Entity],
) -> Draft:
    """A category over entities, with the episodes that name them as its sense."""
    places = sorted({index for entity in held for index in where[entity]})
    ordered = sorted(held, key=lambda each: (-len(where[each]), each))
    return Draft(
        id=identity,
        name=name,
        layer=1,
        facet=facet,
        keywords=[entities[each].name for each in ordered][:MOST_KEYWORDS],
        children=dict.fromkeys(held, 0.8),
        vector=mean_of(rows[places]),
        sources=sources_of(episodes[index].sources for index in places),
        key=identity,
    )


def month_layer(episodes: Sequence[Episode], rows: Rows, names: Names) -> list[Draft]:
    """One category for each month of the episodes."""
    months: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, episode in enumerate(episodes):
        if episode.start is not None:
            months[(episode.start.year, episode.start.month)].append(index)
    drafts: list[Draft] = []
    for (year, month), members in sorted(months.items()):
        chinese = sum(episodes[index].language == "zh" for index in members) * 2 > len(members)
        spelled = [f"{MONTHS[month - 1]} {year}", f"{year}年{month}月"]
        drafts.append(
            Draft(
                id=f"category:{digest('when', f'{year}-{month:02d}')}",
                name=names.claim([spelled[1] if chinese else spelled[0]], chinese=chinese),
                layer=1,
                facet="when",
                keywords=spelled,
                children={episodes[index].id: 0.6 for index in members},
                vector=mean_of(rows[members]),
                sources=sources_of(episodes[index].sources for index in members),
                key=str(year),
            )
        )
    return drafts


def facet_category(kind: str, *, chinese: bool) -> Category | None:
    """The empty facet category of an entity type; None for types that go under topics."""
    if kind not in FACETS:
        return None
    facet, english, other = FACETS[kind]
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
    spelled = (f"{MONTHS[when.month - 1]} {when.year}", f"{when.year}年{when.month}月")
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
