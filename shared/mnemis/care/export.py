"""export: the whole scope as readable JSON Lines, or as GraphML for graph tools.

One JSON object a line: a header, then turns in order, derived nodes, edges. Times are ISO 8601;
vectors are left out, an import makes them anew. The file appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from mnemis.errors import InputError, StoreError
from mnemis.model.change import Scope
from mnemis.model.graph import NODE_KINDS, Edge
from mnemis.ports.store import View
from mnemis.stores.codec import encode_edge, encode_node

FORMAT: Final = "mnemis-export"
VERSION: Final = 1
STATE_KEYS: Final = (
    "next_ordinal",
    "consolidated",
    "consolidated_turn",
    "failed_episodes",
    "rejected_categories",
    "redo",
    "clustered",
    "titled",
)
_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """Where the file is and how much it holds."""

    path: str
    nodes: int
    edges: int
    seq: int


def export(view: View, path: str | PathLike[str], *, scope: Scope) -> ExportReport:
    """Write the scope to a file, GraphML when its name ends in ".graphml".

    Replaces the file atomically. Raises InputError for a path that cannot be a file, StoreError
    when it cannot be written.
    """
    target = _checked(path)
    if target.suffix.lower() == ".graphml":
        from mnemis.care.graphml import graphml

        write_whole(target, graphml(view))
    else:
        write_whole(target, (line.encode() for line in export_lines(view, scope=scope)))
    stats = view.stats()
    return ExportReport(
        path=str(target), nodes=sum(stats.nodes.values()), edges=stats.edges, seq=view.seq
    )


def export_lines(view: View, *, scope: Scope) -> Iterator[str]:
    """The lines of the file, each with its newline."""
    stats = view.stats()
    state = {key: value for key in STATE_KEYS if (value := view.state(key)) is not None}
    yield _line(
        {
            "format": FORMAT,
            "version": VERSION,
            "scope": list(scope),
            "seq": view.seq,
            "nodes": dict(stats.nodes),
            "edges": stats.edges,
            "state": state,
        }
    )
    for kind in NODE_KINDS:
        for node in view.scan(kind):
            yield _line({"kind": kind, "id": node.id, **json.loads(encode_node(node))})
    for edge in view.edges():
        yield _line(edge_record(edge))


def edge_record(edge: Edge) -> dict[str, object]:
    """An edge as its line says it."""
    body = json.loads(encode_edge(edge) or "{}")
    return {
        "kind": "edge",
        "type": edge.type,
        "source": edge.source,
        "target": edge.target,
        "weight": edge.weight,
        **body,
    }


def write_whole(target: Path, pieces: Iterator[bytes]) -> None:
    """Write beside the target, make it durable, then put it in place. Raises StoreError."""
    written: str | None = None
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=".mnemis-", delete=False) as file:
            written = file.name
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(written, target)
        written = None
    except OSError as error:
        raise StoreError(f"{str(target)!r} could not be written: {error.strerror}") from error
    finally:
        if written is not None:
            Path(written).unlink(missing_ok=True)


def _checked(path: str | PathLike[str]) -> Path:
    name = os.fspath(path)
    if not isinstance(name, str) or not name or "\0" in name:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"export() wants the name of a file, got {path!r}")
    target = Path(name)
    if target.is_dir():
        raise InputError(f"{name!r} is a folder; export() writes one file")
    if not target.parent.is_dir():
        raise InputError(f"there is no folder {str(target.parent)!r} to write {target.name!r} into")
    return target


def _line(record: dict[str, object]) -> str:
    text = json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    # JSON escapes control characters below space; these others break lines or change how a
    # terminal shows what follows.
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"
