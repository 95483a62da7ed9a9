"""Named things in Chinese text: people by surname and neighbours, organisations and places."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from mnemis.consolidate.rules import lexicon_people_zh as addressed
from mnemis.consolidate.rules import lexicon_zh as lex
from mnemis.consolidate.rules.bounds_zh import (
    address_at,
    is_common_word,
    left_of,
    right_of,
    surname_at,
)
from mnemis.consolidate.rules.names_en import Mention
from mnemis.model.graph import EntityType
from mnemis.text.normalise import name_key
from mnemis.text.scripts import HAN

_HAN: Final = re.compile(rf"[{HAN}]")
_RUN: Final = re.compile(rf"[{HAN}]+")
_PLACE: Final = re.compile("|".join(sorted(lex.PLACES, key=lambda word: (-len(word), word))))
_SUFFIX: Final = re.compile(
    "(?:"
    + "|".join(
        sorted({*lex.ORGANISATION_SUFFIXES, *lex.PLACE_SUFFIXES}, key=lambda w: (-len(w), w))
    )
    + ")"
)
_BOUND: Final = re.compile(
    "(?:"
    + "|".join(
        sorted(
            {
                word
                for word in lex.STOP
                if word
                not in (
                    "大",
                    "小",
                    "中",
                    "新",
                    "上",
                    "下",
                    "天",
                    "号",
                    "开",
                    "定",
                    "元",
                    "家",
                    "三",
                    "二",
                    "一",
                    "百",
                    "千",
                    "万",
                    "间",
                    "点",
                    "外",
                    "老",
                    "周",
                    "少",
                    "多",
                    "好",
                    "正",
                    "同",
                    "于",
                    "如",
                    "同",
                    "里",
                    "两",
                    "五",
                    "六",
                    "七",
                    "八",
                    "九",
                    "十",
                    "四",
                    "月",
                    "日",
                    "年",
                )
            }
            | {
                "住在",
                "搬到",
                "来自",
                "工作",
                "加入",
                "参加",
                "毕业",
                "就读",
                "附近",
                "位于",
                "联系",
                "找到",
                "考上",
                "考进",
                "探讨",
                "享受",
                "助力",
                "分享",
                "共创",
                "交流",
                "体验",
                "感受",
                "离开",
                "跑",
                "管理",
                "促进",
                "服务于",
                "发展",
                "开发",
                "一起",
                "进了",
                "家住",
                "路过",
                "经过",
                "供应商",
                "地址",
                "地点",
                "单位",
                "公司叫",
                "叫",
            },
            key=lambda w: (-len(w), w),
        )
    )
    + ")"
)
_BOOK: Final = re.compile(r"《([^》\n]{1,40})》")
_QUOTED: Final = re.compile(
    r"(?:叫|名为|名叫|叫做|项目|产品|店名是?|乐队)\s*[“「『\"]([^”」』\"\n]{1,16})[”」』\"]"
)
_CALLED: Final = re.compile(
    rf"(?:名叫|叫做|店叫|公司叫|民宿叫|餐厅叫|馆子叫|项目叫)([{HAN}]{{2,6}})(?=[，,。；;！!、\s]|$)"
)
_ROLES: Final = frozenset({*lex.KIN, *lex.ROLES, *addressed.ADDRESSES})
_AFTER_PLACE: Final = frozenset("的是在和与跟了有很也都附到去来走住开坐不就还工上")
_LONG_NAME: Final = 8


def find_names(text: str, *, known: Set[str]) -> tuple[Mention, ...]:
    """Names in Han characters, by offset, without overlaps; Latin names are not looked for."""
    if not _HAN.search(text):
        return ()
    found: list[Mention] = []
    for pattern in (_BOOK, _QUOTED, _CALLED):
        for match in pattern.finditer(text):
            kind: EntityType = "product" if pattern is _BOOK else "other"
            if pattern is _CALLED and _is_person(match.group(1)):
                continue
            _add(found, Mention(name=match.group(1), start=match.start(1), type=kind))
    for match in reversed(list(_SUFFIX.finditer(text))):
        _add_all(found, _with_suffix(text, match))
    for match in _PLACE.finditer(text):
        _add(found, Mention(name=match.group(), start=match.start(), type="place"))
    for run in _RUN.finditer(text):
        _add_all(found, _people(text, run.start(), run.end(), known))
    return tuple(sorted(found, key=lambda each: each.start))


def _add(found: list[Mention], mention: Mention) -> None:
    start, end = mention.start, mention.start + len(mention.name)
    if not any(start < each.start + len(each.name) and each.start < end for each in found):
        found.append(mention)


def _add_all(found: list[Mention], mentions: list[Mention]) -> None:
    for mention in mentions:
        _add(found, mention)


def _with_suffix(text: str, match: re.Match[str]) -> list[Mention]:
    """The stretch left of 公司, 路 … back to the nearest word that cannot be part of a name."""
    suffix = match.group()
    left = match.start()
    while left > 0 and match.start() - left < _LONG_NAME and _HAN.match(text[left - 1]):
        left -= 1
    stem = text[left : match.start()]
    cut = 0
    for bound in _BOUND.finditer(stem):
        cut = bound.end()
    stem = stem[cut:]
    if suffix in lex.PLACE_SUFFIXES:
        stem = re.sub(r"^.*(?<=.{2}[省市区县镇])(?=.{2})", "", stem)
        for place in lex.PLACES:
            if stem.startswith(place) and len(stem) - len(place) >= 2:
                stem = stem[len(place) :]
                break
    start = match.start() - len(stem)
    name = stem + suffix
    if len(stem) < (2 if len(suffix) == 1 else 1) or name in lex.COMMON_PLACES:
        return []
    if any(
        name.endswith(common) and len(name) - len(common) < 2
        for common in lex.COMMON_PLACES
        if len(common) > 1
    ):
        return []
    following = text[match.end() : match.end() + 1]
    if len(suffix) == 1 and _HAN.match(following or " ") and following not in _AFTER_PLACE:
        return []
    if len(suffix) == 1 and any(
        name.endswith(each) for each in lex.COMMON_PLACES if len(each) == 2
    ):
        return []
    if len(suffix) > 1 and (len(stem) == 1 or stem in lex.COMMON_STEMS):
        return []
    if (
        suffix == "科技"
        and _HAN.match(text[match.end() : match.end() + 1] or " ")
        and text[match.end()] not in "的是在和与跟了说给"
    ):
        return []
    organisation = suffix in lex.ORGANISATION_SUFFIXES
    return [Mention(name=name, start=start, type="organisation" if organisation else "place")]


def _people(text: str, begin: int, end: int, known: Set[str]) -> list[Mention]:
    found: list[Mention] = []
    at = begin
    while at < end - 1:
        mention = _person_at(text, begin, at, end, known)
        if mention is None:
            at += 1
        else:
            found.append(mention)
            at = mention.start + len(mention.name)
    return found


def _person_at(text: str, begin: int, at: int, end: int, known: Set[str]) -> Mention | None:
    surname = surname_at(text, at)
    if not surname:
        return _known_name(text, at, end, known)
    if is_common_word(text, at):
        return None
    titled = _titled(text, begin, at, len(surname), end, known)
    if titled:
        return Mention(name=titled, start=at, type="person")
    scored = [
        (score, -length, length)
        for length in (1, 2)
        if at + len(surname) + length <= end
        and (score := _score(text, begin, at, at + len(surname) + length, end, known)) > 0
    ]
    score, _, length = max(scored, default=(0, 0, 0))
    if score < 3:
        return _known_name(text, at, end, known)
    return Mention(name=text[at : at + len(surname) + length], start=at, type="person")


def _known_name(text: str, at: int, end: int, known: Set[str]) -> Mention | None:
    """What the memory knows by this name, be it a given name alone (若曦 for 林若曦)."""
    for length in (5, 4, 3, 2):
        name = text[at : at + length]
        if at + length <= end and name in known and name not in _ROLES:
            return Mention(name=name, start=at)
    return None


def _titled(text: str, begin: int, at: int, width: int, end: int, known: Set[str]) -> str:
    """王老师, 陈总: a surname with a form of address is a name of its own."""
    title = address_at(text, at + width)
    name = text[at : at + width + len(title)]
    if not title or name in known:
        return name if title else ""
    before, _ = left_of(text, begin, at)
    if len(title) > 1 or title == "总":
        common = text[at] in lex.SURNAMES or width > 1
        return name if before or common else ""
    after, _ = right_of(text, at + len(name), end)
    return name if before and after else ""


def _score(text: str, begin: int, at: int, stop: int, end: int, known: Set[str]) -> int:
    """Evidence that text[at:stop] is a person's name; below 3 it is not taken."""
    name = text[at:stop]
    given = name[1:] if len(name) <= 3 else name[2:]
    if any(
        char
        in "的了在是我你他她它们这那和与就都也不没有说很到去来要会给把被让着过吗呢吧啊个一二三四五六七八九十"
        for char in given
    ):
        return 0
    if name_key(name) in known:
        return 9
    typical = sum(char in lex.GIVEN for char in given)
    right, strong_right = right_of(text, stop, end)
    left, strong_left = left_of(text, begin, at)
    if not (right and left):
        return 0
    score = 1 + typical + 2 * strong_right + 2 * strong_left
    if typical < len(given) and not (strong_right or strong_left):
        return 0
    if stop == end and typical == len(given) and (at == begin or text[at - 1] not in "的了在是"):
        score += 1
    return score


def _is_person(name: str) -> bool:
    return (
        name[0] in lex.SURNAMES
        and len(name) in (2, 3)
        and all(char in lex.GIVEN for char in name[1:])
    )
