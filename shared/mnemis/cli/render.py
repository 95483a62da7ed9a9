"""How the command speaks: tables and wrapped text aligned also for wide characters, or JSON.

rich is imported when something is printed, not before; piped output has no colours and a
fixed width of 100 columns unless $COLUMNS says otherwise.
"""

from __future__ import annotations

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mnemis.model.recall import Hit, Recall

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_PIPED_WIDTH = 100


def console(*, stderr: bool = False) -> Console:
    """A console on stdout (or stderr) that never reads markup out of a memory's text."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = int(os.environ.get("COLUMNS") or 0) or (None if stream.isatty() else _PIPED_WIDTH)
    return Console(file=stream, markup=False, highlight=False, emoji=False, width=width)


def say(text: str = "", *, indent: int = 0, style: str | None = None) -> None:
    """Print text, wrapped with every line indented by ``indent`` columns."""
    from rich.text import Text

    out = console()
    lines = Text(visible(text), style=style or "").wrap(out, max(20, out.width - indent))
    for line in lines:
        line.rstrip()
        line.pad_left(indent)
    _print(out, Text("\n").join(lines))


def say_verbatim(text: str) -> None:
    """Print text with its own line breaks, for another program or a prompt."""
    print(visible(text))  # noqa: T201 the command's way to speak


def warn(text: str) -> None:
    """One line on stderr."""
    print(visible(text), file=sys.stderr)  # noqa: T201 the command's way to speak


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their text needs; the last one wraps."""
    from rich import box
    from rich.table import Table

    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, title in enumerate(header):
        is_last = index == len(header) - 1
        grid.add_column(title, overflow="fold", no_wrap=not is_last)
    for row in rows:
        grid.add_row(*(visible(cell) for cell in row))
    _print(console(), grid)


def _print(out: Console, drawing: RenderableType) -> None:
    """Print without blanks at line ends, and by ``print``, which lets a closed pipe be noticed."""
    with out.capture() as drawn:
        out.print(drawing)
    for line in drawn.get().rstrip("\n").split("\n"):
        print(line.rstrip())  # noqa: T201 the command's way to speak


def dump(value: object) -> None:
    """One JSON document, readable, with characters as they are."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201 the command's way to speak


def visible(text: str) -> str:
    """The text with control characters shown, so that no memory can steer a terminal.

    >>> visible("a\\x1b[2Jb")
    'a\\ufffd[2Jb'
    """
    return "".join(
        each if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cs") else "\ufffd"
        for each in text
    )


def when(time: datetime | None) -> str:
    """A time as people read it; the offset only where it is not UTC."""
    if time is None:
        return ""
    offset = "" if not time.utcoffset() else time.strftime(" %z")
    return time.strftime("%Y-%m-%d %H:%M") + offset


@contextmanager
def progress(title: str) -> Generator[Callable[[int, int], None]]:
    """A bar on stderr when that is a terminal, else nothing; call it with (done, total)."""
    if not sys.stderr.isatty():
        yield _nothing
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining()
    )  # fmt: skip
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _nothing(done: int, total: int) -> None:
    """Progress that nobody watches."""


def say_hit(rank: int, hit: Hit, *, mark: str = "") -> None:
    """A hit: score, status, time and speaker, its text, its best path and why.

    ``mark`` is one more word for the first line.
    """
    marks = [f"{hit.score:.2f}", hit.kind, hit.status, when(hit.time), hit.speaker]
    if hit.weak:
        marks.append("doubtful")
    marks.append(mark)
    say(f"{rank:2d}. " + "  ".join(mark for mark in marks if mark), style="bold")
    say(_shortened(hit.text), indent=4)
    if hit.paths:
        say(f"path: {hit.paths[0]}", indent=4, style="cyan")
    say(f"why:  {hit.why}", indent=4, style="dim")
    for successor in hit.successors:
        say(f"now:  {when(successor.time)}  {_shortened(successor.text)}".rstrip(), indent=4)


def recall_json(recall: Recall) -> dict[str, object]:
    """Everything that a recall holds but its trace."""
    return {
        "query": recall.query,
        "confident": recall.confident,
        "confidence": recall.confidence,
        "hits": [hit_json(hit) for hit in recall.hits],
        "context": recall.context,
        "context_sources": list(recall.context_sources),
        "context_tokens": recall.context_tokens,
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """A hit with its paths step by step."""
    return {
        "id": hit.id,
        "kind": hit.kind,
        "text": hit.text,
        "score": round(hit.score, 6),
        "time": hit.time.isoformat() if hit.time else None,
        "speaker": hit.speaker,
        "session": hit.session,
        "status": hit.status,
        "weak": hit.weak,
        "sources": list(hit.sources),
        "why": hit.why,
        "paths": [
            {
                "path": str(path),
                "route": path.route,
                "score": round(path.score, 6),
                "steps": [
                    {
                        "node": step.node,
                        "label": step.label,
                        "edge": list(step.edge) if step.edge else None,
                    }
                    for step in path.steps
                ],
            }
            for path in hit.paths
        ],
        "route_scores": {route: round(score, 6) for route, score in hit.route_scores.items()},
        "successors": [hit_json(each) for each in hit.successors],
        "metadata": dict(hit.metadata),
    }


def _shortened(text: str, limit: int = 400) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
