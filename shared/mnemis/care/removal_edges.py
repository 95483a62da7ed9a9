"""Edges when messages go: stripped, lightened or cut, and the conversation joined again."""

from __future__ import annotations

from dataclasses import replace

from mnemis.care.removing import Removing
from mnemis.model.graph import Edge, Entity, Fact, Turn
from mnemis.model.relations import RELATIONS
from mnemis.remember.turns import link_turns

_STEP = 0.1
_LEAST = 0.05


def strip_edges(work: Removing) -> None:
    """Edges between what stays keep no source that goes; one without any source left is cut."""
    leaving = sorted(
        {node.id for kind in (Fact, Entity) for node in work.of_kind(kind)}
        | {key for key in work.rewritten if key not in work.deleted}
    )
    facts = [node.id for node in work.of_kind(Fact)]
    into = work.view.neighbours(facts, direction="in")
    sources = {edge.source for edges in into.values() for edge in edges} - work.deleted.keys()
    for edge in work.view.edges(sources=sorted({*leaving, *sources} - work.deleted.keys())):
        if edge.target in work.deleted or not work.gone & set(edge.sources):
            continue
        if edge.key not in work.edges:
            _strip(work, edge)
    for key in [k for k, e in work.edges.items() if _dangles(work, e)]:
        del work.edges[key]


def bridge_gaps(work: Removing) -> None:
    """``next`` from the last turn before each gap to the first after it."""
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    turns = [turn.id for turn in work.turns]
    for edges in work.view.neighbours(turns, types=("next",)).values():
        for edge in edges:
            after[edge.source], before[edge.target] = edge.target, edge.source
    gone = set(turns)
    joined: dict[str, str] = {}
    for turn in turns:
        first, last = before.get(turn), after.get(turn)
        if first is None or first in gone:
            continue
        while last is not None and last in gone:
            last = after.get(last)
        if last is not None:
            joined[first] = last
    nodes = work.view.get([*joined, *joined.values()])
    for first, last in joined.items():
        here, there = nodes.get(first), nodes.get(last)
        if isinstance(here, Turn) and isinstance(there, Turn):
            for edge in link_turns([there], tails=[here]):
                if edge.type == "next":  # what follows a gap does not answer what came before
                    work.edges[edge.key] = edge


def _strip(work: Removing, edge: Edge) -> None:
    kept = work.kept(edge.sources)
    if not kept and edge.type == "belongs_to":
        member = work.now(edge.source)
        kept = member.sources[:8] if member is not None else ()
    if not kept:
        work.deleted_edges.add(edge.key)
        return
    weight = edge.weight
    if edge.type in RELATIONS or edge.type == "related_to":
        weight = max(_LEAST, round(weight - _STEP * (len(edge.sources) - len(kept)), 6))
    work.edges[edge.key] = replace(edge, sources=kept, weight=weight)


def _dangles(work: Removing, edge: Edge) -> bool:
    work.load(edge.key[:2])
    return any(work.now(end) is None for end in edge.key[:2])
