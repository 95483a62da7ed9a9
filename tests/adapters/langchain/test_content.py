"""Messages of every shape, as they come from LangChain and from providers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from mnemis import InputError, Memory, MessagePart, Mnemis
from mnemis_langchain import MnemisRetriever, to_documents, to_messages

IMAGE = "https://example.com/c.jpg"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (HumanMessage("我喜欢爬山"), "我喜欢爬山"),
        (HumanMessage(["plain", "strings"]), "plain\nstrings"),
        (HumanMessage([{"type": "text", "text": "I love hiking"}]), "I love hiking"),
        (HumanMessage([{"type": "input_text", "text": "I swim"}]), "I swim"),
        (AIMessage([{"type": "text", "text": "It is "}, {"type": "text", "text": "fine."}]),
         "It is fine."),
        (AIMessage([{"type": "reasoning", "reasoning": "secret thought"},
                    {"type": "text", "text": "Yes."}]), "Yes."),
        (AIMessage([{"type": "thinking", "thinking": "secret"}, "Yes."]), "Yes."),
        (AIMessageChunk("chunked"), "chunked"),
        (ChatMessage("by role", role="user"), "by role"),
        (HumanMessage('<memory note="quoted">\n- old\n</memory>\n\nWhat now?'), "What now?"),
    ],
)  # fmt: skip
def test_words_are_taken_from(message: BaseMessage, text: str) -> None:
    (one,) = to_messages([message])
    assert one.text == text


@pytest.mark.parametrize(
    "message",
    [
        HumanMessage([]),
        HumanMessage(""),
        HumanMessage("  \n"),
        AIMessage([{"type": "tool_use", "id": "1", "name": "f", "input": {}}]),
        AIMessage("", tool_calls=[{"id": "c1", "name": "w", "args": {}}]),
        AIMessage([{"type": "reasoning", "reasoning": "secret thought"}]),
        ToolMessage("sunny, 24 degrees, row 1 of 900", tool_call_id="c1"),
        FunctionMessage("sunny", name="w"),
        SystemMessage("You are a pirate."),
        ChatMessage("instructions", role="developer"),
        RemoveMessage(id="m1"),
        HumanMessage("A summary so far: …", additional_kwargs={"lc_source": "summarization"}),
        HumanMessage([{"type": "something_new", "data": 1}]),
    ],
)
def test_nothing_is_remembered_of(message: BaseMessage) -> None:
    assert to_messages([message]) == []


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "image_url", "image_url": {"url": IMAGE}}, ("image", "", IMAGE)),
        ({"type": "image_url", "image_url": IMAGE}, ("image", "", IMAGE)),
        ({"type": "image", "url": IMAGE, "extras": {"caption": "猫"}}, ("image", "猫", IMAGE)),
        ({"type": "image", "base64": "AAAA", "alt": "a cat"}, ("image", "a cat", "")),
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
         ("image", "", "")),
        ({"type": "image", "source": {"type": "url", "url": IMAGE}}, ("image", "", IMAGE)),
        ({"type": "input_audio", "input_audio": {}}, ("audio", "", "")),
        ({"type": "input_audio", "input_audio": {"transcript": "hello"}}, ("audio", "hello", "")),
        ({"type": "file", "file_id": "f1", "filename": "plan.pdf"}, ("file", "plan.pdf", "f1")),
        ({"type": "text-plain", "text": "the attachment", "mime_type": "text/plain"},
         ("file", "the attachment", "")),
        ({"type": "document", "source": {"type": "text", "data": "the rules"}},
         ("file", "the rules", "")),
        ({"type": "video", "url": IMAGE, "title": "a film"}, ("video", "a film", IMAGE)),
    ],
)  # fmt: skip
def test_parts_keep_caption_and_reference(
    block: dict[str, Any], part: tuple[Any, str, str]
) -> None:
    (one,) = to_messages([HumanMessage([{"type": "text", "text": "look"}, block])])
    kind, caption, reference = part
    assert one.text == "look"
    assert one.parts == (MessagePart(kind=kind, caption=caption, reference=reference),)


@pytest.mark.parametrize("query", ["What is the name of the cat?", "我的猫叫什么名字"])
def test_what_stands_beside_an_image_is_found(mnemis: Mnemis, query: str) -> None:
    memory = mnemis.scope("ana")
    memory.remember(
        to_messages(
            [
                HumanMessage(
                    [
                        {"type": "text", "text": "the name of this cat is Miso, 我的猫叫味噌"},
                        {"type": "image_url", "image_url": {"url": IMAGE}},
                    ]
                ),
                HumanMessage(["plain", "strings"]),
                HumanMessage([]),
                AIMessage([{"type": "tool_use", "id": "1", "name": "f", "input": {}}]),
            ]
        )
    )
    found = MnemisRetriever(memory=memory, k=9).invoke(query)
    assert "Miso" in found[0].page_content
    assert not any("[{" in each.page_content for each in found)


def test_ids_count_within_their_session() -> None:
    time = datetime(2025, 3, 3, tzinfo=UTC)
    (one,) = to_messages([HumanMessage("hi", id="1", name="Ana")], session="s", time=time)
    assert (one.id, one.session, one.time, one.speaker) == ("s/1", "s", time, "Ana")
    (two,) = to_messages([AIMessage("hi", id="1")])
    assert (two.id, two.role) == ("1", "assistant")


def test_documents_go_in_and_come_back(memory: Memory) -> None:
    documents = [
        Document(
            id="handbook",
            page_content="Expenses above 500 euros need the approval of the director.",
            metadata={"title": "Handbook", "source": "handbook.pdf", "time": "2025-01-02T00:00:00"},
        ),
        Document(page_content="差旅费超过五百欧元须经主任批准。", metadata={"page": 3}),
    ]
    memory.add_documents(to_documents(documents))
    (found,) = MnemisRetriever(memory=memory, k=1).invoke("Who approves expenses above 500 euros?")
    assert found.page_content == documents[0].page_content
    assert found.metadata["sources"] == ["handbook"]
    assert found.metadata["metadata"]["source"] == "handbook.pdf"
    assert found.metadata["time"] == "2025-01-02T00:00:00+00:00"
    (found,) = MnemisRetriever(memory=memory, k=1).invoke("差旅费谁批准？")
    assert found.metadata["metadata"] == {"page": 3}
    with pytest.raises(InputError, match="ISO 8601"):
        to_documents([Document(page_content="x", metadata={"time": "last week"})])
