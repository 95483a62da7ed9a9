"""Chinese names that several turns share: what recurs in different surroundings is a name.

One turn seldom shows where a name ends; two do. A surname with one or two characters, 老孟 and 阿依,
a form of address, and what stands in quotation marks once and without them later.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.rules import lexicon_people_zh as people
from mnemis.consolidate.rules import lexicon_zh as lex
from mnemis.consolidate.rules.bounds_zh import (
    ALL_SURNAMES,
    address_at,
    is_addressed,
    is_common_word,
    left_of,
    right_of,
    surname_at,
)
from mnemis.model.graph import EntityType
from mnemis.text.scripts import HAN

_RUN: Final = re.compile(rf"[{HAN}]+")
_OPENS: Final = re.compile(
    f"[老小阿](?=[{HAN}])|[{''.join(sorted(ALL_SURNAMES))}]|{'|'.join(lex.COMPOUND_SURNAMES)}"
)
_SURNAMED: Final = re.compile(f"(?<![我你])姓([{''.join(sorted(ALL_SURNAMES))}])(?![氏名])")
_NO_GIVEN: Final = frozenset(
    "的了在是我你他她它们这那和与就都也不没有说很到去来要会给把被让着过吗呢吧啊呀哦个跟从向往对找问打吃喝拿带买卖做"
    "看听想叫送还再又才只太更最什么怎为因所但而或若虽将曾已刚得地能二三四五六七八九十百千万两半几多少公司车房路店钱"
    "元块号点线面条份种件次月日时分秒周岁里度第上下前后左右内外大老先生师姓名"
)
_NOT_AFTER: Final = frozenset("大从最缩胆弱太很更较多矮幼细渺古养敬衰苍变偏不家")
_BEFORE: Final = frozenset(
    "位那这还只又再才要想会能没不当比像连为因但却所后前时候里说着吗吧呢啊哦嗯呀先替等送借谢喂见吵惹怪怕欠请托靠喜有"
)
_ACTS: Final = frozenset("带写问送走哭笑回答接帮借还发修教唱睡住搬追骂喊打选演弹拍陪抱抢")
_QUOTED: Final = re.compile(rf"[「『“\"]([{HAN}]{{2,6}})[」』”\"]")
_NAMING_BEFORE: Final = re.compile(
    r"名[字为叫][^，。,「『“\"]{0,8}$|(?:叫|名|店|队|团|项目|产品|品牌|公司|工作室|馆|吧|社|[在去到从])[^，。,「『“\"]{0,2}$"
)
_NAMING_AFTER: Final = re.compile(r"^(?:那家|这家|店|乐队|项目|工作室|的?老板|公司|群|好听|这个名)")
_CALLED: Final = re.compile(
    rf"(.{{0,4}})(?<![去来不别没再也就先快要会能该外把被都光])叫([{HAN}]{{2,4}}?)"
    rf"(?=[，,。；;！!？?、：:\s…（）()]|的[{HAN}]|$)"
)
_NOT_CALLED: Final = frozenset(
    "我你他她它人大家什得了来上着过车醒做不好停苦外服号价板嚣卖唤这那个一自咱啥谁哪救喊"
)
_ANIMAL: Final = re.compile(r"[猫狗兔鸟龟鱼犬鼠马鹅鸡鸭鹦鹉]")
_PERSON: Final = re.compile(r"(?:[人娘孩生哥姐弟妹友生叔师工员妈爸婆公]|同学|姑娘|小伙)的?$")
_ENOUGH: Final = 3


@dataclass(frozen=True, slots=True)
class _Sighting:
    turn: int
    left: bool
    right: bool
    cues: int
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurring:
    """``names`` with what they name; ``surnames`` the people whom a surname may mean."""

    names: Mapping[str, EntityType]
    surnames: Mapping[str, tuple[str, ...]]


def recurring_names(texts: Sequence[str]) -> Recurring:
    """Names that at least two of the texts hold, longest forms only; and who else may be meant by
    a surname, were it only once that they are called so.
    """
    seen: dict[str, list[_Sighting]] = defaultdict(list)
    for number, text in enumerate(texts):
        for run in _RUN.finditer(text):
            for match in _OPENS.finditer(text, run.start(), run.end()):
                for name in _candidates(text, match.start(), run.end()):
                    seen[name].append(
                        _sighting(text, run.start(), match.start(), name, run.end(), number)
                    )
    told = {surname for text in texts for surname, _ in surname_only(text)}
    found: dict[str, EntityType] = {}
    for name, sightings in seen.items():
        plain = is_addressed(name) and (len(name) > 2 or name[0] in told)
        if (plain or len({each.turn for each in sightings}) > 1) and _is_name(name, sightings):
            found[name] = "person"
    for name in [each for each in found if not is_addressed(each)]:
        longer = [each for each in found if each != name and each.startswith(name)]
        if any(len(seen[each]) == len(seen[name]) for each in longer):
            found.pop(name, None)
            continue
        for each in longer:
            if not is_addressed(each) and len(seen[each]) * 2 < len(seen[name]):
                found.pop(each, None)
    for name, kind in _things(texts).items():
        found.setdefault(name, kind)
    once = (name for name in seen if name[0] in "老小" and any(s.left for s in seen[name]))
    people_too = {name for name, kind in found.items() if kind == "person"}
    return Recurring(names=found, surnames=_by_surname(people_too.union(once)))


def surname_only(text: str) -> tuple[tuple[str, int], ...]:
    """Where somebody is told by surname alone ("姓裴的"): the surname and its offset."""
    if "姓" not in text:
        return ()
    return tuple((match.group(1), match.start(1)) for match in _SURNAMED.finditer(text))


def _by_surname(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """卢教练 and 老卢 for 卢."""
    meant: dict[str, list[str]] = defaultdict(list)
    for name in names:
        meant[name[1] if name[0] in "老小" and len(name) == 2 else name[0]].append(name)
    return {surname: tuple(sorted(held)) for surname, held in meant.items()}


def full_names(texts: Sequence[str], names: Mapping[str, EntityType]) -> dict[str, str]:
    """邵律师 → 邵一帆, where a text that has the full name says that this one is a 律师, and nobody
    else has the surname.
    """
    whole: dict[str, list[str]] = defaultdict(list)
    for name, kind in names.items():
        if kind == "person" and not is_addressed(name) and name[0] not in "老小阿":
            whole[surname_at(name, 0)].append(name)
    same: dict[str, str] = {}
    for name, kind in names.items():
        surname = surname_at(name, 0)
        if kind != "person" or not is_addressed(name) or len(whole[surname]) != 1:
            continue
        address, full = name[len(surname) :], whole[surname][0]
        others = [each for each in names if each[0] == surname[0] and each not in (name, full)]
        if len(address) < 2 or others:
            continue
        if any(full in text and address in text and name not in text for text in texts):
            same[name] = full
    return same


def _candidates(text: str, at: int, end: int) -> list[str]:
    if text[at] in "老小阿":
        if dear := _dear(text, at, end):
            return [dear]
        if text[at] != "阿" or at + 1 >= end:
            return []
    surname = surname_at(text, at)
    stop = at + len(surname)
    if not surname or stop >= end or is_common_word(text, at):
        return []
    if address := address_at(text, stop):
        return [text[at : stop + len(address)]] if stop + len(address) <= end else []
    if text[stop] in _NO_GIVEN:
        return []
    short = text[at : stop + 1]
    if stop + 2 > end or text[stop + 1] in _NO_GIVEN or text[stop + 1] == "一":
        return [] if text[stop] == "一" else [short]
    whole = text[at : stop + 2]
    return [whole] if text[stop] == "一" else [short, whole]


def _dear(text: str, at: int, end: int) -> str:
    """老孟, 小佘, 阿依; empty for 老师, 小程序, 阿姨."""
    if at + 2 > end or (at and text[at - 1] in _NOT_AFTER):
        return ""
    following = text[at + 1]
    if text[at] == "阿":
        named = following not in people.NOT_DEAR and following not in _NO_GIVEN
    else:
        named = following in ALL_SURNAMES and not is_common_word(text, at + 1)
    name = text[at : at + 2]
    if not named or name in people.SMALL_THINGS or name in lex.NOT_NAMES:
        return ""
    return name


def _sighting(text: str, begin: int, at: int, name: str, end: int, turn: int) -> _Sighting:
    stop = at + len(name)
    left, announced = left_of(text, begin, at)
    right, told = right_of(text, stop, end)
    acts = stop < end and text[stop] in _ACTS
    addressed = is_addressed(name) and len(name) > 2
    return _Sighting(
        turn,
        left or addressed or text[at - 1] in _BEFORE,
        right or acts,
        2 * announced + (2 if told else int(acts)),
        text[at - 1] if at > begin else "",
        text[stop] if stop < end else "",
    )


def _is_name(name: str, sightings: Sequence[_Sighting]) -> bool:
    well_placed = sum(each.left for each in sightings)
    bounded = any(each.left and each.right for each in sightings)
    if not bounded or well_placed * 5 < len(sightings) * 3:
        return False
    if is_addressed(name):
        return True
    if not (_varies([each.after for each in sightings])):
        return False
    cues = sum(min(each.cues, 2) for each in sightings)
    if name[0] in "老小阿":
        return cues > 0 or _varies([each.before for each in sightings])
    given = name[len(surname_at(name, 0)) :]
    typical = sum(char in lex.GIVEN or char == "一" for char in given)
    if len(given) == 2 and given[0] == given[1]:
        typical = 2
    cues += 1 + typical if typical == len(given) else typical
    return cues + (name[0] in people.RARER_SURNAMES) >= _ENOUGH


def _varies(neighbours: Sequence[str]) -> bool:
    """Whether different characters, or none, stand there."""
    return "" in neighbours or len(set(neighbours)) > 1


def _things(texts: Sequence[str]) -> dict[str, EntityType]:
    """Names of any kind that were introduced as names and came up again."""
    kinds: dict[str, EntityType] = {}
    quoted: dict[str, set[int]] = defaultdict(set)
    for number, text in enumerate(texts):
        for match in _QUOTED.finditer(text):
            name = match.group(1)
            quoted[name].add(number)
            if _NAMING_BEFORE.search(text[: match.start()][-12:]) or _NAMING_AFTER.match(
                text[match.end() : match.end() + 6]
            ):
                kinds.setdefault(name, "other")
        for match in _CALLED.finditer(text):
            before, name = match.groups()
            if not _NOT_CALLED.intersection(name[0]) and name not in lex.STOP:
                animal = _ANIMAL.search(before)
                kinds[name] = (
                    "animal" if animal else "person" if _PERSON.search(before) else "other"
                )
    for name, held in quoted.items():
        if len(held) > 1 and name not in lex.STOP:
            kinds.setdefault(name, "other")
    return {name: kind for name, kind in kinds.items() if sum(name in text for text in texts) > 1}
