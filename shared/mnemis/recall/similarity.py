"""Route 1, similarity: nearest neighbours and words over every node kind, then one hop of
diffusion to what stands beside a match. Gathers candidates; ranking comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import TypeAlias

from mnemis.config import RecallConfig
from mnemis.model.change import EntryKind, Vector
from mnemis.model.filter import Filter
from mnemis.model.graph import Edge
from mnemis.ports.store import Matches, View
from mnemis.recall.leads import Feature, Leads

_TURN_KINDS: tuple[EntryKind, ...] = ("turn", "part")
_FACTS = 30
_EPISODES = 4
_SPREAD = 24  # best direct matches whose neighbours join
_KEEP = 0.5  # what a hop of diffusion keeps
_NEXT = 0.8  # of that, for a mere neighbour (1 for a reply)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question of the query, ready to search with."""

    tokens: tuple[str, ...]
    vector: Vector | None


def gather(
    view: View, probe: Probe, *, config: RecallConfig, where: Filter | None
) -> tuple[Leads, ...]:
    """Turns with a path each: matched themselves, beside a match, or through a fact or episode
    that matched. A turn may come by several paths.
    """
    skip = config.skip_types
    direct = _direct(view, probe, config=config, where=where)
    turns, scores = list(direct), list(direct.values())
    least = nlargest(_SPREAD, scores)[-1:]
    best = sorted((-score, turn) for turn, score in direct.items() if score >= least[0])
    return (
        Leads(route="similarity", feature="similarity", turns=turns, scores=scores),
        *_through_facts(view, probe, where=where, skip=skip),
        *_through_episodes(view, probe, skip=skip),
        *_beside(view, {turn: -lost for lost, turn in best[:_SPREAD]}, skip=skip),
    )


def normalised(lists: Iterable[Matches]) -> dict[str, float]:
    """Owner → score in [0, 1]: each list divided by its best, an owner keeps its best."""
    scores: dict[str, float] = {}
    for matches in lists:
        top = max(matches.scores, default=0.0)
        if top <= 0:
            continue
        for owner, score in zip(matches.owners, matches.scores, strict=True):
            share, known = score / top, scores.get(owner, 0.0)
            scores[owner] = share if share > known else known
    return scores


def reciprocal(lists: Iterable[Matches], *, k: int) -> dict[str, float]:
    """Owner → score in [0, 1]: reciprocal ranks (Cormack et al. 2009) summed over the lists, as a
    share of being first in all of them.
    """
    scores: dict[str, float] = {}
    count = 0
    for matches in lists:
        count += 1
        for rank, owner in enumerate(dict.fromkeys(matches.owners)):
            scores[owner] = scores.get(owner, 0.0) + (k + 1) / (k + 1 + rank)
    return {owner: score / count for owner, score in scores.items()}


def _direct(
    view: View, probe: Probe, *, config: RecallConfig, where: Filter | None
) -> dict[str, float]:
    meaning: list[Matches] = []
    words: list[Matches] = []
    for kind in _TURN_KINDS:
        limit = config.candidates
        if probe.vector is not None:
            meaning.append(view.nearest(probe.vector, k=limit, kinds=(kind,), where=where))
        if probe.tokens:
            words.append(view.search(probe.tokens, k=limit, kinds=(kind,), where=where))
    if config.fusion == "rrf":
        return reciprocal((*meaning, *words), k=config.rrf_k)
    direct = {turn: 0.5 * score for turn, score in normalised(meaning).items()}
    for turn, score in normalised(words).items():
        direct[turn] = direct.get(turn, 0.0) + 0.5 * score
    return direct


def _through_facts(
    view: View, probe: Probe, *, where: Filter | None, skip: Sequence[str]
) -> tuple[Leads, ...]:
    if "supports" in skip:
        return ()
    scores = _nodes_like(view, probe, kind="fact", k=_FACTS, where=where)
    return (_down(view, scores, edge_type="supports", limit=4, feature="fact"),)


def _through_episodes(view: View, probe: Probe, *, skip: Sequence[str]) -> tuple[Leads, ...]:
    if "belongs_to" in skip:
        return ()
    scores = _nodes_like(view, probe, kind="episode", k=_EPISODES, where=None)
    return (_down(view, scores, edge_type="belongs_to", limit=16, feature="similarity"),)


def _nodes_like(
    view: View, probe: Probe, *, kind: EntryKind, k: int, where: Filter | None
) -> dict[str, float]:
    lists: list[Matches] = []
    if probe.vector is not None:
        lists.append(view.nearest(probe.vector, k=k, kinds=(kind,), where=where))
    if probe.tokens:
        lists.append(view.search(probe.tokens, k=k, kinds=(kind,), where=where))
    return normalised(lists)


def _down(
    view: View, scores: Mapping[str, float], *, edge_type: str, limit: int, feature: Feature
) -> Leads:
    """From matched facts or episodes to the turns they rest on."""
    links = view.neighbours(list(scores), types=(edge_type,), direction="in", limit=limit)
    nodes = view.get(list(scores))
    steps = [
        (seed, link.source, link)
        for seed, touching in links.items()
        if seed in nodes and nodes[seed].status != "archived"
        for link in touching
        if link.source.startswith("turn:")
    ]
    return _stepped(steps, scores, feature=feature, keep=_KEEP)


def _beside(view: View, scores: Mapping[str, float], *, skip: Sequence[str]) -> list[Leads]:
    """Turns before, after, asked, answered, causing or caused by the best matches."""
    types = [name for name in ("next", "answers", "causes") if name not in skip]
    if not types or not scores:
        return []
    links = view.neighbours(list(scores), types=types, direction="both")
    steps: dict[str, list[_Step]] = {name: [] for name in types}
    for seed, touching in links.items():
        for link in touching:
            turn = link.target if link.source == seed else link.source
            steps[link.type].append((seed, turn, link))
    return [
        _stepped(
            each,
            scores,
            feature="cause" if name == "causes" else "similarity",
            keep=_KEEP * _NEXT if name == "next" else _KEEP,
        )
        for name, each in steps.items()
    ]


_Step: TypeAlias = tuple[str, str, Edge]
"""A seed, a turn one step away from it, and the edge between them."""


def _stepped(
    steps: Sequence[_Step], scores: Mapping[str, float], *, feature: Feature, keep: float
) -> Leads:
    """One step from the seeds, which keeps so much of their scores."""
    return Leads(
        route="similarity",
        feature=feature,
        turns=[turn for _, turn, _ in steps],
        scores=[scores[seed] * keep for seed, _, _ in steps],
        ways=[(((seed, None),), link) for seed, _, link in steps],
    )
