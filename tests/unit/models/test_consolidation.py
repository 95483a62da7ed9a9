"""A chat model behind ``Mnemis.open``: what consolidation makes of its replies and failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemis import Config, Memory, Message
from mnemis.consolidate.extract import RuleExtractor
from mnemis.consolidate.report import ConsolidationReport
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import InputError
from mnemis.model.graph import Fact
from mnemis.ports.chat import ChatModel, Completion
from mnemis.ports.extractor import Extractor
from mnemis.testing.chat import ScriptedChat

NOTHING = '{"entities": [], "facts": [], "causes": []}'
Open = Callable[..., Memory]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def open_it(chat: ChatModel | None = None, *, extractor: Extractor | None = None) -> Memory:
        return Memory.open(
            tmp_path / "memory",
            embedder=HashingEmbedder(),
            chat_model=chat,
            extractor=extractor,
            config=Config(consolidate="manual"),
        )

    return open_it


def talk(*texts: str, session: str = "s") -> list[Message]:
    """Each text in a session of its own, so that each is an episode."""
    return [
        Message(role="user", speaker="Ana", text=text, session=f"{session}{n}", id=f"{session}{n}")
        for n, text in enumerate(texts)
    ]


def facts(memory: Memory) -> set[tuple[str, str]]:
    with memory.mnemis.store.view(memory.scope) as view:
        return {(n.relation, n.object) for n in view.scan("fact") if isinstance(n, Fact)}


def reply(relation: str, thing: str, quote: str) -> str:
    told = {"turn": 1, "subject": "I", "relation": relation, "object": thing, "quote": quote}
    return json.dumps({"facts": [told]}, ensure_ascii=False)


def test_without_a_model_rules_extract(opened: Open) -> None:
    with opened() as memory:
        memory.remember(talk("I live in Lisbon."))
        report = memory.consolidate()
        assert ("lives_in", "Lisbon") in facts(memory)
        assert (report.model_calls, report.model_tokens, report.warnings) == (0, 0, ())


def test_a_chat_model_extracts_and_its_cost_is_reported(opened: Open) -> None:
    chat = ScriptedChat(
        Completion(
            text=reply("allergic_to", "花生", "一吃花生就出疹子"),
            prompt_tokens=500,
            completion_tokens=80,
        )
    )
    with opened(chat) as memory:
        memory.remember(talk("我一吃花生就出疹子。"))
        report = memory.consolidate()
        assert facts(memory) == {("allergic_to", "花生")}
        assert (report.model_calls, report.model_tokens, report.failed) == (1, 580, ())
        assert memory.recall("花生").hits
        assert len(chat.prompts) == 1
        assert memory.consolidate().model_calls == 0


def test_recall_asks_no_model_unless_it_is_passed_as_reranker(opened: Open) -> None:
    chat = ScriptedChat(NOTHING)
    with opened(chat) as memory:
        memory.remember(talk("The cello is in the shed.", "The cello is old."))
        memory.recall("Where is the cello?")
        assert chat.prompts == []


def test_a_given_extractor_is_preferred(opened: Open) -> None:
    chat = ScriptedChat(NOTHING)
    with opened(chat, extractor=RuleExtractor()) as memory:
        memory.remember(talk("I live in Lisbon."))
        memory.consolidate()
        assert ("lives_in", "Lisbon") in facts(memory)
        assert chat.prompts == []


@pytest.mark.parametrize("useless", [None, "", "Sorry, I cannot.", '{"facts": ["lives in Lis'])
def test_rules_stand_in_for_useless_replies_and_it_is_said(
    opened: Open, useless: str | None
) -> None:
    chat = ScriptedChat(useless, repeat=True)
    with opened(chat) as memory:
        memory.remember(talk("I live in Lisbon.", "我住在成都。"))
        report = memory.consolidate()
        assert {("lives_in", "Lisbon"), ("lives_in", "成都")} <= facts(memory)
        assert len(report.failed) == 2
        assert all("no usable reply in 2 calls" in why for _, why in report.failed)
        assert (report.model_calls, len(chat.prompts)) == (4, 4)
        assert all(memory.recall(asked).hits for asked in ("Lisbon", "成都"))


def test_a_failed_passage_is_taken_up_again(opened: Open) -> None:
    chat = ScriptedChat("Hm.", "Hm.", reply("likes", "fado", "my heart belongs to fado"))
    with opened(chat) as memory:
        memory.remember(talk("In truth my heart belongs to fado."))
        assert memory.consolidate().failed
        assert memory.consolidate().model_calls == 0
        report = memory.consolidate(retry_failed=True)
        assert report.failed == ()
        assert ("likes", "fado") in facts(memory)


def test_a_greeting_costs_a_bounded_number_of_calls(opened: Open) -> None:
    chat = ScriptedChat('{"facts": []}', repeat=True)
    with opened(chat) as memory:
        memory.remember(
            [
                Message(role="user", text="Hi"),
                Message(role="assistant", text="你好! How can I help?"),
            ]
        )
        report = memory.consolidate()
        assert report.failed == ()
        assert len(chat.prompts) <= 1


def test_blank_messages_are_harmless_and_braces_are_data(opened: Open) -> None:
    chat = ScriptedChat(reply("has_value", "4417", "my locker is 4417"), repeat=True)
    with opened(chat) as memory:
        memory.remember(
            [
                Message(role="user", speaker="Ana", text=text)
                for text in ("", "  \n\t", "\u200b\ufeff", '{"port": 8080} {name!r} {0.__class__}')
            ]
        )
        memory.remember(talk("ok real text: my locker is 4417, 柜子号"))
        report = memory.consolidate()
        assert report.failed == ()
        assert ("has_value", "4417") in facts(memory)
        assert memory.recall("locker 柜子").hits[0].text.startswith("ok real text")
        assert any("8080" in hit.text for hit in memory.recall("which port").hits)
        assert any("{0.__class__}" in prompt for prompt in chat.prompts)


def test_a_refusing_model_is_asked_once_and_the_reason_surfaces(opened: Open) -> None:
    chat = ScriptedChat(RuntimeError("HTTP 401 invalid key"), repeat=True)
    with opened(chat) as memory:
        memory.remember(talk(*(f"I live in town {n} by the river." for n in range(6))))
        report = memory.consolidate()
        assert len(chat.prompts) == 1
        assert len(report.failed) == 6
        assert any("401" in each and "key" in each for each in report.warnings)
        assert memory.recall("town 3").hits


def test_a_model_that_cannot_be_reached_is_given_up_after_three_passages(opened: Open) -> None:
    chat = ScriptedChat(ConnectionError("no route"), repeat=True)
    with opened(chat) as memory:
        memory.remember(talk(*(f"I live in town {n} by the river." for n in range(6))))
        report = memory.consolidate()
        assert len(chat.prompts) == 3
        assert any("not available" in each for each in report.warnings)
        kinds = {why.split("(")[0] for _, why in report.failed}
        assert all("not available" in each for each in kinds)


def test_a_refused_prompt_is_no_refused_model(opened: Open) -> None:
    too_long = RuntimeError("HTTP 400 prompt too long")
    chat = ScriptedChat(too_long, NOTHING, too_long, NOTHING, too_long, too_long, too_long)
    with opened(chat) as memory:
        memory.remember(talk(*(f"I live in town {n} by the river." for n in range(9))))
        report = memory.consolidate()
        assert len(chat.prompts) == 7
        assert len(report.failed) == 7


def spend(memory: Memory, budget: int | None, **options: bool) -> ConsolidationReport:
    return memory.consolidate(budget=budget, **options)


def test_the_budget_is_kept_and_rules_do_the_rest(opened: Open) -> None:
    chat = ScriptedChat(
        Completion(text=NOTHING, prompt_tokens=900, completion_tokens=20), repeat=True
    )
    with opened(chat) as memory:
        memory.remember(talk(*(f"I live in town {n} by the river." for n in range(6))))
        report = spend(memory, 2_900)
        assert report.model_tokens <= 2_900
        assert report.model_calls == len(chat.prompts) >= 1
        assert any("budget of 2900 model tokens is spent" in each for each in report.warnings)
        assert len(report.failed) == 6 - len(chat.prompts)
        told = {thing for _, thing in facts(memory)}
        assert len(told) >= len(report.failed)
        rest = spend(memory, None, retry_failed=True)
        assert rest.failed == ()
        assert len(chat.prompts) == 6


def test_no_budget_means_no_call(opened: Open) -> None:
    chat = ScriptedChat(NOTHING)
    with opened(chat) as memory:
        memory.remember(talk("I live in Lisbon.", "我住在成都。"))
        report = spend(memory, 0)
        assert chat.prompts == []
        assert {("lives_in", "Lisbon"), ("lives_in", "成都")} <= facts(memory)
        assert report.warnings
        with pytest.raises(InputError):
            spend(memory, -1)


def test_rules_need_no_budget(opened: Open) -> None:
    with opened(extractor=RuleExtractor()) as memory:
        memory.remember(talk("I live in Lisbon."))
        report = spend(memory, 0)
        assert report.failed == ()
        assert ("lives_in", "Lisbon") in facts(memory)
