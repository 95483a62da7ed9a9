"""What a rule asserts before it has a turn and a time, and what both languages share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mnemis.model.graph import EntityType

TASTE: Final = frozenset({"likes", "dislikes", "prefers", "avoids"})
"""Relations that answer one question (does she like it?), so that a newer one overturns."""


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
