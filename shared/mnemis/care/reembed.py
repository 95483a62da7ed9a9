"""Another embedder for a whole store: every text embedded anew, all vectors replaced at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from mnemis.care.reindex import index_text
from mnemis.config import Config
from mnemis.errors import EmbedderError
from mnemis.model.change import EntryKind, Scope, Vector
from mnemis.model.graph import Category, Episode, Node, Turn
from mnemis.ports.embedder import Embedder, Fingerprint
from mnemis.ports.store import Store, View
from mnemis.remember.entries import draft_entries

_BATCH = 256
_CHARS = 1_000  # of a derived node's text, as consolidation embeds it


class VectorStore(Store, Protocol):
    """A store whose vectors can be replaced as a whole."""

    def entry_ids(self, scope: Scope) -> tuple[tuple[str, EntryKind, str], ...]:
        """(id, kind, owner) of every entry of a scope, in the order they were put."""
        ...

    def replace_vectors(
        self, fingerprint: Fingerprint, /, vectors: Iterator[tuple[Scope, Mapping[str, Vector]]]
    ) -> None:
        """All vectors and the fingerprint, in one transaction, or nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexReport:
    """``vectors`` were written for ``entries`` things that can be found, in ``scopes`` scopes.

    The rest is found by words only: it had no vector before either, or no content for this
    embedder.
    """

    scopes: int
    entries: int
    vectors: int
    embedder: Fingerprint


@dataclass(slots=True)
class _Progress:
    """What was done so far, told after each batch."""

    total: int
    tell: Callable[[int, int], None] | None
    done: int = 0
    vectors: int = 0

    def add(self, entries: int, vectors: int) -> None:
        """Count a batch."""
        self.done += entries
        self.vectors += vectors
        if self.tell is not None:
            self.tell(self.done, self.total)


@dataclass(slots=True)
class _Work:
    """One scope: its entries by owner, its episodes' vectors, and which of them name an entity."""

    entries: Sequence[tuple[str, EntryKind, str]]
    episodes: dict[str, Vector] = field(default_factory=dict[str, Vector])
    naming: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def take(self, node: Node, vector: Vector | None) -> None:
        """Keep what a category's vector is made of."""
        if not isinstance(node, Episode) or vector is None:
            return
        self.episodes[node.id] = vector
        held = node.metadata.get("entities")
        for entity in held if isinstance(held, list) else ():
            self.naming.setdefault(str(entity), []).append(node.id)


def reembed(
    store: VectorStore,
    *,
    embedder: Embedder,
    config: Config,
    progress: Callable[[int, int], None] | None = None,
) -> ReindexReport:
    """Embed every entry's text as ``remember`` and ``consolidate`` do, and replace all vectors.

    Texts, graph and words stay as they are. One transaction: broken off at any point, the store
    is as it was, with its old vectors, and the call can be repeated. ``progress(done, total)``
    counts entries. Raises EmbedderError, StoreError.
    """
    scopes = store.scopes()
    entries = {scope: store.entry_ids(scope) for scope in scopes}
    counted = _Progress(total=sum(map(len, entries.values())), tell=progress)

    def vectors() -> Iterator[tuple[Scope, Mapping[str, Vector]]]:
        for scope in scopes:
            with store.view(scope) as view:
                work = _Work(entries=entries[scope])
                for found in _scope_vectors(view, work, embedder, config, counted):
                    yield scope, found

    store.replace_vectors(embedder.fingerprint, vectors())
    return ReindexReport(
        scopes=len(scopes),
        entries=counted.total,
        vectors=counted.vectors,
        embedder=embedder.fingerprint,
    )


def _scope_vectors(
    view: View, work: _Work, embedder: Embedder, config: Config, counted: _Progress
) -> Iterator[Mapping[str, Vector]]:
    """Turns and parts, then what was derived, then categories from the lowest layer up."""
    wanted: dict[str, list[str]] = {}
    for entry_id, _, owner in work.entries:
        wanted.setdefault(owner, []).append(entry_id)
    categories: list[Category] = []
    owners = list(wanted)
    for start in range(0, len(owners), _BATCH):
        nodes = view.get(owners[start : start + _BATCH])
        categories.extend(node for node in nodes.values() if isinstance(node, Category))
        found = {
            **_turn_vectors([n for n in nodes.values() if isinstance(n, Turn)], embedder, config),
            **_derived_vectors(view, nodes, embedder),
        }
        ids = {each for owner in nodes for each in wanted[owner]}
        kept = {each: vector for each, vector in found.items() if each in ids}
        for node in nodes.values():
            work.take(node, kept.get(node.id))
        others = sum(len(wanted[owner]) for owner in nodes if not owner.startswith("category:"))
        counted.add(others, len(kept))
        yield kept
    made = _category_vectors(view, categories, work)
    counted.add(sum(len(wanted[node.id]) for node in categories), len(made))
    yield made


def _turn_vectors(turns: Sequence[Turn], embedder: Embedder, config: Config) -> dict[str, Vector]:
    """Of a long turn's parts and, as their mean, of the turn itself; of a short one directly."""
    drafts = draft_entries(turns, part_chars=config.part_chars)
    vectors = _embed([(draft.id, draft.text) for draft in drafts if draft.text], embedder)
    parts: dict[str, list[Vector]] = {}
    for draft in drafts:
        if draft.kind == "part" and draft.id in vectors:
            parts.setdefault(draft.owner, []).append(vectors[draft.id])
    for owner, held in parts.items():
        mean = _direction(held)
        if mean is not None:
            vectors.setdefault(owner, mean)
    return vectors


def _derived_vectors(
    view: View, nodes: Mapping[str, Node], embedder: Embedder
) -> dict[str, Vector]:
    """Of what was found by meaning before; a document's title, for one, is found by name alone."""
    derived = [n for n in nodes.values() if not isinstance(n, Turn | Category)]
    had = view.vectors([node.id for node in derived])
    return _embed([(n.id, index_text(n)[:_CHARS]) for n in derived if n.id in had], embedder)


def _category_vectors(view: View, categories: Sequence[Category], work: _Work) -> dict[str, Vector]:
    """A category's direction is the mean of the categories below it, else of its episodes, else of
    the episodes that name its entities.
    """
    vectors: dict[str, Vector] = {}
    below = view.neighbours([node.id for node in categories], types=["belongs_to"], direction="in")
    for node in sorted(categories, key=lambda each: (each.layer, each.id)):
        held = [edge.source for edge in below.get(node.id, ())]
        named = dict.fromkeys(e for each in held for e in work.naming.get(each, ()))
        rests_on = (
            [vectors[each] for each in held if each in vectors]
            or [work.episodes[each] for each in held if each in work.episodes]
            or [work.episodes[each] for each in named]
        )
        mean = _direction(rests_on)
        if mean is not None:
            vectors[node.id] = mean
    return vectors


def _embed(texts: Sequence[tuple[str, str]], embedder: Embedder) -> dict[str, Vector]:
    """Vectors by id; texts without content, and rows that are not finite or zero, get none."""
    asked = [(identity, text) for identity, text in texts if text.strip()]
    if not asked:
        return {}
    rows = np.asarray(embedder.embed([text for _, text in asked]), dtype=np.float32)
    if rows.shape != (len(asked), embedder.fingerprint.dimension):
        raise EmbedderError(
            f"the embedder {embedder.fingerprint.model!r} returned shape {rows.shape} for "
            f"{len(asked)} texts of dimension {embedder.fingerprint.dimension}"
        )
    return {
        identity: row
        for (identity, _), row in zip(asked, rows, strict=True)
        if np.isfinite(row).all() and np.any(row)
    }


def _direction(vectors: Sequence[Vector]) -> Vector | None:
    if not vectors:
        return None
    total = np.sum(vectors, axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, dtype=np.float32) if length > 0 else None
