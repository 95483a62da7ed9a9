"""Third stage: what of each turn can be found: the turn itself, and the parts of a long one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mnemis.model.change import EntryKind, IndexEntry, Vector
from mnemis.model.graph import Turn
from mnemis.remember.accept import PART_MARK
from mnemis.text.prose import prose
from mnemis.text.sentences import parts as split_parts
from mnemis.text.tokenise import content_tokens, tokenise

_LONG = 1.25  # a text longer than this many parts' sizes is indexed in parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry before its vector: ``text`` is embedded (empty: none)."""

    id: str
    kind: EntryKind
    owner: str
    sources: tuple[str, ...]
    text: str
    terms: tuple[str, ...]


def index_terms(text: str) -> tuple[str, ...]:
    """The tokens a text is filed under: those with meaning, or all when none has any. A word that
    stands in fenced code alone counts once, so that a listing does not drown what is said.
    """
    said = prose(text)
    terms = content_tokens(said)
    if len(said) < len(text):
        known = set(terms)
        terms.extend(t for t in dict.fromkeys(content_tokens(text)) if t not in known)
    return tuple(terms or tokenise(text))


def draft_entries(turns: Sequence[Turn], *, part_chars: int) -> tuple[Draft, ...]:
    """Entries of every turn that holds at least one token; blank ones have none."""
    drafts: list[Draft] = []
    for turn in turns:
        text = turn.spoken
        terms = index_terms(text)
        if terms:
            drafts.extend(_drafts_of(turn, text, terms, part_chars))
    return tuple(drafts)


def embed_entries(
    drafts: Sequence[Draft], *, embed: Callable[[Sequence[str]], npt.NDArray[np.float32]]
) -> tuple[IndexEntry, ...]:
    """One batch to the embedder; a long turn's vector is the direction of its parts' mean."""
    asked = [draft for draft in drafts if draft.text]
    texts = list(dict.fromkeys(draft.text for draft in asked))  # each text costs one embedding
    rows = dict(zip(texts, embed(texts), strict=True)) if texts else {}
    vectors: dict[str, Vector] = {
        draft.id: rows[draft.text] for draft in asked if np.any(rows[draft.text])
    }
    for owner, mean in _means(drafts, vectors).items():
        vectors.setdefault(owner, mean)
    return tuple(
        IndexEntry(
            id=draft.id,
            kind=draft.kind,
            owner=draft.owner,
            sources=draft.sources,
            terms=draft.terms,
            vector=vectors.get(draft.id),
        )
        for draft in drafts
    )


def _drafts_of(turn: Turn, text: str, terms: tuple[str, ...], part_chars: int) -> list[Draft]:
    said = prose(text)
    spans = split_parts(said, size=part_chars)
    long = len(spans) > 1 and sum(end - start for start, end in spans) > _LONG * part_chars
    whole = Draft(
        id=turn.id,
        kind="turn",
        owner=turn.id,
        sources=turn.sources,
        text="" if long else said,
        terms=terms,
    )
    if not long:
        return [whole]
    return [
        whole,
        *(
            Draft(
                id=f"{turn.id}{PART_MARK}p{number}",
                kind="part",
                owner=turn.id,
                sources=turn.sources,
                text=said[start:end],
                terms=index_terms(said[start:end]),
            )
            for number, (start, end) in enumerate(spans)
        ),
    ]


def _means(drafts: Sequence[Draft], vectors: dict[str, Vector]) -> dict[str, Vector]:
    sums: dict[str, npt.NDArray[np.float64]] = {}
    for draft in drafts:
        vector = vectors.get(draft.id)
        if draft.kind == "part" and vector is not None:
            sums[draft.owner] = sums.get(draft.owner, np.zeros(len(vector))) + vector
    return {
        owner: (total / np.linalg.norm(total)).astype(np.float32)
        for owner, total in sums.items()
        if np.linalg.norm(total) > 0
    }
