"""history: the versions of one matter in the order of time, each with what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemis.care.names import entities_called
from mnemis.errors import InputError
from mnemis.model.graph import Fact, Status, Turn
from mnemis.model.relations import RELATIONS
from mnemis.ports.embedder import Embedder, embed_queries
from mnemis.ports.store import Floats, View
from mnemis.text.normalise import name_key
from mnemis.text.tokenise import content_tokens, tokenise

_CANDIDATES = 24
_CLOSE = 0.8
_ENOUGH = 6
_FAR = 2.0
_CHAINS = ("supersedes", "contradicts")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryItem:
    """One version: ``text`` held from ``valid_from`` to ``valid_to`` (None: open).

    ``successor`` is the id of the fact that superseded it, ``opposed`` of those that contradict it.
    """

    fact: Fact
    text: str
    status: Status
    time: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    sources: tuple[str, ...]
    successor: str | None
    opposed: tuple[str, ...]


def history(view: View, about: str, *, embedder: Embedder) -> tuple[HistoryItem, ...]:
    """Versions of the matter that a text, a fact's or message's id is about, oldest first.

    Empty when no fact is about it. Raises InputError for an empty text, EmbedderError.
    """
    if not isinstance(about, str) or not about.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"history() wants what it is about as text, got {about!r}")
    seeds = _by_id(view, about) or _by_text(view, about, embedder)
    facts = _whole_slots(view, seeds)
    edges = view.neighbours([fact.id for fact in facts], types=_CHAINS)
    items: list[HistoryItem] = []
    for fact in sorted(facts, key=_moment):
        touching = edges.get(fact.id, ())
        newer = [e.source for e in touching if e.type == "supersedes" and e.target == fact.id]
        other = {end for e in touching if e.type == "contradicts" for end in e.key[:2]}
        items.append(
            HistoryItem(
                fact=fact,
                text=fact.text,
                status=fact.status,
                time=fact.time,
                valid_from=fact.valid_from,
                valid_to=fact.valid_to,
                sources=fact.sources,
                successor=min(newer) if newer else None,
                opposed=tuple(sorted(other - {fact.id})),
            )
        )
    return tuple(items)


def _by_id(view: View, about: str) -> list[Fact]:
    node = view.get([about]).get(about)
    if isinstance(node, Fact):
        return [node]
    turns = [about] if isinstance(node, Turn) else []
    resting = view.by_source([about]).get(about, ())
    turns.extend(each for each in resting if each.startswith("turn:"))
    near = view.neighbours(turns, types=("supports",), direction="out")
    return _facts(view, [edge.target for edges in near.values() for edge in edges])


def _by_text(view: View, about: str, embedder: Embedder) -> list[Fact]:
    """The facts that fit best: by words and meaning, of the entity named if one is."""
    tokens = tuple(dict.fromkeys(content_tokens(about) or tokenise(about)))
    vector = embed_queries(embedder, [about])[0]
    found = [hit.owner for hit in view.search(tokens, k=_CANDIDATES, kinds=("fact",))]
    found += [hit.owner for hit in view.nearest(vector, k=_CANDIDATES, kinds=("fact",))]
    entities = {each.id for each in entities_called(view, about)}
    ids = list(dict.fromkeys(found))
    facts = _facts(view, ids)
    if entities:
        return [fact for fact in facts if entities & {fact.subject_id, fact.object_id}]
    scores = view.score([fact.id for fact in facts], kind="fact", tokens=tokens, vector=vector)
    fits = scores.similarity.clip(0) + 2 * scores.coverage
    best = float(fits.max(initial=0.0))
    said = [f for f, share in zip(facts, scores.coverage, strict=True) if share > 0]
    close = {f.id for f, fit in zip(facts, fits, strict=True) if best > 0 and fit >= _CLOSE * best}
    return [fact for fact in said if fact.id in close] or _outstanding(facts, scores.similarity)


def _outstanding(facts: Sequence[Fact], similarity: Floats) -> list[Fact]:
    """Without a shared word, the one fact whose meaning is far nearer than that of the others."""
    if len(facts) < _ENOUGH:
        return []
    best = int(similarity.argmax())
    bar = float(similarity.mean() + _FAR * similarity.std())
    return [facts[best]] if similarity[best] >= bar else []


def _whole_slots(view: View, seeds: Sequence[Fact]) -> list[Fact]:
    """The seeds with all versions they are linked to, and others of the same slot nearby."""
    known = {fact.id: fact for fact in seeds}
    frontier = list(known)
    while frontier:
        near = view.neighbours(frontier, types=_CHAINS)
        ends = {end for edges in near.values() for edge in edges for end in edge.key[:2]}
        fresh = _facts(view, sorted(ends - known.keys()))
        known.update({fact.id: fact for fact in fresh})
        frontier = [fact.id for fact in fresh]
    slots = {_slot(fact) for fact in seeds}
    subjects = sorted({fact.subject_id for fact in seeds if fact.subject_id})
    spoken = view.neighbours(subjects, types=("mentions",), direction="in")
    ids = {e.source for edges in spoken.values() for e in edges if e.source.startswith("fact:")}
    for fact in _facts(view, sorted(ids - known.keys())):
        if _slot(fact) in slots:
            known[fact.id] = fact
    return list(known.values())


def _facts(view: View, ids: Sequence[str]) -> list[Fact]:
    return [n for n in view.get(list(dict.fromkeys(ids))).values() if isinstance(n, Fact)]


def _slot(fact: Fact) -> tuple[str, str, str, str]:
    """Where facts compete; without an aspect a many-valued relation competes by its object only."""
    single = fact.relation in RELATIONS and RELATIONS[fact.relation].single
    thing = "" if single or fact.aspect else name_key(fact.object)
    return (fact.subject_id or name_key(fact.subject), fact.relation, name_key(fact.aspect), thing)


def _moment(fact: Fact) -> tuple[float, float, int, str]:
    begins = fact.valid_from or fact.time
    return (
        begins.timestamp() if begins else 0.0,
        fact.time.timestamp() if fact.time else 0.0,
        fact.version,
        fact.id,
    )
