"""Checking messages before anything is stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from mnemis import Document, InputError, Message, MessagePart
from mnemis.errors import MessageConflict
from mnemis.remember.accept import accept, document_message

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


def one(message: Message) -> Any:
    return accept([message], zone=UTC)[0]


@pytest.mark.parametrize("text", ["We moved the launch.", "我们把发布推迟了。"])
def test_a_role_and_a_text_suffice(text: str) -> None:
    accepted = one(Message(role="user", text=text))
    assert (accepted.text, accepted.speaker, accepted.session, accepted.id) == (
        text, "user", "", None,
    )  # fmt: skip


def test_naive_times_get_the_configured_zone_and_aware_ones_keep_theirs() -> None:
    shanghai = timezone(timedelta(hours=8))
    naive = accept([Message(role="user", text="x", time=datetime(2025, 1, 1))], zone=shanghai)
    aware = accept([Message(role="user", text="x", time=DAY)], zone=shanghai)
    assert naive[0].time == datetime(2025, 1, 1, tzinfo=shanghai)
    assert aware[0].time == DAY
    assert aware[0].time is not None and aware[0].time.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("message", "named"),
    [
        (Message(role="robot", text="x"), "robot"),
        (Message(role="user", text=None), "NoneType"),  # type: ignore[arg-type]
        (Message(role="user", text="x", id=""), "''"),
        (Message(role="user", text="x", id="i" * 600), "iii"),
        (Message(role="user", text="x", time="2025-01-01"), "2025-01-01"),  # type: ignore[arg-type]
        (Message(role="user", text="x", metadata={"a": float("nan")}), "nan"),
        (Message(role="user", text="x", metadata={"a": {"b": object()}}), "object"),  # type: ignore[dict-item]
        (Message(role="user", text="x", metadata={1: "a"}), "1"),  # type: ignore[dict-item]
    ],
)
def test_bad_messages_name_the_value(message: Message, named: str) -> None:
    with pytest.raises(InputError, match=named) as caught:
        one(message)
    assert "message 0" in str(caught.value)


def test_a_lone_message_is_refused_with_advice() -> None:
    with pytest.raises(InputError, match="list of Message"):
        accept(Message(role="user", text="x"), zone=UTC)  # type: ignore[arg-type]


def test_one_id_with_two_texts_in_a_call_is_a_conflict() -> None:
    twice = [Message(role="user", text="a", id="m"), Message(role="user", text="b", id="m")]
    with pytest.raises(MessageConflict, match="'m'"):
        accept(twice, zone=UTC)


@pytest.mark.parametrize("text", ["ok", "好的"])
def test_a_repeated_short_reply_survives_and_a_repeated_call_gives_the_same_ids(text: str) -> None:
    call = [Message(role="user", text=text, time=DAY) for _ in range(3)]
    first, second = accept(call, zone=UTC), accept(call, zone=UTC)
    assert len({each.id for each in first}) == 3
    assert [each.id for each in first] == [each.id for each in second]


def test_an_idempotency_key_identifies_a_message_without_a_time() -> None:
    keyed = [Message(role="user", text="a", idempotency_key="k") for _ in range(2)]
    assert len(accept(keyed, zone=UTC)) == 1


def test_times_order_a_session_and_call_order_breaks_ties() -> None:
    said = [
        Message(role="user", text="late", time=DAY + timedelta(hours=1), session="s"),
        Message(role="user", text="early", time=DAY, session="s"),
        Message(role="user", text="other", time=DAY, session="t"),
        Message(role="user", text="early too", time=DAY, session="s"),
    ]
    assert [each.text for each in accept(said, zone=UTC)] == [
        "early", "early too", "other", "late",
    ]  # fmt: skip


def test_a_session_with_a_missing_time_keeps_call_order() -> None:
    said = [
        Message(role="user", text="one", time=DAY),
        Message(role="user", text="two"),
        Message(role="user", text="three", time=DAY - timedelta(days=1)),
    ]
    assert [each.text for each in accept(said, zone=UTC)] == ["one", "two", "three"]


def test_nul_and_lone_surrogates_are_mended() -> None:
    accepted = one(Message(role="user", text="a\0b\ud83c", speaker="A\ud83d"))
    assert accepted.text == "ab\ufffd"
    assert accepted.speaker.encode() == "A\ufffd".encode()


def test_a_document_without_an_id_gets_a_lasting_one() -> None:
    document = Document(text="Chapter one.", title="Handbook", source="h.pdf")
    again = document_message(Document(text="Chapter one.", title="Handbook", source="h.pdf"))
    other = document_message(Document(text="第一章。", title="手册", source="h.pdf"))
    assert document_message(document).id == again.id != other.id
    assert document_message(document).metadata == {"title": "Handbook", "source": "h.pdf"}


def test_metadata_keeps_its_shape_and_times_become_text() -> None:
    given = {"tags": ["a", {"b": None}], "n": 10**30, "when": DAY, "标签": "值"}
    accepted = one(Message(role="user", text="x", metadata=given))  # type: ignore[arg-type]
    assert accepted.metadata == {**given, "when": DAY.isoformat()}


@pytest.mark.parametrize(
    "message",
    [
        Message(role="user", text="x", speaker=5),  # type: ignore[arg-type]
        Message(role="user", text="x", session=5),  # type: ignore[arg-type]
        Message(role="user", text="x", parts=None),  # type: ignore[arg-type]
        Message(role="user", text="x", parts=("photo",)),  # type: ignore[arg-type]
        Message(role="user", text="x", parts=(MessagePart(kind="hologram"),)),  # type: ignore[arg-type]
        Message(role="user", text="x", parts=(MessagePart(kind="image", caption=5),)),  # type: ignore[arg-type]
        Message(role="user", text="x", id="i\0d"),
        Message(role="user", text="x", id="\ud83c"),
        Message(role="user", text="x", id="文¶1"),
    ],
)
def test_wrong_types_and_ids_that_would_change_are_refused(message: Message) -> None:
    with pytest.raises(InputError, match="message 0"):
        one(message)


def test_a_document_of_wrong_types_is_refused() -> None:
    with pytest.raises(InputError, match="title"):
        document_message(Document(text="x", title=5))  # type: ignore[arg-type]
