"""A stretch of time that a text names, and the calendar arithmetic behind it."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""First month of each season (northern, meteorological: three whole months)."""

DAY_PARTS: Final = {
    "dawn": (0, 6),
    "morning": (5, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 30),
}
"""Hours of a day that a part of it covers; 30 is six in the morning of the next day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """A stretch of time named in a text: `start` (inclusive) to `end` (exclusive), both aware.

    `text` is the wording and `span` its half-open place in the text. `grain` is one of "minute",
    "hour", "day", "week", "month", "season", "year", "range". A `recurring` span ("every
    Friday") gives one occurrence near the anchor.
    """

    start: datetime
    end: datetime
    text: str
    span: tuple[int, int]
    grain: str
    recurring: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A time in wall-clock terms, not yet in a zone; `place` is its span in the text.

    `clock` marks a time of day (or a part of a day) that belongs to the day of a date beside it.
    """

    start: datetime
    end: datetime
    place: tuple[int, int]
    grain: str
    recurring: bool = False
    clock: bool = False
    dated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A stretch of wall-clock time and its grain, wherever it was named."""

    start: datetime
    end: datetime
    grain: str


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def of_days(first: date, last: date, grain: str) -> Stretch:
    """The days `first` to `last`, both included."""
    return Stretch(start=_midnight(first), end=_midnight(last) + timedelta(days=1), grain=grain)


def of_day(day: date) -> Stretch:
    """The whole of one calendar day."""
    return of_days(day, day, "day")


def of_week(day: date, *, weeks: int = 0) -> Stretch:
    """The Monday-to-Sunday week of `day`, moved by `weeks`."""
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)
    return of_days(monday, monday + timedelta(days=6), "week")


def of_weekend(day: date, *, weeks: int = 0) -> Stretch:
    """Saturday and Sunday of the week of `day`, moved by `weeks`."""
    saturday = day - timedelta(days=day.weekday()) + timedelta(days=5, weeks=weeks)
    return of_days(saturday, saturday + timedelta(days=1), "range")


def of_month(year: int, month: int, *, months: int = 0) -> Stretch:
    """A calendar month, moved by `months`. Raises ValueError outside the years 1 to 9999."""
    index = year * 12 + month - 1 + months
    year, month = divmod(index, 12)
    last = monthrange(year, month + 1)[1]
    return of_days(date(year, month + 1, 1), date(year, month + 1, last), "month")


def of_year(year: int) -> Stretch:
    """A calendar year."""
    return of_days(date(year, 1, 1), date(year, 12, 31), "year")


def of_season(year: int, season: str) -> Stretch:
    """A season named after the year in which it begins."""
    month = SEASONS[season]
    last = of_month(year, month, months=2)
    return Stretch(start=datetime(year, month, 1), end=last.end, grain="season")


def of_part(day: date, part: str) -> Stretch:
    """A part of `day`; see DAY_PARTS."""
    first, last = DAY_PARTS[part]
    midnight = _midnight(day)
    return Stretch(
        start=midnight + timedelta(hours=first), end=midnight + timedelta(hours=last), grain="hour"
    )


def of_clock(day: date, hour: int, minute: int | None) -> Stretch:
    """One minute of `day`, or one hour where no minute is named. `hour` may be 24."""
    start = _midnight(day) + timedelta(hours=hour, minutes=minute or 0)
    if minute is None:
        return Stretch(start=start, end=start + timedelta(hours=1), grain="hour")
    return Stretch(start=start, end=start + timedelta(minutes=1), grain="minute")


def weekday_before(day: date, weekday: int) -> date:
    """The latest `weekday` (Monday is 0) before `day`."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def weekday_after(day: date, weekday: int) -> date:
    """The first `weekday` after `day`."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def weekday_in_week(day: date, weekday: int, *, weeks: int = 0) -> date:
    """`weekday` of the Monday-to-Sunday week of `day`, moved by `weeks`."""
    return day - timedelta(days=day.weekday()) + timedelta(days=weekday, weeks=weeks)


def weekday_nearest(day: date, weekday: int, *, ahead: bool) -> date:
    """The `weekday` nearest to `day` (that day itself included), or with `ahead` the coming one."""
    distance = (weekday - day.weekday()) % 7
    return day + timedelta(days=distance if ahead or distance <= 3 else distance - 7)


def weekend_nearest(day: date, *, ahead: bool) -> Stretch:
    """The running weekend, else the coming one if `ahead` or if it is nearer, else the past one."""
    if day.weekday() >= 5 or ahead or day.weekday() > 2:
        return of_weekend(day)
    return of_weekend(day, weeks=-1)


def year_of_month(day: date, month: int, *, ahead: bool) -> int:
    """The year of a month named without one: the past unless `ahead`, or the coming is far nearer.

    "Far nearer" is less than half the distance, so in April "May" is next month, while in
    January "June" was last summer.
    """
    until = (month - day.month) % 12
    coming = day.year + (1 if month < day.month else 0)
    if until == 0 or ahead or until * 2 < 12 - until:
        return coming
    return coming - 1


def year_of_day(day: date, month: int, number: int, *, ahead: bool) -> int:
    """The year of a day and month named without one, by the rule of `year_of_month`."""
    for coming in range(day.year, day.year + 9):
        try:
            upcoming = date(coming, month, number)
        except ValueError:
            if (month, number) == (2, 29):
                continue
            raise
        if upcoming >= day:
            break
    else:
        raise ValueError(f"no year has the day {month!r}-{number!r}")
    until = (upcoming - day).days
    if until == 0 or ahead or until * 2 < 365 - until:
        return coming
    back = coming - 1
    while (month, number) == (2, 29) and monthrange(back, 2)[1] != 29:
        back -= 1
    return back


def season_nearest(day: date, season: str, *, ahead: bool) -> Stretch:
    """The running season, else the coming one if `ahead`, else the latest one that has ended."""
    moment = _midnight(day)
    for year in range(day.year - 1, day.year + 2):
        stretch = of_season(year, season)
        if stretch.end > moment and (ahead or stretch.start <= moment):
            return stretch
    return season_ended(day, season)


def season_ended(day: date, season: str) -> Stretch:
    """The latest `season` that ended before `day`."""
    moment = _midnight(day)
    this = of_season(day.year, season)
    if this.end <= moment:
        return this
    before = of_season(day.year - 1, season)
    return before if before.end <= moment else of_season(day.year - 2, season)


def season_coming(day: date, season: str) -> Stretch:
    """The first `season` that begins after `day`."""
    this = of_season(day.year, season)
    return this if this.start > _midnight(day) else of_season(day.year + 1, season)


def moved(now: datetime, count: int, unit: str) -> Stretch:
    """What lies `count` units from the wall-clock time `now` (negative: before).

    Days, weeks, months and years are calendar ones: "two weeks ago" is the whole week.
    Raises ValueError or OverflowError outside the years 1 to 9999.
    """
    if unit == "minute":
        start = now.replace(second=0, microsecond=0) + timedelta(minutes=count)
        return Stretch(start=start, end=start + timedelta(minutes=1), grain="minute")
    if unit == "hour":
        start = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=count)
        return Stretch(start=start, end=start + timedelta(hours=1), grain="hour")
    if unit == "day":
        return of_day(now.date() + timedelta(days=count))
    if unit == "week":
        return of_week(now.date(), weeks=count)
    if unit == "month":
        return of_month(now.year, now.month, months=count)
    return of_year(now.year + count)


def running(now: datetime, count: int, unit: str) -> Stretch:
    """The last (negative) or next `count` units up to, or from, the day of `now`."""
    day = now.date()
    days = {"day": 1, "week": 7, "month": 30, "year": 365}.get(unit)
    if days is None:
        minutes = abs(count) * (60 if unit == "hour" else 1)
        span = timedelta(minutes=minutes)
        start = now - span if count < 0 else now
        return Stretch(start=start, end=start + span, grain="range")
    reach = timedelta(days=abs(count) * days)
    if count < 0:
        return of_days(day - reach, day, "range")
    return of_days(day, day + reach, "range")
