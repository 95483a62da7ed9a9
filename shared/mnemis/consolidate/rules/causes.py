"""Because and therefore: which turn brought about which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mnemis.consolidate.rules.speech import sentences_of
from mnemis.model.graph import Turn
from mnemis.ports.extractor import FoundCause
from mnemis.text.tokenise import content_tokens

_REASON_AFTER: Final = re.compile(
    r"\b(?:because(?: of)?|due to|thanks to|owing to|on account of|the reason (?:is|was)(?: that)?)\s+(?P<c>.+)",
    re.IGNORECASE,
)
_REASON_BEFORE: Final = re.compile(
    r"^(?P<c>.{8,200}?)[,;.]?\s*\b(?:therefore|consequently|as a result|that is why|that's why|which is why|hence|so (?=(?:we|i|they|he|she|the|my|our|it)\b))",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"^since\s+(?P<c>(?!\d|last|then|yesterday|monday|january)[^,]+),", re.IGNORECASE
)
_CAUSES: Final = re.compile(
    r"^(?P<c>.{4,200}?)\s+(?:caused|led to|resulted in|made us|forced us)\s+", re.IGNORECASE
)
_ZH: Final = re.compile(r"(?:因为|由于|原因是|是因为|多亏|鉴于)(?P<c>[^，,。；;]{3,40})")
_ZH_BEFORE: Final = re.compile(
    r"^(?P<c>[^。；;]{4,40}?)[，,]?\s*(?:所以|因此|因而|于是|导致|造成|使得|结果就?)"
)
_OPENS_WITH_EFFECT: Final = re.compile(
    r"^\s*(?:so\b(?=\s+(?:we|i|they|he|she|the|my|our|it)\b)|therefore\b|that is why\b|that's why\b|as a result\b|because of (?:that|this)\b|所以|因此|于是|结果|因而)",
    re.IGNORECASE,
)
_CUE: Final = re.compile(
    r"\b(?:because|due to|thanks to|owing to|on account|reason|therefore|consequently|as a result|that is why|that's why|"
    r"which is why|hence|so|since|caused|led to|resulted|made us|forced us)\b|因|由于|多亏|鉴于|所以|于是|导致|造成|使得|结果",
    re.IGNORECASE,
)
_ENOUGH: Final = 2
_BACK: Final = 8


def causes_of(turns: Sequence[Turn]) -> tuple[FoundCause, ...]:
    """Causes named in an episode; the cause is the earlier turn that speaks of it, if one does."""
    found: list[FoundCause] = []
    for index, turn in enumerate(turns):
        if turn.role in ("tool", "system") or not _CUE.search(turn.text):
            continue
        earlier = turns[max(0, index - _BACK) : index]
        for cause, text in _named(turn):
            source = _best(cause, earlier)
            found.append(FoundCause(cause=source or turn.id, effect=turn.id, text=text))
        if earlier and _OPENS_WITH_EFFECT.match(turn.text) and earlier[-1].question_share < 0.5:
            found.append(FoundCause(cause=earlier[-1].id, effect=turn.id, text=turn.text[:200]))
    return tuple(dict.fromkeys(found))


def _named(turn: Turn) -> Iterator[tuple[str, str]]:
    for sentence in sentences_of(turn):
        if sentence.asks or not _CUE.search(sentence.text):
            continue
        for pattern in (_REASON_AFTER, _SINCE, _REASON_BEFORE, _CAUSES, _ZH, _ZH_BEFORE):
            if match := pattern.search(sentence.text):
                yield match.group("c"), sentence.text
                break


def _best(cause: str, earlier: Sequence[Turn]) -> str | None:
    wanted = set(content_tokens(cause))
    best, most = None, 0
    for turn in reversed(earlier):
        shared = len(wanted & set(content_tokens(turn.text)))
        if shared > most:
            best, most = turn.id, shared
    return best if most >= _ENOUGH else None
