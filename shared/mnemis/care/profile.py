"""profile: what is known about one entity, with what is disputed and what was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemis.care.names import entity_called
from mnemis.model.graph import Entity, Episode, Fact, Turn
from mnemis.ports.store import View

_MOST_EPISODES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """``facts`` are current ones of which the entity is the subject, by relation, newest first;
    ``named_in`` current ones in which it is the object. ``disputed`` hold all sides; ``past`` are
    superseded ones, oldest first. ``episodes`` name it most. ``last_mentioned`` None: no times.
    """

    entity: Entity
    facts: Mapping[str, tuple[Fact, ...]]
    named_in: tuple[Fact, ...]
    disputed: tuple[Fact, ...]
    past: tuple[Fact, ...]
    episodes: tuple[Episode, ...]
    mentions: int
    last_mentioned: datetime | None


def profile(view: View, name: str) -> Profile:
    """The profile of the entity of this id, name or alias.

    Raises InputError: an unknown name lists near ones, an ambiguous one its candidates.
    """
    entity = entity_called(view, name)
    edges = view.neighbours([entity.id], types=("mentions",), direction="in").get(entity.id, ())
    nodes = dict(view.get([edge.source for edge in edges]))
    resting = view.by_source(entity.sources)
    nodes.update(view.get(sorted({each for found in resting.values() for each in found})))
    facts = [
        node
        for node in nodes.values()
        if isinstance(node, Fact) and entity.id in (node.subject_id, node.object_id)
    ]
    mentioning = [n for edge in edges if isinstance(n := nodes[edge.source], Turn)]
    turns = mentioning or [
        n for n in nodes.values() if isinstance(n, Turn) and n.message_id in entity.sources
    ]
    current = sorted(
        (fact for fact in facts if fact.status == "current"), key=_moment, reverse=True
    )
    own: dict[str, tuple[Fact, ...]] = {}
    for fact in sorted(current, key=lambda each: -each.importance):
        if fact.subject_id == entity.id:
            own[fact.relation] = (*own.get(fact.relation, ()), fact)
    times = [turn.time for turn in turns if turn.time is not None]
    return Profile(
        entity=entity,
        facts={key: tuple(sorted(held, key=_moment, reverse=True)) for key, held in own.items()},
        named_in=tuple(fact for fact in current if fact.subject_id != entity.id),
        disputed=tuple(sorted((f for f in facts if f.status == "disputed"), key=_moment)),
        past=tuple(sorted((f for f in facts if f.status == "superseded"), key=_moment)),
        episodes=_key_episodes(view, turns),
        mentions=len({turn.message_id for turn in turns}),
        last_mentioned=max(times) if times else None,
    )


def _key_episodes(view: View, turns: Sequence[Turn]) -> tuple[Episode, ...]:
    """Where it is named most, newest first among equals."""
    near = view.neighbours([turn.id for turn in turns], types=("belongs_to",), direction="out")
    counts = Counter(edge.target for edges in near.values() for edge in edges)
    found = [n for n in view.get(sorted(counts)).values() if isinstance(n, Episode)]
    found.sort(key=lambda each: (-counts[each.id], -_seconds(each.time), each.id))
    return tuple(found[:_MOST_EPISODES])


def _moment(fact: Fact) -> tuple[float, int, str]:
    return (_seconds(fact.valid_from or fact.time), fact.version, fact.id)


def _seconds(time: datetime | None) -> float:
    return time.timestamp() if time else 0.0
