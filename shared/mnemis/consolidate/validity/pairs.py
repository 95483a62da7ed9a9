"""An older statement and the newer one that ends it, filed as two facts of one slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.knowledge import Knowledge
from mnemis.model.graph import EntityType, Turn
from mnemis.ports.extractor import FoundFact

_IMPORTANCE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The ``value`` that a turn gives, and the ``clause`` that says it."""

    turn: Turn
    clause: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where both facts belong: ``subject`` is the entity's id, ``name`` what it is called."""

    subject: str
    name: str
    relation: str
    aspect: str
    type: EntityType = "concept"


def file_pair(
    knowledge: Knowledge, older: Told, newer: Told, *, place: Place, confidence: float
) -> None:
    """The older first; the newer says that it replaces the older's value."""
    for told, replaces in ((older, ""), (newer, older.value)):
        knowledge.file(
            FoundFact(
                turns=(told.turn.id,),
                subject=place.name,
                relation=place.relation,
                object=told.value,
                text=f"{told.turn.speaker}: {told.clause}",
                aspect=place.aspect,
                confidence=confidence,
                importance=_IMPORTANCE,
                valid_from=told.turn.time,
                replaces=replaces,
                subject_type=place.type,
            ),
            subject=place.subject,
            turn=told.turn,
        )
