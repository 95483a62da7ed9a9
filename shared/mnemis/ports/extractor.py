"""The extractor port: entities, facts and relations out of a stretch of turns.

Rules, a replay of recorded facts, a small trained model and a chat model all stand behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from mnemis.model.graph import EntityType, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEntity:
    """A named thing in one turn; ``start`` is the mention's character offset."""

    turn: str
    name: str
    start: int
    type: EntityType = "other"
    qualifier: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """An assertion; ``turns`` are the turn ids it rests on, most relevant first.

    ``subject`` and ``object`` are surface names (the speaker's name for "I"). ``relation`` is in
    the vocabulary. ``text`` is the sentence a person would read, in the source's language.
    ``replaces`` names the old value when the text says so ("moved from X", "not X but Y").
    """

    turns: tuple[str, ...]
    subject: str
    relation: str
    object: str
    text: str
    aspect: str = ""
    polarity: bool = True
    confidence: float = 0.5
    importance: float = 0.0
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    replaces: str = ""
    subject_type: EntityType = "other"
    object_type: EntityType = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCause:
    """``cause`` brought about ``effect``; both are turn ids (equal when one turn says both)."""

    cause: str
    effect: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was found in a passage; ``warnings`` say what was dropped and why.

    ``model_calls`` and ``model_tokens`` are what finding it cost (0 without a model).
    """

    entities: tuple[FoundEntity, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    causes: tuple[FoundCause, ...] = ()
    warnings: tuple[str, ...] = ()
    model_calls: int = 0
    model_tokens: int = 0


class Extractor(Protocol):
    """Thread-safe; a pure function of the turns."""

    @property
    def name(self) -> str:
        """How reports name it."""
        ...

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        """Facts and entities of one episode, whose turns come in order. Raises ModelError."""
        ...


@runtime_checkable
class BudgetedExtractor(Extractor, Protocol):
    """An extractor that costs model tokens and can keep within a number of them."""

    def extract_within(self, turns: Sequence[Turn], *, tokens: int) -> Extraction:
        """As ``extract``; raises BudgetSpent instead of a call that ``tokens`` cannot pay for."""
        ...


@runtime_checkable
class AddingExtractor(Extractor, Protocol):
    """An extractor that says whether the rules shall read the same turns beside it."""

    @property
    def adds_to_rules(self) -> bool:
        """True: what it finds is kept together with what the rules find; False: instead of it."""
        ...
