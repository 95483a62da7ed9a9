"""What consolidation would make of turns that still wait for it: read by the rules, not written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mnemis.consolidate.batch import learn, sum_up
from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.reading import Stretch, cut
from mnemis.consolidate.resources import Resources
from mnemis.consolidate.summarise import Summary
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import View

_CONTEXT: Final = 4
"""Turns before one that waits which are read with it: a reply rests on its question."""


_LONGEST: Final = 6_000
"""Characters of a turn that are read, as many as the rules read anyhow: to search a book for words
of change at each question costs seconds.
"""


def homes_of(view: View, turns: Sequence[Turn]) -> dict[str, str]:
    """The episode of each turn. Those that wait, for the first time or again, have none and are
    left out.
    """
    ids = [turn.id for turn in turns]
    near = view.neighbours(ids, types=("belongs_to",), direction="out")
    return {
        turn: edge.target
        for turn, edges in near.items()
        for edge in reversed(edges)
        if edge.target.startswith("episode:")
    }


def read_ahead(
    view: View, turns: Sequence[Turn], homes: Mapping[str, str], resources: Resources
) -> Knowledge:
    """What the turns of one session that wait teach, beside what the memory knows; no model is
    asked. ``turns`` are in order and adjoin each other.
    """
    reading = {
        near
        for place, turn in enumerate(turns)
        if turn.id not in homes
        for near in range(max(0, place - _CONTEXT), place + 1)
    }
    runs: list[list[Turn]] = []
    for place in sorted(reading):
        if place - 1 in reading:
            runs[-1].append(_shortened(turns[place]))
        else:
            runs.append([_shortened(turns[place])])
    stretches = [Stretch(turns=tuple(run)) for run in runs]
    read = {turn.id: turn for run in runs for turn in run}
    return learn(view, stretches, read, resources)[0]


def _shortened(turn: Turn) -> Turn:
    return turn if len(turn.text) <= _LONGEST else replace(turn, text=turn.text[:_LONGEST])


def facts_of(
    view: View, turns: Sequence[Turn], homes: Mapping[str, str], knowledge: Knowledge
) -> tuple[Fact, ...]:
    """Facts that rest on these turns, as they stand once what waits is told too, by id.

    Of turns that were consolidated already only what is stored: perhaps a model read them.
    """
    messages = {turn.message_id for turn in turns}
    resting = view.by_source(sorted(messages))
    ids = {each for found in resting.values() for each in found if each.startswith("fact:")}
    stored = view.get(sorted(ids - knowledge.book.removed))
    facts = {key: node for key, node in stored.items() if isinstance(node, Fact)}
    waiting = {turn.message_id for turn in turns if turn.id not in homes}
    facts.update(
        (key, fact)
        for key, fact in knowledge.book.facts.items()
        if key not in knowledge.book.created or waiting & set(fact.sources)
    )
    return tuple(fact for _, fact in sorted(facts.items()) if messages & set(fact.sources))


def summaries_of(
    view: View, turns: Sequence[Turn], knowledge: Knowledge, resources: Resources
) -> tuple[Summary, ...]:
    """Adjoining turns of one session cut at topics and summed up, in order."""
    stretches, _ = cut(view, turns, resources.config.segment)
    made = sum_up(view, stretches, knowledge)
    return tuple(made[stretch.id] for stretch in stretches)
