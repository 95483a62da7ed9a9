"""A chat model as extractor: replies in any dress, failures, tries, budgets."""

from __future__ import annotations

import pytest

from mnemis.errors import (
    BudgetSpent,
    InputError,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    UnusableReply,
)
from mnemis.models import ChatExtractor
from mnemis.ports.chat import Completion
from mnemis.testing.chat import ScriptedChat
from mnemis.testing.extractor_suite import spoken_turns
from tests.unit.models.scripted import CELLO, GOOD, GUT, NOTHING, extractor, 花


@pytest.mark.parametrize(
    "wrapped",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure, here it is:\n{GOOD}\nShall I add {{more}}?",
        f'<think>{{"facts": [{{"subject": "Ana"}}]}} no</think>\n{GOOD}',
        GOOD.replace('"', "'"),
        GOOD.replace("}]", "},]"),
    ],
    ids=["plain", "fenced", "chatty", "thinking", "single quotes", "trailing comma"],
)
def test_a_reply_in_any_dress_is_understood(wrapped: str) -> None:
    asked, chat = extractor(wrapped)
    found = asked.extract(CELLO)
    assert [(f.subject, f.relation, f.object) for f in found.facts] == [
        ("Mina", "lives_in", "Porto")
    ]
    assert found.facts[0].text == "Ana: My sister Mina plays the cello and lives in Porto."
    assert found.facts[0].turns == ("turn:m0",)
    assert [(e.name, e.type, e.start) for e in found.entities] == [("Mina", "person", 10)]
    assert found.warnings == ()
    assert found.model_calls == len(chat.prompts) == 1


def test_a_chinese_reply_is_understood() -> None:
    found = extractor(f"好的：\n```json\n{GUT}\n```")[0].extract(花)
    assert [(f.subject, f.relation, f.object) for f in found.facts] == [
        ("小明", "allergic_to", "花生")
    ]
    assert found.facts[0].text.startswith("小明: ")
    assert found.facts[0].importance > 0.9
    assert [e.name for e in found.entities] == ["小红"]


@pytest.mark.parametrize("nothing", ["[]", "```json\n[]\n```", NOTHING, '{"facts": []}'])
def test_nothing_found_is_success(nothing: str) -> None:
    asked, chat = extractor(nothing)
    found = asked.extract(CELLO)
    assert (found.facts, found.entities, found.warnings) == ((), (), ())
    assert len(chat.prompts) == 1


@pytest.mark.parametrize(
    "useless",
    [None, "", "   \n", "I cannot do that.", "抱歉，我做不到。", '{"facts": ["a cello"]}'],
)
def test_no_usable_reply_is_failure_after_a_bounded_number_of_calls(useless: str | None) -> None:
    asked, chat = extractor(useless, repeat=True, attempts=3)
    with pytest.raises(UnusableReply, match="3 calls") as raised:
        asked.extract(CELLO)
    assert len(chat.prompts) == raised.value.calls == 3
    assert raised.value.tokens > 0
    assert "JSON object alone" in chat.prompts[1]


def test_a_second_reply_may_be_better() -> None:
    asked, _ = extractor("Hm.", GOOD)
    found = asked.extract(CELLO)
    assert len(found.facts) == 1
    assert found.model_calls == 2


def test_a_reply_that_breaks_off_is_kept_in_part_and_said() -> None:
    cut = GOOD.split("}]", 1)[0] + '}, {"turn": 1, "subject": "Mina", "relation": "likes", "obj'
    found = extractor(cut)[0].extract(CELLO)
    assert [f.object for f in found.facts] == ["Porto"]
    assert any("broke off" in each for each in found.warnings)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ConnectionError("no route"), ModelUnavailable),
        (TimeoutError("30 s"), ModelUnavailable),
        (RuntimeError("HTTP 429 too many requests"), ModelUnavailable),
        (RuntimeError("status code: 503"), ModelUnavailable),
        (RuntimeError("HTTP 401 invalid key"), ModelRefused),
        (RuntimeError("Error code: 404 - no such model"), ModelRefused),
        (KeyError("facts"), ModelError),
        (RuntimeError("HTTP 400 prompt too long"), ModelError),
        (ModelRefused("no credit"), ModelRefused),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value),
)
def test_an_outage_is_not_nothing_to_remember(error: Exception, kind: type[ModelError]) -> None:
    asked, chat = extractor(error, repeat=True)
    with pytest.raises(ModelError) as raised:
        asked.extract(CELLO)
    assert type(raised.value) is kind
    assert "scripted" in str(raised.value)
    assert str(error.args[0]) in str(raised.value)
    assert len(chat.prompts) == raised.value.calls == 1


def test_the_cause_of_a_wrapped_error_is_looked_at() -> None:
    class Refused(Exception):
        status_code = 401

    wrapped = ModelError("the chat model failed")
    wrapped.__cause__ = Refused("bad key")
    with pytest.raises(ModelRefused, match="key"):
        extractor(wrapped)[0].extract(CELLO)


def test_the_prompt_copied_back_says_nothing() -> None:
    chat = ScriptedChat(lambda prompt: prompt[prompt.index('{"entities"') :], repeat=True)
    asked = ChatExtractor(chat)
    for passage in (spoken_turns(("Ana", "ok thanks, bye")), spoken_turns(("小明", "好的，再见"))):
        try:
            found = asked.extract(passage)
        except UnusableReply:
            continue
        assert (found.facts, found.entities) == ((), ())


def test_a_passage_is_asked_once_and_its_answer_remembered() -> None:
    asked, chat = extractor(GOOD, GUT)
    first, again = asked.extract(CELLO), asked.extract(CELLO)
    assert (again.facts, again.entities) == (first.facts, first.entities)
    assert (again.model_calls, again.model_tokens) == (0, 0)
    asked.extract(花)
    assert len(chat.prompts) == 2


def test_where_no_person_speaks_nothing_is_asked() -> None:
    asked, chat = extractor(GOOD)
    blank = spoken_turns(
        ("Ana", ""), ("Ana", " \n"), ("Ana", "\u200b\ufeff"), ("tool", "{}", "tool")
    )
    assert asked.extract(blank).facts == ()
    assert asked.extract(()).facts == ()
    assert chat.prompts == []


def test_tokens_are_those_told_else_estimated() -> None:
    told = Completion(text=GOOD, prompt_tokens=700, completion_tokens=60)
    assert extractor(told)[0].extract(CELLO).model_tokens == 760
    assert extractor(GOOD)[0].extract(CELLO).model_tokens > 300


def test_the_limit_is_kept() -> None:
    asked, chat = extractor(GOOD)
    with pytest.raises(BudgetSpent):
        asked.extract_within(CELLO, tokens=200)
    assert chat.prompts == []
    found = asked.extract_within(CELLO, tokens=2_000)
    assert len(found.facts) == 1
    assert chat.limits[0] < 1_500


def test_the_limit_holds_for_a_second_try() -> None:
    useless = Completion(text="Hm.", prompt_tokens=1_800, completion_tokens=100)
    asked, chat = extractor(useless, GOOD)
    with pytest.raises(BudgetSpent) as raised:
        asked.extract_within(CELLO, tokens=2_000)
    assert (raised.value.calls, raised.value.tokens) == (1, 1_900)
    assert len(chat.prompts) == 1


def test_an_extractor_wants_at_least_one_call() -> None:
    with pytest.raises(InputError):
        ChatExtractor(ScriptedChat("[]"), max_attempts=0)
