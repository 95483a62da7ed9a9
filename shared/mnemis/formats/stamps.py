"""Dates at the head of a transcript's line, in the shapes that messengers write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

_CLOCK = (
    r"(?:(?P<zh>上午|下午|凌晨|早上|中午|晚上)\s*)?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?:\s*(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
)
_DAY = (
    r"(?:(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})\s*日?"
    r"|(?P<first>\d{1,2})[/.-](?P<next>\d{1,2})[/.-](?P<short>\d{4}|\d{2}))"
)
_STAMP = re.compile(
    rf"^[\[\u3010(\uff08]?\s*{_DAY}[T,\uff0c]?\s*(?:{_CLOCK})?\s*"
    r"(?P<zone>Z|[+-]\d{2}:?\d{2})?\s*[\]\u3011)\uff09]?\s*(?:[-\u2013\u2014]\s+)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """A date as written, with a time of day when ``timed``.

    ``numbers`` are (year, month, day) when ``ordered``, else the first two numbers and the year
    of a date like 3/12/25, whose order only the whole file can tell.
    """

    numbers: tuple[int, int, int]
    ordered: bool
    clock: tuple[int, int, int]
    timed: bool
    zone: str
    rest: str


def stamp_of(line: str) -> Stamp | None:
    """Read the date that a line starts with; None when it starts with none."""
    found = _STAMP.match(line)
    if found is None or found.end() == 0:
        return None
    if found["year"]:
        numbers = (int(found["year"]), int(found["month"]), int(found["day"]))
    else:
        year = int(found["short"])
        numbers = (int(found["first"]), int(found["next"]), year + 2000 * (year < 100))
    return Stamp(
        numbers=numbers,
        ordered=found["year"] is not None,
        clock=_clock(found),
        timed=found["hour"] is not None,
        zone=found["zone"] or "",
        rest=line[found.end() :],
    )


def _clock(found: re.Match[str]) -> tuple[int, int, int]:
    if found["hour"] is None:
        return (0, 0, 0)
    hour = int(found["hour"])
    half = (found["half"] or "").lower()
    late = half == "p" or found["zh"] in ("下午", "晚上", "中午")
    if late and hour < 12 and not (found["zh"] == "中午" and hour == 11):
        hour += 12
    elif (half == "a" or found["zh"] in ("上午", "凌晨", "早上")) and hour == 12:
        hour = 0
    return (hour, int(found["minute"]), int(found["second"] or 0))


def day_first(stamps: Sequence[Stamp]) -> tuple[bool, bool]:
    """Whether dates like 3/12/25 are day/month, and whether the file proves it.

    A number above 12 proves it; else the order in which the dates never run backwards.
    """
    pairs = [each.numbers for each in stamps if not each.ordered]
    if any(first > 12 for first, _, _ in pairs):
        return True, True
    if any(second > 12 for _, second, _ in pairs):
        return False, True
    by_day = [(year, second, first) for first, second, year in pairs]
    by_month = [(year, first, second) for first, second, year in pairs]
    rises_by_day, rises_by_month = by_day == sorted(by_day), by_month == sorted(by_month)
    if rises_by_day != rises_by_month:
        return rises_by_day, True
    return True, all(first == second for first, second, _ in pairs)


def time_of(stamp: Stamp, *, zone: tzinfo, day_is_first: bool) -> datetime:
    """The instant; ``zone`` unless the stamp names an offset. Raises ValueError for 31 June."""
    if stamp.ordered:
        year, month, day = stamp.numbers
    else:
        first, second, year = stamp.numbers
        day, month = (first, second) if day_is_first else (second, first)
    time = datetime(year, month, day, *stamp.clock, tzinfo=zone)
    if stamp.zone:
        written = datetime.strptime(stamp.zone.replace(":", ""), "%z").tzinfo
        return time.replace(tzinfo=written)
    return time
