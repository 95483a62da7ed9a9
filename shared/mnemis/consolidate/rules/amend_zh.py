"""Chinese ways to settle on a value and to overturn one, whatever the sentence is built like.

把咖啡换成绿茶, 那就定浩然, 又改回每周三, 由沈一诺接替王小明, 5月20号作废. A sentence that supposes, proposes or
reports asserts none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.lexicon_habits import SPORT_ZH, habit_aspect
from mnemis.consolidate.rules.objects_zh import tidy
from mnemis.consolidate.rules.values import DAY_ZH, kind_of

_HAN: Final = r"\u4e00-\u9fff"
_MONEY: Final = r"(?:\d[\d.,]*\s?(?:元|块钱?|美元|欧元?|万元?)|[一二三四五六七八九十百千万两]+(?:元|块)|\d[\d.,]*)"
_WORD: Final = rf"(?:[A-Za-z][\w.+-]*(?: [A-Za-z][\w.+-]*)*|[「『][^」』]{{1,12}}[」』]|[{_HAN}A-Za-z0-9]{{2,10}}?)"
_VALUE: Final = rf"(?:{DAY_ZH}|{_MONEY}|{_WORD})"
_END: Final = r"(?=了|吧|啦|[，,。；;！!\s]|$)"

_UNDECIDED: Final = re.compile(
    r"如果|要是|假如|假设|倘若|除非|万一|是否|是不是|会不会|能不能|要不要|有没有|也许|可能|或许|说不定|开玩笑|若是|想象|听说|据说|考虑|建议|提议|打算|"
    r"(?<!现)在想|想(?:要|把|换|改|搬|去(?!掉))|要不|差点|没(?:有)?(?:换|改|搬|推迟|定)|不(?:换|改|会|打算|用改|用换)|别(?:换|改|推迟)|不知道|商量|犹豫|应该|(?:他|她|它|他们|有人|老板|朋友|同事|网上|新闻)(?:说|讲|告诉)|希望|恨不得|梦见|以前"
)
_OTHERS: Final = re.compile(
    r"^(?:那)?(?:他们?|她们?|它们?|有人|别人|人家|你们?|我(?:的)?(?:朋友|同事|邻居|妈|爸|姐|哥|弟|妹|老板))"
)

_INSTEAD: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"把(?P<r>{_VALUE})(?:都|全)?(?:换成|改成|换为|改为|替换成)了?(?P<o>{_VALUE}){_END}",
        rf"(?:从|由)(?:原来的|原先的)?(?P<r>{_VALUE})(?:改|换|调|推迟|提前|涨|降|转|切换|迁移|延|搬)(?:到|成|为|用|至|去)了?(?P<o>{_VALUE}){_END}",
        rf"(?P<r>{DAY_ZH}|{_MONEY})(?:改|换|调|推迟|提前|涨|降)(?:到|成|为|至)了?(?P<o>{DAY_ZH}|{_MONEY}){_END}",
        rf"(?:不用|不要|不找|不选|不喝|不去|退掉|放弃|弃用|停用|取消|停掉|解约|告别)(?P<r>{_WORD})(?:的合同|的订单|那家|的)?了?[，,、]?(?:就|都|我们|全部|直接|然后|再)?(?:改用|换成|改成|换用|改签|签|改找|改选|换|用|选|改喝|去)了?(?P<o>{_WORD}){_END}",
        rf"(?P<s>[{_HAN}]{{2,6}}?)?(?:的价格|的时间)?不是(?P<r>{DAY_ZH}|{_MONEY})[，,]?(?:而)?是(?P<o>{DAY_ZH}|{_MONEY}){_END}",
        rf"用(?P<o>{_WORD})(?:代替|取代|替换|替代)了?(?P<r>{_WORD}){_END}",
        rf"(?P<o>{_WORD})(?:取代|代替|替代|顶替)了?(?P<r>{_WORD}){_END}",
    )
)
_TAKES_OVER: Final = re.compile(
    rf"(?:由|让)?(?P<o>[{_HAN}]{{2,4}}|[A-Z]\w+)(?:接替|接手|代替|顶替)(?:了)?(?P<r>[{_HAN}]{{2,4}}?|[A-Z]\w+)(?:的)?(?:当|做|担任|成为|任)?(?P<a>[{_HAN}]{{2,6}})?{_END}"
)
_OVER: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<r>{DAY_ZH}|[A-Z][\w. ]+\w|[{_HAN}]{{2,6}}?)(?:已经|就|都)?(?:取消了|作废了?|不算了|淘汰了?|出局了?|不用了|不要了|黄了|停用了?|泡汤了)",
        rf"(?:退掉|放弃|弃用|停用|停掉|不用|不再用|不找|不要|告别|离开)了?(?P<r>[A-Z][\w.+ ]*\w|[{_HAN}]{{2,6}}?)(?:的合同|那家|这家)?了?(?=[，,。；;！!]|$)",
    )
)
_SETTLED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:^|[，,、\s])(?:我们|咱们|大家|那|最后|最终|就)*(?:那|就)(?:定|选|用|签|订|买)(?!户|证|完|力|名|好|于)了?(?P<o>{_WORD})(?:吧|了|啦|，|,|。|$)",
        rf"(?:^|[，,、\s])(?:我们|咱们|最后|最终)(?:就)?(?:定|选|选用|选定|敲定)了?(?P<o>{_WORD})(?:吧|了|啦|，|,|。|$)",
        rf"^(?:好|行|那|嗯|OK)?[，,、]?\s?那?就(?P<o>[A-Z][\w. ]*\w|[{_HAN}]{{2,6}})吧",
        rf"(?:又|再|还是|重新|现在)(?:改|换|用|回|搬|转)(?:回|到)(?:去|来)?(?:用|喝|吃|选)?了?(?P<o>{_WORD}){_END}",
        rf"(?:改|换)回(?:去|来)?(?:用|喝|吃)?了?(?P<o>{_WORD}){_END}",
        rf"(?:改用|换用|重写成|改选|改签|改找|换到|换成|转用|改订|现在用的?是?|改由)了?(?P<o>{_WORD}?)(?:生产|负责|供货|来做|做)?{_END}",
        rf"(?:重新|又)(?:交给|交回给?|给|找)(?P<o>{_WORD})(?:做|生产|负责)?{_END}",
    )
)
_DOUBLE: Final = re.compile(
    rf"不(?P<v>喝|吃)(?P<o>[{_HAN}]{{1,6}}?)(?:就|都|根本|简直)?[{_HAN}]?不(?:动|了|行|着|下|来|醒)"
)
_DRINKS: Final = re.compile(
    r"(?P<c>改|现在|开始|以后|如今|换成|改成)?(?:只|都|就|改)*(?P<v>喝|吃)(?P<p>上)?(?P<o>[\u4e00-\u9fffA-Za-z]{1,6}?)(?P<e>了)?(?=[，,。；;！!\s]|$)"
)
_PLAYS: Final = re.compile(
    rf"(?P<c>改|现在|开始|以后|如今|换成|改成|迷上|爱上)?(?:都|就|只|在|每\S{{1,3}}|坚持|常|经常|去|练|打|学)*(?P<o>{SPORT_ZH.pattern})(?P<e>了)?(?=[，,。；;！!\s]|$)"
)
_QUITS: Final = re.compile(
    rf"(?P<o1>[{_HAN}]{{1,6}}?)(?:也|都|我|就)*(?:戒掉?了|不(?:喝|吃|碰|打|练|跑|抽)了|不能(?:吃|喝|碰)(?=了|[，,；;]|$)|(?<=[鱼肉鲜奶蛋虾蟹糖酒辣麸豆])不(?:行|可以))|(?:戒掉?了?|不再(?:喝|吃|碰|打|练|抽)?|再也不(?:喝|吃|碰|打|抽)|不能再?(?:喝|吃|碰)(?=[{_HAN}]{{1,6}}了)|不(?:喝|吃|碰|抽)(?=[{_HAN}]+了))(?P<o2>[{_HAN}]{{1,6}}?){_END}"
)
_MEALS: Final = re.compile(
    r"^(?:饭|早饭|午饭|晚饭|早餐|午餐|晚餐|夜宵|东西|什么|药|饱|完|惯|到|过|亏|苦|醋|力|惊|得|好|一|了|个|点|的|多|少|几|两|三|大|不|没|破|面$|这|那|它|他|她|你|我)"
)


def amendments(sentence: str, *, people: Set[str] = frozenset()) -> Iterator[Claim]:
    """Claims of one sentence: what was settled, and (``replaces``) instead of what."""
    seen: set[str] = set()
    for clause in re.split(r"[。！!；;\n]+", sentence):
        text = clause.strip()
        if not text or _UNDECIDED.search(text) or _OTHERS.match(text):
            continue
        for claim in (
            *_takes_over(text),
            *_replacements(text),
            *_habits(text),
            *_settlements(text),
        ):
            if claim.object not in seen and claim.object not in people - {claim.object}:
                seen.add(claim.object)
                yield claim


def over(sentence: str) -> tuple[str, ...]:
    """Values that a sentence says are no longer what holds."""
    if _UNDECIDED.search(sentence) or _OTHERS.match(sentence.strip()):
        return ()
    found = [_bare(match.group("r")) for pattern in _OVER for match in pattern.finditer(sentence)]
    return tuple(each for each in dict.fromkeys(found) if _is_value(each))


def _bare(text: str) -> str:
    return tidy(
        re.sub(r"^(?:我们|咱们|我|把|就|都|那|也|又|原来的|现在|已经)+", "", text or "").strip(
            "「」『』 "
        )
    )


_NOT_A_VALUE: Final = re.compile(
    r"^(?:这|那|他|她|它|你|我|什么|哪|谁|怎么|一[个下起点些样直]|几|多|自己|别的|其他|新的|大家|时间|地方|东西|办法|一会|不|没|很|太|还|了|的|过|着|到|在|再|先|去|来|给|为|是|有|说|看|想|做|好|行)|(?:的|了|吗|呢|着|过|得|一下|时候|起来|出来|下来|不|就|也|都)$"
)


def _is_value(text: str) -> bool:
    return len(text) >= 2 and _NOT_A_VALUE.search(text) is None


def _takes_over(text: str) -> Iterator[Claim]:
    if match := _TAKES_OVER.search(text):
        new, old, role = match.group("o"), match.group("r"), match.group("a") or ""
        if _is_value(new) and _is_value(old):
            topic = bool(role)
            yield Claim(
                subject=role,
                relation="decided",
                object=new,
                text=text,
                replaces=old,
                subject_type="concept" if topic else "person",
            )


def _replacements(text: str) -> Iterator[Claim]:
    for pattern in _INSTEAD:
        for match in pattern.finditer(text):
            new, old = _bare(match.group("o")), _bare(match.group("r"))
            if not new or not old or new == old:
                continue
            kinds = {kind_of(new), kind_of(old)}
            if "date" in kinds and len(kinds) > 1:
                continue
            if kinds & {"money", "number"} and not kinds <= {"money", "number"}:
                continue
            if not kinds & {"money", "number", "date"} and not (_is_value(new) and _is_value(old)):
                continue
            habit = habit_aspect(new)
            base = Claim(
                subject="",
                relation="uses" if habit else "decided",
                object=new,
                text=text,
                aspect=habit,
                replaces=old,
                subject_type="person",
            )
            if matter := match.groupdict().get("s"):
                base = replace(
                    base,
                    subject=matter,
                    relation="scheduled_for" if "date" in kinds else "costs",
                    subject_type="concept",
                )
            yield base


def _settlements(text: str) -> Iterator[Claim]:
    for clause in re.split(r"[，,]", text):
        for pattern in _SETTLED:
            match = pattern.search(clause.strip())
            target = _bare(match.group("o")) if match else ""
            if _is_value(target) and kind_of(target) in ("name", "thing") and len(target) <= 16:
                habit = habit_aspect(target)
                yield Claim(
                    subject="",
                    relation="uses" if habit else "decided",
                    object=target,
                    text=text,
                    aspect=habit,
                    subject_type="person",
                )
                break


def _habits(text: str) -> Iterator[Claim]:
    """What the speaker drinks, eats, plays; and what not any more."""
    base = Claim(subject="", relation="uses", object="", text=text, subject_type="person")
    if (double := _DOUBLE.search(text)) and _is_value(double.group("o")):
        yield replace(
            base,
            object=double.group("o"),
            aspect="饮品" if double.group("v") == "喝" else "饮食",
        )
        text = text[: double.start()]
    for clause in re.split(r"[，,]", text):
        part = clause.strip()
        quits = _QUITS.search(part)
        if quits is not None:
            target = re.sub(
                r"^(?:我|也|都|把|连|就|现在|以后|已经|他|她)+|(?:也|都|还是|就)+$",
                "",
                quits.group("o1") or quits.group("o2") or "",
            )
            for each in re.split(r"和|跟|、|与", target):
                if each and not _MEALS.match(each) and not _NOT_A_VALUE.search(each):
                    yield replace(base, relation="avoids", object=each)
            continue
        if match := _DRINKS.search(part):
            target = match.group("o")
            before = part[: match.start()]
            certain = match.group("c") or match.group("e") or habit_aspect(target) == "饮品"
            if (
                certain
                and not _MEALS.match(target)
                and not re.search(
                    r"不|没|别|请|想|去|要|给|好$|爱$|喜欢$|[他她你](?:们)?|帮", before
                )
            ):
                drinks = match.group("v") == "喝"
                target = {"素": "素食", "全素": "素食"}.get(target, target)
                if drinks or match.group("c") or match.group("e"):
                    yield replace(base, object=target, aspect="饮品" if drinks else "饮食")
                    continue
        if match := _PLAYS.search(part):
            before = part[: match.start()]
            regular = (
                match.group("c")
                or match.group("e")
                or re.search(r"每|坚持|经常|周[一二三四五六日末]|平时|习惯", part)
            )
            if regular and not re.search(
                r"不|没|别|想|要|喜欢|[他她你]|请|问",
                before + match.group()[: -len(match.group("o"))],
            ):
                yield replace(base, object=match.group("o"), aspect="运动")
