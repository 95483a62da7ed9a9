"""import_: an exported file becomes a scope again, with the same ids, nodes and edges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np

from mnemis.care.export import FORMAT, STATE_KEYS, VERSION
from mnemis.care.reindex import index_nodes, index_text
from mnemis.config import Config
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.topics.placing import entry_of
from mnemis.consolidate.validity.slots import slot_key
from mnemis.errors import InputError, MessageConflict
from mnemis.model.change import Change, IndexEntry, Scope, Vector
from mnemis.model.graph import NODE_KINDS, Category, Edge, Fact, Node, NodeKind, Turn
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import Floats, Store, View
from mnemis.remember.entries import draft_entries, embed_entries
from mnemis.stores.codec import decode_edge, decode_node, dump_json, encode_node

_BATCH: Final = 1_000
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """How much the file holds and how much of it was new here."""

    scope: Scope
    nodes: int
    edges: int
    added: int
    seq: int


@dataclass(slots=True)
class _Content:
    """A file as read and checked."""

    scope: Scope = ()
    state: dict[str, str] = field(default_factory=dict[str, str])
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    edges: list[Edge] = field(default_factory=list[Edge])


def exported_scope(path: str | PathLike[str]) -> Scope:
    """The scope that a file was exported from, all of it checked before a folder is made for it.

    Raises InputError naming the line that is wrong.
    """
    return _read(path).scope


def import_file(
    store: Store,
    scope: Scope,
    path: str | PathLike[str],
    *,
    embedder: Embedder,
    config: Config,
) -> ImportReport:
    """Bring an export into a scope that is empty, or holds a part of the same export.

    The whole file is checked first; a repeat adds nothing, and completes what broke off. Raises
    InputError naming the line, MessageConflict, StoreError, EmbedderError.
    """
    content = _read(path)
    with store.view(scope) as view:
        _check_target(view, content)
        known = view.get(list(content.nodes))
        fresh = [node for node in content.nodes.values() if known.get(node.id) != node]
        held = {edge.key: edge for edge in view.edges()}
        edges = [edge for edge in content.edges if held.get(edge.key) != edge]
        seq = view.seq
        state = _state(content)
        settled = all(view.state(key) == value for key, value in state.items())
    entries = _entries(fresh, content, embedder, config)
    for nodes in _batches([node for node in fresh if not isinstance(node, Category)]):
        owned = [entry for node in nodes for entry in entries.get(node.id, ())]
        seq = _put(store, scope, seq, nodes=nodes, entries=owned)
    categories = [node for node in fresh if isinstance(node, Category)]
    for nodes in _batches(categories):
        owned = [entry for node in nodes for entry in entries.get(node.id, ())]
        seq = _put(store, scope, seq, nodes=nodes, entries=owned)
    for links in _batches(edges):
        seq = _put(store, scope, seq, edges=links)
    if not settled or fresh:
        seq = _put(store, scope, seq, state={**state, "placed": str(seq + 1)})
    return ImportReport(
        scope=scope,
        nodes=len(content.nodes),
        edges=len(content.edges),
        added=len(fresh) + len(edges),
        seq=seq,
    )


def _put(
    store: Store,
    scope: Scope,
    seq: int,
    *,
    nodes: Sequence[Node] = (),
    edges: Sequence[Edge] = (),
    entries: Sequence[IndexEntry] = (),
    state: dict[str, str] | None = None,
) -> int:
    change = Change(
        id=f"import-{seq}-{digest(*(node.id for node in nodes), str(len(edges)))}",
        purpose="import",
        nodes=tuple(nodes),
        edges=tuple(edges),
        entries=tuple(entries),
        state=state or {},
    )
    return store.apply(scope, change).seq


def _check_target(view: View, content: _Content) -> None:
    """Positions in a conversation cannot be merged, so nothing else may be there."""
    for node in view.scan("turn"):
        given = content.nodes.get(node.id)
        if given is None:
            raise InputError(
                f"the scope already holds other messages ({node.sources[0]!r} is not in the file); "
                "import into an empty scope"
            )
        if given.text != node.text:
            raise MessageConflict(
                f"message {node.sources[0]!r} is stored with another text than the file has"
            )


def _state(content: _Content) -> dict[str, str]:
    """What consolidation keeps beside the graph: its place, and the facts of each slot."""
    slots: dict[str, dict[str, Fact]] = {}
    for node in content.nodes.values():
        if isinstance(node, Fact) and "said" in node.metadata:
            for topical in (False, True):  # only extraction knows which; the other is never asked
                key = slot_key(
                    node.subject_id or "",
                    node.relation,
                    node.aspect,
                    node.object,
                    topical=topical,
                )
                slots.setdefault(key, {})[node.id] = node
    held = {
        f"slot:{key}": ",".join(f.id for f in sorted(facts.values(), key=_order))
        for key, facts in slots.items()
    }
    return {**content.state, **held}


def _order(fact: Fact) -> tuple[float, int, str]:
    begins = fact.time.timestamp() if fact.time else 0.0
    return (begins, fact.version, fact.id)


def _entries(
    fresh: Sequence[Node], content: _Content, embedder: Embedder, config: Config
) -> dict[str, list[IndexEntry]]:
    """Index entries by owner; a category is found by the mean of its members."""

    def embed(texts: Sequence[str]) -> Floats:
        rows = np.array(embedder.embed(texts), dtype=np.float32)
        rows[~np.isfinite(rows).all(axis=1)] = 0.0
        return rows

    turns = [node for node in fresh if isinstance(node, Turn)]
    made = list(embed_entries(draft_entries(turns, part_chars=config.part_chars), embed=embed))
    derived = {n.id: n for n in fresh if not isinstance(n, Turn | Category)}
    for nodes in _batches(list(derived.values())):
        texts = {node.id: index_text(node) for node in nodes if index_text(node).strip()}
        made.extend(index_nodes(derived, texts, embedder=embedder))
    vectors = {entry.id: entry.vector for entry in made if entry.vector is not None}
    members: dict[str, list[str]] = {}
    for edge in content.edges:
        if edge.type == "belongs_to":
            members.setdefault(edge.target, []).append(edge.source)
    categories = [node for node in fresh if isinstance(node, Category)]
    for node in sorted(categories, key=lambda each: (each.layer, each.id)):
        vector = _mean([vectors[each] for each in members.get(node.id, ()) if each in vectors])
        if vector is not None:
            vectors[node.id] = vector
        made.append(entry_of(node, vector))
    owned: dict[str, list[IndexEntry]] = {}
    for entry in made:
        owned.setdefault(entry.owner, []).append(entry)
    return owned


def _mean(vectors: Sequence[Vector]) -> Vector | None:
    if not vectors:
        return None
    total = np.sum(vectors, axis=0, dtype=np.float64)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length, dtype=np.float32) if length > 0 else None


def _read(path: str | PathLike[str]) -> _Content:
    content = _Content()
    lines: dict[str, int] = {}
    for number, record in _records(path):
        if number == 1:
            content.scope, content.state = _header(record, number)
            continue
        kind = record.pop("kind", None)
        try:
            if kind == "edge":
                content.edges.append(_edge(record))
                lines["\n".join(content.edges[-1].key)] = number
            elif kind in NODE_KINDS:
                node = _node(kind, record)
                if node.id in content.nodes:
                    raise InputError(f"the id {node.id!r} stands on line {lines[node.id]} too")
                content.nodes[node.id] = node
                lines[node.id] = number
            else:
                raise InputError(f'"kind" is {kind!r}, not one of {", ".join(NODE_KINDS)}, edge')
        except (InputError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{fspath(path)!r}, line {number}: {_why(error)}") from error
    if not content.scope:
        raise InputError(f"{fspath(path)!r} is empty; it is no export of a memory")
    for edge in content.edges:
        for end in edge.key[:2]:
            if end not in content.nodes:
                where = lines["\n".join(edge.key)]
                raise InputError(
                    f"{fspath(path)!r}, line {where}: the edge ends at {end!r}, "
                    "which is not in the file"
                )
    return content


def _why(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _records(path: str | PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    name = fspath(path)
    try:
        file = Path(name).open(encoding="utf-8", newline="\n")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        raise InputError(f"{name!r} cannot be read: {error}") from error
    with file:
        try:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                yield number, _record(line, name, number)
        except UnicodeDecodeError as error:
            raise InputError(f"{name!r} is not UTF-8 text: {error.reason}") from error


def _record(line: str, name: str, number: int) -> dict[str, Any]:
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name!r}, line {number}: not JSON ({error})") from error
    if not isinstance(record, dict):
        raise InputError(f"{name!r}, line {number}: a JSON object is wanted, not {line[:40]!r}")
    return cast("dict[str, Any]", record)


def _header(record: dict[str, Any], number: int) -> tuple[Scope, dict[str, str]]:
    if record.get("format") != FORMAT:
        raise InputError(f'line {number}: "format" is {record.get("format")!r}, not {FORMAT!r}')
    version = record.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise InputError(
            f"line {number}: version {version!r} of the export is not known; upgrade mnemis"
        )
    labels = record.get("scope")
    if not isinstance(labels, list) or not labels:
        raise InputError(f'line {number}: "scope" must be a list of labels, got {labels!r}')
    held = cast("dict[str, object]", record.get("state") or {})
    state: dict[str, str] = {key: str(held[key]) for key in STATE_KEYS if key in held}
    for key in ("next_ordinal", "consolidated", "clustered"):
        if not state.get(key, "0").isdigit():
            raise InputError(f"line {number}: state {key!r} must be a number, got {state[key]!r}")
    return tuple(str(label) for label in cast("list[object]", labels)), state


def _node(kind: NodeKind, record: dict[str, Any]) -> Node:
    identity = record.pop("id")
    if not isinstance(identity, str) or not identity.startswith(f"{kind}:"):
        raise InputError(f'"id" of a {kind} must begin with "{kind}:", got {identity!r}')
    for name, wanted in (("text", str), ("metadata", dict), ("sources", list)):
        if not isinstance(record.get(name, wanted()), wanted):
            raise InputError(f'"{name}" of {identity!r} must be a {wanted.__name__}')
    node = decode_node(kind, identity, dump_json(record))
    encode_node(node)  # raises for what cannot be stored
    return node


def _edge(record: dict[str, Any]) -> Edge:
    names = ("source", "target", "type", "weight")
    source, target, kind, weight = (record.pop(name) for name in names)
    if not all(isinstance(each, str) and each for each in (source, target, kind)):
        raise InputError("source, target and type must be texts")
    if not isinstance(weight, int | float) or not 0 < weight <= 1:
        raise InputError(f"weight must lie in (0, 1], got {weight!r}")
    return decode_edge(source, target, kind, float(weight), dump_json(record) if record else "")


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]
