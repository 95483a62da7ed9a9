"""A turn counts for what a fact tells of it, when the fact fits the question better."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemis import Config, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import Turn
from mnemis.model.query import Found
from mnemis.ports.extractor import Extraction, FoundFact
from mnemis.recall.told import facts_walked

_AT = datetime(2025, 3, 3, 9, tzinfo=UTC)

ENGLISH = (
    "Who learned to play the cello?",
    "It took her two years, and now she performs at weddings.",
    ("Ana", "Ana's sister Rita learned to play the cello"),
    ["Somebody learned to play a trick on me.", "The weddings in May were fun.", "Rain again."],
)
CHINESE = (
    "谁学会了拉大提琴？",
    "她花了两年时间，现在常在婚礼上演出。",
    ("小明", "小明的姐姐学会了拉大提琴"),
    ["有人学会了一个小把戏来捉弄我。", "五月的婚礼很热闹。", "又下雨了。"],
)


class _Told:
    """One fact, of the turn ``m``."""

    name = "told"

    def __init__(self, subject: str, text: str) -> None:
        self._fact = FoundFact(
            turns=("turn:m",), subject=subject, relation="related_to", object=text, text=text
        )

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        there = any(turn.id == "turn:m" for turn in turns)
        return Extraction(facts=(self._fact,) if there else ())


@pytest.mark.parametrize("case", [ENGLISH, CHINESE])
@pytest.mark.parametrize("with_fact", [True, False])
def test_what_a_turn_only_hints_at_is_found_by_its_fact(
    tmp_path: Path, case: tuple[str, str, tuple[str, str], list[str]], *, with_fact: bool
) -> None:
    question, hint, fact, others = case
    extractor = _Told(*(fact if with_fact else ("nobody", "nothing at all")))
    texts = [("m", hint), *((f"o{n}", text) for n, text in enumerate(others))]
    with Mnemis.open(
        tmp_path,
        embedder=HashingEmbedder(),
        extractor=extractor,
        config=Config(consolidate="manual"),
    ) as mnemis:
        memory = mnemis.scope("s")
        memory.remember(
            Message(role="user", speaker=fact[0], text=text, id=key, time=_AT, session=key)
            for key, text in texts
        )
        memory.consolidate()
        first = memory.recall(question).hits[0]
    assert (first.sources == ("m",)) is with_fact
    if with_fact:
        assert any(path.steps[0].node.startswith("fact:") for path in first.paths)


def test_a_fact_is_credited_to_every_turn_that_was_reached_from_it() -> None:
    def walked(start: str, turn: str) -> Found:
        walk = ((start, None), (turn, (turn, start, "supports")))
        return Found(turn=turn, route="similarity", walk=walk, score=0.5)

    walks = {
        "turn:a": (walked("fact:1", "turn:a"), walked("turn:b", "turn:a")),
        "turn:b": (walked("fact:1", "turn:b"), walked("fact:2", "turn:b")),
    }
    assert facts_walked(walks) == {"fact:1": ("turn:a", "turn:b"), "fact:2": ("turn:b",)}
    assert facts_walked({}) == {}
