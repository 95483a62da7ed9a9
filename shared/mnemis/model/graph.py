"""The graph's nouns: nodes of five kinds and typed, weighted, timed edges.

Node ids carry their kind ("turn:m1", "entity:9f…"); identity is the id, never the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal, TypeAlias

from mnemis.model.message import Json, MessagePart

NodeKind = Literal["turn", "episode", "fact", "entity", "category"]
NODE_KINDS: tuple[NodeKind, ...] = ("turn", "episode", "fact", "entity", "category")

Status = Literal["current", "superseded", "disputed", "archived"]

Facet = Literal["what", "where", "who", "when"]

EntityType = Literal[
    "person", "organisation", "place", "product", "concept", "event", "animal", "other"
]

EdgeKey: TypeAlias = tuple[str, str, str]
"""(source id, target id, key): how ``graph()`` names an edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What all kinds share.

    ``text`` is what is shown and embedded; ``time`` is aware (None when unknown); ``sources``
    are the ids of the messages the node rests on; ``importance`` lies in [0, 1].
    """

    kind: ClassVar[NodeKind]

    id: str
    text: str
    time: datetime | None = None
    sources: tuple[str, ...] = ()
    status: Status = "current"
    importance: float = 0.0
    language: str = "und"
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Node):
    """A verbatim utterance (or one chunk of a document).

    ``ordinal`` rises with arrival within the scope; ``density`` (0 filler … 1 dense) decides what
    becomes knowledge; ``question_share`` is the share of the text that asks. ``message_id`` is
    the caller's id (a document's chunks share one).
    """

    kind: ClassVar[NodeKind] = "turn"

    message_id: str
    role: str
    speaker: str
    session: str
    ordinal: int
    density: float = 0.0
    question_share: float = 0.0
    dated: bool = False
    parts: tuple[MessagePart, ...] = ()

    @property
    def spoken(self) -> str:
        """The text with the captions of its parts: what is searched and shown."""
        captions = [f"[{p.kind}: {p.caption}]" for p in self.parts if p.caption.strip()]
        return "\n".join([self.text, *captions]).strip() if captions else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Node):
    """A stretch on one topic; ``text`` is its extractive summary, ``turns`` its turn ids in order.

    ``note`` says what went wrong or was lost while it was made, empty when nothing was.
    """

    kind: ClassVar[NodeKind] = "episode"

    title: str
    keywords: tuple[str, ...]
    session: str
    turns: tuple[str, ...]
    start: datetime | None = None
    end: datetime | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Node):
    """An assertion (subject, relation, object) with polarity and validity.

    ``relation`` is in the vocabulary; ``aspect`` narrows the slot ("locker code"); the slot
    (subject, relation, aspect) is where a newer fact may supersede an older one. ``valid_to`` is
    exclusive, None while it holds. ``recorded`` is when it was stored; ``speaker`` said it.
    """

    kind: ClassVar[NodeKind] = "fact"

    subject: str
    relation: str
    object: str
    subject_id: str | None = None
    object_id: str | None = None
    aspect: str = ""
    polarity: bool = True
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded: datetime | None = None
    confidence: float = 0.5
    version: int = 1
    speaker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Node):
    """Something one would ask for. ``qualifier`` keeps namesakes apart ("Java (island)")."""

    kind: ClassVar[NodeKind] = "entity"

    name: str
    type: EntityType = "other"
    aliases: tuple[str, ...] = ()
    qualifier: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category(Node):
    """A topic in layer ``layer`` (1 just above episodes and entities); ``facet`` says by what."""

    kind: ClassVar[NodeKind] = "category"

    name: str
    layer: int
    facet: Facet = "what"
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A typed edge; (source, target, type) is unique, a repeat raises its weight.

    ``weight`` lies in (0, 1]; ``context`` is the category in which that strength holds;
    ``position`` is the character offset of a mention in its turn.
    """

    source: str
    target: str
    type: str
    weight: float = 1.0
    time: datetime | None = None
    sources: tuple[str, ...] = ()
    context: str = ""
    position: int | None = None

    @property
    def key(self) -> EdgeKey:
        """How ``graph()`` names this edge."""
        return (self.source, self.target, self.type)
