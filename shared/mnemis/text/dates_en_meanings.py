"""What each English wording of a date or time means, in wall-clock terms.

Every function takes the text, the match of its rule and the naive wall-clock time of the anchor.
It returns None where the words turn out to be no date, and raises ValueError or OverflowError for
a day that no calendar has.
"""

import re
from datetime import date, datetime, timedelta
from typing import Final

from mnemis.text.date_spans import (
    Stretch,
    moved,
    of_clock,
    of_day,
    of_month,
    of_part,
    of_season,
    of_weekend,
    of_year,
    running,
    season_coming,
    season_ended,
    season_nearest,
    weekday_after,
    weekday_before,
    weekday_in_week,
    weekday_nearest,
    weekend_nearest,
    year_of_day,
    year_of_month,
)

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sep sept", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_DAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        "a,an,one two,couple three,few four five six seven eight nine ten eleven twelve".split(),
        start=1,
    )
    for word in words.split(",")
}
_ALSO_WORDS: Final = frozenset(("may", "march", "mar", "sep", "dec", "jun", "jan"))
_SURE_LEADS: Final = frozenset(
    ("in", "since", "of", "last", "next", "until", "till", "early", "late")
)

_FUTURE: Final = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|plan(?:s|ning)? to|upcoming|next|tomorrow|due|deadline"
    r"|moved|postponed|rescheduled|delayed|pushed|scheduled)\b"
    r"|[’']ll\b",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"\bby\s", re.IGNORECASE)


def is_ahead(text: str, place: tuple[int, int]) -> bool:
    """Whether the words around `place` speak of the future."""
    if _BY.search(text, max(0, place[0] - 4), place[0] + 3):
        return True
    return _FUTURE.search(text, max(0, place[0] - 60), place[1] + 20) is not None


def _weekday(name: str) -> int:
    return next(i for i, day in enumerate(_DAYS) if day.startswith(name.lower()[:3]))


def _count(words: str) -> int:
    words = words.lower().removesuffix(" of")
    return int(words) if words.isdigit() else _NUMBERS[words.removeprefix("a ")]


def _unit(word: str) -> str:
    return "minute" if word.lower().startswith("min") else word.lower()


def _month_number(match: re.Match[str]) -> int | None:
    """The month named, or None where "may", "march" or a short form is just a word."""
    name, groups = match["month"], match.groupdict()
    if name in _ALSO_WORDS:
        led = (groups.get("lead") or "").lower() in _SURE_LEADS
        if not (led or groups.get("year") or groups.get("ordinal")):
            return None
    return _MONTHS[name.lower()]


def day_of_month(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "May 3rd", "3 May 2025", "May 3-10"."""
    month = _month_number(match)
    if month is None:
        return None
    number, year = int(match["day"]), match["year"]
    ahead = is_ahead(text, match.span())
    actual = int(year) if year else year_of_day(now.date(), month, number, ahead=ahead)
    first = of_day(date(actual, month, number))
    until = match.groupdict().get("until")
    if not until:
        return first
    last = of_day(date(actual, month, int(until)))
    return Stretch(start=first.start, end=last.end, grain="range") if last.end > first.end else None


def month_of_year(_text: str, match: re.Match[str], _now: datetime) -> Stretch | None:
    """Resolve "May 2023"."""
    return of_month(int(match["year"]), _MONTHS[match["month"].lower()])


def bare_month(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "in May", "last May", "August"."""
    month = _month_number(match)
    if month is None:
        return None
    lead, day = (match["lead"] or "").lower(), now.date()
    if lead in ("last", "past"):
        return of_month(day.year - (month >= day.month), month)
    if lead == "next":
        return of_month(day.year + (month <= day.month), month)
    if lead == "this":
        return of_month(day.year, month)
    return of_month(year_of_month(day, month, ahead=is_ahead(text, match.span())), month)


def numeric(_text: str, match: re.Match[str], _now: datetime) -> Stretch | None:
    """Resolve "03/05/2025": month first, unless the first figure can only be a day."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if year < 100:
        year += 2000 if year < 70 else 1900
    month, day = (second, first) if first > 12 else (first, second)
    return of_day(date(year, month, day))


def iso_day(_text: str, match: re.Match[str], _now: datetime) -> Stretch | None:
    """Resolve "2025-05-03"."""
    return of_day(date(int(match["year"]), int(match["month"]), int(match["day"])))


def iso_month(_text: str, match: re.Match[str], _now: datetime) -> Stretch | None:
    """Resolve "2025-05"."""
    return of_month(int(match["year"]), int(match["month"]))


def year(_text: str, match: re.Match[str], _now: datetime) -> Stretch | None:
    """Resolve "in 2022"."""
    return of_year(int(match["year"]))


_NAMED_DAYS: Final = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip


def named_day(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "yesterday", "tomorrow morning"."""
    name = " ".join(match["name"].lower().split())
    day = now.date() + timedelta(days=_NAMED_DAYS[name])
    return of_part(day, match["part"].lower()) if match["part"] else of_day(day)


def tonight(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "tonight", "last night", "this morning"."""
    words = match.group().lower().split()
    days = -1 if words[0] == "last" else 0
    return of_part(
        now.date() + timedelta(days=days), "night" if days or len(words) == 1 else words[-1]
    )


def relative(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "last week", "next Friday", "this summer"."""
    when, what = match["when"].lower(), match["what"].lower()
    step = 1 if when in ("next", "coming", "this coming") else 0 if when == "this" else -1
    day = now.date()
    if match["weekday"]:
        number = _weekday(match["weekday"])
        if step == 0:
            return of_day(weekday_in_week(day, number))
        return of_day(weekday_before(day, number) if step < 0 else weekday_after(day, number))
    if match["season"]:
        season = "autumn" if what == "fall" else what
        if step == 0:
            return season_nearest(day, season, ahead=not _is_past(text, match.span()))
        return season_ended(day, season) if step < 0 else season_coming(day, season)
    if what == "weekend":
        return of_weekend(day, weeks=step)
    return moved(now, step, what)


_PAST: Final = re.compile(r"\b(?:was|were|had|did|went|\w{3,}ed)\b", re.IGNORECASE)


def _is_past(text: str, place: tuple[int, int]) -> bool:
    return _PAST.search(text, max(0, place[0] - 60), place[1] + 20) is not None


def before_last(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "the week before last", "the month after next"."""
    step = -2 if match["far"].lower().endswith("last") else 2
    return moved(now, step, match["what"].lower())


def weekday_bare(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "on Friday": the nearest one, or the coming one in talk of the future."""
    ahead = is_ahead(text, match.span())
    day = weekday_nearest(now.date(), _weekday(match["weekday"]), ahead=ahead)
    part = match["part"]
    return of_part(day, part.lower()) if part else of_day(day)


def weekend(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "over the weekend"."""
    return weekend_nearest(now.date(), ahead=is_ahead(text, match.span()))


def season(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "summer of 2021", "in the winter"."""
    season = match["season"].lower().replace("fall", "autumn")
    if match["year"]:
        return of_season(int(match["year"]), season)
    return season_nearest(now.date(), season, ahead=is_ahead(text, match.span()))


def ago(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "two weeks ago"."""
    return moved(now, -_count(match["count"]), _unit(match["unit"]))


def after(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "in three days", "a month later"."""
    return moved(now, _count(match["count"]), _unit(match["unit"]))


def running_count(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "the last 3 days"."""
    sign = 1 if match["when"].lower() in ("next", "coming") else -1
    return running(now, sign * _count(match["count"]), _unit(match["unit"]))


def every(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "every Friday", "each month"."""
    if match["weekday"]:
        return _weekday_every(now, match["weekday"])
    unit = match["unit"].lower()
    if unit == "weekend":
        return weekend_nearest(now.date(), ahead=True)
    if unit in ("morning", "afternoon", "evening", "night"):
        return of_part(now.date(), unit)
    return moved(now, 0, unit)


def _weekday_every(now: datetime, name: str) -> Stretch:
    return of_day(weekday_nearest(now.date(), _weekday(name), ahead=True))


def weekdays(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "on Wednesdays"."""
    return _weekday_every(now, match["weekday"])


def meridiem(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "at 3pm", "10:15 a.m."."""
    hour = int(match["hour"])
    if not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    minute = int(match["minute"]) if match["minute"] else None
    return of_clock(now.date(), hour, minute)


def clock(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "10:30"."""
    return of_clock(now.date(), int(match["hour"]), int(match["minute"]))


def o_clock(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "at 3 o'clock"."""
    hour = int(match["hour"])
    return of_clock(now.date(), hour, None) if hour < 24 else None


def noon(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "at noon"."""
    return of_clock(now.date(), 12 if match["at"].lower() == "noon" else 0, None)


def part_of_day(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    """Resolve "in the morning"."""
    return of_part(now.date(), match["part"].lower())
