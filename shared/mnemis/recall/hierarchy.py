"""Route 2, hierarchy (System 2): a best-first walk down the category layers.

One priority queue holds every open branch. A branch's priority is what its path has gathered; it
is dropped below ``prune`` of the best seen or beyond ``depth``. Where a walk ends in episodes and
entities, *all* their turns come back: that is what similarity alone misses.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.model.change import Vector
from mnemis.model.graph import Category, Edge, Node, Turn
from mnemis.model.query import Walk
from mnemis.ports.store import View
from mnemis.recall.leads import Leads
from mnemis.text.tokenise import content_tokens

_INHERIT = 0.4  # how much of a branch's priority comes from its parents
_MEMBERS = 40  # turns taken from one episode or entity
_LEAVES = 12  # episodes and entities that a walk may end in
_ALL_LEAVES = 30  # the same when the whole topic is wanted
_EXPANSIONS = 60
_MEMBER = 0.3  # what mere membership counts of a leaf's priority; the rest is the turn's own fit
_SHARES = (
    (0, 1.0),
    (-1, 0.8),
    (1, 0.8),
    (-2, 0.6),
    (2, 0.6),
)  # of the fit beside it, by turns away


@dataclass(frozen=True, slots=True, kw_only=True)
class Matcher:
    """How well graph nodes fit the query, on one scale in [0, 1]."""

    tokens: tuple[str, ...]
    vector: Vector | None

    def match(self, view: View, nodes: Sequence[Node]) -> dict[str, float]:
        """Half meaning (cosine, floor at 0), half words (share of the query's idf mass)."""
        scores: dict[str, float] = {}
        for kind in ("category", "episode", "entity"):
            ids = [node.id for node in nodes if node.kind == kind]
            if not ids:
                continue
            raw = view.score(ids, kind=kind, tokens=self.tokens, vector=self.vector)
            blended = 0.5 * np.clip(raw.similarity, 0, 1) + 0.5 * raw.coverage
            scores.update(zip(ids, map(float, blended), strict=True))
        return scores


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Branch:
    rank: float  # minus the priority: heapq pops the smallest
    node: str
    depth: int
    walk: Walk = ()


def walk_hierarchy(
    view: View,
    matcher: Matcher,
    *,
    roots: Sequence[Category],
    depth: int,
    prune: float,
    skip: Sequence[str],
    everything: bool = False,
) -> tuple[Leads, ...]:
    """Turns under the categories that fit the query, each with its whole path;
    ``everything``: more branches are followed to their end, and turns complete each other's runs.
    """
    if "belongs_to" in skip or not roots:
        return ()
    most = _ALL_LEAVES if everything else _LEAVES
    leaves = _walk(view, matcher, roots=roots, depth=depth, prune=prune, most=most)
    return _collect(view, leaves, matcher, runs=everything)


def _walk(
    view: View, matcher: Matcher, *, roots: Sequence[Category], depth: int, prune: float, most: int
) -> list[_Branch]:
    fit = matcher.match(view, roots)
    queue = [
        _Branch(
            rank=-fit.get(root.id, 0.0),
            node=root.id,
            depth=0,
            walk=((root.id, None),),
        )
        for root in roots
    ]
    heapq.heapify(queue)
    best, leaves, seen, expanded = 0.0, list[_Branch](), set[str](), 0
    while queue and len(leaves) < most and expanded < _EXPANSIONS:
        branch = heapq.heappop(queue)
        if -branch.rank < prune * best or branch.node in seen:
            continue
        seen.add(branch.node)
        if not branch.node.startswith("category:"):
            best = max(best, -branch.rank)
            leaves.append(branch)
            continue
        expanded += 1
        if branch.depth < depth:
            for child in _children(view, matcher, branch):
                heapq.heappush(queue, child)
    return leaves


def _children(view: View, matcher: Matcher, branch: _Branch) -> list[_Branch]:
    links = view.neighbours([branch.node], types=("belongs_to",), direction="in")
    touching = links.get(branch.node, ())
    nodes: Mapping[str, Node] = view.get([link.source for link in touching])
    fit = matcher.match(view, list(nodes.values()))
    children: list[_Branch] = []
    for link in touching:
        node = nodes.get(link.source)
        if node is None or node.status == "archived":
            continue
        own = fit.get(node.id, 0.0)
        priority = _INHERIT * -branch.rank + (1 - _INHERIT) * own
        children.append(
            _Branch(
                rank=-priority,
                node=node.id,
                depth=branch.depth + 1,
                walk=(*branch.walk, (node.id, link.key)),
            )
        )
    return children


def _collect(
    view: View, leaves: Sequence[_Branch], matcher: Matcher, *, runs: bool
) -> tuple[Leads, ...]:
    links = view.neighbours(
        [leaf.node for leaf in leaves],
        types=("belongs_to", "mentions"),
        direction="in",
        limit=_MEMBERS,
    )
    members = {
        leaf.node: [each for each in links.get(leaf.node, ()) if each.source.startswith("turn:")]
        for leaf in leaves
    }
    by_topic: dict[str, list[_Branch]] = {}
    for leaf in leaves:
        topics = [node for node, _ in leaf.walk if node.startswith("category:")]
        by_topic.setdefault(topics[-1] if topics else "", []).append(leaf)
    best: dict[str, tuple[float, _Branch, Edge]] = {}
    for topic, under in by_topic.items():
        turns = {each.source for leaf in under for each in members[leaf.node]}
        fit = _topic_fit(view, topic, sorted(turns), matcher)
        for leaf in under:
            if runs and leaf.node.startswith("episode:"):
                fit = fit | _as_thread(view, [each.source for each in members[leaf.node]], fit)
        for leaf in under:
            for link in members[leaf.node]:
                turn = link.source
                score = min(1.0, -leaf.rank * (_MEMBER + (1 - _MEMBER) * fit[turn]))
                known = best.get(turn)
                if known is None or known[0] < score:
                    best[turn] = (score, leaf, link)
    return (
        Leads(
            route="hierarchy",
            feature="hierarchy",
            turns=list(best),
            scores=[score for score, _, _ in best.values()],
            ways=[(leaf.walk, link) for _, leaf, link in best.values()],
        ),
    )


def _as_thread(view: View, turns: Sequence[str], fit: Mapping[str, float]) -> dict[str, float]:
    """The fits of one episode's turns, each raised by the turns beside it: what is said of a
    matter comes in runs, and an answer or an afterthought seldom repeats what it is about.
    """
    nodes = view.get(turns)
    order = sorted((node.ordinal, key) for key, node in nodes.items() if isinstance(node, Turn))
    own = [fit[turn] for _, turn in order]
    return {
        turn: max(
            share * own[place + away] for away, share in _SHARES if 0 <= place + away < len(own)
        )
        for place, (_, turn) in enumerate(order)
    }


def _topic_fit(view: View, topic: str, turns: Sequence[str], matcher: Matcher) -> dict[str, float]:
    """How far each turn is about a topic, in [0, 1]: measured with the topic's own words and
    centre, so that a member is known by them in whatever words (or language) it speaks.
    """
    node = view.get([topic]).get(topic)
    words = node.keywords if isinstance(node, Category) else ()
    tokens = tuple(dict.fromkeys([*matcher.tokens, *(t for w in words for t in content_tokens(w))]))
    centre = view.vectors([topic]).get(topic, matcher.vector)
    raw = view.score(turns, kind="turn", tokens=tokens, vector=centre)
    fit = np.clip(raw.similarity, 0, 1) + raw.coverage
    top = float(fit.max(initial=0.0)) or 1.0
    return dict(zip(turns, map(float, fit / top), strict=True))
