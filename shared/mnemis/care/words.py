"""Which words may stay: what was forgotten may not live on in anything derived."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

from mnemis.model.graph import Turn
from mnemis.model.marks import RESERVED
from mnemis.model.message import Json
from mnemis.text.tokenise import content_tokens, tokenise

_NO_TEXT: Final = re.compile(
    r"(?:(?:episode|fact|entity|category):)?[0-9a-f]{16,}|\d{4}-\d\d-\d\dT[\d:.+Z-]+|turn:\S+"
)


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The tokens of several texts."""
    return frozenset(token for text in texts if text for token in tokenise(text))


def words_of_turns(turns: Iterable[Turn]) -> frozenset[str]:
    """Everything that a turn says: text, speaker, captions, texts in its metadata."""
    return words_of(text for turn in turns for text in _texts(turn))


def holds(texts: Iterable[str], words: frozenset[str]) -> bool:
    """Whether one of these words stands in one of the texts."""
    return bool(words) and not words.isdisjoint(words_of(texts))


def supported(text: str, told: frozenset[str]) -> bool:
    """Whether every word with meaning is among those told; of a Chinese pair, both characters."""
    return all(
        token in told or (not token.isascii() and all(each in told for each in token))
        for token in content_tokens(text)
    )


def clean_metadata(metadata: Mapping[str, Json], words: frozenset[str]) -> dict[str, Json]:
    """Metadata without the values in which one of these words stands."""
    return {
        key: value
        for key, value in metadata.items()
        if key.startswith(RESERVED) or not holds((key, *strings_in(value)), words)
    }


def strings_in(value: Json) -> list[str]:
    """All texts inside a JSON value, keys too; ids of nodes, digests and times are none."""
    found: list[str] = []
    waiting: list[Json] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if not _NO_TEXT.fullmatch(each):
                found.append(each)
        elif isinstance(each, list):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(cast("list[Json]", list(each)))
            waiting.extend(each.values())
    return found


def _texts(turn: Turn) -> list[str]:
    captions = [text for part in turn.parts for text in (part.caption, part.reference)]
    return [turn.text, turn.speaker, *captions, *strings_in(dict(turn.metadata))]
