"""The fact by which a turn already gives a value to something, so that a later turn's value can
join its slot.
"""

from __future__ import annotations

from typing import Final

from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.values import same_value
from mnemis.model.graph import Fact, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold

_SINGLE: Final = frozenset(
    {"scheduled_for", "costs", "has_value", "located_in", "named", "decided", "lives_in"}
)


def fact_giving(view: View, knowledge: Knowledge, turn: Turn, value: str) -> Fact | None:
    """The first fact, by id, of those that rest on the turn and give this value."""
    near = view.neighbours([turn.id], types=("supports",), direction="out")
    stored = [edge.target for edge in near.get(turn.id, ())]
    fresh = [each for each, said in knowledge.supports.items() if turn.id in said]
    facts = knowledge.book.get(list(dict.fromkeys([*stored, *fresh])))
    fitting = [
        fact
        for fact in facts.values()
        if fact.polarity
        and fact.relation in _SINGLE
        and (same_value(value, fact.object) or fold(value) in fold(fact.object))
    ]
    return min(fitting, key=lambda fact: fact.id, default=None)
