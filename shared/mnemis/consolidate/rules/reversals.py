"""Plain ways to give a matter a day, a figure or a tool, and to put an end to it.

"We launch the app on 12 March" and "the launch" are one matter; "the budget was raised to 35,000
euros", 数据库改用PostgreSQL了, "the launch is cancelled", 我和小红分手了. That a matter is called off is a
claim of its own: it is planned for no day any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.events import EVENT, EVENT_ZH
from mnemis.consolidate.rules.objects_en import tidy
from mnemis.consolidate.rules.values import AMOUNT, DAY, DAY_ZH, kind_of

NO_DAY: Final = "any day"
NO_DAY_ZH: Final = "任何一天"
"""The object of a denied ``scheduled_for``: the matter is off."""

_HAN: Final = r"\u4e00-\u9fff"
_DOUBT: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|imagine|wish|would|could|might|maybe|perhaps|should|jok(?:ed?|es|ing)|kidding|dream(?:t|ed|s)|pretend\w*|"
    r"considering|thinking|propos\w+|suggest\w*|want\w*|hop(?:es?|ing)|almost|nearly|said|says|heard|not|never|"
    r"rumou?rs?|in case|afraid|worried)\b|n['’]t\b",
    re.IGNORECASE,
)
_DOUBT_ZH: Final = re.compile(
    r"如果|要是|假如|除非|万一|是否|是不是|会不会|能不能|要不要|有没有|也许|可能|或许|说不定|开玩笑|梦[见到]|谎称|听说|据说|考虑|建议|提议|想|差点|"
    r"没|别|不[会想改用换]|商量|应该|希望|以为|怕|担心|说"
)


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NOUN: Final = r"(?:[\w-]+\s){0,2}?[\w-]+"
_OF: Final = rf"(?:\s+(?:of|for)\s+(?:the|our|my)\s+{_NOUN})?"
_DOES: Final = {"launch": "launch", "release": "release", "open": "opening"}
_LAUNCHES: Final = _p(
    r"\b(?:we|I)(?:['’]ll|['’]ve|['’]re|\s+(?:will|have|are|decided|agreed|plan|planned|going|to|now|want))*\s+"
    rf"(?P<v>launch|release|open)\s+(?:the|our|my)\s+(?P<s>{_NOUN})\s+on\s+(?P<o>{DAY})"
)
_RAISED: Final = _p(
    rf"(?:^|[.;:,]\s+)(?:(?:and|but|so)\s+)?(?:the|our|my)\s+(?P<s>{_NOUN}{_OF})\s+(?:was|were|is|are|got|has\s+been|have\s+been)\s+"
    r"(?:now\s+|just\s+)?(?:raised|cut|lowered|increased|reduced|bumped|upped|slashed|halved|doubled)(?:\s+(?:up|down))?"
    rf"(?:\s+from\s+(?P<r>{AMOUNT}|\d[\d.,]*))?\s+to\s+(?P<o>{AMOUNT}|\d[\d.,]*\d%?|\d%?)"
)
_OFF: Final = _p(
    rf"(?:^|[.;:,]\s+)(?:(?:and|but|so)\s+)?(?:the|our|my)\s+(?P<s>(?:[\w-]+\s){{0,2}}?{EVENT}{_OF})\s+"
    r"(?:is|was|has\s+been|got)\s+(?:now\s+)?(?:cancell?ed|called\s+off|scrapped|dropped)"
    r"(?=\s*(?:[.,;!]|$|because\b|due\b|since\b|after\b|altogether\b|for\s+good\b))"
)
_WE_CANCEL: Final = _p(
    r"^(?:(?:so|ok(?:ay)?|and|but)[\s,]+)?we(?:['’]ve|\s+have|\s+had\s+to)?\s+(?:cancell?(?:ed)?|called\s+off|scrapped|dropped)\s+"
    rf"(?:the|our)\s+(?P<s>(?:[\w-]+\s){{0,2}}?{EVENT}{_OF})(?=\s*(?:[.,;!]|$|because\b|due\b|since\b|after\b))"
)
_ONCE: Final = _p(r"\b(?:today|tomorrow|tonight|this|next|last|first|second|\w+day|['’]s)\b")
_NAME: Final = r"(?-i:[A-ZÀ-Þ])[\wà-ÿ-]*[\wà-ÿ]"
_PARTNERS: Final = r"(?:girlfriend|boyfriend|wife|husband|partner|fiancée?|fiance)"
_PARTED: Final = (
    _p(
        rf"\bI(?:['’]ve|\s+have)?\s+(?:recently\s+)?(?:broken\s+up\s+with|broke\s+up\s+with|split\s+(?:up\s+)?(?:with|from)|separated\s+from|divorced|got\s+divorced\s+from)\s+(?:my\s+)?(?P<o>{_PARTNERS}\b|{_NAME})"
    ),
    _p(
        rf"(?:^|[.;:,]\s+)(?:my\s+)?(?P<o>{_PARTNERS}|{_NAME})\s+and\s+I\s+(?:have\s+|are\s+|got\s+)?(?:broken\s+up|broke\s+up|split\s+up|separated|divorced)(?=\s*(?:[.,;!]|$|last\b|in\b|after\b))"
    ),
)
_TOPIC_EN: Final = (
    _p(
        rf"^for\s+(?:the|our)\s+(?P<s>{_NOUN}),?\s+we\s+(?:now\s+)?(?:use|chose|picked|take)\s+(?P<o>{_NAME})(?=\s*[.,;!]|$|\s+now\b)"
    ),
    _p(
        rf"\bwe(?:['’]ve|\s+have)?\s+(?:switched|moved|migrated|changed)\s+(?:the|our)\s+(?P<s>{_NOUN})\s+(?:over\s+)?to\s+(?P<o>{_NAME})(?=\s*[.,;!]|$)"
    ),
)

_TOPIC: Final = rf"(?P<s>[{_HAN}]{{2,6}}?)"
_TOOL: Final = r"(?P<o>[A-Z][A-Za-z0-9.+#-]*(?:\s[A-Z][A-Za-z0-9.+#-]*)*)"
_TOPIC_ZH: Final = (
    re.compile(
        rf"^{_TOPIC}(?:我们|咱们)(?:现在|就|都|一直|还是|决定|最后)*(?:用|选|采用|选用|使用)了?\s*(?:的是)?{_TOOL}"
    ),
    re.compile(
        rf"^{_TOPIC}(?:我们|咱们)?(?:现在|就|都|已经|最后|决定)*(?:改用|换用|改成用?|换成|换到|迁到|迁移到)了?\s*{_TOOL}"
    ),
)
_NO_TOPIC: Final = re.compile(
    r"[我你他她它咱这那]|^(?:现在|最近|今[天年]|昨天|后来|然后|所以|因此|最后|终于|已经|于是|但是?|不过|大家|有人|别人|小.|老.|阿.)|"
    r"(?:同事|朋友|公司|妈|爸|姐|哥|弟|妹|老板|们)$|把|从|由|和|也|都|就|了|不|的"
)
_LAUNCHES_ZH: Final = re.compile(
    rf"(?:我们|咱们)?(?:决定|定了|计划|准备)?在?(?P<o>{DAY_ZH})(?P<v>上线|发布|开业)(?P<s>[{_HAN}A-Za-z]{{0,6}})(?=[，,。；;！!]|$)"
)
_RAISED_ZH: Final = re.compile(
    rf"^(?P<s>[{_HAN}]{{2,6}}?)(?:已经|又|也|被|从.{{1,10}}?)*(?:提高|增加|上调|下调|减少|缩减|压缩|追加|砍|加|减|降低)(?:到|至|为)了?"
    r"(?P<o>\d[\d.,]*\s?万?(?:元|块|欧元|美元|万)|[一二三四五六七八九十百千万两]+(?:欧元|美元|元|块))"
)
_OFF_ZH: Final = re.compile(
    rf"(?:^|[，,。；;])(?:我们|咱们)?(?P<s>[{_HAN}A-Za-z]{{0,4}}?{EVENT_ZH})(?:的?(?:计划|安排))?(?:已经|已|都|也|又|最后|最终|被|临时)*(?:取消|作废|不办|不开)了(?=[，,。；;！!]|$)"
)
_WE_CANCEL_ZH: Final = re.compile(
    rf"^(?:我们|咱们)(?:把|已经|决定)*(?:取消了?)(?P<s>[{_HAN}A-Za-z]{{0,4}}?{EVENT_ZH})了?(?=[，,。；;！!]|$)"
)
_ONCE_ZH: Final = re.compile(
    r"今|明|昨|后天|这|那|本|下|上[周个次]|周[一二三四五六日末]|次|他|她|有人|别人"
)
_PARTED_ZH: Final = re.compile(
    rf"(?:^|[，,。；;])我(?:已经|最近|上周|上个月|昨天)?(?:和|跟|与)(?:我?的?)?(?P<o>[{_HAN}]{{2,4}}?|[A-Z]\w+)(?:已经|正式|上周|上个月|昨天|最近)*(?:分手|离婚|分开|离)了"
)


def with_reversals(said: str, made: Sequence[Claim], *, chinese: bool) -> list[Claim]:
    """``made``, the claims of one sentence, and what this sentence says in the ways above; a
    decision "to launch the app on 12 March" gives way to the launch's day.
    """
    found = list(_chinese(said) if chinese else _english(said))
    kept = [each for each in made if not any(_covers(new, each) for new in found)]
    return [*kept, *found]


def _covers(new: Claim, old: Claim) -> bool:
    """Whether ``old`` is ``new`` said less exactly."""
    if new.relation == "scheduled_for" and new.polarity:
        whole = old.relation in ("decided", "plans", "wants")
        return new.object in old.object and (whole or old.relation == new.relation)
    if new.relation in ("decided", "costs", "has_value"):
        return old.object == new.object and old.relation in ("decided", "uses", new.relation)
    return False


def _english(said: str) -> Iterator[Claim]:
    text = said.strip()
    if _DOUBT.search(text):
        return
    if match := _LAUNCHES.search(text):
        matter = tidy(match.group("s"), keep_article=False).lower()
        name = f"{_DOES[match.group('v').lower()]} of the {matter}"
        yield _matter(name, "scheduled_for", match.group("o"), match.group())
    if match := _RAISED.search(text):
        relation = "costs" if kind_of(match.group("o")) == "money" else "has_value"
        claim = _matter(match.group("s").lower(), relation, match.group("o"), match.group())
        yield replace(claim, replaces=match.group("r") or "")
    for pattern in (_OFF, _WE_CANCEL):
        match = pattern.search(text)
        if match and not _ONCE.search(match.group("s")):
            claim = _matter(match.group("s").lower(), "scheduled_for", NO_DAY, match.group())
            yield replace(claim, polarity=False)
            break
    for pattern in _PARTED:
        if match := pattern.search(text):
            yield _parted(match)
            break
    for pattern in _TOPIC_EN:
        if match := pattern.search(text):
            topic = match.group("s").lower()
            if not re.match(rf"(?:{EVENT})$", topic, re.IGNORECASE):
                yield _matter(topic, "decided", match.group("o"), match.group())
                break


def _chinese(said: str) -> Iterator[Claim]:
    for sentence in re.split(r"[。！!；;\n]+", said):
        text = sentence.strip()
        if text and not _DOUBT_ZH.search(text):
            yield from _chinese_sentence(text)


def _chinese_sentence(text: str) -> Iterator[Claim]:
    if match := _LAUNCHES_ZH.search(text):
        name = f"{match.group('s')}{match.group('v')}"
        yield _matter(name, "scheduled_for", match.group("o"), match.group())
    if (match := _RAISED_ZH.search(text)) and not _NO_TOPIC.search(match.group("s")):
        yield _matter(match.group("s"), "costs", match.group("o"), match.group())
    for pattern in (_OFF_ZH, _WE_CANCEL_ZH):
        match = pattern.search(text)
        if match and not _ONCE_ZH.search(match.group("s")):
            claim = _matter(match.group("s"), "scheduled_for", NO_DAY_ZH, match.group())
            yield replace(claim, polarity=False)
            break
    if match := _PARTED_ZH.search(text):
        yield _parted(match)
    for pattern in _TOPIC_ZH:
        match = pattern.search(text)
        if match and not _NO_TOPIC.search(match.group("s")):
            yield _matter(match.group("s"), "decided", match.group("o"), match.group())
            break


def _matter(subject: str, relation: str, value: str, text: str) -> Claim:
    return Claim(
        subject=subject,
        relation=relation,
        object=value,
        text=text.strip(" ,.;:，。；"),
        subject_type="concept",
    )


def _parted(match: re.Match[str]) -> Claim:
    return Claim(
        subject="",
        relation="partner_of",
        object=match.group("o"),
        text=match.group().strip(" ,.;:，。；"),
        polarity=False,
        subject_type="person",
        object_type="person",
    )
