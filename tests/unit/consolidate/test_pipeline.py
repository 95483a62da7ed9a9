"""The whole run: batching, failing extractors, conflicts, cancelling."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import timedelta

import pytest

from mnemis.config import Config
from mnemis.consolidate import reading
from mnemis.consolidate.extract import RuleExtractor
from mnemis.consolidate.pipeline import consolidate
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import Cancelled, Conflict, ModelError
from mnemis.model.change import Change, Receipt, Scope
from mnemis.model.graph import Turn
from mnemis.model.message import Message
from mnemis.ports.extractor import Extraction, FoundFact
from mnemis.remember.pipeline import remember
from mnemis.stores.oracle import OracleStore
from tests.unit.consolidate.conversations import (
    SCOPE,
    START,
    Outcome,
    StoppedClock,
    again,
    dialogue,
    outcome_of,
    read,
    said,
)

LINES = (
    ("Ana", "I live in Berlin and I work at Acme."),
    ("Ben", "Margaret Holloway joined our team."),
    ("Ana", "我住在成都。"),
    ("Ben", "Holloway moved to desk 9."),
    ("Ana", "We moved the launch to May 3rd."),
    ("Ben", "The Pro plan costs $20."),
    ("Ana", "I moved from Berlin to Lisbon."),
    ("Ben", "王小明说李雷搬到了杭州。"),
    ("Ana", "Is the supplier still Nimbus?"),
    ("Ben", "Our supplier is NordBox now."),
    ("Ana", "ok"),
    ("Ben", "We moved the launch to May 20th because the mould cracked."),
)


def long_talk(rounds: int) -> list[Message]:
    messages: list[Message] = []
    for number in range(rounds):
        lines = [
            (speaker, text.replace("desk 9", f"desk {number}").replace("$20", f"${20 + number}"))
            for speaker, text in LINES
        ]
        messages.extend(
            dialogue(
                *lines,
                session=f"s{number // 2}",
                first=len(messages),
                start=START + timedelta(hours=number),
            )
        )
    return messages


def derived(outcome: Outcome) -> tuple[object, ...]:
    return (
        {
            f.id: (
                f.subject,
                f.relation,
                f.object,
                f.status,
                f.valid_from,
                f.valid_to,
                set(f.sources),
            )
            for f in outcome.facts
        },
        {e.id: (e.name, e.type, set(e.aliases)) for e in outcome.entities},
        {e.key for e in outcome.edges if e.type in ("supersedes", "contradicts")},
        {e.id: e.turns for e in outcome.episodes},
    )


@pytest.mark.parametrize("slices", [2, 7, 12])
def test_slices_give_what_one_call_gives(slices: int) -> None:
    messages = long_talk(6)
    assert derived(outcome_of(messages, slices=slices)) == derived(outcome_of(messages))


def test_every_turn_belongs_to_one_episode() -> None:
    outcome = outcome_of(long_talk(5), slices=9)
    homes = [
        edge.source
        for edge in outcome.edges
        if edge.type == "belongs_to" and edge.source.startswith("turn:")
    ]
    assert len(homes) == len(set(homes)) == 60
    assert sorted(turn for episode in outcome.episodes for turn in episode.turns) == sorted(homes)


def test_causes_link_turns_in_both_languages() -> None:
    outcome = outcome_of(
        dialogue(
            ("Ben", "The casting mould cracked on Friday."),
            ("Ana", "Because the casting mould cracked, we move the launch."),
            ("王小明", "模具厂的模具裂了一条缝。"),
            ("林若曦", "因为模具厂的模具裂了，所以我们推迟发布会。"),
        )
    )
    causes = {(e.source, e.target) for e in outcome.edges if e.type == "causes"}
    assert {("turn:m0", "turn:m1"), ("turn:m2", "turn:m3")} <= causes


def test_episodes_on_one_matter_refer_to_each_other() -> None:
    messages: list[Message] = []
    for number, text in enumerate(
        (
            "The mould at Haoran cracked.",
            "I like jazz.",
            "Ski season starts.",
            "Haoran repaired the mould.",
        )
    ):
        messages.extend(
            dialogue(
                ("Ana", text),
                session=f"s{number}",
                first=number,
                start=START + timedelta(days=number),
            )
        )
    outcome = outcome_of(messages)
    sessions = {each.id: each.session for each in outcome.episodes}
    refers = {
        (sessions[e.source], sessions[e.target]) for e in outcome.edges if e.type == "refers_to"
    }
    assert refers == {("s3", "s0")}


class FailingExtractor:
    """Fails until it is told not to."""

    name = "failing"

    def __init__(self) -> None:
        self.broken = True

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        if self.broken:
            raise ModelError("the model is away")
        facts = tuple(
            FoundFact(
                turns=(turn.id,), subject="Ana", relation="Works At", object="Acme", text=turn.text
            )
            for turn in turns[:1]
        )
        return Extraction(facts=facts)


def test_rules_stand_in_for_a_failing_extractor_and_it_is_tried_again() -> None:
    extractor = FailingExtractor()
    outcome = outcome_of(said("I live in Berlin.", "我喜欢象棋。"), extractor=extractor)
    (episode,) = outcome.episodes
    assert outcome.report.failed == ((episode.id, "the model is away"),)
    assert "the model is away" in episode.note
    assert {f.object for f in outcome.facts} == {"Berlin", "象棋"}
    extractor.broken = False
    repaired = again(outcome, extractor=extractor, retry_failed=True)
    assert ("Ana", "works_at", "Acme") in repaired.triples()
    assert repaired.report.failed == () and "away" not in repaired.episodes[0].note
    assert again(repaired, extractor=extractor, retry_failed=True).report.facts == 0


def test_the_rule_extractor_is_an_extractor() -> None:
    by_port = outcome_of(said("I live in Berlin.", "我喜欢象棋。"), extractor=RuleExtractor())
    assert derived(by_port) == derived(outcome_of(said("I live in Berlin.", "我喜欢象棋。")))


class Interfering(OracleStore):
    """Something else is written between reading and writing, so many times."""

    left = 0
    conflicts = 0

    def apply(self, scope: Scope, change: Change) -> Receipt:
        if change.purpose == "consolidate" and self.left:
            self.left -= 1
            self.conflicts += 1
            raise Conflict("a message it rests on is gone")
        return super().apply(scope, change)


@pytest.mark.parametrize(("times", "ends"), [(3, True), (50, False)])
def test_conflicts_are_computed_again_within_bounds(times: int, ends: bool) -> None:
    embedder = HashingEmbedder()
    store = Interfering(fingerprint=embedder.fingerprint, clock=StoppedClock())
    remember(store, SCOPE, said("I live in Berlin."), embedder=embedder, config=Config())
    store.left = times

    def run() -> Outcome:
        report = consolidate(
            store, SCOPE, embedder=embedder, extractor=None, clock=StoppedClock(), config=Config()
        )
        return read(store, report)

    if ends:
        assert run().triples() == {("Ana", "lives_in", "Berlin")}
        assert store.conflicts == times
    else:
        with pytest.raises(Conflict):
            run()
        assert store.conflicts < 10


def test_cancelling_keeps_what_was_committed_and_progress_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "BATCH", 40)
    embedder = HashingEmbedder()
    store = OracleStore(fingerprint=embedder.fingerprint, clock=StoppedClock())
    remember(store, SCOPE, long_talk(4), embedder=embedder, config=Config())
    cancel = threading.Event()
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        cancel.set()

    def run(stop: threading.Event | None) -> None:
        consolidate(
            store,
            SCOPE,
            embedder=embedder,
            extractor=None,
            clock=StoppedClock(),
            config=Config(),
            progress=progress,
            cancel=stop,
        )

    with pytest.raises(Cancelled):
        run(cancel)
    run(None)
    assert seen == [(40, 48), (8, 8)]


def test_an_empty_scope_is_no_error() -> None:
    store = OracleStore(clock=StoppedClock())
    report = consolidate(
        store,
        SCOPE,
        embedder=HashingEmbedder(),
        extractor=None,
        clock=StoppedClock(),
        config=Config(),
    )
    assert (report.turns, report.categories) == (0, 0)


def test_edge_types_can_be_left_out() -> None:
    outcome = outcome_of(long_talk(1), config=Config(edge_types=("causes",)))
    types = {edge.type for edge in outcome.edges} - {"next", "answers"}
    assert types <= {"belongs_to", "mentions", "supports", "causes"} and "lives_in" not in types
