"""Settings, one frozen value; every number that a user may want to change lives here."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, timedelta, tzinfo
from typing import Literal

from mnemis.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentConfig:
    """Where an episode ends: topic change, a pause, the session's end, or its longest size."""

    pause: timedelta = timedelta(hours=4)
    typical_turns: int = 7
    min_turns: int = 3
    max_turns: int = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentConfig:
    """Documents are stored in chunks of about ``chunk_tokens``, neighbours sharing ``overlap``."""

    chunk_tokens: int = 400
    overlap: float = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryConfig:
    """Category layers: parents a node may have, children a category needs, layers at most."""

    max_parents: int = 3
    min_children: int = 2
    max_layers: int = 4
    refresh_every: int = 100
    drift: float = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallConfig:
    """How memories are brought back.

    ``routes``: those that are walked; ``candidates``: nearest neighbours per signal; ``hops``:
    relation depth; ``frontier``: most edges followed from one node; ``depth`` and ``prune``: the
    walk down the categories; ``fusion``: a normalised sum or reciprocal ranks; ``skip_types``:
    edge types never walked.
    """

    routes: tuple[Literal["similarity", "relations", "hierarchy"], ...] = (
        "similarity",
        "relations",
        "hierarchy",
    )
    candidates: int = 100
    hops: int = 3
    frontier: int = 64
    depth: int = 5
    prune: float = 0.2
    fusion: Literal["sum", "rrf"] = "sum"
    rrf_k: int = 60
    skip_types: tuple[str, ...] = ()
    auto_k: int = 10
    auto_floor: int = 5
    context_tokens: int = 1_000
    rerank_from: int = 20
    max_query_chars: int = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set.

    ``zone`` is given to naive times; ``consolidate`` "auto" queues work at session ends and every
    ``consolidate_every`` turns, "manual" leaves it to ``consolidate()``; ``edge_types`` None builds
    all; ``exact_vectors`` is the number of index entries of a scope up to which vectors are
    searched exactly in memory, above it in Chroma.
    """

    zone: tzinfo = UTC
    consolidate: Literal["auto", "manual"] = "auto"
    consolidate_every: int = 50
    edge_types: tuple[str, ...] | None = None
    exact_vectors: int = 60_000
    lease: timedelta = timedelta(minutes=5)
    lock_timeout: float = 1.5
    tiktoken_dir: str | None = None
    part_chars: int = 300
    segment: SegmentConfig = field(default_factory=SegmentConfig)
    documents: DocumentConfig = field(default_factory=DocumentConfig)
    categories: CategoryConfig = field(default_factory=CategoryConfig)
    recall: RecallConfig = field(default_factory=RecallConfig)

    def __post_init__(self) -> None:
        """Raises InputError for a value that means nothing."""
        if not isinstance(self.zone, tzinfo):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(
                f"Config.zone must be a tzinfo such as ZoneInfo('Asia/Shanghai'), got {self.zone!r}"
            )
        if self.consolidate not in ("auto", "manual"):
            raise InputError(
                f'Config.consolidate must be "auto" or "manual", got {self.consolidate!r}'
            )
        for name, least in (
            ("consolidate_every", 1),
            ("exact_vectors", 0),
            ("part_chars", 20),
            ("lock_timeout", 0),
        ):
            value: object = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or value < least:
                raise InputError(f"Config.{name} must be a number >= {least}, got {value!r}")
