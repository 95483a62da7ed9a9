"""First stage: what the query says: parts, names, cues, times, intents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from mnemis.model.graph import Entity
from mnemis.model.query import Intent, NamedEntity, Query, QueryPart, TimeRange
from mnemis.ports.store import View
from mnemis.recall.clauses import clauses
from mnemis.recall.cues import intents_of, relations_of
from mnemis.recall.request import RecallRequest
from mnemis.recall.resolve import lean
from mnemis.recall.strangers import strangers
from mnemis.recall.wide import topic_of
from mnemis.text.dates import find_dates
from mnemis.text.normalise import fold, language, name_key
from mnemis.text.titles import name_candidates
from mnemis.text.tokenise import content_tokens, tokenise

_MAX_PARTS = 4
_WORD = re.compile(r"[^\W_]+(?:[.'&+#-]+[^\W_]+)*[+#]*")


def parse(
    request: RecallRequest,
    view: View,
    *,
    speakers: Sequence[str],
    asked_at: datetime,
    max_chars: int,
) -> Query:
    """Names are looked up in the memory itself, so no list of names is needed and Chinese needs
    no spaces. Dates are relative to ``asked_at``. A query longer than ``max_chars`` is cut.
    """
    text = request.query[:max_chars].strip()
    spoken_of = _speakers(text, speakers)
    leaning = lean(text, request.recent, names=bool(spoken_of))
    resolved = leaning.words
    searched = f"{text} {resolved}".strip()
    asking = f"{text} {leaning.asked}".strip()
    named = _entities(searched, view)
    heard = spoken_of or (_speakers(searched, speakers) if resolved else ())
    ranges = _ranges(text, asked_at)
    intents = intents_of(asking)
    return Query(
        text=text,
        language=language(text),
        parts=_parts(text, resolved, heard, known={asking: intents}),
        entities=named,
        speakers=heard,
        relations=relations_of(asking),
        ranges=ranges,
        intents=intents,
        specificity=_specificity(text, named, heard, ranges),
        resolved=resolved,
        strangers=strangers(text, view, heard=[*(each.surface for each in named), *heard]),
        as_of=request.as_of,
        where=request.where,
        include_archived=request.include_archived,
    )


def _entities(text: str, view: View) -> tuple[NamedEntity, ...]:
    candidates = name_candidates(text)
    keys = {name: name_key(name) for name in candidates}
    filed = view.named(sorted(set(keys.values())))
    covered: list[tuple[int, int]] = []
    found: dict[str, tuple[int, NamedEntity]] = {}
    for name in candidates:
        ids = filed.get(keys[name], ())
        start = text.find(name)
        span = (start, start + len(name))
        if not ids or any(low <= span[0] and span[1] <= high for low, high in covered):
            continue
        covered.append(span)
        for each in ids:
            found.setdefault(each, (start, NamedEntity(id=each, surface=name)))
    ordered = sorted(found.values(), key=lambda item: (item[0], item[1].id))
    alive = view.get([entity.id for _, entity in ordered])
    return tuple(entity for _, entity in ordered if isinstance(alive.get(entity.id), Entity))


def _speakers(text: str, speakers: Sequence[str]) -> tuple[str, ...]:
    folded = fold(text)
    words = {
        fold(match.group().removesuffix("'s").removesuffix("’s")) for match in _WORD.finditer(text)
    }
    named: list[str] = []
    for speaker in speakers:
        name = fold(speaker)
        if language(speaker) == "zh":
            is_named = name in folded or (len(name) >= 3 and name[-2:] in folded)
        else:
            parts = name.split()
            is_named = bool(parts) and (parts[0] in words or name in folded)
        if is_named and name not in ("user", "assistant", "用户", "助手"):
            named.append(speaker)
    return tuple(named)


def _ranges(text: str, asked_at: datetime) -> tuple[TimeRange, ...]:
    spans = find_dates(text, anchor=asked_at)
    return tuple((each.start, each.end) for each in spans if each.grain not in ("minute", "hour"))


def _parts(
    text: str,
    resolved: str,
    speakers: Sequence[str],
    *,
    known: Mapping[str, frozenset[Intent]],
) -> tuple[QueryPart, ...]:
    """The questions in order; ``known``: the intents of texts that were looked at already."""
    names = {token for speaker in speakers for token in tokenise(speaker)}
    extra = content_tokens(resolved)
    parts: list[QueryPart] = []
    for asked in clauses(text)[:_MAX_PARTS]:
        intents = known[asked] if asked in known else intents_of(asked)
        wide = intents & {"all", "vague"}
        part = _without(topic_of(asked) if wide else asked, speakers)
        tokens = content_tokens(part)
        bare = [token for token in tokens if token not in names] or tokens or tokenise(asked)
        parts.append(QueryPart(text=part or asked, tokens=tuple(dict.fromkeys([*bare, *extra]))))
    return tuple(parts)


def _without(text: str, speakers: Sequence[str]) -> str:
    """The question without the names of those who speak in the memory: they stand beside every
    turn, so they tell no turn apart and only blur its meaning.
    """
    for speaker in speakers:
        for name in dict.fromkeys((speaker, speaker.split()[0] if speaker.split() else speaker)):
            pattern = re.escape(name)
            if name[:1].isascii():
                pattern = rf"\b{pattern}(?:['’]s)?(?=\W|$)"
            text = re.sub(pattern, "", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _specificity(
    text: str,
    entities: Sequence[NamedEntity],
    speakers: Sequence[str],
    ranges: Sequence[TimeRange],
) -> float:
    named = len({entity.surface for entity in entities} | set(speakers))
    words = len(set(content_tokens(text)))
    return min(1.0, 0.25 * min(2, named) + 0.2 * bool(ranges) + 0.05 * min(6, words))
