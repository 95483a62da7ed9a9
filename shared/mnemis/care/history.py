"""history: the versions of one matter in the order of time, each with what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from mnemis.care.matter import facts_about, facts_of, is_entity, turns_about
from mnemis.errors import InputError
from mnemis.model.graph import Edge, Fact, Status, Turn
from mnemis.model.relations import RELATIONS
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import View
from mnemis.text.normalise import name_key
from mnemis.text.tokenise import tokenise

_CHAINS = ("supersedes", "contradicts")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryItem:
    """One version: ``text`` held from ``valid_from`` to ``valid_to`` (None: open).

    ``node`` is the fact, or the turn that stands in where no fact tells what was said (``kind``
    tells which); a turn has no validity and no successor. ``successor`` is the id of the version
    that superseded it, ``opposed`` of those that contradict it.
    """

    node: Fact | Turn
    text: str
    status: Status
    time: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    sources: tuple[str, ...]
    successor: str | None
    opposed: tuple[str, ...]

    @property
    def kind(self) -> Literal["fact", "turn"]:
        """Whether a fact is listed, or a turn stands in."""
        return "fact" if isinstance(self.node, Fact) else "turn"

    @property
    def fact(self) -> Fact:
        """The fact. Raises InputError when a turn stands in."""
        if isinstance(self.node, Fact):
            return self.node
        raise InputError(f"{self.node.id!r} stands in for a fact; its kind is 'turn'")


def history(view: View, about: str, *, embedder: Embedder | None = None) -> tuple[HistoryItem, ...]:
    """Versions of the matter that a text, a fact's or message's id is about, oldest first.

    A sentence from which several facts were drawn is listed once for each different fate. Empty
    when nothing is about it. ``embedder`` is not asked: nearness in meaning alone makes no
    version. Raises InputError for an empty text.
    """
    if not isinstance(about, str) or not about.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"history() wants what it is about as text, got {about!r}")
    named = _by_id(view, about)
    facts = _whole_slots(view, named or facts_about(view, about))
    edges = view.neighbours([fact.id for fact in facts], types=_CHAINS)
    items = _versions(facts, edges)
    if not named and not is_entity(view, about):
        covered = {source for fact in facts for source in fact.sources}
        items += [_standing_in(turn) for turn in turns_about(view, about, covered=covered)]
    return tuple(sorted(items, key=_moment))


def _versions(facts: Sequence[Fact], edges: Mapping[str, Sequence[Edge]]) -> list[HistoryItem]:
    """One item for the facts that one sentence says of one thing, told by the fullest of them."""
    groups: list[list[Fact]] = []
    for fact in sorted(facts, key=lambda each: (-len(each.object), each.id)):
        same = next((group for group in groups if _is_same(group[0], fact)), None)
        if same is None:
            groups.append([fact])
        else:
            same.append(fact)
    told = {fact.id: group[0].id for group in groups for fact in group}
    items = [_item(group, edges, told) for group in groups]
    unique = {(i.sources, i.text, i.status, i.successor, i.opposed): i for i in reversed(items)}
    kept = {item.node.id for item in unique.values()}
    return [item for item in items if item.node.id in kept]


def _is_same(one: Fact, other: Fact) -> bool:
    """Whether two facts of one sentence say the same, one perhaps in fewer words."""
    return (
        one.sources == other.sources
        and one.text == other.text
        and one.polarity == other.polarity
        and (one.subject_id or name_key(one.subject))
        == (other.subject_id or name_key(other.subject))
        and (one.relation == other.relation or _holds(one.object, other.object))
        and (one.relation not in RELATIONS or RELATIONS[one.relation].single)
    )


def _holds(text: str, part: str) -> bool:
    return set(tokenise(part)) <= set(tokenise(text)) or name_key(part) in name_key(text)


def _item(
    group: Sequence[Fact], edges: Mapping[str, Sequence[Edge]], told: Mapping[str, str]
) -> HistoryItem:
    """A sentence is overturned when a newer one overturned any of its facts in ``group``."""
    ids = {fact.id for fact in group}
    touching = [(fact.id, edge) for fact in group for edge in edges.get(fact.id, ())]
    newer = {
        told.get(edge.source, edge.source)
        for own, edge in touching
        if edge.type == "supersedes" and edge.target == own and edge.source not in ids
    }
    other = {end for _, e in touching if e.type == "contradicts" for end in e.key[:2]} - ids
    ended = [fact for fact in group if fact.status == "superseded"]
    fact = group[0]
    fate = fact if fact in ended or not ended else ended[0]
    return HistoryItem(
        node=fact,
        text=fact.text,
        status=fate.status,
        time=fact.time,
        valid_from=fact.valid_from,
        valid_to=fate.valid_to,
        sources=fact.sources,
        successor=min(newer) if newer else None,
        opposed=tuple(sorted({told.get(each, each) for each in other})),
    )


def _standing_in(turn: Turn) -> HistoryItem:
    return HistoryItem(
        node=turn,
        text=f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text,
        status=turn.status,
        time=turn.time,
        valid_from=None,
        valid_to=None,
        sources=turn.sources,
        successor=None,
        opposed=(),
    )


def _by_id(view: View, about: str) -> list[Fact]:
    node = view.get([about]).get(about)
    if isinstance(node, Fact):
        return [node]
    turns = [about] if isinstance(node, Turn) else []
    resting = view.by_source([about]).get(about, ())
    turns.extend(each for each in resting if each.startswith("turn:"))
    near = view.neighbours(turns, types=("supports",), direction="out")
    return facts_of(view, [edge.target for edges in near.values() for edge in edges])


def _whole_slots(view: View, seeds: Sequence[Fact]) -> list[Fact]:
    """The seeds with all versions they are linked to, and others of the same slot nearby."""
    known = {fact.id: fact for fact in seeds}
    frontier = list(known)
    while frontier:
        near = view.neighbours(frontier, types=_CHAINS)
        ends = {end for edges in near.values() for edge in edges for end in edge.key[:2]}
        fresh = facts_of(view, sorted(ends - known.keys()))
        known.update({fact.id: fact for fact in fresh})
        frontier = [fact.id for fact in fresh]
    slots = {_slot(fact) for fact in seeds}
    subjects = sorted({fact.subject_id for fact in seeds if fact.subject_id})
    spoken = view.neighbours(subjects, types=("mentions",), direction="in")
    ids = {e.source for edges in spoken.values() for e in edges if e.source.startswith("fact:")}
    for fact in facts_of(view, sorted(ids - known.keys())):
        if _slot(fact) in slots:
            known[fact.id] = fact
    return list(known.values())


def _slot(fact: Fact) -> tuple[str, str, str, str]:
    """Where facts compete; without an aspect a many-valued relation competes by its object only."""
    single = fact.relation in RELATIONS and RELATIONS[fact.relation].single
    thing = "" if single or fact.aspect else name_key(fact.object)
    return (fact.subject_id or name_key(fact.subject), fact.relation, name_key(fact.aspect), thing)


def _moment(item: HistoryItem) -> tuple[float, float, str]:
    begins = item.valid_from or item.time
    return (
        item.time.timestamp() if item.time else 0.0,
        begins.timestamp() if begins else 0.0,
        item.node.id,
    )
