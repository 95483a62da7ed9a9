"""The questions by class over the test data's own conversations.

Each class comes in two halves. ``dev`` is for looking and tuning; ``sealed`` is scored once, and
nothing of its single questions is written anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from mnemis import Message
from tests.benchmarks.pools import ROOT, Pool, read_lines

FOLDER = ROOT / "tests" / "data" / "classes"
HALVES = ("dev", "sealed")
CLASSES = ("vague", "relational", "evolving", "smalltalk", "everything")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassQuestion:
    """``form`` tells questions of the class ``everything`` apart: "list" or "vague", else "".

    ``current`` and ``superseded`` (oldest first) are message ids of the class ``evolving``.
    """

    id: str
    conversation: str
    kind: str
    language: str
    text: str
    asked_at: datetime
    evidence: tuple[str, ...]
    form: str = ""
    current: str = ""
    superseded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSet:
    """One half: conversations by name, without questions of their own, and the questions."""

    half: str
    pools: Mapping[str, Pool]
    questions: tuple[ClassQuestion, ...]


def load_classes(folder: Path = FOLDER, *, half: str = "dev") -> ClassSet:
    """The half's questions of every class that has a file, and the conversations they are about.

    Raises FileNotFoundError when the folder holds no question of that half.
    """
    if half not in HALVES:
        raise ValueError(f"half must be one of {HALVES}, got {half!r}")
    paths = [folder / f"{name}.{half}.jsonl" for name in CLASSES]
    questions = tuple(
        _question(raw) for path in paths if path.is_file() for raw in read_lines(path)
    )
    if not questions:
        raise FileNotFoundError(f"{str(folder)!r} holds no questions of the {half} half")
    names = sorted({each.conversation for each in questions})
    return ClassSet(
        half=half, pools={name: _pool(folder, name) for name in names}, questions=questions
    )


def _pool(folder: Path, name: str) -> Pool:
    messages = tuple(
        Message(
            role=raw["role"],
            speaker=raw["speaker"],
            text=raw["text"],
            time=datetime.fromisoformat(raw["time"]),
            session=raw["session"],
            id=raw["id"],
        )
        for raw in read_lines(folder / f"{name}.jsonl")
    )
    return Pool(set="classes", name=name, language="en+zh", messages=messages, questions=())


def _question(raw: Mapping[str, Any]) -> ClassQuestion:
    return ClassQuestion(
        id=raw["id"],
        conversation=raw["conversation"],
        kind=raw["class"],
        language=raw["language"],
        text=raw["text"],
        asked_at=datetime.fromisoformat(raw["asked_at"]),
        evidence=tuple(dict.fromkeys(raw["evidence"])),
        form=raw.get("form", ""),
        current=raw.get("current", ""),
        superseded=tuple(raw.get("superseded", ())),
    )
