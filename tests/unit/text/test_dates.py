"""Dates of both languages, resolved against the moment at which they were said."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.dates import find_dates, has_date

WEDNESDAY = datetime(2022, 11, 16, 10, tzinfo=UTC)
TUESDAY = datetime(2026, 4, 14, 7, tzinfo=timezone(timedelta(hours=8)))


def one(text: str, anchor: datetime) -> str:
    """The only date in `text`, as "first day..last day" or with clock times."""
    (found,) = find_dates(text, anchor=anchor)
    assert found.text == text[found.span[0] : found.span[1]]
    assert found.start.utcoffset() == anchor.utcoffset()
    if found.grain in ("hour", "minute"):
        return f"{found.start:%Y-%m-%dT%H:%M}..{found.end:%H:%M}"
    last = found.end - timedelta(days=1)
    first = f"{found.start:%Y-%m-%d}"
    return first if last <= found.start else f"{first}..{last:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was in Ghent last week.", "2022-11-07..2022-11-13"),
        ("I saw the dentist last Friday.", "2022-11-11"),
        ("I'll fly in three days.", "2022-11-19"),
        ("yesterday", "2022-11-15"),
        ("Today!", "2022-11-16"),
        ("see you tomorrow", "2022-11-17"),
        ("the day before yesterday", "2022-11-14"),
        ("next Friday", "2022-11-18"),
        ("this Friday", "2022-11-18"),
        ("on Monday", "2022-11-14"),
        ("I will call on Monday", "2022-11-21"),
        ("next week", "2022-11-21..2022-11-27"),
        ("two weeks ago", "2022-10-31..2022-11-06"),
        ("a couple of days ago", "2022-11-14"),
        ("last month", "2022-10-01..2022-10-31"),
        ("last year", "2021-01-01..2021-12-31"),
        ("last summer", "2022-06-01..2022-08-31"),
        ("the weekend", "2022-11-12..2022-11-13"),
        ("last night", "2022-11-15T18:00..06:00"),
        ("at 3pm", "2022-11-16T15:00..16:00"),
        ("10:30", "2022-11-16T10:30..10:31"),
        ("yesterday at 3pm", "2022-11-15T15:00..16:00"),
        ("May 3rd, 2025", "2025-05-03"),
        ("3 May 2025", "2025-05-03"),
        ("the 3rd of May 2025", "2025-05-03"),
        ("2025-05-03", "2025-05-03"),
        ("03/05/2025", "2025-03-05"),
        ("25/03/2025", "2025-03-25"),
        ("May 2023", "2023-05-01..2023-05-31"),
        ("in 2022", "2022-01-01..2022-12-31"),
        ("it was in June", "2022-06-01..2022-06-30"),
        ("it will be in June", "2023-06-01..2023-06-30"),
        ("Christmas is in December", "2022-12-01..2022-12-31"),
        ("last May", "2022-05-01..2022-05-31"),
        ("between March and May", "2022-03-01..2022-05-31"),
        ("since March", "2022-03-01..2022-11-16"),
        ("from May 3 to May 10", "2022-05-03..2022-05-10"),
        ("May 3-10, 2023", "2023-05-03..2023-05-10"),
        ("summer of 2021", "2021-06-01..2021-08-31"),
        ("the last 3 days", "2022-11-13..2022-11-16"),
        ("finish it by December 1", "2022-12-01"),
        ("on December 28, 1846", "1846-12-28"),
        ("between February and March 1999", "1999-02-01..1999-03-31"),
        ("from March 2021 to May", "2021-03-01..2021-05-31"),
        ("from 2004 to 2009", "2004-01-01..2009-12-31"),
        ("tomorrow evening at 7:30", "2022-11-17T19:30..19:31"),
        ("at 1:43 pm on 24 March, 2022", "2022-03-24T13:43..13:44"),
        ("at 8 o'clock on Saturday", "2022-11-19T08:00..09:00"),
        ("2025-02-03T10:30", "2025-02-03T10:30..10:31"),
        ("2025-02-03T23:30:00-05:00", "2025-02-04T04:30..04:31"),
    ],
)
def test_english(text: str, expected: str) -> None:
    assert one(text, WEDNESDAY) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨天发生了什么", "2026-04-13"),
        ("上周发生了什么", "2026-04-06..2026-04-12"),
        ("前天", "2026-04-12"),
        ("今天", "2026-04-14"),
        ("明天见", "2026-04-15"),
        ("后天", "2026-04-16"),
        ("上周五看了牙医", "2026-04-10"),
        ("上个星期五", "2026-04-10"),
        ("下周三", "2026-04-22"),
        ("本周", "2026-04-13..2026-04-19"),
        ("上个月", "2026-03-01..2026-03-31"),
        ("下个月", "2026-05-01..2026-05-31"),
        ("去年", "2025-01-01..2025-12-31"),
        ("前年", "2024-01-01..2024-12-31"),
        ("今年", "2026-01-01..2026-12-31"),
        ("三天前", "2026-04-11"),
        ("两周后", "2026-04-27..2026-05-03"),
        ("五月三日", "2026-05-03"),
        ("5月3号", "2026-05-03"),
        ("2025年5月3日", "2025-05-03"),
        ("二〇二五年五月三日", "2025-05-03"),
        ("二〇二五年", "2025-01-01..2025-12-31"),
        ("去年夏天", "2025-06-01..2025-08-31"),
        ("周末", "2026-04-11..2026-04-12"),
        ("下午两点", "2026-04-14T14:00..15:00"),
        ("晚上八点半", "2026-04-14T20:30..20:31"),
        ("上午10点", "2026-04-14T10:00..11:00"),
        ("昨天下午三点", "2026-04-13T15:00..16:00"),
        ("会议在１０：３０开始（三号楼）！", "2026-04-14T10:30..10:31"),
        ("三月到五月", "2026-03-01..2026-05-31"),
        ("三月以来", "2026-03-01..2026-04-14"),
        ("从5月3日到5月10日", "2026-05-03..2026-05-10"),
        ("十二月", "2025-12-01..2025-12-31"),
        ("打算十二月去", "2026-12-01..2026-12-31"),
        ("去年十二月二十五日", "2025-12-25"),
        ("2024年3月到5月", "2024-03-01..2024-05-31"),
        ("下周三晚上七点", "2026-04-22T19:00..20:00"),
        ("过去三天", "2026-04-11..2026-04-14"),
        ("半年前", "2025-10-01..2025-10-31"),
        ("周五3点开会", "2026-04-17T03:00..04:00"),
        ("2025-02-03T10:30Z", "2025-02-03T18:30..18:31"),
    ],
)
def test_chinese(text: str, expected: str) -> None:
    assert one(text, TUESDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "You may go",
        "may I help",
        "I may 3 times",
        "they march on",
        "wants to march",
        "a second",
        "the sun sat low",
        "1/2 cup",
        "version 3.1",
        "v2.3.1",
        "192.168.1.1",
        "call 555-1234-5678",
        "+1 415-555-0100",
        "the fall of Rome",
        "in 2000 ways",
        "room 2022",
        "24/7",
        "32/13/2025",
        "2025-02-30",
        "I ran 10 km",
        "this may help",
        "walk and march",
        "第3步",
        "三点建议",
        "三号楼",
        "百分点",
        "三个月",
        "一点点",
        "月亮",
        "上月球",
        "每周三次",
        "以后天天如此",
        "之前天气很好",
        "我将来想去",
        "看了三天书",
        "工号是12345",
        "4月31日",
    ],
)
def test_no_false_alarms(text: str) -> None:
    assert find_dates(text, anchor=WEDNESDAY) == []
    assert not has_date(text)


def test_a_moved_date_lies_ahead() -> None:
    anchor = datetime(2025, 3, 3, 9, tzinfo=UTC)
    assert one("We moved the launch to May 3rd.", anchor) == "2025-05-03"
    assert one("发布推迟到5月3日", anchor) == "2025-05-03"


def test_days_are_those_of_the_anchors_zone() -> None:
    in_utc = TUESDAY.astimezone(UTC)
    assert one("昨天", TUESDAY) == "2026-04-13"
    assert one("昨天", in_utc) == "2026-04-12"
    assert one("yesterday", TUESDAY) == "2026-04-13"


def test_yesterday_ends_where_today_begins() -> None:
    (yesterday,) = find_dates(
        "what happened yesterday", anchor=datetime(2026, 3, 10, 15, tzinfo=UTC)
    )
    assert yesterday.start == datetime(2026, 3, 9, tzinfo=UTC)
    assert yesterday.end == datetime(2026, 3, 10, tzinfo=UTC)
    assert yesterday.grain == "day"


@pytest.mark.parametrize(
    ("text", "hours"), [("2025-02-03", 24), ("2025-11-02", 25), ("2025-03-09", 23), ("3月9号", 23)]
)
def test_a_day_is_as_long_as_its_zone_makes_it(text: str, hours: int) -> None:
    anchor = datetime(2025, 7, 1, 12, tzinfo=ZoneInfo("America/New_York"))
    (day,) = find_dates(text, anchor=anchor)
    assert day.end.astimezone(UTC) - day.start.astimezone(UTC) == timedelta(hours=hours)
    assert (day.start.hour, day.end.hour) == (0, 0)


@pytest.mark.parametrize(
    ("text", "recurring"),
    [
        ("every Friday", True),
        ("on Wednesdays", True),
        ("on Friday", False),
        ("每周五", True),
        ("周五", False),
    ],
)
def test_recurring_dates_say_so(text: str, recurring: bool) -> None:
    (found,) = find_dates(text, anchor=WEDNESDAY)
    assert found.recurring is recurring


def test_several_dates_come_in_order() -> None:
    text = "On 2025-05-03 we met; 昨天 we parted, and last week it rained."
    assert [found.text for found in find_dates(text, anchor=WEDNESDAY)] == [
        "2025-05-03",
        "昨天",
        "last week",
    ]


def test_the_span_holds_the_date_alone() -> None:
    found = find_dates("in 1907 and 1908; 人们在１９９８年来", anchor=WEDNESDAY)
    assert [one.text for one in found] == ["in 1907", "1908", "１９９８年"]


def test_a_naive_anchor_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        find_dates("today", anchor=datetime(2025, 1, 1))


words = st.sampled_from(
    "May 3 3rd 2025 last next week Friday in days ago 10:30 3pm from to and since every at 昨天 上 "
    "周 五 月 三 日 年 二〇二五 点 半 前 后 9999 0001 12 31 / - ： ． １２ . , summer".split()
)


@given(st.lists(words, max_size=12), st.datetimes(timezones=st.timezones()))
def test_spans_are_in_range_ordered_and_not_empty(pieces: list[str], anchor: datetime) -> None:
    for joint in ("", " "):
        text = joint.join(pieces)
        found = find_dates(text, anchor=anchor)
        assert all(text[one.span[0] : one.span[1]] == one.text != "" for one in found)
        assert all(a.span[1] <= b.span[0] for a, b in pairwise(found))
        assert all(one.start < one.end and one.start.tzinfo is anchor.tzinfo for one in found)


@pytest.mark.parametrize(
    "unit", ["^", "1", "1:", "2025-", "may ", "last ", "一", "两", "天", "a ", " "]
)
def test_long_inputs_without_dates_have_none(unit: str) -> None:
    assert find_dates(unit * (200_000 // len(unit)), anchor=WEDNESDAY) == []
