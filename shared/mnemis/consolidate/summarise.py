"""Second stage: an episode's summary, keywords and title, all taken from what was said.

Sentences are chosen from several angles and merged in their order: what happened (centrality),
new facts, preferences and constraints, feelings and intent, who and what is named.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.rules.cues import FEELING
from mnemis.consolidate.rules.lexicon_themes import themes_in
from mnemis.consolidate.rules.speech import Sentence, sentences_of
from mnemis.consolidate.topics.keywords import Idf, rank
from mnemis.model.graph import Turn
from mnemis.text.normalise import language
from mnemis.text.tokenise import content_tokens

LENGTH: Final = 300
_KEYWORDS: Final = 12
_NUMBER: Final = re.compile(r"[$€£¥]?\d[\d.,:/-]*\d%?|\d+%?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """``lost`` are numbers and names that were said and that ``text`` does not carry."""

    text: str
    title: str
    keywords: tuple[str, ...]
    language: str
    themes: Mapping[int, str]
    lost: tuple[str, ...]


def summarise(
    turns: Sequence[Turn],
    *,
    idf: Idf,
    names: Mapping[str, str],
    skip: Set[str],
    fact_turns: Mapping[str, float],
) -> Summary:
    """Sum up one episode. ``names`` are entities by phrase key; ``fact_turns`` maps turns with
    new facts to their importance; ``skip`` are phrase keys of the speakers.
    """
    tongue = main_language(turns)
    speaking = [turn for turn in turns if turn.role not in ("tool", "system")]
    weighted = [(_subject_text(turn), turn.density) for turn in speaking]
    keywords = rank(weighted, idf=idf, names=names, skip=skip, limit=_KEYWORDS)
    chosen = _choose(speaking, idf, names, fact_turns)
    text = _merge(turns, chosen)
    return Summary(
        text=text or _clip(turns[0].text.strip() or turns[0].speaker, LENGTH),
        title=_title(keywords, turns, tongue),
        keywords=keywords,
        language=tongue,
        themes=_themes(speaking),
        lost=_lost(speaking, text, names),
    )


def _themes(turns: Sequence[Turn]) -> dict[int, str]:
    """Themes spoken of more than in passing, each with its words, most used first."""
    found = themes_in(_subject_text(turn) for turn in turns if turn.density > 0.2)
    kept = {
        theme: words for theme, words in found.items() if sum(words.values()) > 1 or len(turns) <= 3
    }
    return {
        theme: " ".join(
            sorted((word for word in words if word), key=lambda word: (-words[word], word))[:4]
        )
        for theme, words in sorted(kept.items())
    }


def _subject_text(turn: Turn) -> str:
    """What tells the topic of a turn: an assistant's page only by its beginning."""
    captions = " ".join(part.caption for part in turn.parts)
    return f"{turn.text[: 400 if turn.role == 'assistant' else 2000]} {captions}"


def main_language(turns: Sequence[Turn]) -> str:
    """The language that most is said in, "und" when none is known."""
    sizes: Counter[str] = Counter()
    for turn in turns:
        sizes[turn.language] += len(turn.text) * (3 if turn.language == "zh" else 1)
    sizes.pop("und", None)
    return min(sizes, key=lambda name: (-sizes[name], name)) if sizes else "und"


def _choose(
    turns: Sequence[Turn], idf: Idf, names: Mapping[str, str], fact_turns: Mapping[str, float]
) -> list[Sentence]:
    sentences = [each for turn in turns for each in sentences_of(turn)[:12] if len(each.text) > 3]
    tokens = {id(each): set(content_tokens(each.text)) for each in sentences}
    spread: Counter[str] = Counter(token for found in tokens.values() for token in found)
    density = {turn.id: turn.density * (0.6 if turn.role == "assistant" else 1.0) for turn in turns}

    def central(each: Sentence) -> float:
        found = tokens[id(each)]
        total = sum(spread[token] * idf(token) for token in found)
        return total / (6 + len(found)) * density[each.turn] * (0.4 if each.asks else 1.0)

    best = max((central(each) for each in sentences), default=0.0) or 1.0

    def happened(each: Sentence) -> float:
        return central(each) / best

    def new(each: Sentence) -> float:
        return fact_turns.get(each.turn, 0.0) * (1.0 + central(each) / best)

    def felt(each: Sentence) -> float:
        return happened(each) if FEELING.search(each.text) and not each.asks else 0.0

    def named(each: Sentence) -> float:
        count = sum(name in each.text for name in names.values())
        return count * density[each.turn] * (0.5 if each.asks else 1.0)

    return _merged_angles(sentences, (happened, new, felt, named))


def _merged_angles(
    sentences: Sequence[Sentence], angles: Sequence[Callable[[Sentence], float]]
) -> list[Sentence]:
    """The best of each angle in turn, while there is room."""
    chosen: list[Sentence] = []
    queues = [_by_angle(sentences, angle) for angle in angles]
    length = 0
    for place in range(3):
        for angle, queue in zip(angles, queues, strict=True):
            if place >= len(queue) or queue[place] in chosen or angle(queue[place]) <= 0:
                continue
            if length + len(queue[place].text) > LENGTH and chosen:
                continue
            chosen.append(queue[place])
            length += min(len(queue[place].text), LENGTH) * (
                2 if language(queue[place].text) == "zh" else 1
            )
    return chosen


def _by_angle(sentences: Sequence[Sentence], angle: Callable[[Sentence], float]) -> list[Sentence]:
    return sorted(sentences, key=lambda each: (-angle(each), each.start))


def _merge(turns: Sequence[Turn], chosen: Sequence[Sentence]) -> str:
    order = {turn.id: number for number, turn in enumerate(turns)}
    by_turn = {turn.id: turn for turn in turns}
    several = len({turn.speaker for turn in turns}) > 1
    lines: list[str] = []
    last = ""
    for each in sorted(chosen, key=lambda each: (order[each.turn], each.start)):
        text = _clip(" ".join(each.text.split()), LENGTH)
        if several and each.turn != last:
            text = f"{by_turn[each.turn].speaker}: {text}"
        last = each.turn
        lines.append(text)
    return " ".join(lines)


def _clip(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    space = cut.rfind(" ")
    return f"{cut[: space if space > length // 2 else len(cut)]}…"


def _title(keywords: Sequence[str], turns: Sequence[Turn], tongue: str) -> str:
    shown = list(keywords[:3])
    if not shown:
        return _clip(" ".join(turns[0].text.split()), 40) or turns[0].session
    joined = ("、" if tongue == "zh" else ", ").join(shown)
    return joined[:1].upper() + joined[1:]


def _lost(turns: Sequence[Turn], text: str, names: Mapping[str, str]) -> tuple[str, ...]:
    said = " ".join(turn.text[:2000] for turn in turns if turn.role == "user")
    numbers = [each for each in _NUMBER.findall(said) if each not in text]
    missing = [name for name in names.values() if name in said and name not in text]
    return tuple(dict.fromkeys((*numbers, *missing)))[:24]
