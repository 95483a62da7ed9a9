"""What kind of value a phrase is, and whether two phrases name one value.

"the 15th of April" is "April 15", "59" is "59 euros", "coffee" is in "black coffee"; but 45 is
not 450 and Nimbus is not Nimbus Vault's rival.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from mnemis.text.dates import has_date
from mnemis.text.normalise import fold

Kind = Literal["money", "number", "date", "name", "thing"]

CURRENCY: Final = (
    r"(?:euros?|dollars?|pounds?|cents?|yuan|rmb|eur|usd|gbp|bucks|quid|€|\$|£|"
    r"美元|欧元|英镑|日元|元|块钱|块|欧)"
)
AMOUNT: Final = (
    rf"(?:[$€£¥]\s?\d[\d.,]*[kKmM]?(?![\w])|\d[\d.,]*\s?[kKmM]?\s?{CURRENCY}(?![A-Za-z]))"
)
MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
WEEKDAY: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
DAY: Final = (
    rf"(?:(?:{WEEKDAY},?\s+)?(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH}\b"
    rf"|(?:{WEEKDAY},?\s+)?{MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\b|(?:{WEEKDAY},?\s+)?the\s+\d{{1,2}}(?:st|nd|rd|th)\b"
    rf"|(?:next\s+)?{WEEKDAY}(?:\s+(?:morning|afternoon|evening|night))?\b|(?:early\s+|mid\s+|late\s+)?{MONTH}\b"
    r"|\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b|\d{1,2}:\d\d\b|noon\b|midnight\b)"
)
DAY_ZH: Final = (
    r"(?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3}|底|初|中旬?|上旬|下旬)?[日号]?"
    r"|(?:\d{1,2}|[二三]?十?[一二三四五六七八九十])[日号]|(?:下|上|这|本)?(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|(?:上午|下午|早上|晚上|中午)?(?:\d{1,2}|[一二三四五六七八九十两]{1,3})点半?)"
)
_MONTHS: Final = {
    name: number + 1
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())
}
_DIGITS_ZH: Final = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2}
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ZH: Final = tuple("一二三四五六日天末")
_FIGURE: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")
_MONEY: Final = re.compile(rf"{AMOUNT}|[一二三四五六七八九十百千万两]+(?:元|块)", re.IGNORECASE)
_DAY_ONLY: Final = re.compile(rf"(?:on\s+|at\s+)?(?:{DAY}|{DAY_ZH})", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def kind_of(value: str) -> Kind:
    """The kind of value that a phrase is."""
    text = value.strip()
    if _MONEY.search(text):
        return "money"
    if _FIGURE.fullmatch(text):
        return "number"
    if _DAY_ONLY.match(text) or has_date(text):
        return "date"
    if text[:1].isupper() or not text.isascii():
        return "name" if text[:1].isupper() else "thing"
    return "thing"


def same_value(named: str, held: str) -> bool:
    """Whether ``named``, as somebody called it later, means the value ``held``."""
    one, two = kind_of(named), kind_of(held)
    if {one, two} <= {"money", "number"}:
        first, second = figure_of(named), figure_of(held)
        return first is not None and first == second
    if "date" in (one, two):
        return one == two and _same_day(named, held)
    if one in ("money", "number") or two in ("money", "number"):
        return False
    return _same_name(fold(named), fold(held))


def figure_of(value: str) -> float | None:
    """The first figure of a phrase."""
    match = _FIGURE.search(value)
    if match is not None:
        return float(match.group().replace(",", ""))
    chinese = re.search(r"[一二三四五六七八九十百千万两零]+", value)
    return float(_chinese_number(chinese.group())) if chinese else None


def _same_name(named: str, held: str) -> bool:
    if named == held:
        return True
    if named.isascii() and held.isascii():
        first, second = named.split(), held.split()
        if not first or not second or len(named) < 3:
            return False
        size = len(first)
        return size < len(second) and (second[:size] == first or second[-size:] == first)
    return len(named) >= 2 and (held.endswith(named) or held.startswith(named))


def _same_day(named: str, held: str) -> bool:
    one, two = day_parts(named), day_parts(held)
    if not one or not two:
        return fold(named).strip() == fold(held).strip()
    shared = one.keys() & two.keys()
    if not all(one[key] == two[key] for key in shared):
        return False
    return bool(shared) and ("day" in shared or one.keys() == two.keys() or shared == one.keys())


def day_parts(text: str) -> dict[str, int]:
    """Month, day of the month, weekday and hour that a phrase names, as far as it does."""
    low = fold(text)
    parts: dict[str, int] = {}
    if month := re.search(rf"\b{MONTH}\b", low, re.IGNORECASE):
        parts["month"] = _MONTHS[month.group()[:3]]
    if day := re.search(r"(?<![\d:.])(\d{1,2})(?:st|nd|rd|th)?(?![\d:%]|\s?(?:am|pm|点|月))", low):
        if "month" in parts or re.search(r"\d(?:st|nd|rd|th)", low):
            parts["day"] = int(day.group(1))
    if week := re.search(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*day", low):
        parts["weekday"] = _WEEKDAYS.index(week.group(1))
    if hour := re.search(r"\b(\d{1,2})(?::(\d\d))?\s?(am|pm)?\b", low):
        if hour.group(2) or hour.group(3):
            late = 12 if hour.group(3) == "pm" and int(hour.group(1)) < 12 else 0
            parts["hour"] = (int(hour.group(1)) + late) * 60 + int(hour.group(2) or 0)
    if month := re.search(r"(\d{1,2}|[一二三四五六七八九十]{1,3})月", low):
        parts["month"] = _chinese_number(month.group(1))
    if day := re.search(r"(\d{1,2}|[一二三四五六七八九十]{1,3})[日号]", low):
        parts["day"] = _chinese_number(day.group(1))
    if week := re.search(r"(?:周|星期|礼拜)([一二三四五六日天末])", low):
        parts["weekday"] = min(6, _WEEKDAYS_ZH.index(week.group(1)))
    if hour := re.search(r"(\d{1,2}|[一二三四五六七八九十两]{1,3})点(半)?", low):
        parts["hour"] = _chinese_number(hour.group(1)) * 60 + (30 if hour.group(2) else 0)
    return parts


def _chinese_number(text: str) -> int:
    """十五 is 15, 三百九十九 is 399, 20 is 20."""
    if text.isdigit():
        return int(text)
    total = section = digit = 0
    for char in text:
        if char in _DIGITS_ZH:
            digit = _DIGITS_ZH[char]
        elif char in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[char]
            digit = 0
        elif char == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
    return total + section + digit
