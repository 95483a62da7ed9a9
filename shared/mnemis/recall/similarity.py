"""Route 1, similarity: nearest neighbours and words over every node kind, then one hop of
diffusion to what stands beside a match. Gathers candidates; ranking comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mnemis.config import RecallConfig
from mnemis.model.change import EntryKind, Vector
from mnemis.model.filter import Filter
from mnemis.model.graph import Edge
from mnemis.model.query import Found
from mnemis.ports.store import Matches, View

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
) -> tuple[Found, ...]:
    """Turns with a path each: matched themselves, beside a match, or through a fact or episode
    that matched. Best first; a turn may come by several paths.
    """
    skip = config.skip_types
    direct = _direct(view, probe, config=config, where=where)
    found = [Found(turn=turn, route="similarity", score=score) for turn, score in direct.items()]
    found.extend(_through_facts(view, probe, where=where, skip=skip))
    found.extend(_through_episodes(view, probe, skip=skip))
    best = sorted(direct.items(), key=lambda item: (-item[1], item[0]))[:_SPREAD]
    found.extend(_beside(view, dict(best), skip=skip))
    found.sort(key=_best_first)
    return tuple(found)


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
    by_meaning, by_words = normalised(meaning), normalised(words)
    return {
        turn: 0.5 * by_meaning.get(turn, 0.0) + 0.5 * by_words.get(turn, 0.0)
        for turn in dict.fromkeys([*by_meaning, *by_words])
    }


def _through_facts(
    view: View, probe: Probe, *, where: Filter | None, skip: Sequence[str]
) -> list[Found]:
    if "supports" in skip:
        return []
    scores = _nodes_like(view, probe, kind="fact", k=_FACTS, where=where)
    return _down(view, scores, edge_type="supports", limit=4)


def _through_episodes(view: View, probe: Probe, *, skip: Sequence[str]) -> list[Found]:
    if "belongs_to" in skip:
        return []
    scores = _nodes_like(view, probe, kind="episode", k=_EPISODES, where=None)
    return _down(view, scores, edge_type="belongs_to", limit=16)


def _nodes_like(
    view: View, probe: Probe, *, kind: EntryKind, k: int, where: Filter | None
) -> dict[str, float]:
    lists: list[Matches] = []
    if probe.vector is not None:
        lists.append(view.nearest(probe.vector, k=k, kinds=(kind,), where=where))
    if probe.tokens:
        lists.append(view.search(probe.tokens, k=k, kinds=(kind,), where=where))
    return normalised(lists)


def _down(view: View, scores: Mapping[str, float], *, edge_type: str, limit: int) -> list[Found]:
    """From matched facts or episodes to the turns they rest on."""
    links = view.neighbours(list(scores), types=(edge_type,), direction="in", limit=limit)
    nodes = view.get(list(scores))
    found: list[Found] = []
    for seed, touching in links.items():
        if seed in nodes and nodes[seed].status != "archived":
            turns = [link for link in touching if link.source.startswith("turn:")]
            found.extend(_hops(seed, turns, scores[seed] * _KEEP))
    return found


def _beside(view: View, scores: Mapping[str, float], *, skip: Sequence[str]) -> list[Found]:
    """Turns before, after, asked, answered, causing or caused by the best matches."""
    types = [name for name in ("next", "answers", "causes") if name not in skip]
    if not types or not scores:
        return []
    links = view.neighbours(list(scores), types=types, direction="both")
    found: list[Found] = []
    for seed, touching in links.items():
        mere = [link for link in touching if link.type == "next"]
        others = [link for link in touching if link.type != "next"]
        found.extend(_hops(seed, mere, scores[seed] * (_KEEP * _NEXT)))
        found.extend(_hops(seed, others, scores[seed] * _KEEP))
    return found


def _best_first(found: Found) -> tuple[float, str]:
    return (-found.score, found.turn)


def _hops(seed: str, links: Iterable[Edge], score: float) -> list[Found]:
    """One step from a seed along each edge."""
    before = ((seed, None),)
    return [
        Found(
            turn=link.target if link.source == seed else link.source,
            route="similarity",
            score=score,
            before=before,
            edge=link,
        )
        for link in links
    ]
