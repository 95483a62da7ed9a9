"""The graph as GraphML: scalar attributes as they are, everything else as JSON text."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Final, cast

from mnemis.care.graph import to_networkx
from mnemis.ports.store import View

_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LARGEST: Final = 2**63 - 1

Scalar = bool | int | float | str


def graphml(view: View) -> Iterator[bytes]:
    """The file's bytes. Nodes keep their ids; an edge's type is its attribute ``type``."""
    import networkx as nx

    graph = to_networkx(view)
    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph(seq=view.seq)
    for node, held in graph.nodes(data=True):
        plain.add_node(xml_text(node), **_scalars(held))
    # GraphML's edge ids are unique in the file, so the type cannot be the key here.
    for number, (source, target, held) in enumerate(graph.edges(data=True)):
        plain.add_edge(xml_text(source), xml_text(target), key=f"e{number}", **_scalars(held))
    buffer = io.BytesIO()
    nx.write_graphml(plain, buffer)  # pyright: ignore[reportUnknownMemberType] - no types for files
    yield buffer.getvalue()


def xml_text(text: str) -> str:
    """A text without the characters that XML 1.0 cannot hold: each becomes U+FFFD."""
    return _ILLEGAL.sub("\ufffd", text)


def _scalars(attributes: Mapping[str, object]) -> dict[str, Scalar]:
    found = {xml_text(key): _scalar(value) for key, value in attributes.items()}
    return {key: value for key, value in found.items() if value is not None}


def _scalar(value: object) -> Scalar | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, str):
        return xml_text(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return xml_text(json.dumps(_plain(value), ensure_ascii=False, default=str))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in cast("tuple[object, ...]", value)]
    return value
