"""English dates and times: the wordings, as rules in the order of their kinds."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemis.text import dates_en_meanings as means
from mnemis.text.date_spans import Found, Stretch

_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY: Final = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
_YEAR: Final = r"(?P<year>(?:1[6-9]|20)\d\d)(?![\d:]|'?s\b)"
_ANY_YEAR: Final = r"(?P<year>(?:1\d|20)\d\d)(?![\d:])"
_DAY: Final = r"(?P<day>[12]\d|3[01]|0?[1-9])(?P<ordinal>st|nd|rd|th)?(?![\w:%]|[.,]\d)"
_COUNT: Final = (
    r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:a )?(?:few|couple)(?: of)?)"
)
_UNIT: Final = r"(?P<unit>min(?:ute)?|hour|day|week|month|year)s?\b"
_SEASON: Final = r"(?P<season>spring|summer|autumn|fall|winter)\b"
_WHEN: Final = r"(?P<when>last|past|previous|this past|this|next|coming|this coming)"

_Resolve = Callable[[str, re.Match[str], datetime], Stretch | None]


@dataclass(frozen=True, slots=True)
class _Rule:
    needs: str  # the hint without which the pattern cannot match
    pattern: re.Pattern[str]
    resolve: _Resolve
    kind: str


def _rule(needs: str, pattern: str, resolve: _Resolve, kind: str = "date") -> _Rule:
    return _Rule(needs, re.compile(pattern, re.IGNORECASE | re.ASCII), resolve, kind)


_HINTS: Final = {
    name: re.compile(pattern, re.IGNORECASE | re.ASCII)
    for name, pattern in {
        "digit": r"\d[-/.:]\d|(?:1[6-9]|20)\d\d",
        "hour": r"\d\s?(?:[ap]\.?m|o'clock)|\d:\d|\bat\s(?:noon|midnight)",
        "month": r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
        "weekday": r"\b(?:mon|tue|wed|thu|fri|sat|sun)",
        "day": r"yesterday|today|tonight|tomorrow|last\snight|this\s|in\sthe\s|weekend",
        "when": r"\b(?:last|past|previous|this|next|coming|every|each)\s|\slast\b",
        "unit": r"\b(?:min(?:ute)?|hour|day|week|month|year)s?\b",
        "season": r"\b(?:spring|summer|autumn|fall|winter)\b",
    }.items()
}


_PART: Final = r"(?:\s(?P<part>morning|afternoon|evening|night))?"
_RULES: Final = (
    _rule(
        "digit",
        r"(?<![\w./-])(?P<year>\d{4})(?P<sep>[-/.])(?P<month>\d{1,2})"
        r"(?P=sep)(?P<day>\d{1,2})(?!\d|[-/.]\d)",
        means.iso_day,
    ),
    _rule(
        "digit",
        r"(?<![\w./-])(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])"
        r"(?![\w-]|[./]\d)",
        means.iso_month,
    ),
    _rule(
        "digit",
        r"(?<![\w./-])(?P<first>\d{1,2})(?P<sep>[/-])(?P<second>\d{1,2})"
        r"(?P=sep)(?P<year>(?:19|20)\d\d|\d\d)(?!\d|[-/.]\d)",
        means.numeric,
    ),
    _rule(
        "month",
        rf"\b{_MONTH}\s?(?:the\s)?(?P<day>[12]\d|3[01]|0?[1-9])"
        r"(?P<ordinal>st|nd|rd|th)?\s?(?:-|–|to)\s?(?P<until>[12]\d|3[01]|[1-9])"
        r"(?:st|nd|rd|th)?\b(?:,?\s(?P<year>(?:1\d|20)\d\d)\b)?"
        r"(?!:|\s?[ap]m\b)",
        means.day_of_month,
    ),
    _rule("month", rf"\b{_MONTH}\s?(?:the\s)?{_DAY}(?:,?\s?{_ANY_YEAR})?", means.day_of_month),
    _rule(
        "month",
        rf"(?<![\w.:/-])(?:the\s)?{_DAY}\s?(?:of\s|-)?{_MONTH}"
        rf"(?:,?[\s-]{_ANY_YEAR})?",
        means.day_of_month,
    ),
    _rule("month", rf"\b{_MONTH},?\s?(?:of\s)?{_ANY_YEAR}", means.month_of_year),
    _rule(
        "month",
        r"\b(?P<lead>in|since|of|last|past|next|this|by|until|till|early|late|mid|during|from|"
        rf"between|and|before|after|around)[\s-]{_MONTH}(?!\s?\d|'|\w)",
        means.bare_month,
    ),
    _rule(
        "month",
        r"\b(?P<lead>)(?P<month>january|february|april|june|july|august|september|october|nove"
        r"mber|december)\b(?!\s?\d)",
        means.bare_month,
    ),
    _rule("month", r"(?<=\bto\s)(?P<lead>)(?P<month>march|may)\b(?!\s?\d)", means.bare_month),
    _rule(
        "digit",
        r"\b(?:in|since|of|by|until|till|early|late|mid|during|from|year|before|after|around|and|to)"
        rf"[\s-](?:the year )?{_YEAR}(?![-/.]\d|\s?%"
        r"|\s(?:(?:day|step|word|item|mile|met(?:er|re)|dollar|calorie|page|way)s|people|km|kg)\b)",
        means.year,
    ),
    _rule(
        "day",
        r"\b(?P<name>(?:the\s)?day\sbefore\syesterday|(?:the\s)?day\safter\stomorrow|yesterday"
        rf"|today|tomorrow){_PART}\b",
        means.named_day,
    ),
    _rule("day", r"\b(?:last\snight|tonight|this\s(?:morning|afternoon|evening))\b", means.tonight),
    _rule(
        "when",
        rf"\b(?:the\s)?{_WHEN}\s(?P<what>{_WEEKDAY}|week(?!end|day)|weekend|month|year|"
        rf"{_SEASON})\b",
        means.relative,
    ),
    _rule(
        "unit",
        r"\bthe\s(?P<what>week|month|year)\s(?P<far>before\slast|after\snext)\b",
        means.before_last,
    ),
    _rule("weekday", rf"\bon\s{_WEEKDAY}{_PART}\b(?!s)", means.weekday_bare),
    _rule(
        "weekday",
        rf"\b(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day){_PART}\b",
        means.weekday_bare,
    ),
    _rule("day", r"\b(?:on|over|at|during|for)?\s?(?:the|this)\sweekend\b", means.weekend),
    _rule(
        "season",
        rf"\b(?:in|during|over|since)\s(?:the\s)?{_SEASON}(?!\sof\s[^12])"
        rf"(?:\s(?:of\s)?{_YEAR})?",
        means.season,
    ),
    _rule("season", rf"\b{_SEASON}\s(?:of\s)?{_YEAR}", means.season),
    _rule("unit", rf"\b{_COUNT}\s{_UNIT}\s(?:ago|back|earlier)\b", means.ago),
    _rule(
        "unit",
        rf"\b(?:in|within)\s(?:the\snext\s)?{_COUNT}\s{_UNIT}(?!\s(?:of|ago))",
        means.after,
    ),
    _rule("unit", rf"\b{_COUNT}\s{_UNIT}\s(?:from\snow|later|from\stoday)\b", means.after),
    _rule("unit", rf"\b(?P<when>last|past|next|coming)\s{_COUNT}\s{_UNIT}", means.running_count),
    _rule(
        "when",
        r"\b(?:every|each)\s(?:(?:other|single)\s)?(?:(?P<unit>day|week|month|year|weekend|mor"
        rf"ning|afternoon|evening|night)|{_WEEKDAY})\b",
        means.every,
        "recurring",
    ),
    _rule(
        "weekday",
        r"\b(?:on\s)?(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b"
        r"(?!')",
        means.weekdays,
        "recurring",
    ),
    _rule(
        "hour",
        r"(?<![\w:.])(?:at\s)?(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d))?\s?"
        r"(?P<half>[ap])(?:\.m\.|\.?m\b)",
        means.meridiem,
        "clock",
    ),
    _rule(
        "hour",
        r"(?<=\dT)(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?"
        r"(?:Z\b|[+-]\d\d:?\d\d\b)?",
        means.clock,
        "clock",
    ),
    _rule(
        "hour",
        r"(?<![\w:.])(?:at\s)?(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:]|\.\d)",
        means.clock,
        "clock",
    ),
    _rule("hour", r"(?<![\w:.])(?:at\s)?(?P<hour>\d{1,2})\so'clock\b", means.o_clock, "clock"),
    _rule("hour", r"\bat\s(?P<at>noon|midnight)\b", means.noon, "clock"),
    _rule("day", r"\bin\sthe\s(?P<part>morning|afternoon|evening)\b", means.part_of_day, "clock"),
)  # fmt: skip


def find(text: str, *, now: datetime) -> Iterator[Found]:
    """Yield what each rule finds, rule by rule, overlaps included; `now` is naive wall-clock time.

    `text` has half-width letters and digits; places are positions in it.
    """
    hints = {name for name, pattern in _HINTS.items() if pattern.search(text)}
    for rule in _RULES:
        if rule.needs not in hints:
            continue
        for match in rule.pattern.finditer(text):
            try:
                stretch = rule.resolve(text, match, now)
            except (ValueError, OverflowError):
                continue  # a day that no calendar has: "February 30", the year after 9999
            if stretch is not None:
                yield Found(
                    start=stretch.start,
                    end=stretch.end,
                    place=match.span(),
                    grain=stretch.grain,
                    recurring=rule.kind == "recurring",
                    clock=rule.kind == "clock",
                )
