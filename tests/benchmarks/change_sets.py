"""Conversations in which something changes, or only seems to, each with one question.

They come in two halves of one file each. ``dev`` is for looking and tuning; ``sealed`` is scored
once, and nothing of its single questions is written anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemis import Message
from tests.benchmarks.class_sets import HALVES
from tests.benchmarks.pools import ROOT, Pool, read_lines

FOLDER = ROOT / "tests" / "data" / "changes"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCase:
    """``current`` are ids of turns that answer the question, ``superseded`` of those whose value
    no longer holds, ``untouched`` of those that nothing overturned. With ``past`` the question is
    for what held before: then ``current`` are superseded too.
    """

    id: str
    kind: str
    language: str
    pool: Pool
    text: str
    asked_at: datetime
    current: tuple[str, ...]
    superseded: tuple[str, ...]
    untouched: tuple[str, ...]
    past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """One half's cases, in order of the file."""

    half: str
    cases: tuple[ChangeCase, ...]


def load_changes(folder: Path = FOLDER, *, half: str = "dev") -> ChangeSet:
    """The half's cases; raises FileNotFoundError when the folder holds none of that half."""
    if half not in HALVES:
        raise ValueError(f"half must be one of {HALVES}, got {half!r}")
    path = folder / f"{half}.jsonl"
    cases = tuple(_case(raw) for raw in read_lines(path)) if path.is_file() else ()
    if not cases:
        raise FileNotFoundError(f"{str(folder)!r} holds no changes of the {half} half")
    return ChangeSet(half=half, cases=cases)


def _case(raw: Mapping[str, Any]) -> ChangeCase:
    messages = tuple(
        Message(
            role=each["role"],
            speaker=each["speaker"],
            text=each["text"],
            time=datetime.fromisoformat(each["time"]),
            session=each["session"],
            id=each["id"],
        )
        for each in raw["turns"]
    )
    return ChangeCase(
        id=raw["id"],
        kind=raw["kind"],
        language=raw["language"],
        pool=Pool(
            set="changes",
            name=raw["id"],
            language=raw["language"],
            messages=messages,
            questions=(),
        ),
        text=raw["question"],
        asked_at=datetime.fromisoformat(raw["asked_at"]),
        current=tuple(raw["current"]),
        superseded=tuple(raw["superseded"]),
        untouched=tuple(raw["untouched"]),
        past=raw.get("asks") == "past",
    )
