"""Hits as LlamaIndex nodes: the text, the path that the model sees, and the rest for machines."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    RelatedNodeInfo,
    RelatedNodeType,
    TextNode,
)

from mnemis import Hit, Path
from mnemis.model.places import PLACE, Placed

PATH = "path"
NOTE = "note"
SHOWN = (PATH, NOTE)
"""Metadata that the model is shown unless told otherwise."""

TRANSCRIPT = "llamaindex"
"""Metadata key under which a conversation keeps what plain text cannot hold; never shown."""

_LONGEST_PATH = 200
_LONGEST_NOTE = 300


class MemoryNode(TextNode):
    """A memory as a node. Two finds of one memory are equal, whatever query found them.

    Fusion retrievers tell nodes apart by ``hash``; the path differs from query to query and must
    not make two nodes of one memory.
    """

    @property
    def hash(self) -> str:
        """Of the memory's id and text."""
        return sha256(f"{self.id_}\0{self.text}".encode("utf-8", "surrogatepass")).hexdigest()


def node_of(hit: Hit, *, shown: Sequence[str] = SHOWN) -> NodeWithScore:
    """A hit as a node with its score in [0, 1].

    The model sees the metadata named in ``shown`` (the path; a note where a memory no longer
    holds or is disputed). Everything else is excluded from the model's text, and all of it from
    the embedding's.
    """
    metadata = _metadata(hit)
    relationships: dict[NodeRelationship, RelatedNodeType] = {}
    if hit.kind != "turn" and hit.sources:
        relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id=f"turn:{hit.sources[0]}")
    node = MemoryNode(
        id_=hit.id,
        text=hit.text,
        extra_info=metadata,
        relationships=relationships,
        excluded_llm_metadata_keys=[key for key in metadata if key not in shown],
        excluded_embed_metadata_keys=list(metadata),
    )
    return NodeWithScore(node=node, score=hit.score)


def placed_node(placed: Placed, *, shown: Sequence[str] = SHOWN) -> NodeWithScore:
    """As ``node_of``; its path leads from the top of the hierarchy to the place and the text."""
    found = node_of(placed.hit, shown=shown)
    found.node.metadata |= {PATH: _one_line(placed.path, limit=_LONGEST_PATH), PLACE: placed.place}
    return found


def nodes_of(hits: Sequence[Hit], *, shown: Sequence[str] = SHOWN) -> list[NodeWithScore]:
    """The hits that have text, in their order."""
    return [node_of(hit, shown=shown) for hit in hits if hit.text.strip()]


def _metadata(hit: Hit) -> dict[str, object]:
    own: dict[str, object] = {PATH: short_path(hit.paths) or hit.kind}
    note = _note(hit)
    if note:
        own[NOTE] = note
    own |= {
        "kind": hit.kind,
        "status": hit.status,
        "why": hit.why,
        "sources": list(hit.sources),
        "speaker": hit.speaker,
        "session": hit.session,
        "time": hit.time.isoformat() if hit.time else None,
        "weak": hit.weak,
        "paths": [_path(each) for each in hit.paths],
        "route_scores": {str(route): score for route, score in hit.route_scores.items()},
        "successors": [_successor(each) for each in hit.successors],
    }
    given = {key: value for key, value in hit.metadata.items() if key != TRANSCRIPT}
    # The message's own metadata keeps its names; one that is taken moves under "metadata.".
    return own | {(f"metadata.{key}" if key in own else key): v for key, v in given.items()}


def short_path(paths: Sequence[Path]) -> str:
    """The best path in one line of at most 200 characters; empty when there is none."""
    return _one_line(str(paths[0]), limit=_LONGEST_PATH) if paths else ""


def _note(hit: Hit) -> str:
    newer = "; ".join(_one_line(each.text, limit=_LONGEST_NOTE) for each in hit.successors)
    if hit.status == "superseded":
        return f"no longer holds; replaced by: {newer}" if newer else "no longer holds"
    if hit.status == "disputed":
        return f"disputed; the other side: {newer}" if newer else "disputed"
    return "archived" if hit.status == "archived" else ""


def _path(path: Path) -> dict[str, object]:
    return {
        "route": path.route,
        "text": str(path),
        "score": path.score,
        "nodes": [step.node for step in path.steps],
    }


def _successor(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.id,
        "text": hit.text,
        "time": hit.time.isoformat() if hit.time else None,
        "sources": list(hit.sources),
    }


def _one_line(text: str, *, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
