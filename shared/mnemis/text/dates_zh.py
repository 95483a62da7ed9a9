"""Chinese dates and times, in wall-clock terms."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Final

from mnemis.text.date_spans import (
    Found,
    Stretch,
    moved,
    of_clock,
    of_day,
    of_month,
    of_part,
    of_season,
    of_week,
    of_weekend,
    of_year,
    running,
    season_nearest,
    weekday_in_week,
    weekday_nearest,
    weekend_nearest,
    year_of_day,
    year_of_month,
)

_DIGITS: Final = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "○": 0, "两": 2, "半": 0,
}  # fmt: skip
_SMALL: Final = r"(?:\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d|[一二][〇○零一二三四五六七八九]{3})"
_NAMED_YEAR: Final = (
    r"(?P<named>大前年|(?<![之以目从])前年|(?<!过)去年|今年|(?<!聪)明年|(?<![之以])后年)"
)
_MONTH: Final = (
    r"(?<![\d一二三四五六七八九十第])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?"
)
_DAY: Final = (
    r"(?P<day>[12]\d|3[01]|0?[1-9]|二十[一二三四五六七八九]?|三十一?"
    r"|十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
)
_WEEK: Final = r"(?:周|星期|礼拜)"
_WEEKDAY: Final = (
    r"(?P<weekday>[一二三四五六日天末]|[1-6](?!\d))(?![年月个:次回遍顿]|天(?!气)|点[建意要])"
)
_SHIFT: Final = r"(?P<shift>上上|下下|上|下|这|本)"
_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1,
    "后天": 2, "大后天": 3, "昨": -1, "今": 0, "明": 1, "前": -2, "后": 2, "当": 0,
}  # fmt: skip
_SHIFTS: Final = {"上上": -2, "上": -1, "上一": -1, "这": 0, "本": 0, "下": 1, "下一": 1, "下下": 2}
_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_UNITS: Final = {
    "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day", "周": "week",
    "星期": "week", "礼拜": "week", "月": "month", "年": "year",
}  # fmt: skip
_PARTS: Final = {
    "凌晨": "dawn", "半夜": "night", "早上": "morning", "早晨": "morning", "清晨": "morning",
    "清早": "morning", "早": "morning", "上午": "morning", "中午": "noon", "下午": "afternoon",
    "傍晚": "evening", "晚上": "night", "夜里": "night", "晚": "night", "夜": "night",
}  # fmt: skip
_PART: Final = r"(?P<part>凌晨|半夜|早上|早晨|清晨|清早|上午|中午|下午|傍晚|晚上|夜里)"
_FUTURE: Final = re.compile(
    r"打算|将|计划|准备|会[在去来到有把开]|要[在去来到交开]|下个?|明[天年]|截止|即将|推迟|改到|改期|定在|提前到|延期"
)


def is_ahead(text: str, place: tuple[int, int]) -> bool:
    """Whether the words around `place` speak of the future."""
    return _FUTURE.search(text, max(0, place[0] - 12), place[1] + 8) is not None


def number(words: str) -> int:
    """Return the value of a Chinese or Arabic number below 1000, or of a year written in digits."""
    if words.isdigit() and words.isascii():
        return int(words)
    if "十" in words:
        tens, _, ones = words.partition("十")
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    value = 0
    for char in words:
        value = value * 10 + _DIGITS[char]
    return value


def _year_of(match: re.Match[str], now: datetime) -> int | None:
    groups = match.groupdict()
    if groups.get("year"):
        return number(groups["year"])
    if groups.get("named"):
        return now.year + _YEARS[groups["named"]]
    return None


def _day(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    month, day = number(match["month"]), number(match["day"])
    year = _year_of(match, now)
    if year is None:
        year = year_of_day(now.date(), month, day, ahead=is_ahead(text, match.span()))
    first = of_day(date(year, month, day))
    until = match.groupdict().get("until")
    if not until:
        return first
    last = of_day(date(year, month, number(until)))
    return Stretch(start=first.start, end=last.end, grain="range") if last.end > first.end else None


def _month(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    month = number(match["month"])
    year = _year_of(match, now)
    if year is None:
        year = year_of_month(now.date(), month, ahead=is_ahead(text, match.span()))
    return of_month(year, month)


def _year(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    year = _year_of(match, now)
    return of_year(year) if year is not None else None


def _season(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    year, season = _year_of(match, now), _SEASONS[match["season"]]
    if year is not None:
        return of_season(year, season)
    return season_nearest(now.date(), season, ahead=is_ahead(text, match.span()))


def _shifted_month(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    month = of_month(now.year, now.month, months=_SHIFTS[match["shift"]])
    if not match["day"]:
        return month
    return of_day(month.start.date().replace(day=number(match["day"])))


def _weekday_number(char: str) -> int:
    return int(char) - 1 if char.isdigit() else "一二三四五六日".find(char.replace("天", "日"))


def _shifted_week(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    weeks, weekday = _SHIFTS[match["shift"]], match["weekday"]
    if not weekday:
        return of_week(now.date(), weeks=weeks)
    if weekday == "末":
        return of_weekend(now.date(), weeks=weeks)
    return of_day(weekday_in_week(now.date(), _weekday_number(weekday), weeks=weeks))


def _weekday(text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    ahead = is_ahead(text, match.span())
    if match["weekday"] == "末":
        return weekend_nearest(now.date(), ahead=ahead)
    return of_day(weekday_nearest(now.date(), _weekday_number(match["weekday"]), ahead=ahead))


def _every(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    weekday, unit = match["weekday"], match["unit"]
    if weekday == "末":
        return weekend_nearest(now.date(), ahead=True)
    if weekday:
        return of_day(weekday_nearest(now.date(), _weekday_number(weekday), ahead=True))
    if unit in _PARTS:
        return of_part(now.date(), _PARTS[unit])
    return moved(now, 0, _UNITS[unit])


def _named_day(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    return of_day(now.date() + timedelta(days=_DAYS[match["name"]]))


def _part_of_named_day(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    day = now.date() + timedelta(days=_DAYS[match["name"]])
    return of_part(day, _PARTS[match["part"]])


def _counted(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    unit = _UNITS[match["unit"]]
    count = number(match["count"])
    return moved(now, -count if match["way"].endswith("前") else count, unit)


def _half(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    sign = -1 if match["way"].endswith("前") else 1
    if match["unit"] == "年":
        return moved(now, 6 * sign, "month")
    if match["unit"] == "月":
        return moved(now, 15 * sign, "day")
    return moved(now, 30 * sign, "minute")


def _during(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    sign = 1 if match["when"] in ("未来", "接下来", "今后", "后") else -1
    return running(now, sign * number(match["count"]), _UNITS[match["unit"]])


def _clock(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    hour, part = number(match["hour"]), match["part"]
    if hour > 24:
        return None
    if part in ("下午", "傍晚", "晚上", "夜里") and 1 <= hour < 12:
        hour += 12
    elif part == "晚上" and hour == 12:
        hour = 24
    elif part == "中午" and hour < 3:
        hour += 12
    minute: int | None = None
    if match["half"]:
        minute = {"半": 30, "一刻": 15, "三刻": 45}[match["half"]]
    elif match["minute"]:
        minute = number(match["minute"].lstrip("零") or "零")
    if minute is not None and minute > 59:
        return None
    return of_clock(now.date(), hour, minute)


def _part_of_day(_text: str, match: re.Match[str], now: datetime) -> Stretch | None:
    return of_part(now.date(), _PARTS[match["part"]])


_Resolve = Callable[[str, re.Match[str], datetime], Stretch | None]


def _rule(
    pattern: str, resolve: _Resolve, kind: str = "date"
) -> tuple[re.Pattern[str], _Resolve, str]:
    return re.compile(pattern), resolve, kind


_OF_YEAR: Final = rf"(?:(?:(?<!\d){_YEAR}年|{_NAMED_YEAR}的?)\s?)"
_NO_DAY: Final = r"(?!\s?[\d一二三四五六七八九十]+[日号]|薪|租|亮|光|饼|球|嫂|票|经|供|费|季)"
_HOUR: Final = (
    r"(?P<hour>2[0-4]|1\d|0?\d|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"
)
_MINUTES: Final = (
    r"(?:(?P<half>半|一刻|三刻)"
    r"|(?P<minute>[0-5]\d|[零二三四五]?十?[一二三四五六七八九十])分?|[钟整])"
)
_RULES: Final = (
    _rule(
        rf"{_OF_YEAR}?{_MONTH}\s?(?P<day>\d{{1,2}}|[一二三]?十?[一二三四五六七八九十])[日号]?\s?"
        r"(?:到|至|-|–|—|~|～)\s?(?P<until>[12]\d|3[01]|[1-9]|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])"
        r"[日号]",
        _day,
    ),
    _rule(rf"{_OF_YEAR}?{_MONTH}\s?{_DAY}", _day),
    _rule(rf"{_OF_YEAR}?{_MONTH}{_NO_DAY}", _month),
    _rule(rf"{_OF_YEAR}(?P<season>[春夏秋冬])[天季]?", _season),
    _rule(r"(?:这个|今)(?P<season>[春夏秋冬])[天季]?", _season),
    _rule(
        rf"(?<!\d)(?:{_YEAR}年(?!代|级)|{_NAMED_YEAR})(?:年?[初底末]|年中|上半年|下半年)?",
        _year,
    ),
    _rule(rf"{_SHIFT}个?月(?![球亮饼票台薪])(?:的?{_DAY})?", _shifted_month),
    _rule(rf"(?<!日){_SHIFT}一?个?{_WEEK}(?![围边转期岁])(?:的?{_WEEKDAY})?", _shifted_week),
    _rule(rf"(?<![上下这本每个一二两三四五六七八九十\d]){_WEEK}{_WEEKDAY}", _weekday),
    _rule(
        rf"每个?(?:(?P<unit>天|日|周|星期|礼拜|月|年|早|晚)(?:上)?(?![一二三四五六日末])|"
        rf"{_WEEK}{_WEEKDAY})",
        _every, "recurring",
    ),
    _rule(
        r"(?P<name>大前天|大后天|(?<![大之以目眼])前天|昨[天日]|今[天日]"
        r"|(?<![聪证声透])明[天日]|(?<![大之以然])后天(?![性天]))",
        _named_day,
    ),
    _rule(r"(?P<name>[昨今明当])(?P<part>[早晚夜])上?", _part_of_named_day),
    _rule(
        rf"(?<![\d.第一二三四五六七八九十])(?P<count>{_SMALL})\s?个?多?(?P<unit>分钟|小时|钟头|星期|礼拜|天|日|周|月|年)"
        r"(?P<way>之前|以前|前|之后|以后|后)(?!面|来|台)",
        _counted,
    ),
    _rule(r"半个?(?P<unit>年|月|小时|钟头)(?P<way>之前|以前|前|之后|以后|后)", _half),
    _rule(
        rf"(?P<when>过去|最近|近|前|未来|接下来|今后|后)的?(?P<count>{_SMALL})\s?个?"
        r"(?P<unit>小时|星期|礼拜|天|日|周|月|年)(?!前|后|级)",
        _during,
    ),
    _rule(rf"{_PART}\s?{_HOUR}(?:[点时](?!\d)|:(?=[0-5]\d)){_MINUTES}?", _clock, "clock"),
    _rule(rf"(?<![\d.一二三四五六七八九十])(?P<part>){_HOUR}点(?:{_MINUTES})", _clock, "clock"),
    _rule(
        rf"(?:(?<=[天日号在到约早晚])|(?<=[周期拜][一二三四五六日]))(?P<part>){_HOUR}点"
        r"(?![\d一二三四五六七八九]|建议|意见|原因|要求|内容)(?P<half>)(?P<minute>)",
        _clock, "clock",
    ),
    _rule(_PART, _part_of_day, "clock"),
)  # fmt: skip


def find(text: str, *, now: datetime) -> Iterator[Found]:
    """Yield what each rule finds, rule by rule, overlaps included; `now` is naive wall-clock time.

    `text` has half-width letters and digits; places are positions in it.
    """
    for pattern, resolve, kind in _RULES:
        for match in pattern.finditer(text):
            try:
                stretch = resolve(text, match, now)
            except (ValueError, OverflowError):
                continue  # a day that no calendar has
            if stretch is not None:
                yield Found(
                    start=stretch.start,
                    end=stretch.end,
                    place=match.span(),
                    grain=stretch.grain,
                    recurring=kind == "recurring",
                    clock=kind == "clock",
                )
