"""Rules and a chat model's extractor keep the contract; broken extractors do not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from mnemis.consolidate.extract import RuleExtractor
from mnemis.model.graph import Turn
from mnemis.models import ChatExtractor
from mnemis.ports.extractor import Extraction, Extractor, FoundEntity, FoundFact
from mnemis.testing.chat import ScriptedChat
from mnemis.testing.extractor_suite import ExtractorSuite, check_extractor

LEAST_TESTS = 11


def fact(turn: int, subject: str, relation: str, thing: str, quote: str) -> dict[str, object]:
    return {
        "turn": turn,
        "subject": subject,
        "relation": relation,
        "object": thing,
        "quote": quote,
        "polarity": True,
    }


ENGLISH = {
    "entities": [
        {"turn": 1, "name": "Lisbon", "type": "place"},
        {"turn": 1, "name": "NordBox", "type": "organisation"},
    ],
    "facts": [
        fact(1, "Ana", "lives_in", "Lisbon", "I live in Lisbon"),
        fact(1, "Ana", "works_at", "NordBox", "I work at NordBox"),
        fact(2, "Ben", "allergic_to", "peanuts", "I am allergic to peanuts"),
    ],
    "causes": [],
}
CHINESE = {
    "entities": [{"turn": 1, "name": "成都", "type": "place"}],
    "facts": [
        fact(1, "小明", "lives_in", "成都", "我住在成都"),
        fact(2, "李雷", "allergic_to", "花生", "我对花生过敏"),
    ],
    "causes": [],
}


def answer(prompt: str) -> str:
    """What a good model would say to the suite's passages."""
    if "NordBox" in prompt:
        return json.dumps(ENGLISH)
    return json.dumps(CHINESE if "蓝海科技" in prompt else {"entities": [], "facts": []})


def chat_extractor() -> ChatExtractor:
    return ChatExtractor(ScriptedChat(answer, repeat=True))


class Babbling(ChatExtractor):
    """Reads what a model makes up for any passage at all."""

    def __init__(self) -> None:
        super().__init__(ScriptedChat(json.dumps(ENGLISH), repeat=True))


class TestRules(ExtractorSuite):
    def make_extractor(self) -> Extractor:
        return RuleExtractor()


class TestChatExtractor(ExtractorSuite):
    def make_extractor(self) -> Extractor:
        return chat_extractor()


class TestChatExtractorOfABabblingModel(ExtractorSuite):
    finds = False

    def make_extractor(self) -> Extractor:
        return Babbling()


class _Broken(RuleExtractor):
    """Rules with one promise broken by a subclass."""


class UnknownTurn(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        return replace(found, facts=tuple(replace(each, turns=("turn:x",)) for each in found.facts))


class OwnVocabulary(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        return replace(found, facts=tuple(replace(f, relation="hovers") for f in found.facts))


class BesideTheText(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        return replace(found, entities=tuple(replace(each, start=999) for each in found.entities))


class ListensToMachines(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        return super().extract([replace(turn, role="user") for turn in turns])


class TakesQuestions(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        asked = [turn for turn in turns if turn.text.endswith(("?", "？"))]
        made = [
            FoundFact(
                turns=(turn.id,), subject="Ana", relation="wants", object="it", text=turn.text
            )
            for turn in asked
        ]
        return replace(found, facts=(*found.facts, *made))


class OnlyEnglish(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        return super().extract([turn for turn in turns if turn.text.isascii()])


class TooSure(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        return replace(found, facts=tuple(replace(each, confidence=95.0) for each in found.facts))


class Remembering(_Broken):
    def __init__(self) -> None:
        self._seen: list[Turn] = []

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        self._seen.extend(turns)
        return super().extract(self._seen)


class Nameless(_Broken):
    @property
    def name(self) -> str:
        return " "


class EmptyNames(_Broken):
    def extract(self, turns: Sequence[Turn]) -> Extraction:
        found = super().extract(turns)
        blank = [FoundEntity(turn=turn.id, name=" ", start=0) for turn in turns if turn.text]
        return replace(found, entities=(*found.entities, *blank))


BROKEN: tuple[Callable[[], Extractor], ...] = (
    UnknownTurn,
    OwnVocabulary,
    BesideTheText,
    ListensToMachines,
    TakesQuestions,
    OnlyEnglish,
    TooSure,
    Remembering,
    Nameless,
    EmptyNames,
)


def test_the_suite_runs_whole_on_a_good_extractor() -> None:
    result = check_extractor(RuleExtractor)
    written = [name for name in dir(ExtractorSuite) if name.startswith("test_")]
    assert result.failed == {}
    assert result.ran == len(written) >= LEAST_TESTS


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_extractor_fails(broken: Callable[[], Extractor]) -> None:
    result = check_extractor(broken)
    assert result.ran >= LEAST_TESTS
    assert 0 < len(result.failed) < result.ran
