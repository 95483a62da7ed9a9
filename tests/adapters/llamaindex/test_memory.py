"""MnemisMemory: written through, bounded, whole after reopening, never stored twice."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.llms import ChatMessage, ImageBlock, MockLLM, TextBlock
from llama_index.core.memory import BaseMemory
from llama_index.core.utils import get_tokenizer

from mnemis import Config, InputError, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from mnemis_llamaindex import MnemisMemory


def user(text: str) -> ChatMessage:
    return ChatMessage(role="user", content=text)


def bot(text: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=text)


def texts(messages: list[ChatMessage]) -> list[str]:
    return [str(each.content) for each in messages]


def stored(memory: Memory) -> list[str]:
    """Texts of what was said in a scope, in order of arrival."""
    with memory.mnemis.store.view(memory.scope) as view:
        return [turn.text for turn in view.scan("turn") if turn.text]


@pytest.fixture
def chat(mnemis: Mnemis) -> MnemisMemory:
    return MnemisMemory(mnemis=mnemis).for_user("ana", session="s9")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Mnemis]:
    with Mnemis.open(
        tmp_path / "memory", embedder=HashingEmbedder(), config=Config(consolidate="manual")
    ) as opened:
        yield opened


def test_it_is_a_memory_by_name() -> None:
    assert "BaseMemory" in [each.__name__ for each in MnemisMemory.__mro__]
    assert issubclass(MnemisMemory, BaseMemory)


@pytest.mark.parametrize("text", ["I moved to Leeds.", "我搬到杭州了。"])
def test_what_is_put_is_remembered_at_once(mnemis: Mnemis, chat: MnemisMemory, text: str) -> None:
    chat.put(user(text))
    assert [hit.text for hit in mnemis.scope("ana").recall(text, k=1).hits] == [text]
    assert texts(chat.get_all()) == [text]


def test_other_sessions_are_recalled_and_this_one_is_not_said_twice(ana: Memory) -> None:
    chat = MnemisMemory(memory=ana, session="new")
    chat.put(user("When is the launch?"))
    first, question = chat.get()
    assert first.role == "system"
    assert "We moved the launch to May 3rd." in str(first.content)
    assert str(first.content).startswith("<memory note=")
    assert "When is the launch?" not in str(first.content)
    assert question.content == "When is the launch?"


def test_what_no_longer_fits_is_recalled_from_the_same_session(chat: MnemisMemory) -> None:
    chat.put_messages([user("My locker code is 4711."), bot("Noted.")])
    for number in range(40):
        chat.put_messages([user(f"Some small talk, number {number}."), bot("I see, go on.")])
    chat.put(user("What is my locker code?"))
    chat.token_limit = 300
    shown = texts(chat.get())
    assert "4711" in shown[0]
    assert "My locker code is 4711." not in shown[1:]


def test_context_can_go_to_the_user(ana: Memory) -> None:
    chat = MnemisMemory(memory=ana, insert_method="user")
    chat.put(user("When is the launch?"))
    (message,) = chat.get()
    assert message.role == "user"
    assert "May 3rd" in str(message.content)
    assert texts(chat.get_all()) == ["When is the launch?"]


def test_recall_happens_once_a_turn(ana: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    recall = Memory.recall

    def counted(self: Memory, query: str, **options: Any) -> Any:
        asked.append(query)
        return recall(self, query, **options)

    monkeypatch.setattr(Memory, "recall", counted)
    chat = MnemisMemory(memory=ana)
    chat.put(user("When is the launch?"))
    chat.get()
    chat.get(input="When is the launch?")
    chat.put_messages([bot("On May 3rd.")])
    chat.get()
    assert asked == ["When is the launch?"]
    chat.put(user("When is the launch?"))
    chat.get()
    assert len(asked) == 2
    MnemisMemory(memory=ana, k=0).get(input="When is the launch?")
    assert len(asked) == 2


def test_changing_what_get_gives_changes_nothing_kept(chat: MnemisMemory) -> None:
    chat.put(user("hello"))
    chat.get()[-1].blocks.append(TextBlock(text="state"))
    chat.get_all()[0].blocks.clear()
    assert texts(chat.get_all()) == ["hello"]


def test_history_that_is_set_again_is_not_stored_again(chat: MnemisMemory) -> None:
    history = [user("ok"), bot("I see."), user("ok"), bot("I see.")]
    chat.put_messages(history)
    chat.set(history)
    chat.set([*history, user("And now?")])
    chat.set([*history, user("And now?")])
    assert stored(chat.memory) == ["ok", "I see.", "ok", "I see.", "And now?"]
    assert texts(chat.get_all()) == ["ok", "I see.", "ok", "I see.", "And now?"]


def test_set_may_shorten_reorder_and_renew(chat: MnemisMemory) -> None:
    chat.put_messages([user("one"), bot("two"), user("three"), bot("four")])
    chat.set([user("three"), user("five")])
    assert texts(chat.get_all()) == ["three", "five"]
    chat.put(bot("six"))
    assert texts(chat.get_all()) == ["three", "five", "six"]
    again = MnemisMemory(memory=chat.memory, session="s9")
    assert texts(again.get_all()) == ["three", "five", "six"]
    assert stored(chat.memory) == ["one", "two", "three", "four", "five", "six"]


def test_reset_begins_anew_and_forgets_nothing(chat: MnemisMemory) -> None:
    chat.put_messages([user("My cat is called Miso."), bot("Noted.")])
    chat.reset()
    assert chat.get_all() == []
    assert MnemisMemory(memory=chat.memory, session="s9").get_all() == []
    chat.put(user("Who is Miso?"))
    assert texts(chat.get_all()) == ["Who is Miso?"]
    assert "My cat is called Miso." in texts(chat.get())[0]


def test_recalled_context_is_never_stored(ana: Memory) -> None:
    chat = MnemisMemory(memory=ana, session="loop")
    before = len(stored(ana))
    for number in range(5):
        chat.put(user(f"When is the launch, {number}?"))
        chat.set(chat.get())
        chat.put_messages(chat.get()[:1])
    assert len(stored(ana)) == before + 5
    assert len(chat.get_all()) == 5


def test_tool_noise_is_kept_in_the_conversation_and_out_of_the_memory(chat: MnemisMemory) -> None:
    run = [
        user("What is the weather in Oslo?"),
        ChatMessage(
            role="assistant", content=None, additional_kwargs={"tool_calls": [{"id": "c1"}]}
        ),
        ChatMessage(
            role="tool", content="zzqx-9 raw dump", additional_kwargs={"tool_call_id": "c1"}
        ),
        bot("It is sunny."),
    ]
    chat.put(run[0])
    chat.put_messages(run[1:])
    assert stored(chat.memory) == ["What is the weather in Oslo?", "It is sunny."]
    assert chat.get_all() == run
    chat.memory.consolidate()
    assert not any("zzqx" in hit.text for hit in chat.memory.recall("zzqx-9 dump", k=50).hits)
    assert "zzqx" not in chat.memory.recall("zzqx-9 raw dump").context


def test_a_call_without_content_makes_a_round_trip(folder: Mnemis) -> None:
    messages = [
        ChatMessage(
            role="assistant", content=None, additional_kwargs={"tool_calls": [{"id": "1"}]}
        ),
        ChatMessage(role="tool", content="", additional_kwargs={"tool_call_id": "1"}),
    ]
    chat = MnemisMemory(mnemis=folder).for_user("ana", session="s1")
    for each in messages:
        chat.put(each)
    assert chat.get() == messages
    again = MnemisMemory(mnemis=folder).for_user("ana", session="s1")
    assert again.get() == messages
    assert again.get_all() == messages


def test_blocks_come_back_unchanged(chat: MnemisMemory) -> None:
    message = ChatMessage(
        role="user",
        blocks=[
            TextBlock(text="my bike is green"),
            ImageBlock(image=b"\x89PNG\r\n\x1a\n0000"),
            TextBlock(text="and old"),
        ],
    )
    chat.put(message)
    assert chat.get_all() == [message]
    assert chat.get(input="hi")[-1] == message
    again = MnemisMemory(memory=chat.memory, session="s9")
    assert again.get_all()[0].blocks == message.blocks
    (hit,) = chat.memory.recall("bike colour", k=1).hits
    assert hit.text == "my bike is green\nand old"


@pytest.mark.parametrize("limit", range(50, 501, 50))
def test_after_reopening_a_tools_result_follows_its_call(chat: MnemisMemory, limit: int) -> None:
    for turn in range(3):
        chat.put(user(f"Please look up number {turn} for me, will you?"))
        call = {"id": f"c{turn}", "function": {"name": "look", "arguments": "{}"}}
        chat.put(ChatMessage(role="assistant", additional_kwargs={"tool_calls": [call]}))
        chat.put(
            ChatMessage(
                role="tool", content="found it", additional_kwargs={"tool_call_id": f"c{turn}"}
            )
        )
        chat.put(bot(f"Number {turn} is known."))
    again = MnemisMemory(memory=chat.memory, session="s9", token_limit=limit)
    previous = None
    shown = again.get()
    for each in shown:
        if each.role == "tool":
            assert previous is not None
            assert (
                previous.additional_kwargs["tool_calls"][0]["id"]
                == (each.additional_kwargs["tool_call_id"])
            )
        previous = each
    assert any(each.role == "user" for each in shown)


@pytest.mark.parametrize("count", [0, 299, 300, 5000])
def test_a_large_initial_count_never_raises(
    chat: MnemisMemory, count: int, caplog: pytest.LogCaptureFixture
) -> None:
    chat.token_limit = 300
    chat.put_messages([user(f"message number {n} of a long talk") for n in range(20)])
    with caplog.at_level(logging.INFO, logger="mnemis_llamaindex"):
        shown = chat.get(initial_token_count=count)
    assert "message number 19 of a long talk" in texts(shown)[-1]
    assert count < 299 or len(shown) == 1
    assert "of 20 messages" in caplog.text


@pytest.mark.parametrize("limit", [60, 120, 400, 2000])
@pytest.mark.parametrize("text", ["a few words about the launch", "关于发布会的几句话，说得长一些"])
def test_the_token_limit_holds(ana: Memory, limit: int, text: str) -> None:
    count = get_tokenizer()
    chat = MnemisMemory(memory=ana, token_limit=limit)
    for number in range(30):
        chat.put(user(f"{text} {number}"))
    shown = chat.get()
    assert sum(len(count(str(each.content))) for each in shown) <= limit
    assert shown[-1].content == f"{text} 29"


def test_images_count(chat: MnemisMemory) -> None:
    chat.token_limit = 3000
    for number in range(10):
        chat.put(
            ChatMessage(
                role="user",
                blocks=[
                    TextBlock(text=f"picture {number}"),
                    ImageBlock(url=f"https://example.com/{number}.jpg"),
                ],
            )
        )
    assert 1 <= len([m for m in chat.get() if m.role == "user"]) <= 3


def test_a_missing_user_is_an_error(mnemis: Mnemis, tmp_path: Path) -> None:
    for nobody in (MnemisMemory(mnemis=mnemis), MnemisMemory(path=str(tmp_path))):
        for call in (nobody.get, nobody.get_all, lambda: nobody.put(user("x")), nobody.reset):  # noqa: B023
            with pytest.raises(InputError, match="for_user"):
                call()
    with pytest.raises(InputError):
        MnemisMemory(mnemis=mnemis).for_user("")
    with pytest.raises(InputError):
        MnemisMemory()
    with pytest.raises(InputError, match="one of"):
        MnemisMemory(mnemis=mnemis, path=str(tmp_path))
    with pytest.raises(InputError):
        MnemisMemory(memory=mnemis.scope("ana")).for_user("ben")
    with pytest.raises(InputError):
        MnemisMemory.from_defaults(mnemis=mnemis, user="ana", colour="red")


def test_sessions_and_users_keep_apart(mnemis: Mnemis) -> None:
    root = MnemisMemory(mnemis=mnemis)
    first, second = root.for_user("ana"), root.for_user("ana")
    assert first.session != second.session
    first.put(user("one"))
    assert second.get_all() == []
    assert texts(root.for_user("ana", session=first.session).get_all()) == ["one"]
    assert root.for_user("ben", session=first.session).get_all() == []


def test_defaults_come_from_the_model(mnemis: Mnemis) -> None:
    llm = MockLLM()
    chat = MnemisMemory.from_defaults(
        mnemis=mnemis, user="ana", session="s1", llm=llm, chat_history=[user("hello")]
    )
    assert chat.token_limit == int(llm.metadata.context_window * 0.75)
    MnemisMemory.from_defaults(
        mnemis=mnemis, user="ana", session="s1", chat_history=[user("hello")]
    )
    assert stored(mnemis.scope("ana")) == ["hello"]


def test_what_others_write_or_forget_is_seen(chat: MnemisMemory) -> None:
    chat.put(user("one"))
    twin = MnemisMemory(memory=chat.memory, session="s9")
    twin.put(bot("two"))
    assert texts(chat.get_all()) == ["one", "two"]
    chat.memory.remember([Message(role="user", text="three", session="s9")])
    assert texts(chat.get_all()) == ["one", "two", "three"]
    chat.put(bot("four"))
    assert texts(twin.get_all()) == ["one", "two", "three", "four"]


async def test_awaited_it_is_the_same(mnemis: Mnemis) -> None:
    chat = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")
    await chat.aput(user("one"))
    await chat.aput_messages([bot("two"), user("three")])
    assert await chat.aget_all() == chat.get_all()
    assert await chat.aget() == chat.get()
    await chat.aset([user("three")])
    assert texts(await chat.aget_all()) == ["three"]
    await chat.areset()
    assert await chat.aget_all() == []


def test_a_clock_that_stands_still_loses_nothing_and_keeps_the_order() -> None:
    with Mnemis(
        OracleStore(), embedder=HashingEmbedder(), config=Config(consolidate="manual"),
        clock=FakeClock(),
    ) as mnemis:  # fmt: skip
        chat = MnemisMemory(mnemis=mnemis).for_user("ana", session="s1")
        chat.put_messages([user("ok"), bot("ok"), user("ok")])
        chat.put(user("ok"))
        chat.reset()
        chat.put(user("ok"))
        chat.set([user("ok"), bot("new"), user("ok")])
        assert texts(chat.get_all()) == ["ok", "new", "ok"]
        assert stored(chat.memory) == ["ok", "ok", "ok", "ok", "ok", "new"]
        with mnemis.store.view(("ana",)) as view:
            times = [turn.time for turn in view.scan("turn")]
        assert times == sorted(times)
        assert len(set(times)) == len(times)


def test_the_users_name_stands_at_what_the_user_says(mnemis: Mnemis) -> None:
    chat = MnemisMemory(mnemis=mnemis).for_user("u-42", session="s1", speaker="小明")
    chat.put_messages([user("我搬到杭州了。"), bot("好的。")])
    hits = chat.memory.recall("搬到杭州 好的", k=2).hits
    assert {hit.text: hit.speaker for hit in hits}["我搬到杭州了。"] == "小明"
    assert {hit.speaker for hit in hits} == {"小明", "assistant"}
    assert "小明" in str(MnemisMemory(memory=chat.memory).get(input="搬到哪里?")[0].content)


def test_what_is_forgotten_leaves_the_conversation_too(chat: MnemisMemory) -> None:
    chat.put_messages([user("My pin is 9021."), bot("Noted."), user("我搬到杭州了。")])
    chat.set([user("My pin is 9021."), user("我搬到杭州了。")])
    (hit,) = chat.memory.recall("pin 9021", k=1).hits
    chat.memory.forget(message_ids=hit.sources)
    assert texts(chat.get_all()) == ["我搬到杭州了。"]
    assert texts(MnemisMemory(memory=chat.memory, session="s9").get_all()) == ["我搬到杭州了。"]
    assert not any("9021" in text for text in texts(chat.get(input="What is my pin?")))
