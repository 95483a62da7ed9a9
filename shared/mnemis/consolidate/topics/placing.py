"""Where new episodes and entities go: beneath the best parents, or, when enough is new, in a
hierarchy built anew. Rebuilding at each growth by a twelfth keeps the cost a turn flat.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

import numpy as np

from mnemis.config import CategoryConfig, Config
from mnemis.consolidate.extract import FILLER
from mnemis.consolidate.report import ConsolidationReport
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.topics.attach import attach
from mnemis.consolidate.topics.categorise import Hierarchy, categorise
from mnemis.model.change import Change, IndexEntry, Vector
from mnemis.model.graph import Category, Edge, EdgeKey, Entity, Episode, Node
from mnemis.model.marks import carry_marks
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import View
from mnemis.text.tokenise import tokenise

_GROWTH: Final = 12
_FIXED: Final = "fixed"


def place_categories(
    view: View, *, config: Config, embedder: Embedder
) -> tuple[Change, ConsolidationReport] | None:
    """The change that brings the hierarchy up to date; None when nothing is new.

    A category whose ``metadata["fixed"]`` is true keeps its name and members; ids in the state
    ``rejected_categories`` (a JSON list) are never made again.
    """
    fresh = _fresh(view)
    if not fresh:
        return None
    clustered = int(view.state("clustered") or "0")
    episodes = int(view.stats().nodes.get("episode", 0))
    if abs(episodes - clustered) >= max(1, clustered // _GROWTH):
        return _rebuild(view, config.categories, embedder.fingerprint.dimension, episodes)
    return _attach(view, fresh, config.categories)


def needs_place(episode: Episode) -> bool:
    """Whether an episode holds more than filler."""
    density = episode.metadata.get("density")
    return bool(episode.keywords) and (not isinstance(density, float) or density > FILLER / 2)


def _fresh(view: View) -> list[str]:
    """Episodes and entities written since the hierarchy was last brought up to date, and parents
    of what was deleted since.
    """
    since = int(view.state("placed") or "0")
    ids: dict[str, None] = {}
    for record in view.changes(since):
        if record.purpose != "categorise":
            ids.update(dict.fromkeys((*record.nodes, *record.deleted)))
    return [each for each in ids if each.startswith(("episode:", "entity:"))]


def _rebuild(
    view: View, config: CategoryConfig, dimension: int, count: int
) -> tuple[Change, ConsolidationReport]:
    episodes = [n for n in view.scan("episode") if isinstance(n, Episode) and needs_place(n)]
    entities = {n.id: n for n in view.scan("entity") if isinstance(n, Entity)}
    vectors = view.vectors([each.id for each in episodes])
    built = categorise(episodes, vectors, entities, config=config, dimension=dimension)
    old = {n.id: n for n in view.scan("category") if isinstance(n, Category)}
    fixed = {each for each, node in old.items() if node.metadata.get(_FIXED)}
    rejected = set(cast("list[str]", json.loads(view.state("rejected_categories") or "[]")))
    kept = [_with_decision(each, old) for each in built.categories if each.id not in rejected]
    ids = {each.id for each in kept}
    edges = {
        each.key: each for each in built.edges if each.target in ids and _stands(each, ids, fixed)
    }
    gone = tuple(sorted(each for each in old if each not in ids and each not in fixed))
    change = Change(
        id=f"categorise-{view.seq}-{digest(*sorted(ids), *gone)}",
        purpose="categorise",
        nodes=tuple(each for each in kept if each != old.get(each.id)),
        edges=tuple(edges.values()),
        entries=tuple(entry_of(each, built.vectors.get(each.id)) for each in kept),
        delete_nodes=gone,
        delete_edges=_stale(
            view, [each for each in old if each in ids and each not in fixed], edges
        ),
        state={"placed": str(view.seq), "clustered": str(count)},
        read_versions=dict(
            view.versions([*old, *(each.id for each in kept if each.id not in old)])
        ),
    )
    report = ConsolidationReport(
        categories=sum(each.id not in old for each in kept), warnings=_warnings(built, kept)
    )
    return change, report


def _stands(edge: Edge, ids: set[str], fixed: set[str]) -> bool:
    if edge.target in fixed:
        return False
    return not edge.source.startswith("category:") or edge.source in ids or edge.source in fixed


def _with_decision(category: Category, old: Mapping[str, Category]) -> Category:
    before = old.get(category.id)
    if before is None or not before.metadata.get(_FIXED):
        return carry_marks(category, before)
    return replace(
        category,
        name=before.name,
        text=before.text,
        metadata={**category.metadata, **before.metadata},
    )


def _stale(view: View, kept: Sequence[str], edges: Mapping[EdgeKey, Edge]) -> tuple[EdgeKey, ...]:
    """Memberships of categories that stay, in which they no longer have the member."""
    held = view.neighbours(kept, types=["belongs_to"], direction="in")
    return tuple(sorted({e.key for found in held.values() for e in found if e.key not in edges}))


def _attach(
    view: View, fresh: Sequence[str], config: CategoryConfig
) -> tuple[Change, ConsolidationReport]:
    nodes: Mapping[str, Node] = view.get(fresh)
    parents = view.neighbours(list(nodes), types=["belongs_to"], direction="out")
    lone = [
        node
        for node in nodes.values()
        if not parents.get(node.id) and (not isinstance(node, Episode) or needs_place(node))
    ]
    made = attach(view, lone, config=config)
    change = Change(
        id=f"categorise-{view.seq}-{digest(*sorted(node.id for node in lone))}",
        purpose="categorise",
        nodes=made.categories,
        edges=made.edges,
        entries=tuple(entry_of(each, made.vectors.get(each.id)) for each in made.categories),
        state={"placed": str(view.seq)},
        read_versions=dict(
            view.versions([*(n.id for n in lone), *(c.id for c in made.categories)])
        ),
    )
    return change, ConsolidationReport(categories=made.created)


def entry_of(category: Category, vector: Vector | None) -> IndexEntry:
    """How a category is found: by its name and keywords, and by its centroid."""
    terms = [*tokenise(category.name), *(t for word in category.keywords for t in tokenise(word))]
    usable = vector is not None and bool(np.any(vector))
    return IndexEntry(
        id=category.id,
        kind="category",
        owner=category.id,
        sources=category.sources,
        terms=tuple(terms[:160]),
        vector=vector if usable else None,
    )


def _warnings(built: Hierarchy, kept: Sequence[Category]) -> tuple[str, ...]:
    dropped = len(built.categories) - len(kept)
    return (f"{dropped} rejected categories were not made again",) if dropped else ()
