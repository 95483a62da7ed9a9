"""The facts by which turns already give a value to something: a later turn's value joins their
slot, or needs no other.
"""

from __future__ import annotations

from typing import Final

from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.rules.values import same_value
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold

_SINGLE: Final = frozenset(
    {"scheduled_for", "costs", "has_value", "located_in", "named", "decided", "lives_in"}
)


_TOLD_IN_FULL: Final = {
    "home": frozenset({"lives_in"}),
    "post": frozenset({"works_at", "works_as", "studies_at"}),
}
"""Relations by which the rules for sentences tell what a frame's clause says, value and all."""


def fact_giving(view: View, knowledge: Knowledge, turn: Turn, value: str) -> Fact | None:
    """The first fact, by id, of those that rest on the turn and give this value."""
    fitting = [
        fact
        for fact in _resting_on(view, knowledge, turn)
        if fact.polarity
        and fact.relation in _SINGLE
        and (same_value(value, fact.object) or fold(value) in fold(fact.object))
    ]
    return min(fitting, key=lambda fact: fact.id, default=None)


def told_in_full(view: View, knowledge: Knowledge, one: Turn, two: Turn, *, frame: str) -> bool:
    """Whether both turns already have facts of the frame about one subject: then one overturns
    the other by these.
    """
    relations = _TOLD_IN_FULL.get(frame, frozenset())
    first, second = (
        {
            (fact.subject_id, fact.relation)
            for fact in _resting_on(view, knowledge, turn)
            if fact.relation in relations
        }
        for turn in (one, two)
    )
    return bool(first & second)


def one_slot(one: Fact, two: Fact) -> bool:
    """Whether both are values of one slot."""
    return (one.subject_id, one.relation, one.aspect) == (
        two.subject_id,
        two.relation,
        two.aspect,
    )


def _resting_on(view: View, knowledge: Knowledge, turn: Turn) -> list[Fact]:
    near = view.neighbours([turn.id], types=("supports",), direction="out")
    stored = [edge.target for edge in near.get(turn.id, ())]
    fresh = [each for each, said in knowledge.supports.items() if turn.id in said]
    return list(knowledge.book.get(list(dict.fromkeys([*stored, *fresh]))).values())
