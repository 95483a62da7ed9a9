"""Pools: messages of one scope with questions whose evidence is known.

Outside pools are JSON lines, one pool a line, in the folder named by --pools or $MNEMIS_POOLS.
Without them the shipped conversation is measured, with the questions of the demo and of the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from mnemis import Message
from mnemis.demo import load_conversation, load_questions

ROOT = Path(__file__).resolve().parent.parent.parent
ROUTE_QUESTIONS = ROOT / "tests" / "data" / "route_questions.jsonl"
_T = TypeVar("_T")
APART = "adversarial"
"""The kind of question that has no answer in its pool; its figures never enter a mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """``evidence`` are ids of messages of the pool, distinct, at least one."""

    id: str
    text: str
    kind: str
    evidence: tuple[str, ...]
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """One scope's messages, in order of saying, all with ids, and its questions."""

    set: str
    name: str
    language: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...]

    @property
    def label(self) -> str:
        """The pool among all pools, as people read it."""
        return f"{self.set}/{self.name}"


def load_pools(folder: Path, *, sets: Sequence[str] = ()) -> tuple[Pool, ...]:
    """Every pool of the folder's ``*.jsonl``, by file name; with ``sets`` only theirs.

    Raises FileNotFoundError when the folder holds no such file or none of the sets.
    """
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise FileNotFoundError(
            f"{str(folder)!r} holds no *.jsonl; pools are one JSON object a line"
        )
    pools = [read_pool(raw) for path in paths for raw in read_lines(path)]
    chosen = tuple(pool for pool in pools if not sets or pool.set in sets)
    if not chosen:
        there = ", ".join(dict.fromkeys(pool.set for pool in pools)) or "nothing"
        raise FileNotFoundError(f"no pools of {', '.join(sets)} in {str(folder)!r}; it has {there}")
    return chosen


def read_pool(raw: Mapping[str, Any]) -> Pool:
    """A pool as the library is fed with it: captions in the text, places ignored."""
    return Pool(
        set=raw["set"],
        name=raw["name"],
        language=raw["language"],
        messages=tuple(_message(each) for each in raw["messages"]),
        questions=tuple(_question(each) for each in raw["questions"] if each["evidence"]),
    )


def shipped_pools() -> tuple[Pool, ...]:
    """The demo's conversation with the demo's questions and the tests' questions by route."""
    demo = tuple(
        Question(
            id=each.id,
            text=each.text,
            kind=each.kind,
            evidence=tuple(dict.fromkeys(each.evidence)),
            asked_at=each.asked_at,
        )
        for each in load_questions()
    )
    routes = tuple(
        _question(raw | {"kind": f"route {raw['route']}"}) for raw in read_lines(ROUTE_QUESTIONS)
    )
    return (
        Pool(
            set="shipped",
            name="demo",
            language="en+zh",
            messages=load_conversation().messages,
            questions=demo + routes,
        ),
    )


def one_a_set(pools: Sequence[Pool]) -> tuple[Pool, ...]:
    """The smallest pool of each set, in order."""
    return tuple(
        min((pool for pool in pools if pool.set == name), key=lambda pool: len(pool.messages))
        for name in dict.fromkeys(pool.set for pool in pools)
    )


def stretched(pools: Sequence[Pool], *, turns: int) -> Pool:
    """One pool of exactly ``turns`` messages, made of whole rounds through the pools' own.

    Later rounds keep the words, but other people say them, in other sessions, years later, so
    that nothing is a repetition of a message as a whole. Questions are the first round's.
    """
    messages: list[Message] = []
    questions: list[Question] = []
    for round_, pool in _rounds(pools):
        mark = f"{pool.name}:{round_}"
        people = _renamed(pool, round_)
        messages.extend(_moved(each, mark, people, round_) for each in pool.messages)
        if round_ == 0:
            questions.extend(_marked(each, mark) for each in pool.questions)
        if len(messages) >= turns:
            break
    kept = {each.id for each in messages[:turns]}
    return Pool(
        set="stretched",
        name=f"{turns:,} turns",
        language=pools[0].language,
        messages=tuple(messages[:turns]),
        questions=tuple(each for each in questions if kept.issuperset(each.evidence)),
    )


def spread(values: Sequence[_T], count: int | None) -> list[_T]:
    """At most ``count`` values at equal distances, in order; all for None."""
    if count is None or len(values) <= count:
        return list(values)
    return [values[index * len(values) // count] for index in range(count)]


def _rounds(pools: Sequence[Pool]) -> Iterator[tuple[int, Pool]]:
    if not any(pool.messages for pool in pools):
        raise ValueError("there are no messages to stretch")
    round_ = 0
    while True:
        for pool in pools:
            yield round_, pool
        round_ += 1


_NAMES = (
    "Aldric Bettina Corvin Dagny Emeric Fenna Gorwin Hedda Isko Jorun Kestrel Lunet Marek Nessa "
    "Osric Perla Quillon Runa Sorley Tamsin Ulric Velda Wystan Xenia Yorick Zelda"
).split()


def _renamed(pool: Pool, round_: int) -> dict[str, str]:
    """Nobody in the first round; then every speaker that is a person gets an invented name."""
    if round_ == 0:
        return {}
    said = dict.fromkeys(each.speaker for each in pool.messages if each.speaker)
    people = [name for name in said if name not in ("user", "assistant", "document")]
    return {
        name: f"{_NAMES[index % len(_NAMES)]}{round_ if round_ > 1 else ''}"
        for index, name in enumerate(people)
    }


def _moved(message: Message, mark: str, people: Mapping[str, str], round_: int) -> Message:
    text = message.text
    for old, new in people.items():
        text = text.replace(old, new)
    return replace(
        message,
        id=f"{mark}:{message.id}",
        text=text,
        speaker=people.get(message.speaker or "", message.speaker),
        session=f"{mark}:{message.session}" if message.session else None,
        time=message.time + timedelta(days=731 * round_) if message.time else None,
    )


def _marked(question: Question, mark: str) -> Question:
    return replace(
        question,
        id=f"{mark}:{question.id}",
        evidence=tuple(f"{mark}:{each}" for each in question.evidence),
    )


def _message(raw: Mapping[str, Any]) -> Message:
    caption = raw.get("image_caption")
    speaker = raw.get("speaker")
    return Message(
        role="assistant" if speaker == "assistant" else "user",
        text=f"{raw['text']} [shares {caption}]" if caption else raw["text"],
        speaker=speaker,
        time=datetime.fromisoformat(raw["time"]) if raw.get("time") else None,
        session=raw.get("session"),
        id=raw["id"],
    )


def _question(raw: Mapping[str, Any]) -> Question:
    return Question(
        id=raw["id"],
        text=raw["text"],
        kind=raw["kind"],
        evidence=tuple(dict.fromkeys(raw["evidence"])),
        asked_at=datetime.fromisoformat(raw["asked_at"]) if raw.get("asked_at") else None,
    )


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file, in order."""
    text = path.read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]
