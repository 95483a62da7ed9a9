"""Layers above the first: fewer, wider categories, until the whole hangs together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from mnemis.config import CategoryConfig
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.rules.lexicon_themes import theme_of
from mnemis.consolidate.topics.concepts import groups_of
from mnemis.consolidate.topics.drafts import (
    MOST_KEYWORDS,
    Draft,
    Names,
    Rows,
    is_chinese,
    mean_of,
    sources_of,
)
from mnemis.consolidate.topics.keywords import phrase_key

TOP: Final = 7
_SHARED_AMONG: Final = 6


def years(months: Sequence[Draft], names: Names, config: CategoryConfig) -> list[Draft]:
    """Categories over the months of a year."""
    years: dict[str, list[Draft]] = defaultdict(list)
    for month in months:
        years[month.key].append(month)
    return [
        above(
            held, f"category:{digest('when', year)}", names.claim([year], chinese=False), 2, [year]
        )
        for year, held in sorted(years.items())
        if len(held) >= config.min_children and config.max_layers >= 2
    ]


def upper_layers(
    below: Sequence[Draft], config: CategoryConfig, names: Names, *, chinese: bool
) -> list[Draft]:
    """Layers over topics until few are left or the highest layer is reached."""
    made: list[Draft] = []
    layer = list(below)
    for depth in range(2, config.max_layers + 1):
        if len(layer) <= TOP:
            break
        vectors = np.stack([each.vector for each in layer])
        shared = shared_members(layer)
        wanted = max(2, round(len(layer) / 4))
        groups = groups_of(vectors, shared, wanted=wanted, smallest=config.min_children)
        upper: list[Draft] = []
        for group in groups:
            held = sorted(
                (layer[index] for index in group), key=lambda each: (-len(each.children), each.id)
            )
            labels = _labels(held)
            name = names.claim(labels, chinese=is_chinese(labels[:1], chinese), most=1)
            upper.append(
                above(
                    held, f"category:{digest('what', str(depth), held[0].key)}", name, depth, labels
                )
            )
        made.extend(upper)
        layer = upper
    return made


def _labels(held: Sequence[Draft]) -> list[str]:
    """What to call a group of topics, best first: a keyword that half of them share, then the
    first word of each, largest first, words for a matter before proper names.
    """
    written: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for each in held:
        first = {phrase_key(word): word for word in each.keywords[:_SHARED_AMONG]}
        for key, word in first.items():
            written.setdefault(key, word)
            counts[key] += 1
    half = max(2, (len(held) + 1) // 2)
    common = [key for key, count in counts.most_common() if count >= half and key]
    own = [label for each in held for label in each.keywords[:1]]
    own.sort(key=lambda label: theme_of(phrase_key(label)) is None)
    return list(dict.fromkeys((*(written[key] for key in common), *own)))


def shared_members(layer: Sequence[Draft]) -> Rows:
    """Jaccard overlap of the members of each pair."""
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
    return (shared / (sizes[:, None] + sizes[None, :] - shared)).astype(np.float32)


def above(
    held: Sequence[Draft], identity: str, name: str, layer: int, labels: Sequence[str]
) -> Draft:
    """A category over categories."""
    words = dict.fromkeys((*labels, *(word for each in held for word in each.keywords[:4])))
    return Draft(
        id=identity,
        name=name,
        layer=layer,
        facet=held[0].facet,
        keywords=list(words)[:MOST_KEYWORDS],
        children={each.id: 0.9 for each in held},
        vector=mean_of(np.stack([each.vector for each in held])),
        sources=sources_of(each.sources for each in held),
        key=held[0].key,
    )


def joined(
    drafts: Sequence[Draft], names: Names, config: CategoryConfig, *, chinese: bool
) -> list[Draft]:
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
    return [above(tops, f"category:{digest('what', 'all')}", name, layer, [])]
