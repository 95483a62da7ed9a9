"""LlamaIndex documents and nodes into the memory, their metadata as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import cast

from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo

from mnemis import Document, InputError, Memory
from mnemis.model.message import Json, as_json
from mnemis.model.places import PLACE, place_text

_TITLES = ("title", "file_name", "document_title", "name")
_SOURCES = ("source", "url", "file_path", "filename")
_TIMES = ("time", "date", "creation_date", "last_modified_date")


def add_nodes(
    memory: Memory, nodes: Iterable[BaseNode], *, place: str | Sequence[str] | None = None
) -> int:
    """Remember documents or nodes under their own ids; how many of them were new.

    ``place`` is where in a hierarchy they hold, from the general to the particular:
    ("Group", "Germany", "Berlin"). Nodes without text are left out. The same node again changes
    nothing; the same id with another text is a MessageConflict. Raises InputError, StoreError,
    EmbedderError.
    """
    _check(memory)
    return memory.add_documents(to_documents(nodes, place=place)).stored


async def aadd_nodes(
    memory: Memory, nodes: Iterable[BaseNode], *, place: str | Sequence[str] | None = None
) -> int:
    """``add_nodes`` off the event loop."""
    _check(memory)
    return (await memory.aadd_documents(to_documents(nodes, place=place))).stored


def to_documents(
    nodes: Iterable[BaseNode], *, place: str | Sequence[str] | None = None
) -> list[Document]:
    """One document a node that has text.

    Title, source and time are read from the metadata that LlamaIndex's readers write
    (``file_name``, ``file_path``, ``creation_date``, …). All metadata is kept, None and lists
    too; a value that JSON does not know is kept as text. The parent's id is kept as
    ``ref_doc_id``, ``place`` (see ``add_nodes``) as "place", which may also stand in the metadata
    themselves, as "Group > Germany > Berlin". Raises InputError for what is no node.
    """
    own: dict[str, Json] = {} if place is None else {PLACE: place_text(place)}
    documents: list[Document] = []
    for node in nodes:
        if not isinstance(node, BaseNode):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"add_nodes() wants Document or Node objects, got {type(node)!r}")
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        if text.strip():
            documents.append(_document(node, text, own))
    return documents


def _check(memory: Memory) -> None:
    if not isinstance(memory, Memory):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(
            f'add_nodes() wants one user\'s Memory, such as mnemis.scope("user-42"), '
            f"got {type(memory).__name__}"
        )


def _document(node: BaseNode, text: str, own: Mapping[str, Json]) -> Document:
    given = cast("dict[str, object]", node.metadata)
    metadata = {str(key): as_json(value) for key, value in given.items()}
    parent = node.relationships.get(NodeRelationship.SOURCE)
    if isinstance(parent, RelatedNodeInfo) and parent.node_id != node.node_id:
        metadata.setdefault("ref_doc_id", parent.node_id)
    return Document(
        id=node.node_id,
        text=text,
        title=_first(given, _TITLES),
        source=_first(given, _SOURCES),
        time=next((found for key in _TIMES if (found := _time(given.get(key)))), None),
        metadata={**metadata, **own},
    )


def _first(metadata: Mapping[str, object], keys: Sequence[str]) -> str:
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _time(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return None
    return None
