"""Loading the shipped conversation and questions, and asking them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, cast

from mnemis.formats.jsonl import read_messages
from mnemis.formats.reading import Conversation
from mnemis.memory import Memory
from mnemis.model.recall import Recall

SCOPE = "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; ``evidence`` are ids of the turns that answer it, ``answer`` is for people.

    ``kind`` is vague, relational or evolving; ``current`` is the turn that holds now, where an
    older one was overturned.
    """

    id: str
    kind: str
    language: str
    text: str
    asked_at: datetime
    evidence: tuple[str, ...]
    answer: str
    current: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back; ``found`` are the question's evidence among the hits' first sources."""

    question: Question
    recall: Recall
    found: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part of the evidence that was found, in [0, 1]."""
        return len(self.found) / len(self.question.evidence)

    @property
    def has_current(self) -> bool:
        """Whether the turn that holds now was found; true where nothing was overturned."""
        return self.question.current is None or self.question.current in self.found


def load_conversation() -> Conversation:
    """The shipped messages, in order of saying."""
    text = files("mnemis.demo").joinpath("conversation.jsonl").read_text("utf-8")
    return read_messages(text, name="the demo's conversation", zone=UTC).conversations[0]


def load_questions() -> tuple[Question, ...]:
    """The shipped questions, by class."""
    text = files("mnemis.demo").joinpath("questions.jsonl").read_text("utf-8")
    return tuple(_question(json.loads(line)) for line in text.splitlines() if line.strip())


def ask(memory: Memory, question: Question, *, k: int = 10) -> Answer:
    """Ask one question; evidence counts among the first ``k`` distinct message ids of the hits."""
    recall = memory.recall(question.text, k=k, asked_at=question.asked_at)
    cited = list(dict.fromkeys(source for hit in recall.hits for source in hit.sources))[:k]
    found = tuple(each for each in question.evidence if each in cited)
    return Answer(question=question, recall=recall, found=found)


def _question(value: object) -> Question:
    raw = cast("dict[str, Any]", value)
    return Question(
        id=raw["id"],
        kind=raw["class"],
        language=raw["language"],
        text=raw["text"],
        asked_at=datetime.fromisoformat(raw["asked_at"]),
        evidence=tuple(raw["evidence"]),
        answer=raw["answer"],
        current=raw.get("current"),
    )
