"""Whom or what a Chinese clause speaks of, and what follows."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.rules import lexicon_zh as lex
from mnemis.consolidate.rules.bounds_zh import is_addressed
from mnemis.consolidate.rules.names_zh import find_names
from mnemis.model.graph import EntityType
from mnemis.text.scripts import HAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """``name`` "" is the speaker; ``aspect`` what of it is spoken of; ``rest`` follows."""

    name: str
    rest: str
    aspect: str = ""
    owned: bool = False
    kind: EntityType = "other"
    explicit: bool = True


ROLE: Final = "|".join(sorted({*lex.KIN, *lex.ROLES}, key=lambda w: (-len(w), w)))


ROLE_WORDS: Final = frozenset({*lex.KIN, *lex.ROLES})


MINE: Final = re.compile(
    rf"^我们?的?(?:一个|一位)?(?:(?P<q>大|小|二|前|新|老|亲)?(?P<n>{ROLE}))(?P<x>的|叫|是|在|住|说|也|都|名字|过生日|,|，|\s|$|(?=[{HAN}A-Za-z]))"
)


NAMED_KIN: Final = re.compile(rf"^我们?的?(?P<q>大|小|二|前|新|老|亲)?(?P<n>{ROLE})(?=[{HAN}A-Z])")


OWN: Final = re.compile(
    rf"^我们?的(?P<a>[{HAN}A-Za-z0-9]{{1,10}}?)(?=是|叫|为|改|换|推迟|提前|定|从|涨|降|:|：|在)"
)


BARE_KIN: Final = re.compile(
    rf"^(?P<n>{'|'.join(sorted({word for word in lex.KIN if len(word) > 1}, key=lambda w: (-len(w), w)))}|上司|下属|同事|室友|闺蜜)"
    r"(?=的|叫|是|在|住|喜欢|名字|生日|电话|学历|身高|从|对|去)"
)
HABIT: Final = re.compile(
    rf"^我(?P<a>(?:最?喜欢|最爱|常?穿|常?用|开|骑|读|学|睡|戴)的[{HAN}]{{1,8}}?)(?=是|叫|为)"
)


FIRST_PERSON: Final = re.compile(r"^(?:我们|咱们|我|本人)(?!的)")


THEY: Final = re.compile(r"^(?:他们|她们|它们|他|她|它|你们|你|您|大家|有人|谁|这|那|其)")


TOPIC: Final = re.compile(
    rf"^(?P<t>[{HAN}A-Za-z0-9 .+#-]{{2,14}}?)(?=已?(?:从|由|改到|改成|改为|换成|推迟到|提前到|定在|定于|定为|安排在|涨到|降到|调整为|延期到|延后到|延到|变成|是|叫|位于|属于|地点|地址|价格|报价|售价|月费|每月|生日|电话|手机号|邮箱|名字)|(?<=房租|租金|票价|学费|押金|月费|门票|会费)(?=现在|\d))"
)


PERSON_ROLE: Final = re.compile(
    rf"^(?P<p>[{HAN}]{{2,4}}|[A-Z][\w]*(?: [A-Z]\w*)?)\s*的(?P<n>{ROLE})"
)


SAYS: Final = re.compile(r"^(?:说|告诉我|提到|跟我说|告诉大家|表示)[，,：:\s]*")


_OWNS_VALUE: Final = re.compile(rf"^的(?!联系|电话|手机|职业|工作)[{HAN}A-Za-z]{{1,8}}?是")
_FOUNDED: Final = re.compile(r"^(?:开|办|搞|弄|建|成立|注册|养|买)了?一?[个家只条间]")
"""开了个工作室叫拾穗: it is the 工作室 that is called so."""


def subject_of(plain: str, people: Set[str]) -> Subject | None:
    """What a clause opens with, or None when it opens with a predicate."""
    if match := NAMED_KIN.match(plain):
        name = next(
            (
                each
                for each in sorted(people, key=len, reverse=True)
                if plain.startswith(each, match.end())
            ),
            "",
        )
        given = plain[match.end() : match.end() + 2]
        if (
            not name
            and len(given) == 2
            and set(given) <= lex.GIVEN
            and plain[match.end() + 2 : match.end() + 3] in tuple("从是在说也都，,、来去会")
        ):
            name = given
        if name:
            noun = (match.group("q") or "") + match.group("n")
            return Subject(name=noun, rest="叫" + name, owned=True, kind="person")
    if match := MINE.match(plain):
        noun = (match.group("q") or "") + match.group("n")
        rest = plain[match.end("n") :]
        return Subject(name=noun, rest=rest, owned=True, kind="person")
    if match := OWN.match(plain):
        noun = match.group("a")
        if noun in lex.PETS:
            return Subject(name=noun, rest=plain[match.end() :], owned=True, kind="animal")
        return Subject(name="", rest=plain[match.end() :], aspect=noun, kind="other")
    if match := BARE_KIN.match(plain):
        return Subject(
            name=match.group("n"), rest=plain[match.end("n") :], owned=True, kind="person"
        )
    if match := HABIT.match(plain):
        return Subject(name="", rest=plain[match.end() :], aspect=match.group("a"), kind="other")
    if match := FIRST_PERSON.match(plain):
        return Subject(name="", rest=plain[match.end() :], kind="person")
    if THEY.match(plain):
        return Subject(name="?", rest="", kind="other")
    names = [each for each in find_names(plain[:16], known=people) if each.start == 0]
    if names and (names[0].type == "person" or names[0].name in people):
        after = plain[len(names[0].name) :]
        if role := re.match(rf"^的(?P<n>{ROLE})", after):
            return Subject(
                name=f"{names[0].name}的{role.group('n')}", rest=after[role.end() :], kind="person"
            )
        if not (is_addressed(names[0].name) and _OWNS_VALUE.match(after)):
            return Subject(name=names[0].name, rest=after, kind="person")
    if match := re.match(r"^([A-Z][\w.-]*(?: [A-Z][\w.-]*)?)\s*(?=[\u4e00-\u9fff])", plain):
        return Subject(name=match.group(1), rest=plain[match.end() :], kind="other")
    if match := TOPIC.match(plain):
        topic = re.sub(r"(?:已经|已|现在|目前|都|也|就|终于|的)+$", "", match.group("t"))
        topic = _FOUNDED.sub("", topic)
        if is_topic(topic) and not (topic == "结果" and not plain.startswith("结果是")):
            return Subject(name=topic.strip(), rest=plain[match.end("t") :], kind="other")
    return None


def is_topic(topic: str) -> bool:
    """Whether the words before 是 or 改到 name a matter."""
    return len(topic.strip()) >= 2 and not re.search(
        r"^(?:不|没|就|都|也|还|又|再|如|因|所|但|可|要|会(?![议员费])|想|把|被|对|在|从|给|让|说|觉得|感觉|关键|问题|原因|主要|可能|应该|重点|重要的|最|好|真|特别|上面|下面|其|另|有|用|去|来|做|吃|喝|看)|的$|了$|说$|觉得$|[不没]$",
        topic,
    )
