"""What a reader returns, and how it says what is wrong with a file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mnemis.errors import InputError
from mnemis.model.change import Scope
from mnemis.model.message import Message

_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Messages in order of saying, for one scope.

    ``labels`` are the scope that the file itself names, empty when it names none. Every message
    has an id: its own, or one derived from its content, so that reading again changes nothing.
    """

    labels: Scope
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A whole file. ``notes`` say what was left out or assumed, one sentence each."""

    format: str
    conversations: tuple[Conversation, ...]
    notes: tuple[str, ...] = ()


class Problems:
    """Collects what is wrong, so that one look at the file mends all of it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: list[str] = []

    def add(self, line: int | None, what: str) -> None:
        """Note one problem; ``line`` counts from 1, None for the file as a whole."""
        self._found.append(what if line is None else f"line {line}: {what}")

    def raise_if_any(self) -> None:
        """Raise one InputError that lists the first ten problems and counts the rest."""
        if not self._found:
            return
        listed = [f"  {each}" for each in self._found[:_SHOWN]]
        if len(self._found) > _SHOWN:
            listed.append(f"  … and {len(self._found) - _SHOWN} more")
        raise InputError(
            f"{self._name} was not ingested; mend these and run it again:\n" + "\n".join(listed)
        )


def note_of_lines(what: str, lines: list[int]) -> tuple[str, ...]:
    """A note that names up to five lines, or nothing when there are none."""
    if not lines:
        return ()
    shown = ", ".join(str(line) for line in lines[:5])
    more = ", …" if len(lines) > 5 else ""
    return (f"{what}: {len(lines)} (line{'s' if len(lines) > 1 else ''} {shown}{more})",)


def with_ids(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Give every message without an id one derived from what it says, when and where.

    The n-th repetition of equal messages counts as a message of its own, so a repeated "ok" is
    kept, and reading the same file again yields the same ids.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    named: list[Message] = []
    for message in messages:
        if message.id is None:
            time = message.time.isoformat() if message.time else ""
            key = (message.session or "", message.speaker or message.role, time, message.text)
            seen[key] += 1
            digest = hashlib.sha256("\x1f".join((*key, str(seen[key]))).encode()).hexdigest()
            message = replace(message, id=f"in-{digest[:16]}")
        named.append(message)
    return tuple(named)
