"""verify_forgotten: nothing of it in any file of the folder, nor in what memory answers from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemis.care.words import strings_in
from mnemis.errors import InputError
from mnemis.model.change import Scope
from mnemis.model.graph import NODE_KINDS, Category, Entity, Episode, Fact, Node, Turn
from mnemis.ports.store import Store
from mnemis.stores.codec import encode_node
from mnemis.text.tokenise import content_tokens

_CHUNK = 4 << 20
_SHORTEST_WORD = 3
_SPELLED = frozenset(
    "id kind text time sources status importance language metadata session turns episodes "
    "context position speaker role".split()
)
"""Field names, which stand in every file as words in quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Where something still stands. ``what`` is the text, word or message id; ``where`` a file's
    path or a node's id; ``count`` how often.
    """

    what: str
    kind: str
    where: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """True (``bool(report)``) when nothing was found; ``files`` were searched, ``size`` bytes."""

    found: tuple[Trace, ...]
    files: tuple[str, ...]
    size: int

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.found

    def __bool__(self) -> bool:
        """Whether nothing was found."""
        return self.clean


def verify_forgotten(
    store: Store, scope: Scope, *, texts: Sequence[str], message_ids: Sequence[str]
) -> VerifyReport:
    """Search for texts (whole, as stored in JSON, and their words that nothing else says) in every
    file, and for texts and messages in the scope's nodes.

    Of a message's id it is checked that no node rests on it, not that the id itself is gone: ids
    stay in the change log by design, so nothing secret belongs in one.
    """
    found = [*_in_nodes(store, scope, texts), *_resting(store, scope, message_ids)]
    needles = _needles(texts, _words_left(store))
    size = 0
    paths = store.files()
    for path in paths:
        counts, read = _search(Path(path), list(needles))
        size += read
        found.extend(
            Trace(what=needles[needle][0], kind=needles[needle][1], where=path, count=count)
            for needle, count in counts.items()
        )
    return VerifyReport(found=tuple(found), files=paths, size=size)


def checked_texts(given: str | Iterable[str], *, what: str) -> tuple[str, ...]:
    """One text or several. Raises InputError for what is not text, or empty."""
    texts = (given,) if isinstance(given, str) else tuple(given)
    for each in texts:
        if not isinstance(each, str) or not each.strip():  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"{what} wants texts that are not empty, got {each!r}")
    return texts


def node_texts(node: Node) -> list[str]:
    """Every text that a node holds, ids apart."""
    texts = [node.text, *strings_in(dict(node.metadata))]
    if isinstance(node, Turn):
        texts += [node.speaker, node.session]
        texts += [text for part in node.parts for text in (part.caption, part.reference)]
    elif isinstance(node, Fact):
        texts += [node.subject, node.object, node.aspect, node.speaker]
    elif isinstance(node, Episode):
        texts += [node.title, *node.keywords, node.session, node.note]
    elif isinstance(node, Entity):
        texts += [node.name, *node.aliases, node.qualifier]
    elif isinstance(node, Category):
        texts += [node.name, *node.keywords]
    return texts


def _in_nodes(store: Store, scope: Scope, texts: Sequence[str]) -> list[Trace]:
    found: list[Trace] = []
    with store.view(scope) as view:
        for kind in NODE_KINDS:
            for node in view.scan(kind):
                held = node_texts(node)
                found.extend(
                    Trace(what=text, kind="node", where=node.id)
                    for text in texts
                    if any(text in each for each in held)
                )
    return found


def _resting(store: Store, scope: Scope, messages: Sequence[str]) -> list[Trace]:
    with store.view(scope) as view:
        held = view.by_source(messages)
    return [
        Trace(what=message, kind="source", where=node)
        for message, nodes in held.items()
        for node in nodes
    ]


def _words_left(store: Store) -> frozenset[str]:
    """Words that any scope still says, which an index may hold by right."""
    words: set[str] = set()
    for scope in store.scopes():
        with store.view(scope) as view:
            for kind in NODE_KINDS:
                for node in view.scan(kind):
                    words.update(content_tokens(encode_node(node)))
                    for text in node_texts(node):
                        words.update(content_tokens(text))
    return frozenset(words) | _SPELLED


def _needles(texts: Sequence[str], left: frozenset[str]) -> dict[bytes, tuple[str, str]]:
    """Bytes to look for, with what they stand for. Words are looked for as an index spells them:
    whole and in quotes, so that "art" is not found in "party".
    """
    needles: dict[bytes, tuple[str, str]] = {}
    for text in texts:
        for spelling in (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]):
            needles.setdefault(spelling.encode("utf-8", "surrogatepass"), (text, "text"))
        for word in dict.fromkeys(content_tokens(text)):
            long = len(word) >= (_SHORTEST_WORD if word.isascii() else 2)
            if long and word not in left:
                needles.setdefault(f'"{word}"'.encode(), (word, "word"))
    return needles


def _search(path: Path, needles: Sequence[bytes]) -> tuple[dict[bytes, int], int]:
    """Occurrences of each needle in one file, read in pieces that overlap; a file that went
    meanwhile holds nothing.
    """
    counts: dict[bytes, int] = {}
    overlap = max((len(needle) for needle in needles), default=1) - 1
    size = 0
    rest = b""
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                size += len(piece)
                window = rest + piece
                for needle in needles:
                    # What lies wholly in the overlap was counted with the piece before.
                    start = max(0, len(rest) - len(needle) + 1)
                    if count := window.count(needle, start):
                        counts[needle] = counts.get(needle, 0) + count
                rest = window[-overlap:] if overlap else b""
    except FileNotFoundError:
        return {}, 0
    return counts, size
