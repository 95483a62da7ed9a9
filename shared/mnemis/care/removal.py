"""What must change so that nothing of some messages is left: the plan behind forget and edit.

    by_source → facts (drop, strip, reinstate) → entities → episodes → categories → edges

A derived text may keep no word that was said only in what goes. What cannot be told anew from
what stays is deleted, and the turns that stay are put back for consolidation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemis.care.categories import clean_categories
from mnemis.care.removal_edges import bridge_gaps, strip_edges
from mnemis.care.removal_entities import strip_entities
from mnemis.care.removal_facts import strip_facts
from mnemis.care.removing import Removing
from mnemis.care.words import words_of_turns
from mnemis.model.change import Change, IndexEntry
from mnemis.model.graph import Edge, EdgeKey, Episode, Fact, Node, Turn
from mnemis.ports.store import View


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Removal:
    """The plan. ``texts`` are what rewritten nodes are found by; ``redo`` groups of turn ids that
    must be consolidated again; ``reinstated`` facts that hold again; ``reshaped`` says that
    categories changed; ``read_versions`` what all this was computed from.
    """

    messages: tuple[str, ...]
    turns: tuple[Turn, ...]
    deleted: tuple[str, ...]
    rewritten: tuple[Node, ...]
    edges: tuple[Edge, ...]
    deleted_edges: tuple[EdgeKey, ...]
    texts: Mapping[str, str]
    entries: tuple[IndexEntry, ...]
    redo: tuple[tuple[str, ...], ...]
    reinstated: tuple[str, ...]
    reshaped: bool
    read_versions: Mapping[str, int]


def plan_removal(
    view: View, messages: Sequence[str], *, bridge: bool = True, earlier: Sequence[Turn] = ()
) -> Removal | None:
    """The removal of all that rests on these messages; None when nothing does.

    ``bridge`` joins the turns before and after each gap with a ``next`` edge. ``earlier`` are
    turns of these messages as they were before, whose words must go as well.
    """
    held = view.by_source(messages)
    if not held:
        return None
    ids = sorted({each for found in held.values() for each in found})
    nodes = dict(view.get(ids))
    gone = frozenset(messages)
    turns = tuple(
        sorted(
            (n for n in nodes.values() if isinstance(n, Turn) and n.message_id in gone),
            key=lambda turn: (turn.ordinal, turn.id),
        )
    )
    _add_surroundings(view, nodes, turns)
    work = Removing(
        view=view,
        gone=gone,
        turns=turns,
        forgotten=words_of_turns((*turns, *earlier)),
        nodes=nodes,
        gone_turns=frozenset(turn.id for turn in (*turns, *earlier)),
    )
    work.delete(turn.id for turn in turns)
    strip_facts(work)
    strip_entities(work)
    _drop_episodes(work)
    clean_categories(work)
    strip_edges(work)
    if bridge:
        bridge_gaps(work)
    return _finished(work, tuple(each for each in messages if each in held))


def plan_everything(view: View) -> Change | None:
    """The change that empties a scope; None when it is empty."""
    ids = [
        node.id
        for kind in ("turn", "episode", "fact", "entity", "category")
        for node in view.scan(kind)
    ]
    if not ids:
        return None
    next_ordinal = view.state("next_ordinal") or "0"
    return Change(
        id=f"forget-everything-{view.seq}",
        purpose="forget",
        delete_nodes=tuple(ids),
        state={
            "consolidated": next_ordinal,
            "consolidated_turn": "",
            "failed_episodes": "",
            "redo": "",
            "clustered": "0",
            "rejected_categories": "[]",
        },
        read_versions=dict(view.versions(ids)),
    )


def _add_surroundings(view: View, nodes: dict[str, Node], turns: Sequence[Turn]) -> None:
    """Nodes that touch the turns, or that the facts on them speak of: lists of sources may be
    capped, edges are complete.
    """
    near = view.neighbours([turn.id for turn in turns])
    ids = {end for edges in near.values() for edge in edges for end in (edge.source, edge.target)}
    nodes.update({k: n for k, n in view.get(sorted(ids)).items() if not isinstance(n, Turn)})
    facts = [node for node in nodes.values() if isinstance(node, Fact)]
    spoken_of = {each for fact in facts for each in (fact.subject_id, fact.object_id) if each}
    nodes.update(view.get(sorted(spoken_of)))


def _drop_episodes(work: Removing) -> None:
    """A summary cannot be trusted to lose what it sums up: its remaining turns are redone."""
    for node in work.of_kind(Episode):
        if work.gone_turns & set(node.turns) or work.gone & set(node.sources):
            work.delete([node.id])
            work.redo_turns(node.turns)


def _finished(work: Removing, messages: tuple[str, ...]) -> Removal:
    stay = sorted(work.rewritten.keys() - work.deleted.keys())
    rewritten = tuple(work.rewritten[key] for key in stay)
    read = [*work.deleted, *(node.id for node in rewritten)]
    return Removal(
        messages=messages,
        turns=work.turns,
        deleted=tuple(work.deleted),
        rewritten=rewritten,
        edges=tuple(work.edges[key] for key in sorted(work.edges)),
        deleted_edges=tuple(sorted(work.deleted_edges)),
        texts={key: text for key, text in work.texts.items() if key not in work.deleted},
        entries=tuple(e for e in work.entries if e.owner not in work.deleted),
        redo=work.redo_groups(),
        reinstated=tuple(sorted(work.reinstated - work.deleted.keys())),
        reshaped=work.reshaped,
        read_versions=dict(work.view.versions(read)),
    )
