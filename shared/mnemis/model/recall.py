"""What comes back: hits, each with the paths by which it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from mnemis.model.graph import EdgeKey, NodeKind, Status
from mnemis.model.message import Json
from mnemis.trace import Span

Route = Literal["similarity", "relations", "hierarchy", "recency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One stop: the node, how a person would call it, and the edge that led here.

    ``edge`` is the key (source, target, type) of ``graph()``'s edge between the step before and
    this one, walked in either direction; None on a seed.
    """

    node: str
    label: str
    edge: EdgeKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """How a memory was reached. ``str(path)`` joins the labels: "Payments > chat of 3 March".

    A label that repeats the one before it (two turns of one chat) is told once.
    """

    route: Route
    steps: tuple[Step, ...]
    score: float = 0.0

    def __str__(self) -> str:
        labels = [step.label for step in self.steps]
        told = [label for at, label in enumerate(labels) if at == 0 or label != labels[at - 1]]
        return " > ".join(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that came back.

    ``score`` lies in [0, 1], higher is better. ``sources`` are message ids, most relevant first.
    ``paths`` come best first; ``route_scores`` hold each route's own score. ``successors`` are
    what replaced it, in order, outside k. ``weak`` marks a doubtful hit.
    """

    id: str
    text: str
    kind: NodeKind
    score: float
    sources: tuple[str, ...]
    paths: tuple[Path, ...]
    why: str
    time: datetime | None = None
    speaker: str = ""
    session: str = ""
    status: Status = "current"
    successors: tuple[Hit, ...] = ()
    weak: bool = False
    route_scores: Mapping[Route, float] = field(default_factory=dict[Route, float])
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The answer to one query; ``hits`` come best first."""

    query: str
    hits: tuple[Hit, ...]
    confident: bool
    confidence: float
    context: str
    context_sources: tuple[str, ...]
    context_tokens: int
    trace: Span

    def explain(self) -> str:
        """The whole trace as readable text: parse, routes, timings, every hit's paths."""
        lines = [f"query: {self.query}", self.trace.render()]
        for rank, hit in enumerate(self.hits, start=1):
            lines.append(f"{rank:3d}. {hit.score:.3f} [{hit.status}] {hit.id}: {hit.why}")
            lines.extend(f"       {path.route}: {path}" for path in hit.paths)
        return "\n".join(lines)
