"""What is at hand of one session: its latest turns, what was said before them, what holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mnemis.model.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing that the session settled and that still holds.

    ``kind`` is the relation of the fact ("decided", "wants", "avoids", …), or "pinned" for a turn
    that a person pinned. ``text`` names who said it; ``time`` is when it was last said in the
    session; ``sources`` are the ids of the messages that it rests on.
    """

    kind: str
    text: str
    time: datetime | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """The working memory of one session.

    ``turns`` are its latest ones verbatim and ``notes`` what holds, both oldest first. ``summary``
    says what came before ``turns``, a line a stretch, oldest first; empty when nothing did.
    ``text`` is all of it for a prompt, fenced and quoted, and ``tokens`` its size; short of room
    it loses the summary first and the latest turn last. ``session`` is "" for turns without one.
    """

    session: str
    turns: tuple[Message, ...] = ()
    summary: str = ""
    notes: tuple[Note, ...] = ()
    text: str = ""
    tokens: int = 0
