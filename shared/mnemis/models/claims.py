"""What a relation says of its ends and of how much it matters."""

from __future__ import annotations

from typing import Final

from mnemis.model.graph import EntityType
from mnemis.prompts.reading import ReadFact

_CONFIDENCE: Final = 0.6
_UNQUOTED: Final = 0.5
_IMPORTANCE: Final = {
    "allergic_to": 0.95,
    "has_condition": 0.95,
    "avoids": 0.7,
    "born_on": 0.6,
    "contact_is": 0.6,
    "partner_of": 0.6,
    "parent_of": 0.6,
    "family_of": 0.55,
    "lives_in": 0.6,
    "works_at": 0.6,
    "decided": 0.6,
    "scheduled_for": 0.6,
    "costs": 0.5,
    "supplied_by": 0.5,
    "plans": 0.3,
    "wants": 0.3,
    "visited": 0.3,
    "bought": 0.3,
    "related_to": 0.3,
}
_USUAL: Final = 0.4
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


def confidence_of(read: ReadFact, *, quoted: bool) -> float:
    """How sure a fact is before it is confirmed; a model's own word on that counts for nothing."""
    return _CONFIDENCE if quoted and read.relation != "related_to" else _UNQUOTED


def importance_of(relation: str) -> float:
    """How much it would hurt to forget it, in [0, 1]."""
    return _IMPORTANCE.get(relation, _USUAL)


def object_type(relation: str) -> EntityType:
    """What the object of a relation usually is."""
    return _OBJECTS.get(relation, "other")


def subject_type(read: ReadFact) -> EntityType:
    """What the subject of a relation usually is."""
    return "person" if read.relation in _OF_PERSONS else "other"
