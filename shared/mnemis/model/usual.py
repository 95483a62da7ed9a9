"""What a relation usually says of its ends, and of how much it matters."""

from __future__ import annotations

from typing import Final

from mnemis.model.graph import EntityType

CRITICAL: Final = 0.95
CONSTRAINT: Final = 0.7
IDENTITY: Final = 0.6
LASTING: Final = 0.5
USUAL: Final = 0.4
PASSING: Final = 0.3

_IMPORTANCE: Final = {
    "allergic_to": CRITICAL,
    "has_condition": CRITICAL,
    "avoids": CONSTRAINT,
    "born_on": IDENTITY,
    "contact_is": IDENTITY,
    "partner_of": IDENTITY,
    "parent_of": IDENTITY,
    "family_of": 0.55,
    "lives_in": IDENTITY,
    "works_at": IDENTITY,
    "decided": IDENTITY,
    "scheduled_for": IDENTITY,
    "costs": LASTING,
    "supplied_by": LASTING,
    "plans": PASSING,
    "wants": PASSING,
    "visited": PASSING,
    "bought": PASSING,
    "related_to": PASSING,
}
_OF_PERSONS: Final = frozenset(
    "lives_in born_in born_on works_at works_as reports_to colleague_of studies_at studies knows "
    "friend_of family_of parent_of partner_of likes dislikes prefers has_pet allergic_to "
    "has_condition".split()
)
_OBJECTS: Final[dict[str, EntityType]] = {
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
    "colleague_of": "person",
    "knows": "person",
    "friend_of": "person",
    "family_of": "person",
    "parent_of": "person",
    "partner_of": "person",
    "has_pet": "animal",
}


def importance_of(relation: str) -> float:
    """How much it would hurt to forget a fact with this relation, in [0, 1]."""
    return _IMPORTANCE.get(relation, USUAL)


def subject_type(relation: str) -> EntityType:
    """What the subject of a relation usually is."""
    return "person" if relation in _OF_PERSONS else "other"


def object_type(relation: str) -> EntityType:
    """What the object of a relation usually is."""
    return _OBJECTS.get(relation, "other")
