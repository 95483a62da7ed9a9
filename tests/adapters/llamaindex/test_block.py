"""MnemisMemoryBlock in LlamaIndex's Memory: overflow, flush, truncation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as ShortTerm
from llama_index.core.utils import get_tokenizer

from mnemis import InputError, Memory, Mnemis
from mnemis_llamaindex import MnemisMemoryBlock

from .fakes import ScriptedLLM


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def bot(text: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=text)


def stored(memory: Memory) -> list[str]:
    with memory.mnemis.store.view(memory.scope) as view:
        return [turn.text for turn in view.scan("turn")]


def short_term(block: MnemisMemoryBlock, *, limit: int = 30_000, session: str = "s1") -> ShortTerm:
    return ShortTerm.from_defaults(session_id=session, token_limit=limit, memory_blocks=[block])


@pytest.mark.parametrize(
    ("question", "answer"), [("When is the launch?", "May 3rd"), ("发布会什么时候?", "五月三日")]
)
async def test_it_recalls_for_the_last_question(ana: Memory, question: str, answer: str) -> None:
    memory = short_term(MnemisMemoryBlock(memory=ana))
    await memory.aput(user(question))
    shown = await memory.aget()
    assert shown[0].role == "system"
    assert answer in str(shown[0].content)
    assert "<long_term_memory>" in str(shown[0].content)


async def test_overflow_is_remembered_once(mnemis: Mnemis) -> None:
    block = MnemisMemoryBlock(mnemis=mnemis).for_user("ana")
    memory = short_term(block, limit=120)
    for number in range(30):
        await memory.aput_messages([user(f"Fact number {number}."), bot("ok")])
    kept = len(await memory.aget_all(status=None))
    said = stored(block.memory)
    assert 0 < len(said) < kept
    assert said == [f"Fact number {n // 2}." if n % 2 == 0 else "ok" for n in range(len(said))]
    with mnemis.store.view(("ana",)) as view:
        assert {turn.session for turn in view.scan("turn")} == {"s1"}


async def test_a_short_chat_is_flushed_and_not_stored_twice(mnemis: Mnemis) -> None:
    block = MnemisMemoryBlock(mnemis=mnemis).for_user("ana")
    memory = short_term(block, limit=200)
    await memory.aput_messages([user("My locker code is 4711."), bot("ok"), user("ok"), bot("ok")])
    assert stored(block.memory) == []
    assert await block.aflush(memory) == 4
    assert await block.aflush(memory) == 0
    await memory.aput_messages([user("ok"), bot("ok")])
    assert await block.aflush(memory) == 2
    for number in range(40):
        await memory.aput_messages([user(f"Small talk {number}."), bot("I see.")])
    await block.aflush(memory)
    said = stored(block.memory)
    assert said[:6] == ["My locker code is 4711.", "ok", "ok", "ok", "ok", "ok"]
    assert len(said) == 6 + 80
    later = short_term(block, session="s2")
    await later.aput(user("What is my locker code?"))
    assert "4711" in str((await later.aget())[0].content)


def test_flush_without_a_loop(mnemis: Mnemis) -> None:
    block = MnemisMemoryBlock(mnemis=mnemis).for_user("ana")
    memory = short_term(block)
    memory.put(user("hello"))
    assert block.flush(memory) == 1


async def test_what_is_in_sight_is_not_recalled(ana: Memory) -> None:
    block = MnemisMemoryBlock(memory=ana)
    memory = short_term(block)
    await memory.aput(user("The launch needs forty cups."))
    await block.aflush(memory)
    await memory.aput(user("What does the launch need?"))
    assert "forty cups" not in str((await memory.aget())[0].content)
    later = short_term(block, session="s2")
    await later.aput(user("What does the launch need?"))
    assert "forty cups" in str((await later.aget())[0].content)


async def test_truncation_gives_what_is_asked(ana: Memory) -> None:
    block = MnemisMemoryBlock(memory=ana, k=4)
    count = get_tokenizer()
    content = await block.aget([user("When is the launch? 发布会? kitchen? printer?")])
    size = len(count(content))
    shorter = await block.atruncate(content, size // 4)
    assert shorter
    assert len(count(shorter)) <= size - size // 4
    assert shorter.startswith("<memory")
    assert shorter.endswith("</memory>")
    assert await block.atruncate(content, size) is None
    assert await block.atruncate("something else", 1) is None


async def test_memory_truncates_it_when_it_is_full(ana: Memory) -> None:
    block = MnemisMemoryBlock(memory=ana, k=4)
    memory = short_term(block, limit=150)
    await memory.aput(user("When is the launch? 发布会? kitchen? printer?"))
    shown = await memory.aget()
    tokens = sum(len(get_tokenizer()(str(each.content))) for each in shown)
    assert tokens <= 150 + 20  # Memory's own template is not counted by it
    assert shown[-1].role == "user"


async def test_tools_and_recalled_context_are_not_remembered(mnemis: Mnemis) -> None:
    block = MnemisMemoryBlock(mnemis=mnemis).for_user("ana")
    await block.aput(
        [
            ChatMessage(role="system", content='<memory note="x">\n- old\n</memory>'),
            user('<memory note="x">\n- old\n</memory>\nI like figs.'),
            ChatMessage(role="assistant", additional_kwargs={"tool_calls": [{"id": "1"}]}),
            ChatMessage(role="tool", content="raw", additional_kwargs={"tool_call_id": "1"}),
            bot("Figs, noted."),
        ],
        session_id="s1",
    )
    assert stored(block.memory) == ["I like figs.", "Figs, noted."]


async def test_a_missing_user_is_an_error(mnemis: Mnemis) -> None:
    block = MnemisMemoryBlock(mnemis=mnemis)
    with pytest.raises(InputError):
        await block.aget([user("hello")])
    with pytest.raises(InputError):
        await block.aput([user("hello")])
    with pytest.raises(InputError):
        MnemisMemoryBlock()


async def test_nothing_asked_nothing_recalled(ana: Memory) -> None:
    assert await MnemisMemoryBlock(memory=ana).aget([bot("hello")]) == ""
    assert await MnemisMemoryBlock(memory=ana).aget(None) == ""


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("The spare key is with Mrs Okafor on the third floor.", "Who has the spare key?"),
        ("备用钥匙在三楼的欧阳女士那里，她白天一般都在家。", "备用钥匙在谁那里？"),
    ],
)
async def test_truncation_never_keeps_less_than_the_best(
    mnemis: Mnemis, said: str, question: str
) -> None:
    """A lesser memory that is short does not stand in for the one that no longer fits."""
    block = MnemisMemoryBlock(mnemis=mnemis, k=2).for_user("zoe")
    await block.aput([user(said), bot("OK.")])
    content = await block.aget([user(question)])
    assert said in content
    assert "OK." in content
    shorter = [await block.atruncate(content, less) for less in range(1, 60)]
    assert any(shorter)
    assert not all(shorter)
    assert all(said in each for each in shorter if each)


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the launch?", "We moved the launch to May 3rd."), ("发布会什么时候?", "五月三日")],
)
async def test_an_agent_is_shown_it(ana: Memory, question: str, answer: str) -> None:
    shown: list[str] = []

    def model(messages: Sequence[ChatMessage], **_: Any) -> ChatMessage:
        shown.append("\n".join(str(each.content) for each in messages))
        return bot("Gladly.")

    block = MnemisMemoryBlock(memory=ana)
    memory = short_term(block)
    await FunctionAgent(llm=ScriptedLLM(model), tools=[]).run(question, memory=memory)
    assert answer in shown[0]
    assert "<memory note=" in shown[0]
    assert await block.aflush(memory) == 2


async def test_recall_does_not_wait_for_what_is_being_stored(
    ana: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), threading.Event()
    loop, remember, waited = asyncio.get_running_loop(), Memory.remember, list[bool]()

    def slow(self: Memory, messages: Any) -> Any:
        loop.call_soon_threadsafe(begun.set)
        waited.append(go_on.wait(timeout=3))
        return remember(self, messages)

    monkeypatch.setattr(Memory, "remember", slow)
    block = MnemisMemoryBlock(memory=ana)
    storing = asyncio.create_task(block.aput([user("The venue has changed.")]))
    await begun.wait()
    assert "May 3rd" in await block.aget([user("When is the launch?")])
    go_on.set()
    await storing
    assert waited == [True]
