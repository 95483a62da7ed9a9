"""What of a conversation fits: whole turns, no orphans, honest sizes."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.llms import ChatMessage, DocumentBlock, ImageBlock, TextBlock

from mnemis_llamaindex.messages import answers_call, calls_of, is_result
from mnemis_llamaindex.window import Entry, Sizes, count_message, window

SIZES = Sizes(image=300, audio=20, video=40, document=50)


def words(text: str) -> list[str]:
    return text.split()


def entry(role: str, text: str = "", *, calls: tuple[str, ...] = (), answers: str = "") -> Entry:
    kwargs: dict[str, Any] = {}
    if calls:
        kwargs["tool_calls"] = [{"id": each} for each in calls]
    if answers:
        kwargs["tool_call_id"] = answers
    message = ChatMessage(role=role, content=text or None, additional_kwargs=kwargs)
    return Entry(message=message, tokens=max(1, len(words(text))), id=f"{role}{text}{calls}")


WEATHER = [
    entry("user", "what is the weather"),
    entry("assistant", calls=("c1",)),
    entry("tool", "sunny and warm", answers="c1"),
    entry("assistant", "It is sunny"),
    entry("user", "thanks"),
]


def sound(entries: list[Entry]) -> bool:
    """Every result stands behind its call, every call has all its results."""
    open_calls: set[str] = set()
    for each in entries:
        if is_result(each.message):
            if answers_call(each.message) not in open_calls:
                return False
            open_calls.discard(answers_call(each.message))
        else:
            if open_calls:
                return False
            open_calls = set(calls_of(each.message))
    return not open_calls


@pytest.mark.parametrize("budget", range(60))
def test_no_budget_parts_a_call_from_its_result(budget: int) -> None:
    shown = window(WEATHER, budget=budget)
    assert sound(shown)
    assert shown[-1].message.content == "thanks"
    assert shown[0].message.role == "user"
    assert budget < 12 or shown == WEATHER


def test_the_checker_sees_orphans() -> None:
    assert sound(WEATHER)
    assert not sound(WEATHER[2:])
    assert not sound(WEATHER[:2])


@settings(max_examples=150, deadline=None)
@given(
    shape=st.lists(st.sampled_from("uacrsx"), max_size=14),
    budget=st.integers(min_value=0, max_value=40),
)
def test_any_history_is_cut_soundly(shape: list[str], budget: int) -> None:
    entries: list[Entry] = []
    for number, kind in enumerate(shape):
        made = {
            "u": lambda n: entry("user", f"question {n}"),
            "a": lambda n: entry("assistant", f"answer {n}"),
            "c": lambda n: entry("assistant", calls=(f"k{n}", f"l{n}")),
            "r": lambda n: entry("tool", "one", answers=f"k{n - 1}"),
            "s": lambda n: entry("tool", "two", answers=f"l{n - 2}"),
            "x": lambda n: entry("system", f"kind {n}"),
        }
        entries.append(made[kind](number))
    shown = window(entries, budget=budget)
    assert sound(shown)
    users = [each for each in entries if each.message.role == "user"]
    if users:
        assert users[-1] in shown
    size = sum(each.tokens for each in shown)
    assert size <= budget or [each.message.role for each in shown] == ["user"]
    positions = [entries.index(each) for each in shown]
    assert positions == sorted(positions)


def test_a_leading_system_message_stays_while_it_fits() -> None:
    entries = [entry("system", "be kind"), *WEATHER]
    assert [each.message.role for each in window(entries, budget=5)] == ["system", "user"]
    assert [each.message.role for each in window(entries, budget=2)] == ["user"]


def test_the_middle_of_the_last_turn_goes_before_its_question() -> None:
    turn = WEATHER[:4]
    assert [each.message.role for each in window(turn, budget=8)] == ["user", "assistant"]
    assert window(turn, budget=1) == turn[:1]


def test_blocks_have_a_size_and_nobody_is_asked_for_them() -> None:
    image = ChatMessage(role="user", blocks=[ImageBlock(url="https://example.com/cat.jpg")])
    assert count_message(image, words, SIZES) >= 300
    small = ChatMessage(role="user", blocks=[DocumentBlock(data=b"%PDF-1.4 x")])
    assert count_message(small, words, SIZES) >= 50
    text = base64.b64encode(b"word " * 40_000)
    large = ChatMessage(
        role="user", blocks=[DocumentBlock(data=text, document_mimetype="text/plain")]
    )
    assert count_message(large, words, SIZES) >= 40_000
    assert count_message(ChatMessage(role="user"), words, SIZES) > 0


def test_everything_that_is_sent_is_counted() -> None:
    plain = count_message(ChatMessage(role="user", content="a b c"), words, SIZES)
    called = ChatMessage(
        role="assistant",
        blocks=[TextBlock(text="a b c")],
        additional_kwargs={"tool_calls": [{"id": "1", "arguments": "x y z"}]},
    )
    assert count_message(called, words, SIZES) > plain
