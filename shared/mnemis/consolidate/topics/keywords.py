"""Topic words of a text that a person can read: short noun-like phrases, in either language."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemis.consolidate.rules import lexicon_zh
from mnemis.consolidate.rules.lexicon_en import GIVEN_NAMES, WEAK
from mnemis.consolidate.rules.lexicon_themes import chinese_theme_words, theme_of
from mnemis.text.scripts import HAN
from mnemis.text.stopwords import STOPWORDS
from mnemis.text.tokenise import tokenise

_WORD: Final = re.compile(r"[A-Za-zÀ-ɏ][\wÀ-ɏ+#]*(?:[-.'’][A-Za-zÀ-ɏ0-9+#]+)*|[^\w\s]|\d[\w.,%]*")
_HAN_RUN: Final = re.compile(rf"[{HAN}]+")
_CUTS: Final = re.compile(
    "|".join(sorted((re.escape(w) for w in lexicon_zh.STOP), key=lambda w: (-len(w), w)))
)
_LONGEST_WORDS: Final = 3
_LONGEST_HAN: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Idf:
    """Inverse document frequencies; ``rare`` is that of a token in one document only."""

    of: Mapping[str, float]
    rare: float

    def __call__(self, token: str) -> float:
        """The token's idf, positive."""
        return self.of.get(token, self.rare)

    def once(self, token: str) -> bool:
        """Whether the token stands in one document only."""
        return self(token) >= self.rare * 0.999


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A candidate: ``key`` is what equal phrases share, ``text`` how it is written."""

    key: str
    text: str


def phrases(text: str) -> tuple[Phrase, ...]:
    """Candidate phrases of a text in order, with repeats."""
    found = [*_english(text)]
    if not text.isascii():
        found.extend(_chinese(text))
    return tuple(found)


def tokens_of(phrase: str) -> tuple[str, ...]:
    """Index tokens of a phrase; of Chinese only pairs, which tell more than characters."""
    tokens = tokenise(phrase)
    pairs = [token for token in tokens if len(token) > 1 or token.isascii()]
    return tuple(pairs or tokens)


@lru_cache(maxsize=65_536)
def phrase_key(text: str) -> str:
    """The key of a phrase: its stems; Chinese stays as it is."""
    if not text.isascii() and _HAN_RUN.search(text):
        return "".join(text.split()).casefold()
    return " ".join(tokenise(text))


def rank(
    texts: Iterable[tuple[str, float]],
    *,
    idf: Idf,
    names: Mapping[str, str],
    skip: Set[str],
    limit: int,
) -> tuple[str, ...]:
    """The best phrases of weighted texts, best first, none inside another.

    ``names`` maps phrase keys of entities to how they are written; a name counts more, a word that
    never comes again less. ``skip`` are phrase keys that tell nothing here (the speakers).
    """
    counts: dict[str, float] = {}
    spellings: dict[str, Counter[str]] = {}
    for text, weight in texts:
        for phrase in phrases(text):
            if phrase.key not in skip:
                counts[phrase.key] = counts.get(phrase.key, 0.0) + 0.4 + 0.6 * weight
                spellings.setdefault(phrase.key, Counter())[phrase.text] += 1
    scored = {
        key: math.sqrt(count) * _weight(key, idf, spellings[key]) * (1.3 if key in names else 1.0)
        for key, count in counts.items()
    }
    ordered = sorted(scored, key=lambda key: (-scored[key], key))
    chosen: list[str] = []
    for key in ordered:
        if len(chosen) == limit:
            break
        if not any(_inside(key, other) or _inside(other, key) for other in chosen):
            chosen.append(key)
    return tuple(names.get(key) or _spelling(spellings[key]) for key in chosen)


def _spelling(seen: Counter[str]) -> str:
    return min(seen, key=lambda text: (-seen[text], text))


def _inside(key: str, other: str) -> bool:
    if not key.isascii() and _HAN_RUN.search(key):
        return key in other
    return f" {key} " in f" {other} "


def _weight(key: str, idf: Idf, seen: Counter[str]) -> float:
    chinese = not key.isascii() and _HAN_RUN.search(key) is not None
    tokens = tokens_of(key) if chinese else tuple(key.split())
    if not tokens:
        return 0.0
    weight = 1.0 + sum(idf(token) for token in tokens) / len(tokens)
    if all(idf.once(token) for token in tokens):
        weight *= 0.7
    if theme_of(key) is not None:
        weight *= 1.4
    repeated = sum(seen.values()) > 1
    if chinese:
        return weight * (
            1.0 if repeated else (1.0, 1.0, 1.0, 0.85, 0.7, 0.6, 0.5)[min(len(key), 6)]
        )
    if not chinese and len(tokens) == 1:
        written = next(iter(seen))
        return weight * (0.6 if written.islower() and written.endswith(("ing", "ed")) else 1.0)
    return weight * (1.25 if repeated else 0.75)


def _english(text: str) -> list[Phrase]:
    found: list[Phrase] = []
    run: list[str] = []
    for word in [*_WORD.findall(text), "."]:
        if _is_topic_word(word):
            run.append(word)
            continue
        found.extend(_from_run(run))
        run = []
    return found


def _is_topic_word(word: str) -> bool:
    low = word.lower().replace("’", "'")
    if (
        not low[0].isalpha()
        or low in WEAK
        or low in STOPWORDS
        or (len(low) < 3 and not word.isupper())
    ):
        return False
    return not low.endswith(("n't", "'ll", "'ve", "'re", "'d", "'m")) and not (
        low.endswith("ly") and low.islower() and len(low) > 5
    )


def _from_run(run: Sequence[str]) -> list[Phrase]:
    words = [re.sub(r"['’]s?$", "", word) for word in run]
    found = [_phrase([word]) for word in words if len(word) > 2]
    for size in (2, 3):
        if size <= _LONGEST_WORDS and len(words) >= size:
            found.extend(_phrase(words[at : at + size]) for at in range(len(words) - size + 1))
    return [each for each in found if each.key]


def _phrase(words: Sequence[str]) -> Phrase:
    text = " ".join(word if _named(word) else word.lower() for word in words)
    return Phrase(key=phrase_key(text), text=text)


def _named(word: str) -> bool:
    return word[:1].isupper() and (
        word[1:] != word[1:].lower() or word.lower() in GIVEN_NAMES or word.isupper()
    )


def _chinese(text: str) -> list[Phrase]:
    found: list[Phrase] = []
    found.extend(Phrase(key=word, text=word) for word in chinese_theme_words(text))
    for run in _HAN_RUN.findall(text):
        for chunk in _CUTS.split(run):
            if 2 <= len(chunk) <= _LONGEST_HAN:
                found.append(Phrase(key=chunk.casefold(), text=chunk))
                if len(chunk) == 4:
                    found.extend(Phrase(key=half, text=half) for half in (chunk[:2], chunk[2:]))
    return found
