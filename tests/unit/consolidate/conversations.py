"""Short conversations, remembered and consolidated in memory, and what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from mnemis.config import Config
from mnemis.consolidate.pipeline import consolidate
from mnemis.consolidate.report import ConsolidationReport
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import Category, Edge, Entity, Episode, Fact
from mnemis.model.message import Message
from mnemis.ports.extractor import Extractor
from mnemis.remember.pipeline import remember
from mnemis.stores.oracle import OracleStore

SCOPE = ("acme", "u1")
START = datetime(2025, 3, 3, 9, tzinfo=UTC)
NOW = datetime(2026, 2, 2, tzinfo=UTC)


class StoppedClock:
    """Always the same instant, long after the conversations."""

    def now(self) -> datetime:
        return NOW


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything derived, by kind."""

    store: OracleStore
    report: ConsolidationReport
    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    episodes: tuple[Episode, ...]
    categories: tuple[Category, ...]
    edges: tuple[Edge, ...]

    def names(self) -> set[str]:
        return {each.name for each in self.entities}

    def named(self, name: str) -> list[Entity]:
        return [each for each in self.entities if name in (each.name, *each.aliases)]

    def fact(self, relation: str, *, subject: str | None = None) -> list[Fact]:
        return [f for f in self.facts if f.relation == relation and subject in (None, f.subject)]

    def triples(self) -> set[tuple[str, str, str]]:
        return {(each.subject, each.relation, each.object) for each in self.facts}


def said(
    *texts: str, speaker: str = "Ana", role: str = "user", session: str = "s1"
) -> list[Message]:
    """One speaker's messages, a minute apart."""
    return [
        Message(
            role=role,
            speaker=speaker,
            text=text,
            time=START + timedelta(minutes=i),
            session=session,
            id=f"m{i}",
        )
        for i, text in enumerate(texts)
    ]


def dated(*pairs: tuple[str, str], speaker: str = "Ana") -> list[Message]:
    """(ISO time, text) pairs, each a session of its own."""
    return [
        Message(
            role="user",
            speaker=speaker,
            text=text,
            time=datetime.fromisoformat(time),
            session=f"s{i}",
            id=f"m{i}",
        )
        for i, (time, text) in enumerate(pairs)
    ]


def dialogue(
    *lines: tuple[str, str], session: str = "s1", first: int = 0, start: datetime = START
) -> list[Message]:
    """(speaker, text) pairs, a minute apart."""
    return [
        Message(
            role="assistant" if speaker == "assistant" else "user",
            speaker=speaker,
            text=text,
            time=start + timedelta(minutes=i),
            session=session,
            id=f"m{first + i}",
        )
        for i, (speaker, text) in enumerate(lines)
    ]


def outcome_of(
    messages: Sequence[Message],
    *,
    slices: int = 1,
    config: Config | None = None,
    extractor: Extractor | None = None,
) -> Outcome:
    """Remember and consolidate, in one go or in so many slices."""
    chosen = replace(config or Config(), consolidate="manual")
    embedder = HashingEmbedder()
    store = OracleStore(fingerprint=embedder.fingerprint, clock=StoppedClock())
    size = -(-len(messages) // slices)
    report = ConsolidationReport()
    for at in range(0, len(messages), size):
        remember(store, SCOPE, messages[at : at + size], embedder=embedder, config=chosen)
        report = consolidate(
            store,
            SCOPE,
            embedder=embedder,
            extractor=extractor,
            clock=StoppedClock(),
            config=chosen,
        )
    return read(store, report)


def read(store: OracleStore, report: ConsolidationReport) -> Outcome:
    """What the store holds now."""
    with store.view(SCOPE) as view:
        return Outcome(
            store=store,
            report=report,
            entities=tuple(n for n in view.scan("entity") if isinstance(n, Entity)),
            facts=tuple(n for n in view.scan("fact") if isinstance(n, Fact)),
            episodes=tuple(n for n in view.scan("episode") if isinstance(n, Episode)),
            categories=tuple(n for n in view.scan("category") if isinstance(n, Category)),
            edges=view.edges(),
        )


def again(
    outcome: Outcome, *, extractor: Extractor | None = None, retry_failed: bool = False
) -> Outcome:
    """Consolidate once more with nothing new."""
    embedder = HashingEmbedder()
    report = consolidate(
        outcome.store,
        SCOPE,
        embedder=embedder,
        extractor=extractor,
        clock=StoppedClock(),
        config=Config(),
        retry_failed=retry_failed,
    )
    return read(outcome.store, report)


def objects(facts: Iterable[Fact]) -> dict[str, str]:
    """Object to status."""
    return {each.object: each.status for each in facts}
