"""Spans: what a pipeline did, how long it took, and what it counted. Generic; holds no memory."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One stage: its name, seconds, notes and the stages inside it."""

    name: str
    seconds: float
    notes: Mapping[str, object] = field(default_factory=dict[str, object])
    children: tuple[Span, ...] = ()

    def render(self, *, depth: int = 0) -> str:
        """Indented text, one stage a line, milliseconds."""
        notes = ", ".join(f"{key}={value}" for key, value in self.notes.items())
        head = f"{'  ' * depth}{self.name}  {self.seconds * 1000:.2f} ms  {notes}".rstrip()
        return "\n".join([head, *(child.render(depth=depth + 1) for child in self.children)])

    def find(self, name: str) -> Span | None:
        """The first span of that name, depth first."""
        if self.name == name:
            return self
        for child in self.children:
            found = child.find(name)
            if found is not None:
                return found
        return None


class Tracer:
    """Collects spans of one call. Not shared between threads.

    >>> tracer = Tracer()
    >>> with tracer.span("fuse", routes=2) as notes:
    ...     notes["kept"] = 10
    >>> tracer.finish("recall").children[0].notes
    {'routes': 2, 'kept': 10}
    """

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._open: list[list[Span]] = [[]]

    @contextmanager
    def span(self, name: str, **notes: object) -> Generator[dict[str, object]]:
        """Time a stage; the yielded dict takes further notes."""
        started = time.perf_counter()
        self._open.append([])
        try:
            yield notes
        finally:
            children = self._open.pop()
            self._open[-1].append(
                Span(
                    name=name,
                    seconds=time.perf_counter() - started,
                    notes=notes,
                    children=tuple(children),
                )
            )

    def finish(self, name: str, **notes: object) -> Span:
        """The root span over everything collected."""
        return Span(
            name=name,
            seconds=time.perf_counter() - self._started,
            notes=notes,
            children=tuple(self._open[0]),
        )
