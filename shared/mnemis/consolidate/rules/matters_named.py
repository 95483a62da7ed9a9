"""The matter that a clause names for somebody to keep, to cost, to be held somewhere or on a day.

"Marta takes over the lighting for the fair" names lighting, and the fair as what sets it apart
from other lighting; 年会的灯光改由小陈负责 names 灯光 and 年会. What is not found names nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemis.text.normalise import fold, language


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """``head``: the last word of the noun; ``words``: it and all that sets it apart."""

    head: str
    words: frozenset[str]


_RUN: Final = r"(?P<m>(?:[\w'’-]+\s+){0,8}[\w'’-]+)"
_KEPT: Final = re.compile(
    r"\b(?:in\s+charge\s+of|responsible\s+for|runs?|running|lead(?:s|ing)?|head(?:s|ing)?|look(?:s|ing|ed)?\s+after|tak(?:es?|ing)\s+care\s+of|"
    r"tak(?:es?|ing|en)\s+over|took\s+over|handl(?:es?|ing)|does|doing|I\s+do|keeps?|manag(?:es?|ing)|coach(?:es|ing)?|organi[sz](?:es?|ing)|inherit(?:s|ed)?|hand(?:s|ed|ing)(?:\s+over)?)\s+(?!over\b)"
    + _RUN,
    re.IGNORECASE,
)
_GIVEN: Final = re.compile(
    r"(?:^|[,;:]\s+)(?P<m>(?:[\w'’-]+\s+){1,7}?)(?:has|have|is|was|were|are)\s+(?:now\s+|been\s+)*(?:handed|passed|given|taken\s+over|in\s+[A-Z]\w+['’]s\s+hands|[A-Z]\w+['’]s|mine|hers|his|with)\b"
)
_RAISED: Final = re.compile(
    r"\b(?:rais(?:e[ds]?|ing)|put|lower(?:s|ed)?|cut|increas(?:e[ds]?|ing)|hiked?|dropped|reduced?)\s+(?=(?:the|my|our|her|his|their)\b)"
    + _RUN,
    re.IGNORECASE,
)
_PAID: Final = re.compile(
    r"\b(?:pay(?:s|ing)?|spend(?:s|ing)?|wants?|charg(?:es?|ing))\s+(?:[\w.,€$£]+\s+){1,6}?(?:for|on|in)\s+"
    + _RUN,
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"(?:^|[,;:]\s+|\bthat\s+|\bnow\s+)(?P<m>(?:[\w'’-]+\s+){1,7}?)(?:costs?|charges?|asks|takes|is|are|was|were|has|have|goes|went|rose|raised|dropped|fell|moved|relocated|meets?|will)\b",
    re.IGNORECASE,
)
_STOPS: Final = frozenset(
    "to from with by and or but so as because since while when until till is are was were be has have had will would now "
    "instead every each over up down per again too alone today tomorrow yesterday next last this starting on".split()
)
_APART: Final = frozenset("for of at in".split())
_PLAIN: Final = frozenset(
    "the a an our my his her their your all new old whole entire full monthly weekly yearly annual current usual "
    "still also just already always and".split()
)
_NOT_NAMED: Final = frozenset(
    "i we he she it they you this that these those there who which what one everything anything "
    "nothing something him them us me things".split()
)
_TIMES: Final = frozenset(
    "day week month year weekend while now good time moment january february march april may june july "
    "august september october november december spring summer autumn winter future past first".split()
)
_PRICES: Final = frozenset("fee price cost charge membership subscription rate ticket bill".split())

_HAN: Final = r"\u4e00-\u9fff"
_STARTS_ZH: Final = rf"(?:^|[，,。；;：:])(?P<m>[{_HAN}A-Za-z]{{1,12}}?)"
_FILLS_ZH: Final = r"(?:现在|以后|已经|一直|从.{1,4}起|也|都|全|又|就|还|刚|被|改|时间|的时间)*"
_KEPT_ZH: Final = (
    re.compile(rf"把(?P<m>[{_HAN}A-Za-z]{{1,10}}?)(?:交给|转给|移交给|托给|甩给)"),
    re.compile(
        rf"(?:负责(?!人)|接手|接管|接过|打理|牵头|管理|照看|照顾)(?:了|着|的是)?(?P<m>(?![了着的吧啦])[{_HAN}A-Za-z]{{1,10}}?)(?:的?工作|这(?:块|摊|事))?(?:了|啦)?(?=[，,。；;!！]|$)"
    ),
    re.compile(rf"{_STARTS_ZH}{_FILLS_ZH}(?:找|问)(?=.{{1,4}}(?:要|领|拿|报|就|吧))"),
    re.compile(
        rf"{_STARTS_ZH}(?:的?负责人是|{_FILLS_ZH}(?:由|归|交给|转给|移交给|换成?|让|是(?=.{{1,4}}(?:管|负责|在?做))))"
    ),
)
_COST_ZH: Final = (
    re.compile(rf"把(?P<m>[{_HAN}A-Za-z]{{1,10}}?)(?:涨|降|调|提|加|减)"),
    re.compile(
        rf"{_STARTS_ZH}(?:每个?(?:月|年|节|次|天|小时)|一个?(?:月|年|节|次|天|小时)|现在|已经|又|也|都|要|是|为|从|被|就|才|刚|收|卖|只要|涨|降|调|提|加|(?=\d\d))(?=[^，,。；;]{{0,10}}?(?:\d\d|[一二三四五六七八九两]\s?[百千]))"
    ),
)
_SET_ZH: Final = (
    re.compile(rf"把(?P<m>[{_HAN}A-Za-z]{{1,10}}?)(?:改|挪|推|搬|换|移|提前|延)"),
    re.compile(
        rf"{_STARTS_ZH}{_FILLS_ZH}(?:(?:定|安排|设)?在|(?:改|挪|搬|换|移|推迟?|提前|延期?)(?:到|在|去|至))"
    ),
)
_BARE_ZH: Final = re.compile(
    r"^(?:以后|现在|如今|今后|不过|但是?|另外|对了|后来|这样|所以)*(?:我们?|咱们?|他们?|她们?|你们?|大家)?(?:的|家的?)?(?:这个|那个|新|老)?"
)
_NOT_NAMED_ZH: Final = re.compile(
    r"^(?:我|你|他|她|它|这|那|谁|都|也|人|事|什么|[小老阿].|.[姐哥总叔姨]|..?老师|房东|物业|老板)$"
)
_NO_NOUN_ZH: Final = re.compile(
    r"[是就都不没了起来去每这那很再先倒还也又]|月|季度|结果|果然|后来|终于|家里|其实|幸好|已经"
)
"""A noun has none of these: what was found is part of a sentence."""


@lru_cache(maxsize=4_096)
def matter_of(frame: str, clause: str) -> Matter | None:
    """The matter that a clause of this frame names, None if it names none in a known way."""
    if language(clause) == "zh":
        return _chinese(frame, clause)
    patterns = {"keeper": (_KEPT, _GIVEN), "amount": (_RAISED, _PAID, _SUBJECT)}.get(
        frame, (_SUBJECT,)
    )
    for pattern in patterns:
        for match in pattern.finditer(clause.strip()):
            if (found := _english(match.group("m"))) is not None:
                return found
    return None


def other_matters(frame: str, new: str, old: str, *, strict: bool) -> bool:
    """Whether two clauses name two matters; ``strict``: also where the newer one alone says which
    of several it means, in words the older one lacks.

    >>> other_matters("keeper", "Marta takes over the cat", "Erik looks after the dog", strict=True)
    True
    >>> other_matters("amount", "Gym went up to 35", "Gym membership is 30", strict=True)
    False
    """
    one, two = matter_of(frame, new), matter_of(frame, old)
    if one is None or two is None:
        return False
    if language(new) == "zh" or language(old) == "zh":
        return _two_in_chinese(one, two)
    if one.head != two.head:
        return not (one.words <= two.words or two.words <= one.words)
    first, second = one.words - {one.head}, two.words - {two.head}
    if not first or not second:
        return strict and bool(first) and not first & frozenset(map(_stem, fold(old).split()))
    return bool(first - second) and bool(second - first)


def _english(run: str) -> Matter | None:
    noun: list[str] = []
    apart: set[str] = set()
    into_apart = False
    for written in run.split():
        word = _stem(fold(written))
        if word in _STOPS or (word.isdigit() and noun):
            break
        if word in _APART:
            into_apart = True
            continue
        if word in _PLAIN or word.endswith("ly"):
            continue
        if word in _TIMES and into_apart:
            break
        if into_apart:
            apart.add(word)
        else:
            noun.append(word)
    if not noun or noun[-1] in _NOT_NAMED or noun[0] in _NOT_NAMED:
        return None
    words = frozenset(noun) | apart
    telling = words - _PRICES or words
    head = next((each for each in reversed(noun) if each in telling), "")
    return Matter(head=head or min(telling), words=telling)


def _stem(word: str) -> str:
    bare = re.sub(r"['’]s?$", "", word.strip(".,;:!?"))
    return bare[:-1] if len(bare) > 3 and bare.endswith("s") and not bare.endswith("ss") else bare


def _chinese(frame: str, clause: str) -> Matter | None:
    for pattern in {"keeper": _KEPT_ZH, "amount": _COST_ZH}.get(frame, _SET_ZH):
        for match in pattern.finditer(clause.strip()):
            bare = _BARE_ZH.sub("", match.group("m"))
            parts = [each for each in bare.split("的") if each]
            if parts and not _NOT_NAMED_ZH.search(parts[-1]) and not _NO_NOUN_ZH.search(bare):
                return Matter(head=parts[-1], words=frozenset(parts))
    return None


_WEEKDAY_ZH: Final = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天末]")


def _two_in_chinese(one: Matter, two: Matter) -> bool:
    if not _alike_in_chinese(one.head, two.head):
        return True
    days = [frozenset(_WEEKDAY_ZH.findall("".join(each.words))) for each in (one, two)]
    if days[0] and days[1] and not days[0] & days[1]:
        return True
    first, second = one.words - {one.head}, two.words - {two.head}
    return (
        bool(first)
        and bool(second)
        and not any(_alike_in_chinese(each, other) for each in first for other in second)
    )


def _alike_in_chinese(one: str, two: str) -> bool:
    """Whether one names the other, or both share a word of two characters."""
    if one in two or two in one:
        return len(min(one, two, key=len)) > 1 or one == two
    pairs = {one[at : at + 2] for at in range(len(one) - 1)}
    return any(two[at : at + 2] in pairs for at in range(len(two) - 1))
