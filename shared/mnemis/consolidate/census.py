"""Whom and what a batch's turns have in common: names that one turn alone would not give away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mnemis.consolidate.resolve import key_of
from mnemis.consolidate.rules import recurring_zh
from mnemis.consolidate.rules.recurring_en import NO_WORDS, Words, words_of
from mnemis.consolidate.rules.speech import visible
from mnemis.model.graph import EntityType, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """``names`` with what they name; ``keys`` are their name keys; ``surnames`` lists the people
    whom a surname may mean, ``whole`` the full name of one who is also addressed by surname.
    ``words`` is what the words of the English ones show.
    """

    names: Mapping[str, EntityType] = field(default_factory=dict[str, EntityType])
    keys: frozenset[str] = frozenset()
    surnames: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    whole: Mapping[str, str] = field(default_factory=dict[str, str])
    words: Words = NO_WORDS


def census_of(turns: Sequence[Turn]) -> Census:
    """The census of what people say in these turns; machines repeat and list too much."""
    texts = [visible(turn.text) for turn in turns if turn.role == "user"]
    chinese = [text for text in texts if not text.isascii()]
    recurring = recurring_zh.recurring_names(chinese)
    words = words_of(texts)
    every: dict[str, EntityType] = {**words.names, **recurring.names}
    return Census(
        names=every,
        keys=frozenset(key_of(name) for name in every),
        surnames=recurring.surnames,
        whole=recurring_zh.full_names(chinese, recurring.names),
        words=words,
    )
