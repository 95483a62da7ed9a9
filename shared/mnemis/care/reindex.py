"""How derived nodes are found once they are written anew: tokens, names, vector."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mnemis.consolidate.resolve import exact_keys, short_keys
from mnemis.errors import EmbedderError
from mnemis.model.change import IndexEntry
from mnemis.model.graph import Entity, Episode, Node
from mnemis.ports.embedder import Embedder
from mnemis.text.tokenise import tokenise

_CHARS = 1_000
_TERMS = 400


def index_text(node: Node) -> str:
    """The text by which a derived node is found."""
    if isinstance(node, Episode):
        return f"{node.title}. {node.text}" if node.title else node.text
    return node.text


def index_nodes(
    nodes: Mapping[str, Node], texts: Mapping[str, str], *, embedder: Embedder
) -> tuple[IndexEntry, ...]:
    """One entry for each text, in one call of the embedder; ``nodes`` has a node for each.

    A vector that is not finite, or zero, is left out. Raises EmbedderError.
    """
    if not texts:
        return ()
    asked = [text[:_CHARS] for text in texts.values()]
    rows = np.asarray(embedder.embed(asked), dtype=np.float32)
    if rows.shape != (len(asked), embedder.fingerprint.dimension):
        raise EmbedderError(
            f"the embedder {embedder.fingerprint.model!r} returned shape {rows.shape} for "
            f"{len(asked)} texts of dimension {embedder.fingerprint.dimension}"
        )
    entries: list[IndexEntry] = []
    for (key, text), row in zip(texts.items(), rows, strict=True):
        node = nodes[key]
        terms = tokenise(text)
        if isinstance(node, Episode):
            terms = [*terms, *(token for word in node.keywords for token in tokenise(word))]
        names = (*exact_keys(node), *short_keys(node)) if isinstance(node, Entity) else ()
        usable = bool(np.isfinite(row).all() and np.any(row))
        entries.append(
            IndexEntry(
                id=node.id,
                kind=node.kind,
                owner=node.id,
                sources=node.sources,
                terms=tuple(terms[:_TERMS]),
                vector=row if usable else None,
                names=names,
            )
        )
    return tuple(entries)
