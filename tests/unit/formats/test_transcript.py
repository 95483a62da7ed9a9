"""Plain transcripts in the shapes that people and messengers write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mnemis.errors import InputError
from mnemis.formats import Reading, read_file


def read(folder: Path, text: str, **options: ZoneInfo) -> Reading:
    path = folder / "chat.txt"
    path.write_text(text, encoding="utf-8")
    return read_file(path, **options)


def said(reading: Reading) -> list[tuple[str | None, str]]:
    return [(each.speaker, each.text) for each in reading.conversations[0].messages]


def times(reading: Reading) -> list[datetime | None]:
    return [each.time for each in reading.conversations[0].messages]


def at(*numbers: int) -> datetime:
    return datetime(*numbers, tzinfo=UTC)  # type: ignore[arg-type,misc]  # year, month, day, …


def test_the_sample_transcript(data: Path) -> None:
    reading = read_file(data / "transcript.txt")
    messages = reading.conversations[0].messages
    assert reading.format == "transcript"
    assert len(messages) == 20
    assert {each.speaker for each in messages} == {"Nora Feld", "赵思远", "Ben Okafor"}
    assert messages[0].time == at(2025, 3, 1, 9)
    assert messages[4].text.endswith("the pedal is fixed: new spring, 4 euros.")
    assert messages[5].time == at(2025, 3, 1, 9, 6)  # undated: the time of the line above
    assert {each.session for each in messages} == {"transcript"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana: hello\nBen: hi", [("Ana", "hello"), ("Ben", "hi")]),
        ("小红:你好\n小明:你也好", [("小红", "你好"), ("小明", "你也好")]),
        ("小红\uff1a你好\n小明\uff1a你也好", [("小红", "你好"), ("小明", "你也好")]),
    ],
)
def test_names_and_texts(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    reading = read(tmp_path, text)
    assert said(reading) == expected
    assert times(reading) == [None, None]


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("[2025-03-01 09:00] Ana: x", at(2025, 3, 1, 9)),
        ("[2025-03-01 09:00:30] Ana: x", at(2025, 3, 1, 9, 0, 30)),
        ("[2025-03-01] Ana: x", at(2025, 3, 1)),
        ("2025-03-01 09:00 - Ana: x", at(2025, 3, 1, 9)),
        ("2025-03-01T09:00:00+02:00 Ana: x", at(2025, 3, 1, 7)),
        ("2025/3/1 9:05 Ana: x", at(2025, 3, 1, 9, 5)),
        ("2025/3/1 下午9:05 - Ana: x", at(2025, 3, 1, 21, 5)),
        ("2025年3月1日 09:05 Ana: x", at(2025, 3, 1, 9, 5)),
        ("13/03/2025, 09:00 - Ana: x", at(2025, 3, 13, 9)),
        ("[13/03/25, 21:00:05] Ana: x", at(2025, 3, 13, 21, 0, 5)),
        ("3/13/25, 9:00 PM - Ana: x", at(2025, 3, 13, 21)),
        ("3/13/25, 12:30\u202fAM - Ana: x", at(2025, 3, 13, 0, 30)),
        ("13.03.25, 09:00 - Ana: x", at(2025, 3, 13, 9)),
    ],
)
def test_dates_in_many_shapes(tmp_path: Path, line: str, time: datetime) -> None:
    reading = read(tmp_path, line)
    assert said(reading) == [("Ana", "x")]
    assert times(reading) == [time]
    assert reading.notes == ()


def test_the_order_of_day_and_month_is_told_by_the_file(tmp_path: Path) -> None:
    american = read(tmp_path, "4/5/25, 9:00 AM - Ana: x\n4/13/25, 9:00 AM - Ana: y")
    assert times(american) == [at(2025, 4, 5, 9), at(2025, 4, 13, 9)]
    rising = read(tmp_path, "11/1/25, 09:00 - Ana: x\n1/2/25, 09:00 - Ana: y")
    assert times(rising) == [at(2025, 1, 11, 9), at(2025, 2, 1, 9)]
    assert rising.notes == ()


def test_an_unproven_order_is_said(tmp_path: Path) -> None:
    reading = read(tmp_path, "4/5/25, 09:00 - Ana: x")
    assert times(reading) == [at(2025, 5, 4, 9)]
    assert "day/month" in reading.notes[0]


def test_the_zone_holds_unless_the_line_names_one(tmp_path: Path) -> None:
    text = "[2025-03-01 09:00] Ana: x\n[2025-03-01 09:00+01:00] Ana: y"
    reading = read(tmp_path, text, zone=ZoneInfo("Asia/Shanghai"))
    assert times(reading) == [
        datetime(2025, 3, 1, 9, tzinfo=ZoneInfo("Asia/Shanghai")),
        datetime(2025, 3, 1, 9, tzinfo=timezone(timedelta(hours=1))),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "[2025-03-01 09:00] Ana: list:\nNote: milk\n\nand bread",
            "list:\nNote: milk\n\nand bread",
        ),
        ("[2025-03-01 09:00] 小红: 清单\n备注: 牛奶\n\n还有面包", "清单\n备注: 牛奶\n\n还有面包"),
    ],
)
def test_other_lines_continue_the_message(tmp_path: Path, text: str, first: str) -> None:
    reading = read(tmp_path, text + "\n[2025-03-01 09:01] Ben: ok")
    assert [each.text for each in reading.conversations[0].messages] == [first, "ok"]


def test_links_and_sentences_start_no_message(tmp_path: Path) -> None:
    text = "Ana: see\nhttps://example.org/x\nWell, I think: yes\nBen: fine"
    assert said(read(tmp_path, text)) == [
        ("Ana", "see\nhttps://example.org/x\nWell, I think: yes"),
        ("Ben", "fine"),
    ]


def test_a_date_alone_holds_for_what_follows(tmp_path: Path) -> None:
    reading = read(tmp_path, "2025-03-01\nAna: x\nBen: y\n2025-03-02\nAna: z")
    assert times(reading) == [at(2025, 3, 1), at(2025, 3, 1), at(2025, 3, 2)]


def test_a_messenger_s_notices_and_omitted_media_are_said(tmp_path: Path) -> None:
    text = (
        "12/03/2025, 09:00 - Messages are end-to-end encrypted.\n"
        "13/03/2025, 09:00 - Ana: \u200e<Media omitted>\n"
        "13/03/2025, 09:01 - Ana: IMG-01.jpg (file attached)\nour boat\n"
        "13/03/2025, 09:02 - Ben: nice"
    )
    reading = read(tmp_path, text)
    assert said(reading) == [("Ana", "our boat"), ("Ben", "nice")]
    (part,) = reading.conversations[0].messages[0].parts
    assert (part.kind, part.reference) == ("image", "IMG-01.jpg")
    assert reading.notes == (
        "messages without words (media left out of the export): 1 (line 2)",
        "lines that are no messages were left out: 1 (line 1)",
    )


@pytest.mark.parametrize(
    ("heads", "names"),
    [
        (
            ("2025-03-01 09:00:12 张三(12345)", "2025-03-01 9:00:40 李 四<li@example.org>"),
            ["张三", "李 四"],
        ),
        (("张三 2025/3/1 09:00:12", "李 四 2025/3/1 9:00:40"), ["张三", "李 四"]),
        (("Ana 2025-03-01 09:00:12", "Ben Okafor 2025-03-01 9:00:40"), ["Ana", "Ben Okafor"]),
    ],
)
def test_name_and_time_may_stand_above_the_text(
    tmp_path: Path, heads: tuple[str, str], names: list[str]
) -> None:
    text = f"消息记录\n\n{heads[0]}\n备注: 牛奶\n第二行\n\n{heads[1]}\nok\n"
    reading = read(tmp_path, text)
    assert said(reading) == [(names[0], "备注: 牛奶\n第二行"), (names[1], "ok")]
    assert times(reading) == [at(2025, 3, 1, 9, 0, 12), at(2025, 3, 1, 9, 0, 40)]
    assert reading.notes == ("lines that are no messages were left out: 1 (line 1)",)


def test_an_assistant_is_known_by_name(tmp_path: Path) -> None:
    reading = read(tmp_path, "Ana: hi\nAssistant: hello\n助手: 你好")
    assert [each.role for each in reading.conversations[0].messages] == [
        "user",
        "assistant",
        "assistant",
    ]


def test_prose_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='line 2: expected "Name: text"'):
        read(tmp_path, "\nOnce upon a time there was a heron.\n")


def test_a_date_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2: this date does not exist"):
        read(tmp_path, "[2025-02-28 09:00] Ana: x\n[2025-02-30 09:00] Ana: y")


def test_a_grown_transcript_keeps_the_ids_of_its_beginning(tmp_path: Path) -> None:
    before = read(tmp_path, "Ana: ok\nBen: 好\nAna: ok").conversations[0].messages
    after = read(tmp_path, "Ana: ok\nBen: 好\nAna: ok\nBen: 再见").conversations[0].messages
    assert [each.id for each in after[:3]] == [each.id for each in before]
    assert len({each.id for each in after}) == 4
