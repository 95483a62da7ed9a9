"""Blocks of every shape, and what of them is remembered."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest
from llama_index.core.base.llms import types
from llama_index.core.base.llms.types import (
    AudioBlock,
    ChatMessage,
    CitableBlock,
    DocumentBlock,
    ImageBlock,
    MessageRole,
    TextBlock,
)

from mnemis import Mnemis
from mnemis_llamaindex import to_messages
from mnemis_llamaindex.messages import calls_of, said, stripped, without_recalled

CONTEXT = '<memory note="quoted">\n- [3 March 2025] Ana: 我住在杭州。\n</memory>'


def test_text_blocks_are_joined_and_pictures_are_parts() -> None:
    heard = said(
        ChatMessage(
            role="user",
            blocks=[
                TextBlock(text="my bike is green"),
                ImageBlock(url="https://example.com/bike.jpg"),
                TextBlock(text="and old"),
            ],
        )
    )
    assert heard is not None
    assert heard.text == "my bike is green\nand old"
    assert [(part.kind, part.reference) for part in heard.parts] == [
        ("image", "https://example.com/bike.jpg")
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (ChatMessage(role="user", content="我住在杭州。"), "我住在杭州。"),
        (ChatMessage(role="assistant", content="Noted."), "Noted."),
        (ChatMessage(role="model", content="Noted."), "Noted."),
        (ChatMessage(role="chatbot", content="Noted."), "Noted."),
        (ChatMessage(role="system", content="Be kind."), None),
        (ChatMessage(role="developer", content="Be kind."), None),
        (ChatMessage(role="tool", content="sunny"), None),
        (ChatMessage(role="function", content="sunny"), None),
        (ChatMessage(role="user", content=""), None),
        (ChatMessage(role="user", content="  \n"), None),
        (ChatMessage(role="user"), None),
        (
            ChatMessage(
                role="assistant", content=None, additional_kwargs={"tool_calls": [{"id": "1"}]}
            ),
            None,
        ),
        (
            ChatMessage(
                role="assistant", content="Let me see", additional_kwargs={"tool_calls": [{}]}
            ),
            None,
        ),
        (ChatMessage(role="user", content=CONTEXT), None),
        (ChatMessage(role="user", content=f"{CONTEXT}\nWhere do I live?"), "Where do I live?"),
    ],
)
def test_what_is_said(message: ChatMessage, expected: str | None) -> None:
    heard = said(message)
    assert (heard.text if heard else None) == expected


def test_attached_text_can_be_found() -> None:
    data = base64.b64encode("Rent: 900 a month. 房租九百。".encode())
    block = DocumentBlock(data=data, document_mimetype="text/plain", title="lease.txt")
    heard = said(ChatMessage(role="user", blocks=[block]))
    assert heard is not None
    assert heard.parts[0].kind == "file"
    assert "房租九百" in heard.parts[0].caption
    cited = CitableBlock(title="Manual", source="m.pdf", content=[TextBlock(text="Press red.")])
    heard = said(ChatMessage(role="user", blocks=[cited]))
    assert heard is not None
    assert heard.parts[0].caption == "Manual\nPress red."


@pytest.mark.parametrize(
    "block",
    [
        ImageBlock(image=b"\x89PNG\r\n"),
        AudioBlock(audio=b"RIFF"),
        DocumentBlock(data=b"%PDF-1.4"),
    ],
)
def test_bytes_alone_say_nothing(block: Any) -> None:
    heard = said(ChatMessage(role="user", blocks=[block]))
    assert heard is None or not heard.text


def test_calls_are_known_in_every_spelling() -> None:
    class Call:
        id = "c9"

    def ids(calls: list[Any]) -> tuple[str, ...]:
        message = ChatMessage(role="assistant", content="")
        message.additional_kwargs["tool_calls"] = calls
        return calls_of(message)

    assert ids([{"id": "c1"}, {"tool_call_id": "c2"}, Call()]) == ("c1", "c2", "c9")
    assert ids([]) == ()
    block = {"block_type": "tool_call", "tool_call_id": "c3", "tool_name": "f", "tool_kwargs": {}}
    if not hasattr(types, "ToolCallBlock"):
        pytest.skip("this release of LlamaIndex has no blocks for calls")
    message = ChatMessage.model_validate({"role": MessageRole.ASSISTANT, "blocks": [block]})
    assert calls_of(message) == ("c3",)


def test_reasoning_is_not_said() -> None:
    if not hasattr(types, "ThinkingBlock"):
        pytest.skip("this release of LlamaIndex has no blocks for reasoning")
    thought = types.ThinkingBlock(content="hmm")
    assert said(ChatMessage(role="assistant", blocks=[thought])) is None
    heard = said(ChatMessage(role="assistant", blocks=[thought, TextBlock(text="Yes.")]))
    assert heard is not None
    assert heard.text == "Yes."


def test_recalled_context_is_taken_out_of_any_message() -> None:
    assert stripped(ChatMessage(role="system", content=CONTEXT)) is None
    mixed = ChatMessage(role="system", blocks=[TextBlock(text=CONTEXT), TextBlock(text="Be kind.")])
    left = stripped(mixed)
    assert left is not None
    assert left.content == "Be kind."
    assert mixed.blocks[0].text == CONTEXT  # type: ignore[union-attr]
    assert without_recalled("a < b and <memory> is a tag") == "a < b and <memory> is a tag"


def test_a_conversation_from_elsewhere_comes_in_once(mnemis: Mnemis) -> None:
    memory = mnemis.scope("ana")
    chats = [
        ChatMessage(role="system", content="Be kind."),
        ChatMessage(role="user", content="ok"),
        ChatMessage(role="assistant", content="Noted."),
        ChatMessage(role="user", content="ok"),
        ChatMessage(role="tool", content="raw"),
        ChatMessage(role="user", content="我住在杭州。"),
    ]
    time = datetime(2025, 1, 2, tzinfo=UTC)
    for expected in (4, 0):
        messages = to_messages(chats, session="old", time=time, speaker="Ana")
        assert memory.remember(messages).stored == expected
    assert [each.speaker for each in messages] == ["Ana", None, "Ana", "Ana"]
    (hit,) = memory.recall("杭州", k=1).hits
    assert (hit.text, hit.speaker, hit.session) == ("我住在杭州。", "Ana", "old")
