"""The part of a sentence that a claim rests on, where the sentence makes several.

"I live in Berlin and work at Siemens" says two things: each is told by its own clause, so that a
question about the one does not find the other, unless the clause alone would hide a change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.cues import (
    CHANGE,
    GOES_BACK,
    MATTER_CHANGES,
    SWITCHES,
)
from mnemis.consolidate.rules.lexicon_habits import CHANGES_HABIT

_CUES: Final = (CHANGE, CHANGES_HABIT, GOES_BACK, MATTER_CHANGES, SWITCHES)
_SHORTEST: Final = 4


def own_clause(whole: str, claim: Claim, others: Iterable[Claim]) -> str:
    """``claim.text`` if it alone holds the claim's value and no other claim's; else ``whole``."""
    clause = claim.text.strip()
    beside = [each for each in others if each is not claim and each.text.strip() != clause]
    if not beside or len(clause) < _SHORTEST or claim.object not in clause or claim.replaces:
        return whole
    if any(each.object in clause or each.text.strip() in clause for each in beside):
        return whole
    if any((cue.search(whole) is None) != (cue.search(clause) is None) for cue in _CUES):
        return whole
    return clause
