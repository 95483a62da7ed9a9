"""Categories when members go: renamed from what stays, or gone with their last member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mnemis.care.removing import Removing
from mnemis.care.words import clean_metadata, holds, words_of
from mnemis.consolidate.resolve import capped
from mnemis.consolidate.topics.placing import entry_of
from mnemis.model.change import Vector
from mnemis.model.graph import Category, Entity, Episode, Node
from mnemis.recall.labels import day_of

_LABELS = 2


def clean_categories(work: Removing) -> None:
    """Decide on every category above what goes or changes, lower layers first."""
    above = _above(work)
    work.load(above)
    held = work.view.neighbours(sorted(above), types=("belongs_to",), direction="in")
    members = {key: [edge.source for edge in held.get(key, ())] for key in above}
    work.load(each for found in members.values() for each in found)
    found = [work.nodes[key] for key in sorted(above) if key in work.nodes]
    order = [node for node in found if isinstance(node, Category)]
    order.sort(key=lambda node: (node.layer, node.id))
    dirty = {category.id for category in order}
    for category in order:
        _clean(work, category, members[category.id], dirty)
        dirty.discard(category.id)
    _drop_empty(work, members)


def _above(work: Removing) -> set[str]:
    """Ids of all categories reached upward; a cycle ends where it began."""
    seen = {key for key, node in work.nodes.items() if isinstance(node, Category)}
    frontier = [*work.deleted, *work.rewritten, *seen]
    while frontier:
        near = work.view.neighbours(frontier, types=("belongs_to",), direction="out")
        found = {edge.target for edges in near.values() for edge in edges}
        frontier = sorted(each for each in found - seen if each.startswith("category:"))
        seen.update(frontier)
    return seen


def _clean(work: Removing, category: Category, members: Sequence[str], dirty: set[str]) -> None:
    inside = [node for each in members if (node := work.now(each)) is not None]
    if not inside:
        work.delete([category.id])
        work.reshaped = True
        return
    kept = work.kept(category.sources)
    if category.sources and not kept:
        kept = capped(tuple(dict.fromkeys(s for node in inside for s in work.kept(node.sources))))
    said = words_of(text for node in inside if node.id not in dirty for text in _labels(node))
    lost = work.forgotten - said
    changed = replace(
        category,
        sources=kept,
        keywords=tuple(word for word in category.keywords if not holds([word], lost)),
        metadata=clean_metadata(category.metadata, lost),
    )
    if holds([category.name], lost):
        changed = replace(changed, name=_name(changed, inside, lost))
    if holds([category.text], lost) or changed.name != category.name:
        changed = replace(changed, text=f"{changed.name}: {', '.join(changed.keywords[:8])}")
    if changed == category and not any(each in work.deleted for each in members):
        return
    work.reshaped = True
    work.rewrite(changed, text=None)
    vector = _centre(work.view.vectors([node.id for node in inside if node.id not in work.texts]))
    work.entries.append(entry_of(changed, vector))


def _name(category: Category, inside: Sequence[Node], lost: frozenset[str]) -> str:
    labels = [*category.keywords]
    named = [node.name for node in inside if isinstance(node, Entity | Category)]
    labels += [name for name in named if not holds([name], lost)]
    chosen = list(dict.fromkeys(labels))[:_LABELS]
    if not chosen:
        return "其他" if category.language == "zh" else "Other"
    return ("、" if category.language == "zh" else ", ").join(chosen)


def _labels(node: Node) -> list[str]:
    """What a member says for itself, and the month that it is filed under."""
    texts = [node.text]
    if isinstance(node, Entity | Category):
        texts.append(node.name)
    if isinstance(node, Entity):
        texts += node.aliases
    if isinstance(node, Episode | Category):
        texts += node.keywords
    if isinstance(node, Episode):
        texts.append(node.title)
    if node.time is not None:
        texts += [day_of(node.time, "en"), day_of(node.time, "zh")]
    return texts


def _drop_empty(work: Removing, members: Mapping[str, Sequence[str]]) -> None:
    """What no memory lies beneath goes, a ring of categories that hold only each other too."""
    above: dict[str, list[str]] = {}
    for key, inside in members.items():
        for each in inside:
            above.setdefault(each, []).append(key)
    grounded = [each for each in above if each not in members and work.now(each) is not None]
    seen = set(grounded)
    while grounded:
        for key in above.get(grounded.pop(), ()):
            if key not in seen and key not in work.deleted:
                seen.add(key)
                grounded.append(key)
    empty = sorted(members.keys() - seen - work.deleted.keys())
    work.delete(empty)
    work.reshaped = work.reshaped or bool(empty)


def _centre(vectors: Mapping[str, Vector]) -> Vector | None:
    if not vectors:
        return None
    total = np.sum([vectors[key] for key in sorted(vectors)], axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, dtype=np.float32) if length > 0 else None
