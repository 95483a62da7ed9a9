"""Dates and times that a text names, in English and Chinese, resolved against a moment.

A week runs from Monday to Sunday. "03/05/2025" is read month first, unless only day first is
possible. "Last Friday" is the latest one before the anchor's day and "next Friday" the first one
after it, while 上周五 and 下周五 are the Fridays of the weeks before and after. A month without a
year lies in the past unless the words speak of the future or the coming one is far nearer.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from mnemis.text import dates_en, dates_zh
from mnemis.text.date_spans import DateSpan, Found
from mnemis.text.scripts import CJK

__all__ = ["DateSpan", "find_dates", "has_date"]

_HALF_WIDTH: Final = {0x3000: " ", 0xA0: " "} | {
    code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)
}
_CJK: Final = re.compile(rf"[{CJK}]")
_HINT_ZH: Final = re.compile(r"[年月日天周号点时晚早夜晨午]|星期|礼拜|分钟|钟头|[今夏秋冬春]")
_RANGE: Final = re.compile(
    r"\s?(?:to|until|till|through|and|-|–|—|~|～|到|至|和)\s?", re.IGNORECASE
)
_OPENING: Final = re.compile(r"(?:\b(?:from|between)|从|自)\s?$", re.IGNORECASE)
_SINCE: Final = re.compile(r"(?:\b(?:ever )?since|自从|自|从)\s?$", re.IGNORECASE)
_OPENING_INSIDE: Final = re.compile(r"(?:since|from|between)\s", re.IGNORECASE)
_LED: Final = re.compile(r"(and|to|until|till)\s", re.IGNORECASE)
_LEAD: Final = re.compile(r"(?:\s|(?:and|of|to|by)\s)*", re.IGNORECASE)
_YEAR_NAMED: Final = re.compile(r"\b(?:1\d|20)\d\d\b|年")
_OFFSET: Final = re.compile(r"\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$", re.IGNORECASE)
_SINCE_ZH: Final = re.compile(r"\s?(?:以来|起|至今|到现在|之后一直)")
_BESIDE: Final = re.compile(r"(?:\s|,|，|的|\bat\b|\bon\b|\baround\b|T){0,4}", re.IGNORECASE)
_ANY_MOMENT: Final = datetime(2000, 6, 15, 12, tzinfo=UTC)


def find_dates(text: str, *, anchor: datetime) -> list[DateSpan]:
    """Return the dates and times that `text` names, in order of place, without overlaps.

    They are calendar days and clock times of the anchor's own time zone. Raises ValueError when
    `anchor` is naive.
    """
    if anchor.tzinfo is None or anchor.utcoffset() is None:
        raise ValueError(f"the anchor needs a time zone, got {anchor!r}")
    plain = text if text.isascii() else text.translate(_HALF_WIDTH)
    now = anchor.replace(tzinfo=None)
    found = list(dates_en.find(plain, now=now))
    if not plain.isascii() and _HINT_ZH.search(plain) and _CJK.search(plain):
        found.extend(dates_zh.find(plain, now=now))
    if not found:
        return []
    merged = _with_ranges(plain, _with_clock(plain, _longest(found)), now)
    return [span for one in merged if (span := _in_zone(text, one, anchor)) is not None]


def has_date(text: str) -> bool:
    """Whether `text` names a date or a time; nearly free for a text that does not."""
    return bool(find_dates(text, anchor=_ANY_MOMENT))


def _longest(found: list[Found]) -> list[Found]:
    """Leftmost, then longest; what overlaps an earlier one goes."""
    found.sort(key=lambda one: (one.place[0], -one.place[1], one.clock))
    kept: list[Found] = []
    for one in found:
        if not kept or one.place[0] >= kept[-1].place[1]:
            kept.append(one)
        elif one.place[1] - one.place[0] > kept[-1].place[1] - kept[-1].place[0]:
            kept[-1] = one
    return kept


def _with_clock(text: str, found: list[Found]) -> list[Found]:
    """Give a clock time the day that stands beside it, as one span."""
    joined: list[Found] = []
    for one in found:
        before = joined[-1] if joined else None
        if before is not None and before.clock != one.clock and _is_beside(text, before, one):
            day, clock = (one, before) if before.clock else (before, one)
            if day.grain == "day" or day.end - day.start <= timedelta(days=1):
                joined[-1] = _at(day, clock, (before.place[0], one.place[1]))
                continue
        joined.append(one)
    return joined


def _is_beside(text: str, before: Found, one: Found) -> bool:
    gap = one.place[0] - before.place[1]
    return gap <= 10 and _BESIDE.fullmatch(text, before.place[1], one.place[0]) is not None


def _at(day: Found, clock: Found, place: tuple[int, int]) -> Found:
    midnight = day.start.replace(hour=0, minute=0)
    offset = clock.start - clock.start.replace(hour=0, minute=0)
    start = midnight + offset
    if (
        day.grain == "hour"
        and day.start.hour >= 12
        and start < day.start
        and offset < timedelta(hours=12)
    ):
        start += timedelta(hours=12)  # "tomorrow evening at 7:30"
    return replace(
        clock,
        start=start,
        end=start + (clock.end - clock.start),
        place=place,
        recurring=day.recurring or clock.recurring,
        clock=False,
    )


def _with_ranges(text: str, found: list[Found], now: datetime) -> list[Found]:
    """Join "from A to B" and stretch "since A" up to the anchor's day."""
    ranged: list[Found] = []
    index = 0
    while index < len(found):
        one = found[index]
        following = found[index + 1] if index + 1 < len(found) else None
        joined = _range(text, one, following) if following is not None else None
        if joined is not None:
            ranged.append(joined)
            index += 2
            continue
        ranged.append(_since(text, one, now))
        index += 1
    return ranged


def _range(text: str, one: Found, following: Found) -> Found | None:
    gap = text[one.place[1] : following.place[0]] if following.place[0] - one.place[1] <= 9 else "?"
    # A month carries its lead word in its place: "between March" + " " + "and May".
    led = _LED.match(text, following.place[0], following.place[1])
    joint = led.group(1) if led is not None and not gap.strip() else gap
    if not _RANGE.fullmatch(joint) or one.recurring or one.clock != following.clock:
        return None
    # "A and B" are two dates, "between A and B" is one stretch.
    if joint.strip().lower() in ("and", "和") and not _is_opened(text, one):
        return None
    start, end = _in_one_year(text, one, following)
    if end <= start and {one.grain, following.grain} <= {"month", "day"} and one.grain == "month":
        start = start.replace(year=start.year - 1, day=1)
    if end <= start:
        return None
    return replace(
        one, start=start, end=end, place=(one.place[0], following.place[1]), grain="range"
    )


def _is_opened(text: str, one: Found) -> bool:
    before = _OPENING.search(text, max(0, one.place[0] - 9), one.place[0])
    return before is not None or _OPENING_INSIDE.match(text, one.place[0]) is not None


def _in_one_year(text: str, one: Found, following: Found) -> tuple[datetime, datetime]:
    """Where only one side names its year, the other lies in the same: "March to May 1999"."""
    start, end = one.start, following.end
    if not {one.grain, following.grain} <= {"day", "month"}:
        return start, end
    year_before = _YEAR_NAMED.search(text, one.place[0], one.place[1])
    year_after = _YEAR_NAMED.search(text, following.place[0], following.place[1])
    try:
        if year_after and not year_before:
            return start.replace(year=following.start.year), end
        if year_before and not year_after:
            return start, end.replace(year=end.year + start.year - following.start.year)
    except ValueError:
        pass  # the 29th of February of a common year: leave both as they were read
    return start, end


def _since(text: str, one: Found, now: datetime) -> Found:
    start_at = max(0, one.place[0] - 11)
    inside = text[one.place[0] : one.place[0] + 6].lower() == "since "
    after = _SINCE_ZH.match(text, one.place[1])
    before = _SINCE.search(text, start_at, one.place[0])
    latin = before is not None and before.group().strip().isascii()
    if not (inside or latin or after) or one.recurring:
        return one
    end = datetime(now.year, now.month, now.day) + timedelta(days=1)
    if end <= one.start:
        return one
    return replace(one, end=max(end, one.start + timedelta(minutes=1)), grain="range")


def _in_zone(text: str, one: Found, anchor: datetime) -> DateSpan | None:
    start, end = one.place
    if lead := _LEAD.match(text, start, end):
        start = lead.end()
    offset = _OFFSET.search(text, start, end)
    zone = datetime.strptime(offset.group(1).upper(), "%z").tzinfo if offset else anchor.tzinfo
    try:
        first = one.start.replace(tzinfo=zone).astimezone(anchor.tzinfo)
        last = one.end.replace(tzinfo=zone).astimezone(anchor.tzinfo)
        for moment in (first, last):
            moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None  # at the very ends of the calendar a zone's offset leads out of it
    return DateSpan(
        start=first,
        end=last,
        text=text[start:end],
        span=(start, end),
        grain=one.grain,
        recurring=one.recurring,
    )
