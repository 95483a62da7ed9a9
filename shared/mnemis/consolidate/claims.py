"""What a rule asserts before it has a turn and a time, and what both languages share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mnemis.model.graph import EntityType

CRITICAL: Final = 0.95
CONSTRAINT: Final = 0.7
LASTING: Final = 0.5
PASSING: Final = 0.3

_IMPORTANCE: Final = {
    "allergic_to": CRITICAL,
    "has_condition": CRITICAL,
    "avoids": CONSTRAINT,
    "born_on": 0.6,
    "contact_is": 0.6,
    "partner_of": 0.6,
    "parent_of": 0.6,
    "family_of": 0.55,
    "lives_in": 0.6,
    "works_at": 0.6,
    "decided": 0.6,
    "scheduled_for": 0.6,
    "costs": LASTING,
    "supplied_by": LASTING,
    "plans": PASSING,
    "wants": PASSING,
    "visited": PASSING,
    "bought": PASSING,
}

TASTE: Final = frozenset({"likes", "dislikes", "prefers", "avoids"})
"""Relations that answer one question (does she like it?), so that a newer one overturns."""

OBJECT_TYPES: Final[dict[str, EntityType]] = {
    "lives_in": "place",
    "moved_from": "place",
    "born_in": "place",
    "visited": "place",
    "located_in": "place",
    "works_at": "organisation",
    "studies_at": "organisation",
    "supplied_by": "organisation",
    "made_by": "organisation",
    "reports_to": "person",
    "manages": "other",
    "colleague_of": "person",
    "knows": "person",
    "friend_of": "person",
    "family_of": "person",
    "parent_of": "person",
    "partner_of": "person",
    "has_pet": "animal",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A subject-relation-object reading of one clause.

    ``subject`` "" stands for the speaker. ``owned`` marks a subject that belongs to the speaker
    ("my sister"). ``text`` is the clause as it was said. ``past`` says that it no longer holds.
    """

    subject: str
    relation: str
    object: str
    text: str
    aspect: str = ""
    polarity: bool = True
    replaces: str = ""
    owned: bool = False
    corrects: bool = False
    past: bool = False
    subject_type: EntityType = "other"
    object_type: EntityType = "other"


def importance_of(claim: Claim) -> float:
    """How much it would hurt to forget this, in [0, 1]."""
    return _IMPORTANCE.get(claim.relation, 0.4)
