from dataclasses import replace
from pathlib import Path

import pytest

from mnemis import Message
from mnemis.embedders.hashing import HashingEmbedder
from tests.benchmarks.evidence import (
    OURS,
    Asked,
    Evidence,
    in_budget,
    measure,
    strangers,
    summarise,
)
from tests.benchmarks.memories import Memories
from tests.benchmarks.pools import APART, Pool, Question


def question(key: str, *evidence: str, kind: str = "plain") -> Question:
    return Question(id=key, text=f"about {key}?", kind=kind, evidence=evidence or ("a",))


def asked(key: str, ours: str, theirs: str, *, kind: str = "plain", sure: float = 0.5) -> Asked:
    return Asked(
        set="chat",
        pool="one",
        question=question(key, "a", "b", kind=kind),
        ranked={OURS: tuple(ours), "words": tuple(theirs), "vectors": ()},
        contexts={OURS: tuple(ours[:2]), "words": (), "vectors": ()},
        confidence=sure,
    )


def pool(name: str, *questions: Question, set_: str = "chat") -> Pool:
    messages = tuple(
        Message(role="user", speaker="Ana", text=text, id=key)
        for key, text in (("a", "the kite is red"), ("b", "it rained on Sunday"))
    )
    return Pool(set=set_, name=name, language="en", messages=messages, questions=questions)


def test_a_context_passes_over_what_is_too_long() -> None:
    costs = {"a": 4, "b": 9, "c": 5, "d": 1}
    assert in_budget("abcd", costs, budget=10) == ("a", "c", "d")


def test_strangers_are_answerable_questions_of_the_sets_other_pools() -> None:
    own, other = pool("own", question("q1")), pool("other", question("q2"))
    trick = pool("trick", question("q3", kind=APART))
    elsewhere = pool("own", question("q4"), set_="notes")
    everything = [own, other, trick, elsewhere]
    assert [each.id for each in strangers(own, everything, count=9)] == ["q2"]
    assert strangers(elsewhere, everything, count=9) == []


def test_strangers_are_chosen_alike_every_time() -> None:
    own = pool("own", question("q0"))
    other = pool("other", *(question(f"q{at}") for at in range(1, 30)))
    first = strangers(own, [own, other], count=5)
    assert len({each.id for each in first}) == 5
    assert strangers(own, [own, other], count=5) == first


def test_adversarial_questions_enter_no_mean_but_have_a_row() -> None:
    evidence = Evidence(
        asked=(asked("q1", "ab", "a"), asked("q2", "xyz", "", kind=APART)),
        foreign={"chat": ()},
        left_out=(),
    )
    of_set = summarise(evidence)["chat"]
    assert of_set["questions"] == 1
    assert of_set["systems"][OURS]["R@10"].mean == 100.0
    assert of_set["kinds"][APART]["systems"][OURS]["R@10"].mean == 0.0


def test_the_difference_is_to_the_best_baseline_over_the_same_questions() -> None:
    evidence = Evidence(
        asked=(asked("q1", "ab", "a"), asked("q2", "a", "ab")), foreign={}, left_out=()
    )
    against = summarise(evidence)["chat"]["against"]
    assert against["baseline"] == "words"
    difference = against["difference"]["R@10"]
    assert difference.mean == 0.0
    assert (difference.low, difference.high) == (-50.0, 50.0)


def test_the_context_counts_when_it_holds_the_whole_evidence() -> None:
    evidence = Evidence(
        asked=(asked("q1", "abx", ""), asked("q2", "xab", "")), foreign={}, left_out=()
    )
    assert summarise(evidence)["chat"]["systems"][OURS]["context"].mean == 50.0


def test_auroc_sets_answerable_against_foreign_questions() -> None:
    evidence = Evidence(
        asked=(asked("q1", "a", "", sure=0.9), asked("q2", "a", "", kind=APART, sure=0.1)),
        foreign={"chat": (0.2, 0.9)},
        left_out=(),
    )
    # The adversarial question is no positive: one win, one tie.
    assert summarise(evidence)["chat"]["auroc"] == pytest.approx(0.75)


def test_a_pool_goes_through_the_library_and_every_system_answers(tmp_path: Path) -> None:
    memories = Memories(tmp_path, embedder=HashingEmbedder(dimension=256), tell=lambda _: None)
    kite = replace(question("q1", "a"), text="Which kite is red?")
    here, there = pool("here", kite), pool("there", replace(kite, text="How do glaciers move?"))
    found = measure([here], memories, others=[here, there], limit=None, tell=lambda _: None)
    (one,) = found.asked
    assert one.ranked[OURS][0] == "a"
    assert {"BM25", "vectors", "RRF"} <= set(one.ranked)
    assert one.contexts["BM25"] == one.ranked["BM25"]
    assert len(found.foreign["chat"]) == 1
    assert found.foreign["chat"][0] < one.confidence
