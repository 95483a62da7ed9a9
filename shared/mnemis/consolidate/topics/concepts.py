"""Clustering of episodes under the concepts that they share. Pure functions on frozen values.

A concept is a keyword that several episodes have; concepts are chosen greedily so that they cover
the episodes, alike ones are merged, and what no concept covers is grouped by vectors. All bars
are relative to the memory's own distribution.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mnemis.consolidate.rules.lexicon_themes import names_theme, theme_of
from mnemis.consolidate.topics.keywords import phrase_key

Rows = npt.NDArray[np.float32]

_ALIKE: Final = 0.5
_WHOLE: Final = 1.0
_PART: Final = 0.75
_ROUNDS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What is put under concepts: keywords best first."""

    id: str
    keywords: tuple[str, ...]
    themes: Mapping[int, str] = field(default_factory=dict[int, str])


@dataclass(slots=True)
class Concept:
    """``labels`` best first (as written), ``members`` maps item index to its share in (0, 1],
    ``words`` are more words for the same matter."""

    labels: list[str]
    members: dict[int, float] = field(default_factory=dict[int, float])
    words: list[str] = field(default_factory=list[str])


def concepts(
    items: Sequence[Item], vectors: Rows, *, parents: int, smallest: int, excluded: Set[str]
) -> list[Concept]:
    """Overlapping groups such that every item is in 1 to ``parents`` of them.

    ``vectors`` has a unit row an item (zeros where unknown). ``excluded`` are phrase keys that may
    not be concepts (people). A group has at least ``smallest`` items unless there are fewer.
    """
    if not items:
        return []
    postings, spelling = _postings(items, excluded)
    chosen = _cover(postings, spelling, len(items), smallest, parents, vectors)
    _keep_best(chosen, parents)
    chosen = [each for each in chosen if len(each.members) >= smallest]
    _shelter(items, vectors, chosen, smallest, excluded)
    return chosen


def _postings(
    items: Sequence[Item], excluded: Set[str]
) -> tuple[dict[str, dict[int, float]], dict[str, _Label]]:
    """For each key its items with weights; a word inside a phrase counts less than the phrase."""
    whole: dict[str, dict[int, float]] = defaultdict(dict)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    parts: list[tuple[int, str, float]] = []
    for index, item in enumerate(items):
        for place, keyword in enumerate(item.keywords):
            key = phrase_key(keyword)
            weight = 1.0 / (1.0 + 0.08 * place)
            theme = theme_of(key) if key else None
            if theme is not None:
                _add_theme(whole, written, index, theme, keyword, weight)
            if not key or key in excluded or theme is not None:
                continue
            whole[key][index] = max(whole[key].get(index, 0.0), _WHOLE * weight)
            written[key][keyword] += 1
            words = (
                keyword.split()
                if key.isascii()
                else [key[:2], key[-2:], key[-3:]]
                if len(key) > 3
                else []
            )
            if len(words) > 1:
                for word in words:
                    parts.append((index, word, _PART * weight))
        for spoken, text in item.themes.items():
            for said in text.split() or [""]:
                _add_theme(whole, written, index, spoken, said, 0.7)
    for index, word, weight in parts:
        key = phrase_key(word)
        if (
            key
            and key not in excluded
            and theme_of(key) is None
            and (key in whole or key.isascii())
        ):
            whole[key][index] = max(whole[key].get(index, 0.0), weight)
            written[key][word] += 1
    named = {
        key: _theme_label(seen)
        if key.startswith(_THEME)
        else _Label(labels=(min(seen, key=lambda text: (-seen[text], text)),))
        for key, seen in written.items()
        if seen
    }
    return whole, named


@dataclass(frozen=True, slots=True, kw_only=True)
class _Label:
    """How a concept is called, and its further words."""

    labels: tuple[str, ...]
    words: tuple[str, ...] = ()


_THEME: Final = "theme "


def _add_theme(
    whole: dict[str, dict[int, float]],
    written: dict[str, Counter[str]],
    index: int,
    theme: int,
    word: str,
    weight: float,
) -> None:
    key = f"{_THEME}{theme}"
    whole[key][index] = max(whole[key].get(index, 0.0), weight)
    if word:
        written[key][word] += 1


def _theme_label(seen: Counter[str]) -> _Label:
    """The one or two words used most, of the language used most; the others stay findable."""
    chinese = sum(count for word, count in seen.items() if not word.isascii())
    most = chinese * 2 > sum(seen.values())
    ordered = sorted(seen, key=lambda word: (not names_theme(word), -seen[word], word))
    tongue = [word for word in ordered if word.isascii() != most]
    first = tongue[0]
    other = next(
        (
            word
            for word in tongue[1:]
            if phrase_key(word) != phrase_key(first) and word not in first and first not in word
        ),
        None,
    )
    paired = other is not None and seen[other] * 3 >= seen[first] and names_theme(other)
    labels = (first, other) if other is not None and paired else (first,)
    return _Label(labels=labels, words=tuple(word for word in ordered if word not in labels)[:8])


def _cover(
    postings: Mapping[str, dict[int, float]],
    spelling: Mapping[str, _Label],
    count: int,
    smallest: int,
    parents: int,
    vectors: Rows,
) -> list[Concept]:
    """Greedy weighted cover with a lazy heap: the key that adds most is taken next."""
    widest = max(4, round(count * 0.25))
    cohesion = _Cohesion(vectors)
    factor = {
        key: math.log1p(count / len(found)) * cohesion.of(tuple(found))
        for key, found in postings.items()
        if key in spelling
        and smallest <= len(found) <= (2 * widest if key.startswith(_THEME) else widest)
    }
    covered = np.zeros(count)

    def gain(key: str) -> float:
        fresh = sum(
            weight * (1.0 if covered[i] == 0 else 0.35 if covered[i] < parents else 0.0)
            for i, weight in postings[key].items()
        )
        return fresh * factor[key]

    heap = [(-gain(key), key) for key in sorted(factor)]
    heapq.heapify(heap)
    chosen: list[Concept] = []
    most = max(1, count // 2)
    bar = 0.0
    while heap and len(chosen) < most:
        value, key = heapq.heappop(heap)
        now = gain(key)
        if now < -value - 1e-9:
            if now > bar:
                heapq.heappush(heap, (-now, key))
            continue
        members = postings[key]
        if not chosen:
            bar = now * 0.12
        if now <= bar or (sum(covered[i] == 0 for i in members) == 0 and now <= 3 * bar):
            continue
        twin = next((each for each in chosen if _overlap(each.members, members) >= _ALIKE), None)
        if twin is not None:
            _merge(twin, spelling[key].labels[0], members)
        else:
            label = spelling[key]
            chosen.append(
                Concept(labels=list(label.labels), words=list(label.words), members=dict(members))
            )
        for index in members:
            covered[index] += 1
    return chosen


class _Cohesion:
    """How alike a group is, against the whole: .5 as loose as everything, up to 1.5."""

    def __init__(self, vectors: Rows) -> None:
        self._vectors = vectors
        sample = vectors[:: max(1, len(vectors) // 512)]
        self._base = _tightness(sample)

    def of(self, members: Sequence[int]) -> float:
        tight = _tightness(self._vectors[list(members[:64])])
        span = max(1e-6, 1.0 - self._base)
        return 0.5 + min(1.0, max(0.0, (tight - self._base) / span) * 2.0)


def _tightness(rows: Rows) -> float:
    """Mean cosine of pairs, from the length of the mean vector."""
    count = len(rows)
    if count < 2:
        return 0.0
    square = float(np.square(rows.sum(axis=0, dtype=np.float64)).sum())
    return max(0.0, (square - count) / (count * (count - 1)))


def _overlap(first: Mapping[int, float], second: Mapping[int, float]) -> float:
    shared = len(first.keys() & second.keys())
    return shared / (len(first) + len(second) - shared) if shared else 0.0


def _merge(twin: Concept, label: str, members: Mapping[int, float]) -> None:
    key = phrase_key(label)
    if not any(key in phrase_key(each) or phrase_key(each) in key for each in twin.labels):
        twin.labels.append(label)
    for index, weight in members.items():
        twin.members[index] = max(weight * 0.9, twin.members.get(index, 0.0))


def _keep_best(chosen: Sequence[Concept], parents: int) -> None:
    """An item stays in its ``parents`` strongest concepts."""
    held: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for place, concept in enumerate(chosen):
        for index, weight in concept.members.items():
            held[index].append((-weight, place))
    for index, found in held.items():
        for _, place in sorted(found)[parents:]:
            del chosen[place].members[index]


def _shelter(
    items: Sequence[Item], vectors: Rows, chosen: list[Concept], smallest: int, excluded: Set[str]
) -> None:
    """Items without a concept go to the nearest one, or form groups of their own by vectors."""
    taken = {index for concept in chosen for index in concept.members}
    left = [index for index in range(len(items)) if index not in taken]
    if not left:
        return
    if chosen:
        centres = np.stack([_centre(vectors, list(concept.members)) for concept in chosen])
        inside = [
            float(np.median(vectors[list(concept.members)] @ centre))
            for concept, centre in zip(chosen, centres, strict=True)
        ]
        scores = vectors[left] @ centres.T
        rest: list[int] = []
        for row, index in enumerate(left):
            best = int(np.argmax(scores[row] / np.maximum(inside, 1e-6)))
            if scores[row, best] >= 0.7 * inside[best]:
                chosen[best].members[index] = 0.4
            else:
                rest.append(index)
        left = rest
    if len(left) >= 2 * smallest:
        chosen.extend(_by_vectors(items, vectors, left, smallest, excluded))
    elif left and chosen:
        centres = np.stack([_centre(vectors, list(concept.members)) for concept in chosen])
        for index in left:
            chosen[int(np.argmax(centres @ vectors[index]))].members[index] = 0.3
    elif left:
        chosen.append(_group(items, left, excluded))


def _by_vectors(
    items: Sequence[Item], vectors: Rows, left: Sequence[int], smallest: int, excluded: Set[str]
) -> list[Concept]:
    """Spherical k-means with evenly placed seeds; groups that are too small join the nearest."""
    rows = vectors[list(left)]
    size = max(1, min(len(left) // max(smallest, 4), round(math.sqrt(len(left)))))
    centres = rows[np.linspace(0, len(rows) - 1, size).astype(int)].copy()
    where = np.zeros(len(rows), dtype=int)
    for _ in range(_ROUNDS):
        where = np.argmax(rows @ centres.T, axis=1)
        for place in range(size):
            if np.any(where == place):
                centres[place] = _centre(rows, np.flatnonzero(where == place).tolist())
    kept = [place for place in range(size) if np.count_nonzero(where == place) >= smallest] or [0]
    where = np.asarray(kept)[np.argmax(rows @ centres[kept].T, axis=1)]
    groups = [[left[int(row)] for row in np.flatnonzero(where == place)] for place in kept]
    return [_group(items, group, excluded) for group in groups if group]


def _group(items: Sequence[Item], members: Sequence[int], excluded: Set[str]) -> Concept:
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for index in members:
        for place, keyword in enumerate(items[index].keywords[:5]):
            key = phrase_key(keyword)
            if key not in excluded:
                written.setdefault(key, keyword)
                counts[key] += 10 - place
    best = sorted(counts, key=lambda key: (-counts[key], key))[:2]
    return Concept(labels=[written[key] for key in best], members=dict.fromkeys(members, 0.5))


def _centre(vectors: Rows, members: Sequence[int]) -> Rows:
    total = vectors[members].sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length > 0 else total, dtype=np.float32)


def groups_of(vectors: Rows, overlaps: Rows, *, wanted: int, smallest: int) -> list[list[int]]:
    """Agglomerate rows into about ``wanted`` groups: Ward's method over each row's likeness
    (cosine and shared members) to all others, which keeps the groups of even size.
    """
    count = len(vectors)
    if count <= wanted or count < 2 * smallest:
        return [list(range(count))]
    from scipy.cluster import hierarchy  # pyright: ignore[reportMissingTypeStubs] no stubs

    scipy: Any = hierarchy
    near = 0.6 * np.clip(vectors @ vectors.T, 0, 1) + 0.4 * np.clip(overlaps, 0, 1)
    tree = scipy.linkage((near + near.T) / 2, method="ward")
    labels = scipy.fcluster(tree, t=wanted, criterion="maxclust").tolist()
    found: dict[int, list[int]] = defaultdict(list)
    for index, label in enumerate(labels):
        found[int(label)].append(index)
    large = [group for group in found.values() if len(group) >= smallest]
    if not large:
        return [list(range(count))]
    for group in found.values():
        if len(group) < smallest:
            for index in group:
                best = max(
                    range(len(large)),
                    key=lambda place: (float(near[index, large[place]].mean()), -place),
                )
                large[best].append(index)
    return sorted(sorted(group) for group in large)
