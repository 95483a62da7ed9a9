"""Whatever is put, set, reset and reopened: the conversation is what a plain list would hold."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core.base.llms.types import ChatMessage

from mnemis import Config, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemory


def message(kind: str, text: str) -> ChatMessage:
    if kind == "call":
        return ChatMessage(role="assistant", additional_kwargs={"tool_calls": [{"id": text}]})
    if kind == "tool":
        return ChatMessage(role="tool", content=text, additional_kwargs={"tool_call_id": text})
    return ChatMessage(role=kind, content=text)


MESSAGES = st.builds(
    message,
    st.sampled_from(["user", "assistant", "call", "tool", "system"]),
    st.sampled_from(["ok", "go on", "好的", "I like figs."]),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.lists(MESSAGES, min_size=1, max_size=1)),
        st.tuples(st.just("put_messages"), st.lists(MESSAGES, max_size=4)),
        st.tuples(st.just("set"), st.lists(MESSAGES, max_size=5)),
        st.tuples(st.just("set_again"), st.lists(MESSAGES, max_size=2)),
        st.tuples(st.just("reset"), st.just([])),
        st.tuples(st.just("reopen"), st.just([])),
        st.tuples(st.just("other"), st.lists(MESSAGES, min_size=1, max_size=1)),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_it_equals_a_list(steps: list[tuple[str, list[ChatMessage]]]) -> None:
    with Mnemis(
        OracleStore(), embedder=HashingEmbedder(), config=Config(consolidate="manual"),
        clock=FakeClock(),
    ) as mnemis:  # fmt: skip
        root = MnemisMemory(mnemis=mnemis)
        memory = root.for_user("ana", session="s1")
        expected: list[ChatMessage] = []
        said: dict[str, int] = {}
        for step, messages in steps:
            memory = apply(memory, root, step, messages, expected)
            shown = [each.model_dump() for each in memory.get_all()]
            assert shown == [each.model_dump() for each in expected], step
            count(said, expected)
        with mnemis.store.view(("ana",)) as view:
            turns = [turn.text for turn in view.scan("turn") if turn.text]
        for text, most in said.items():
            assert turns.count(text) >= most, f"{text!r} was lost"


def apply(
    memory: MnemisMemory,
    root: MnemisMemory,
    step: str,
    messages: list[ChatMessage],
    expected: list[Any],
) -> MnemisMemory:
    if step == "put":
        memory.put(messages[0])
        expected.extend(messages)
    elif step == "put_messages":
        memory.put_messages(messages)
        expected.extend(messages)
    elif step == "set":
        memory.set(messages)
        expected[:] = messages
    elif step == "set_again":
        memory.set([*expected, *messages])
        expected.extend(messages)
    elif step == "reset":
        memory.reset()
        expected.clear()
    elif step == "reopen":
        return root.for_user("ana", session="s1")
    else:
        root.for_user("ana", session="s1").put(messages[0])
        expected.extend(messages)
    return memory


def count(said: dict[str, int], expected: list[ChatMessage]) -> None:
    """How often each text was in the conversation at once, at most."""
    for text in {str(each.content) for each in expected if each.role in ("user", "assistant")}:
        now = sum(
            str(each.content) == text and each.role in ("user", "assistant") for each in expected
        )
        if text != "None":
            said[text] = max(said.get(text, 0), now)
