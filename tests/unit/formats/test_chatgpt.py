"""ChatGPT's export."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemis.errors import InputError
from mnemis.formats import read_file


def node(key: str, parent: str | None, *, role: str = "user", **message: Any) -> dict[str, Any]:
    content = message.pop("content", {"content_type": "text", "parts": [f"text of {key}"]})
    return {
        "id": key,
        "parent": parent,
        "children": [],
        "message": {"id": key, "author": {"role": role}, "content": content, **message},
    }


def write(folder: Path, nodes: list[dict[str, Any]], **conversation: Any) -> Path:
    mapping = {each["id"]: each for each in nodes}
    for each in nodes:
        if each["parent"] in mapping:
            mapping[each["parent"]]["children"].append(each["id"])
    path = folder / "conversations.json"
    path.write_text(json.dumps([{"title": "A chat", "mapping": mapping, **conversation}]))
    return path


def test_the_sample_export_is_read_along_the_current_branch(data: Path) -> None:
    reading = read_file(data / "chatgpt_conversations.json")
    assert reading.format == "chatgpt"
    assert reading.notes == ()
    (conversation,) = reading.conversations
    messages = conversation.messages
    english = [each for each in messages if each.metadata["title"] == messages[0].metadata["title"]]
    assert [each.id for each in english] == [
        "aa11-user", "aa12-asst", "aa13-user-new", "aa15-call", "aa16-tool", "aa17-asst",
    ]  # fmt: skip
    assert [each.role for each in english] == [
        "user", "assistant", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert english[4].speaker == "browser"
    assert english[0].time == datetime.fromtimestamp(1741597212.4, UTC)
    assert {each.session for each in english} == {"aa10c0de-0001-4000-8000-000000000001"}


def test_chinese_text_and_a_picture_of_the_sample(data: Path) -> None:
    (conversation,) = read_file(data / "chatgpt_conversations.json").conversations
    (asked,) = [each for each in conversation.messages if each.id == "bb21-user"]
    assert asked.text.startswith("这是我阳台上的番茄")
    assert [(part.kind, part.reference) for part in asked.parts] == [
        ("image", "file-service://file-7bQinvented01")
    ]
    assert all(each.text.strip() or each.parts for each in conversation.messages)


def test_times_are_shown_in_the_zone(data: Path) -> None:
    zone = ZoneInfo("Asia/Shanghai")
    (conversation,) = read_file(data / "chatgpt_conversations.json", zone=zone).conversations
    time = conversation.messages[0].time
    assert time == datetime.fromtimestamp(1741597212.4, UTC)
    assert time is not None
    assert time.hour == 17


def test_hidden_messages_and_thoughts_are_left_out(tmp_path: Path) -> None:
    nodes = [
        node("a", None, metadata={"is_visually_hidden_from_conversation": True}),
        node("b", "a"),
        node("c", "b", role="assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("d", "c", role="assistant"),
    ]
    (conversation,) = read_file(write(tmp_path, nodes, current_node="d")).conversations
    assert [each.id for each in conversation.messages] == ["b", "d"]


def test_a_generated_picture_s_prompt_is_its_caption(tmp_path: Path) -> None:
    picture = {
        "content_type": "image_asset_pointer",
        "asset_pointer": "file-service://x",
        "metadata": {"dalle": {"prompt": "a heron at dawn"}},
    }
    content = {"content_type": "multimodal_text", "parts": [picture]}
    nodes = [node("a", None, role="tool", content=content)]
    (conversation,) = read_file(write(tmp_path, nodes, current_node="a")).conversations
    assert conversation.messages[0].parts[0].caption == "a heron at dawn"


def test_without_a_current_message_the_newest_branch_is_read_and_said(tmp_path: Path) -> None:
    nodes = [node("a", None), node("old", "a", create_time=1.0), node("new", "a", create_time=2.0)]
    reading = read_file(write(tmp_path, nodes))
    assert [each.id for each in reading.conversations[0].messages] == ["a", "new"]
    assert "newest branch" in reading.notes[0]


def test_a_circle_of_messages_ends(tmp_path: Path) -> None:
    nodes = [node("a", "b"), node("b", "a")]
    (conversation,) = read_file(write(tmp_path, nodes, current_node="b")).conversations
    assert [each.id for each in conversation.messages] == ["a", "b"]


def test_a_conversation_without_messages_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text('[{"title": "x", "mapping": {}}, {"title": "y", "mapping": 3}]')
    with pytest.raises(InputError, match="conversation 2 \\('y'\\) has no \"mapping\""):
        read_file(path)


def test_a_cut_export_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text('[{"title": "x", "mapping": {"a": ')
    with pytest.raises(InputError, match="no valid JSON"):
        read_file(path)
