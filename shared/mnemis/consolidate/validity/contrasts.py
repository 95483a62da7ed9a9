"""Signs that two clauses speak of two things of a kind: a small and a large one, his and hers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from mnemis.consolidate.rules.events import EVENT, EVENT_ZH
from mnemis.consolidate.rules.matters_named import matter_of, other_matters
from mnemis.consolidate.rules.shifts import Stated
from mnemis.text.normalise import fold

_SIDES: Final = (
    ("small", "large", "big", "medium"),
    ("left", "right"),
    ("upper", "lower"),
    ("front", "back"),
    ("first", "second", "third"),
    ("red", "blue", "green", "black", "white", "yellow", "grey", "brown"),
    ("morning", "evening", "afternoon"),
    ("work", "private", "home"),
    ("his", "her", "my", "their"),
    ("junior", "senior"),
    ("north", "south", "east", "west"),
    ("kick-off", "kickoff", "review", "retrospective"),
)
_SIDES_ZH: Final = (
    "大小中", "左右", "红蓝绿黑白黄", "东西南北", "早晚", "男女"
)  # fmt: skip
_OF_ZH: Final = (
    "启动会|评审会|复盘会|例会|年会",
    "(?:我|你|他|她|咱)家?的?(爸|妈|爷爷|奶奶|姐|哥|弟|妹)",
)
_WHOSE: Final = re.compile(
    r"\b([\w-]+)['’]s\s+([\w-]+)|([\u4e00-\u9fff]{1,6}?)的([\u4e00-\u9fff]{2})"
)


_KINDS: Final = re.compile(
    r"\b([a-z]+)\s+(class|course|lessons?|meeting|appointment|exam|test|flight|trip|party|room|account|team|group|club|bill|ticket|insurance|training|practice)\b"
    r"|([\u4e00-\u9fff]{2})(课|班|会议|考试|费|队|社|票|账单|训练|比赛|聚餐)"
)
_NO_KIND: Final = frozenset(
    "the a an my our your his her their this that next last first new old same big little whole "
    "no any some every weekly monthly daily is of "
    "我们 他们 这个 那个 下次 每周 今天 明天 还有".split()
)


_WITH: Final = re.compile(
    r"\b(?:with|and) ([A-ZÀ-Þ]\w+)|[和跟与]([小老阿]?[\u4e00-\u9fff]{1,3}?)的"
)
_EVENT: Final = re.compile(f"{EVENT}|{EVENT_ZH}", re.IGNORECASE)


_NAMED: Final = frozenset({"keeper", "amount", "where", "day", "name"})
"""Frames of things that have a name of their own: two names, two things."""
_BY_WORD: Final = frozenset({"keeper", "ended", "where", "day"})


def name_two(new: Stated, said: Stated) -> bool:
    """Whether two statements of one frame name two matters. A clause that also tells the older
    value, as "from Nina" or the former name, may say more of the matter than the older one did.
    """
    tells_old = new.frame in ("keeper", "name") and fold(said.value) in fold(new.clause)
    if new.frame not in _NAMED or (tells_old and new.frame == "name"):
        return False
    return other_matters(new.frame, new.clause, said.clause, strict=not tells_old)


def links_by_word(new: Stated) -> bool:
    """Whether only a word in common may link: meaning alone takes one price for another."""
    named = new.frame == "amount" and matter_of(new.frame, new.clause) is not None
    return named or new.frame in _BY_WORD


def same_people(one: str, two: str) -> bool:
    """Not dinner with Tom here and with Lea there."""
    first, second = _with_whom(one), _with_whom(two)
    return not first or not second or bool(first & second)


def one_event(one: str, two: str) -> bool:
    """Not a wedding here and an exam there."""
    first = {match.group().lower() for match in _EVENT.finditer(one)}
    second = {match.group().lower() for match in _EVENT.finditer(two)}
    return not first or not second or bool(first & second)


def _with_whom(clause: str) -> frozenset[str]:
    return frozenset(each for match in _WITH.finditer(clause) for each in match.groups() if each)


def are_two(one: str, two: str) -> bool:
    """Whether two clauses name sides of which a thing has only one, or one thing of two owners.

    >>> are_two("The small cup is 15", "The large cup is 20 now")
    True
    """
    return any(
        first and second and not first & second
        for first, second in zip(_sides(fold(one)), _sides(fold(two)), strict=True)
    ) or any(
        _two_of_a_kind(first, second)
        for first, second in (
            (_owners(fold(one)), _owners(fold(two))),
            (_kinds(fold(one)), _kinds(fold(two))),
        )
    )


@lru_cache(maxsize=4_096)
def _sides(text: str) -> tuple[frozenset[str], ...]:
    words = set(re.findall(r"[a-z-]+", text))
    english = [frozenset(words.intersection(each)) for each in _SIDES]
    pairs = [
        frozenset(re.findall(f"[{each}](?=[杯碗号份间套房包门车厅屋球队组班])", text))
        for each in _SIDES_ZH
    ]
    kinds = [frozenset(re.findall(each, text)) for each in _OF_ZH]
    return (*english, *pairs, *kinds)


def _two_of_a_kind(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    return any(first[thing] != second[thing] for thing in first.keys() & second.keys())


@lru_cache(maxsize=4_096)
def _owners(text: str) -> Mapping[str, str]:
    return {
        match.group(2) or match.group(4): match.group(1) or match.group(3)
        for match in _WHOSE.finditer(text)
    }


@lru_cache(maxsize=4_096)
def _kinds(text: str) -> Mapping[str, str]:
    """What sort of class, meeting, bill a clause names."""
    found = ((m.group(2) or m.group(4), m.group(1) or m.group(3)) for m in _KINDS.finditer(text))
    return {thing: sort for thing, sort in found if sort not in _NO_KIND}
