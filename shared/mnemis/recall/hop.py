"""The second hop of a question: what a good hit names leads to other turns that name it.

Evidence for "the author of X's birthplace" lies in two texts: one names the bridge, the other is
about it. Along ``mentions`` edges: turn → thing → turn. Among passages a mention of full weight
says that one is *about* the thing (its title); lighter ones only name it, as people do when they
talk ("the nurse" in May is "Beth" in June, and Beth retires in July).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

import numpy as np

from mnemis.model.graph import Edge, Entity, Fact
from mnemis.model.query import Found
from mnemis.ports.store import Floats, View
from mnemis.recall.evidence import Field
from mnemis.recall.similarity import Probe
from mnemis.recall.weights import Weights
from mnemis.text.normalise import fold

SUBJECT = 0.999  # weight from which a mention says what the passage is about
_NAMES = 64  # things looked at per hit
_RARE = 8  # a name in more passages than this leads nowhere in particular
_RARE_IN_TALK = 5  # the same for turns of people who talk
_KEEP = 0.5  # of a bridge's strength the score of its path
_KEEP_IN_TALK = 0.1  # the same: paths from what the query itself names tell more


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """``source`` (a good hit) leads to ``target`` with ``strength`` (in weights' units)."""

    source: str
    target: str
    strength: float
    found: Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """What names add: a lift per turn (among passages), and bridges between turns."""

    lifts: Mapping[str, float] = dataclass_field(default_factory=dict[str, float])
    bridges: tuple[Bridge, ...] = ()

    def lift(self, field: Field) -> Floats:
        """One number a row."""
        lifted = np.zeros(len(field.ids), dtype=np.float32)
        if self.lifts:
            rows = field.rows(tuple(self.lifts))
            there = rows >= 0
            lifted[rows[there]] = np.fromiter(self.lifts.values(), dtype=np.float32)[there]
        return lifted

    def from_source(self) -> dict[str, list[tuple[str, float]]]:
        """Targets with their strength by source."""
        grouped: dict[str, list[tuple[str, float]]] = {}
        for bridge in self.bridges:
            grouped.setdefault(bridge.source, []).append((bridge.target, bridge.strength))
        return grouped


def bridges(
    view: View,
    hits: Sequence[str],
    *,
    asked: frozenset[str],
    weights: Weights,
    probe: Probe | None = None,
    talk: float = 0.0,
) -> tuple[Bridge, ...]:
    """From each hit through the things it mentions, but those in ``asked``, to other turns.

    Among passages, with ``probe``, a thing counts for more when a fact of the hit about it fits
    the question: of all the people that a film's passage names, the one who directed it. Where
    people ``talk`` with each other (above 0, at most 1), which has no titles, rare names lead on
    from the ``hits``, best first, to what is not a better one of them.
    """
    out = view.neighbours(hits, types=("mentions",), direction="out", limit=_NAMES)
    things = sorted({e.target for edges in out.values() for e in edges} - asked)
    into = view.neighbours(things, types=("mentions",), direction="in", limit=_NAMES)
    told = _told_of(view, out, probe) if probe is not None and weights.hop_fact and not talk else {}
    keep = _KEEP_IN_TALK if talk else _KEEP
    rank, last = {hit: place for place, hit in enumerate(hits)}, len(hits)
    crossed: dict[tuple[str, str], tuple[float, Edge, Edge]] = {}
    for hit, edges in out.items():
        named = [e for e in edges if e.target not in asked and e.weight < SUBJECT]
        titled = sum(bool(_about(into.get(e.target, ()), hit)) for e in named)
        for first in edges:
            touching = [e for e in into.get(first.target, ()) if e.source.startswith("turn:")]
            gain = 1 + weights.hop_fact * told.get((hit, first.target), 0.0) ** 2
            leads = (
                _by_name(
                    [e for e in touching if rank.get(e.source, last) > rank[hit]],
                    len(touching),
                    talk * weights.hop_talk,
                    most=_RARE_IN_TALK,
                )
                if talk
                else _strengths(first, touching, hit, titled, weights)
            )
            for second, plain in leads:
                key, strength = (hit, second.source), gain * plain
                if key not in crossed or crossed[key][0] < strength:
                    crossed[key] = (strength, first, second)
    return tuple(
        Bridge(
            source=hit,
            target=target,
            strength=strength,
            found=_cross(hit, first, second, keep * strength),
        )
        for (hit, target), (strength, first, second) in crossed.items()
    )


def _told_of(
    view: View, mentioned: Mapping[str, Sequence[Edge]], probe: Probe
) -> dict[tuple[str, str], float]:
    """(hit, thing it mentions) → how well the best fact of the hit that names the thing fits, as a
    share of the best fit of any; less where the hit has few facts, among which there is little to
    choose.
    """
    rests = view.neighbours(list(mentioned), types=("supports",), direction="out", limit=_NAMES)
    ids = sorted({edge.target for edges in rests.values() for edge in edges})
    facts = {key: node for key, node in view.get(ids).items() if isinstance(node, Fact)}
    if not facts:
        return {}
    raw = view.score(list(facts), kind="fact", tokens=probe.tokens, vector=probe.vector)
    fits = dict(zip(facts, (raw.similarity + raw.coverage).tolist(), strict=True))
    top = max(fits.values())
    names = _names(view, [edge.target for hit in rests for edge in mentioned[hit]])
    said = {key: fold(fact.text) for key, fact in facts.items()}
    told: dict[tuple[str, str], float] = {}
    for hit, edges in rests.items():
        choice = 1 - 1 / max(1, len(edges))
        held = [facts[each.target] for each in edges if fits.get(each.target, 0.0) > 0]
        for fact in sorted(held, key=lambda each: (-fits[each.id], each.id)):
            for thing in (edge.target for edge in mentioned[hit]):
                if (hit, thing) not in told and (
                    thing in (fact.subject_id, fact.object_id)
                    or any(_stands_in(name, said[fact.id]) for name in names.get(thing, ()))
                ):
                    told[hit, thing] = choice * fits[fact.id] / top
    return told


def _names(view: View, things: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What each thing is called, folded."""
    nodes = view.get(sorted(set(things)))
    return {
        key: tuple(dict.fromkeys(map(fold, (node.name, *node.aliases))))
        for key, node in nodes.items()
        if isinstance(node, Entity)
    }


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text as words of its own; Chinese has no gaps to go by."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        if not (
            _runs_on(text[start - 1 : start], name[0]) or _runs_on(name[-1], text[end : end + 1])
        ):
            return True
        start = text.find(name, start + 1)
    return False


def _runs_on(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _cross(hit: str, first: Edge, second: Edge, score: float) -> Found:
    before = ((hit, None), (first.target, first.key))
    return Found(
        turn=second.source, route="relations", score=min(1.0, score), before=before, edge=second
    )


def named_passages(
    view: View, entities: Sequence[str], *, turns: int, weights: Weights
) -> dict[str, float]:
    """Turn → lift, for passages about (or rarely mentioned with) what the query names."""
    into: Mapping[str, tuple[Edge, ...]] = view.neighbours(
        entities, types=("mentions",), direction="in", limit=max(_RARE, turns // 50) + 1
    )
    lifts: dict[str, float] = {}
    for edges in into.values():
        rare = len(edges) <= max(_RARE, turns // 50)
        for edge in edges:
            lift = weights.titled if edge.weight >= SUBJECT else weights.named if rare else 0.0
            if lift and edge.source.startswith("turn:"):
                lifts[edge.source] = max(lifts.get(edge.source, 0.0), lift)
    return lifts


def _about(touching: Sequence[Edge], hit: str) -> list[Edge]:
    return [e for e in touching if e.weight >= SUBJECT and e.source != hit]


def _strengths(
    first: Edge, touching: Sequence[Edge], hit: str, titled: int, weights: Weights
) -> list[tuple[Edge, float]]:
    about = _about(touching, hit)
    if about and first.weight < SUBJECT:
        strength = weights.hop_title / (titled * len(about)) ** 0.5
        return [(edge, strength) for edge in about]
    others = [edge for edge in touching if edge.source != hit]
    return _by_name(others, len(touching), weights.hop_name, most=_RARE)


def _by_name(
    others: Sequence[Edge], mentions: int, weight: float, *, most: int
) -> list[tuple[Edge, float]]:
    """The mentions in other turns of a name that has so many, ``most`` at most."""
    if not 2 <= mentions <= most:
        return []
    strength = weight / (mentions - 1) ** 0.5
    return [(edge, strength) for edge in others]
