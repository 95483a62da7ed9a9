"""JSON lines of messages and of pools."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mnemis.errors import InputError
from mnemis.formats import read_file
from mnemis.model.message import Message, MessagePart


def write(folder: Path, *lines: object, name: str = "chat.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def messages_of(path: Path) -> tuple[Message, ...]:
    (conversation,) = read_file(path).conversations
    return conversation.messages


def test_every_field_of_a_message_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {
            "role": "assistant",
            "text": "Here is the plan.",
            "speaker": "Mnemo",
            "time": "2025-03-01T09:00:00+01:00",
            "session": "s1",
            "id": "m1",
            "metadata": {"tag": ["a", 1]},
            "parts": [{"kind": "image", "caption": "a plan", "reference": "plan.png"}],
        },
    )
    assert messages_of(path) == (
        Message(
            role="assistant",
            text="Here is the plan.",
            speaker="Mnemo",
            time=datetime.fromisoformat("2025-03-01T09:00:00+01:00"),
            session="s1",
            id="m1",
            metadata={"tag": ["a", 1]},
            parts=(MessagePart(kind="image", caption="a plan", reference="plan.png"),),
        ),
    )


@pytest.mark.parametrize("text", ["Only this.", "只有这一句。"])
def test_text_suffices(tmp_path: Path, text: str) -> None:
    (message,) = messages_of(write(tmp_path, {"text": text}))
    assert (message.role, message.text, message.time) == ("user", text, None)
    assert message.id


def test_a_chat_api_s_content_is_read_with_its_pictures(tmp_path: Path) -> None:
    content = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    (message,) = messages_of(write(tmp_path, {"role": "user", "content": content}))
    assert message.text == "What is this?"
    assert [part.reference for part in message.parts] == ["https://example.org/cat.png", ""]


def test_a_list_is_read_like_lines(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps([{"text": "one"}, {"text": "two"}], indent=1))
    assert [each.text for each in messages_of(path)] == ["one", "two"]


def test_naive_times_get_the_zone_and_numbers_are_seconds(tmp_path: Path) -> None:
    path = write(tmp_path, {"text": "a", "time": "2025-03-01 09:00"}, {"text": "b", "time": 0})
    zone = ZoneInfo("Asia/Shanghai")
    (conversation,) = read_file(path, zone=zone).conversations
    naive, number = conversation.messages
    assert naive.time == datetime(2025, 3, 1, 9, tzinfo=zone)
    assert number.time == datetime(1970, 1, 1, tzinfo=UTC)
    assert number.time is not None
    assert number.time.utcoffset() == timedelta(hours=8)


def test_every_bad_line_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"text": "fine"},
        '{"text": "cut',
        {"text": "typo", "sesion": "s1"},
        {"role": "narrator", "text": "who?"},
        {"text": 7},
        {"text": "when?", "time": "yesterday"},
        "[1, 2]",
    )
    with pytest.raises(InputError) as caught:
        read_file(path)
    said = str(caught.value)
    assert said.startswith("chat.jsonl was not ingested; mend these")
    for line, hint in {
        2: "no valid JSON",
        3: "'sesion'; put values of your own under \"metadata\"",
        4: "'narrator' is not one of user, assistant, system, tool, document",
        5: 'wants "text", got 7',
        6: "'yesterday' is no ISO time such as",
        7: "expected a JSON object",
    }.items():
        assert any(f"line {line}: " in each and hint in each for each in said.split("\n")), line
    assert "line 1:" not in said


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="… and 3 more"):
        read_file(write(tmp_path, *["{"] * 13))


def test_messages_without_text_are_left_out_and_named(tmp_path: Path) -> None:
    reading = read_file(write(tmp_path, {"text": "a"}, {"text": "  "}, {"text": ""}))
    assert [each.text for each in reading.conversations[0].messages] == ["a"]
    assert reading.notes == ("messages without text were left out: 2 (lines 2, 3)",)


@pytest.mark.parametrize(("first", "second"), [("ok", "fine"), ("好", "好的")])
def test_ids_are_the_same_at_every_reading_and_repeats_stay_apart(
    tmp_path: Path, first: str, second: str
) -> None:
    path = write(tmp_path, {"text": first}, {"text": second}, {"text": first})
    ids = [each.id for each in messages_of(path)]
    assert len(set(ids)) == 3
    assert ids == [each.id for each in messages_of(path)]


def test_a_text_with_line_separators_stays_one_message(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"text": "one\u2028two\x85three"}\r\n{"text": "b"}', encoding="utf-8")
    assert [each.text for each in messages_of(path)] == ["one\u2028two\x85three", "b"]


def test_pools_name_their_scopes_and_keep_captions(tmp_path: Path) -> None:
    pool = {
        "set": "birds",
        "name": "walk-1",
        "messages": [
            {"id": "1", "speaker": "Lea", "text": "Look!", "image_caption": "a red kite",
             "time": "2025-04-05T08:00:00+00:00", "session": "s1", "place": "ignored"},
            {"id": "2", "speaker": "assistant", "text": "那是红鸢。", "time": None},
        ],
        "questions": [],
    }  # fmt: skip
    reading = read_file(write(tmp_path, pool, {**pool, "name": "walk-2"}))
    assert reading.format == "pools"
    assert [each.labels for each in reading.conversations] == [
        ("birds", "walk-1"),
        ("birds", "walk-2"),
    ]
    first, second = reading.conversations[0].messages
    assert (first.role, first.speaker, first.session) == ("user", "Lea", "s1")
    assert first.text == "Look! [shares a red kite]"
    assert (second.role, second.text, second.id) == ("assistant", "那是红鸢。", "2")


def test_a_bad_message_in_a_pool_is_named_by_line_and_place(tmp_path: Path) -> None:
    good = {"name": "a", "messages": [{"text": "x"}]}
    bad = {"name": "b", "messages": [{"text": "x"}, {"speaker": "Lea"}]}
    with pytest.raises(InputError, match='line 2: message 2 of the pool: wants "text"'):
        read_file(write(tmp_path, good, bad))


def test_outside_pools_are_read_whole(pools: Path) -> None:
    read = 0
    for path in sorted(pools.glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        reading = read_file(path)
        assert reading.format == "pools"
        for pool, conversation in zip(lines, reading.conversations, strict=True):
            assert conversation.labels == (pool["set"], pool["name"])
            assert [m.id for m in conversation.messages] == [m["id"] for m in pool["messages"]]
            read += len(conversation.messages)
    assert read > 0
