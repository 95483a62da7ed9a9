"""Prices, days and quantities of a matter, wherever in a sentence they stand.

"3.80 for the big sourdough", "the draft was pushed back to the 23rd", 半马改到六月八号: the matter is the noun
beside the figure. What merely contains a number is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.hedges import is_hedged
from mnemis.consolidate.rules.objects_en import tidy
from mnemis.consolidate.rules.values import AMOUNT, DAY, DAY_ZH, MONTH, kind_of

_DOUBT: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|imagine|wish|would|could|might|maybe|perhaps|should|joking|kidding|thinking (?:of|about)|"
    r"considering|wants?|wanted|hop(?:es?|ing)|almost|nearly|used to|asked|tempted|(?:not|(?:is|are|wo|do|did|does|have|has|ca)n['’]t|never)\s+(?:be\s+)?(?:going|mov\w+|push\w+|chang\w+|rais\w+))\b",
    re.IGNORECASE,
)
_PAYMENT: Final = re.compile(
    rf"\b(?:paid|spent|bill|invoice)\b.*\b(?:in|for|on|of)\s+(?:the\s+)?{MONTH}\b|\b{MONTH}['’]s\b.*\b(?:bill|invoice)|"
    r"\b(?:paid|spent|bill|invoice)\b.*\b(?:yesterday|last\s+(?:week|month|year|night)|this\s+(?:week|month|morning)|today)\b|"
    r"月(?:份)?(?:的)?[\u4e00-\u9fff]{0,4}(?:费|账单).*(?:交|付|花|缴)了|(?:交|付|花|缴)了.*月(?:份)?的",
    re.IGNORECASE,
)
"""What was paid once is no price: the next payment overturns nothing."""
_SOME_YEAR: Final = re.compile(r"\b(?:back\s+)?in\s+(?:19|20)\d\d\b", re.IGNORECASE)
_NOUN: Final = r"(?:[a-z][\w'’-]*\s){0,3}?[a-z][\w'’-]*"
_THE: Final = rf"(?:the|my|our)\s+(?P<s>{_NOUN})"
_PRICE: Final = rf"(?:{AMOUNT}|\d{{1,5}}[.,]\d\d(?!\d))"
_TO: Final = r"(?:\s+(?:back|forward|up|down|out|on|over|again))?\s+(?:from\s+[\w ]{1,20}?\s+)?(?:to|until|till)\s+"


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ENGLISH: Final = (
    _p(
        rf"(?P<o>{_PRICE})\s+(?:for|a)\s+(?:(?:the|my|our|an?)\s+)?(?P<s>{_NOUN})(?=[.,;!]|\s+(?:and|now|from|as|because|so|in|at)\b|$)"
    ),
    _p(
        rf"\b(?:put|push(?:ed)?|moved?|moving|brought|bringing|postponed?|shifted|delayed|rescheduled|raised|lowered|dropped|cut)\s+{_THE}{_TO}(?P<o>{DAY}|{_PRICE})"
    ),
    _p(
        rf"\b{_THE}(?:['’]s|\s+(?:is|are|costs?|has\s+gone\s+up\s+to|went\s+(?:up|down)\s+to|goes\s+up\s+to))\s+(?:now\s+|up\s+to\s+)?(?P<o>{_PRICE})"
    ),
    _p(
        rf"(?:^|[.;:,]\s+)(?:(?:and|but|so|also)\s+)?(?:the\s+|my\s+|our\s+)?(?P<s>(?!(?:i|we|he|she|it|they|you|this|that|there|who|which|what)\b){_NOUN})\s+(?:(?:has|have|was|is|got|been|has\s+been)\s+)*(?:moved|pushed|postponed|shifted|delayed|rescheduled|brought){_TO}(?P<o>{DAY})"
    ),
    _p(
        rf"\b(?P<s>(?-i:[A-Z])\w+(?:\s(?-i:[A-Z])\w+)*),?\s+(?:they|who|which)\s+(?:do|meet|train|play|run|practi[cs]e)\s+(?:on\s+)?(?P<o>{DAY})"
    ),
    _p(
        rf"(?:^|[.;:,]\s+)(?:(?:and|but|so)\s+)?(?:the\s+|my\s+|our\s+)?(?P<s>(?!(?:i|we|he|she|it|they|you|this|that|there|who)\b){_NOUN})\s+(?:(?:has|have|needs?|is)\s+to|must|is\s+due)\s+(?:[\w,]+\s){{0,7}}?(?:by|on)\s+(?P<o>{DAY})"
    ),
)
_HAN: Final = r"\u4e00-\u9fff"
_QUANTITY_ZH: Final = r"(?:[\d.]+|[一二三四五六七八九十百千万两半]+)个?(?:小时(?:[一二三四五六七八九十]+|\d+)?分?|公里|斤|公斤|平米|平方|块|元|楼|分钟)(?:半)?"
_CHINESE: Final = (
    re.compile(
        rf"(?P<s>[{_HAN}A-Za-z]{{2,6}}?)(?:又|再|也|就|都|被|已经|的时间|的日期|日期|时间|说湖边\S{{0,6}})*(?:改到|提到|提前到|推到|推迟到|挪到|延到|延期到|改成|调回|调到|调成|改回|涨到|降到|换到)了?(?P<o>{DAY_ZH}|{_QUANTITY_ZH})"
    ),
    re.compile(
        rf"把(?P<s>[{_HAN}A-Za-z]{{2,6}}?)(?:又|再|都)*(?:改到|提到|推到|挪到|延到|改成|调回|调到|调成|改回|涨到|降到)了?(?P<o>{DAY_ZH}|{_QUANTITY_ZH})"
    ),
    re.compile(
        rf"(?:^|[，,；;、\s]|的)(?P<s>目标|房租|租金|预算|时薪|工资|学费|押金|票价|成绩|体重)(?:是|定在|定为|为)?(?P<o>{_QUANTITY_ZH}|\d+)"
    ),
)
_OWN_ZH: Final = re.compile(r"(?:目标|工资|时薪|成绩|体重|血压)$")
"""Of these everybody has their own."""

_DOUBT_ZH: Final = re.compile(
    r"如果|要是|假如|除非|万一|是否|会不会|能不能|要不要|有没有|也许|可能|或许|说不定|开玩笑|听说|考虑|建议|提议|打算|差点|没(?:有)?(?:改|推|提|调|涨)|不(?:改|会|想)|商量|希望|以前"
)
_NO_MATTER: Final = re.compile(
    r"^(?:time|times|day|days|week|clock|lot|way|one|ones|thing|things|phone|rest|end|start|number|last|next|first|same|other|it|that|back|person|people|head|year|month|hour|minute)$"
)
_NO_MATTER_ZH: Final = re.compile(
    r"我|你|他|她|它|这|那|什么|怎么|所以|因为|然后|还|又|再|都|已|往后|直接|最后|现在|^的|了$|说|商量|干脆"
)


def figures(sentence: str) -> Iterator[Claim]:
    """Claims of one sentence of the form (matter, price or day or quantity)."""
    text = sentence.strip()
    if not re.search(r"\d|day|noon|[一二三四五六七八九十]", text, re.IGNORECASE):
        return
    if _DOUBT.search(text) or _PAYMENT.search(text):
        return
    if text.isascii() and (is_hedged(text) or _SOME_YEAR.search(text)):
        return
    for pattern in _ENGLISH if text.isascii() or re.search(r"[a-z]{3}\s[a-z]", text) else ():
        for match in pattern.finditer(text):
            matter = tidy(match.group("s"), keep_article=False).lower().removesuffix("'s")
            value = match.group("o").strip(" .,")
            if matter and not _NO_MATTER.match(matter.split()[-1]) and len(matter.split()) <= 4:
                yield _claim(matter, value, match.group())
    for pattern in _CHINESE if not text.isascii() else ():
        for match in pattern.finditer(text):
            matter = match.group("s").removesuffix("的")
            clause = re.split(r"[，,；;]", text[: match.end("s")])[-1] + text[match.end("s") :]
            doubted = _DOUBT_ZH.search(re.split(r"[，,；;。]", clause)[0])
            if len(matter) < 2 or doubted or _NO_MATTER_ZH.search(matter):
                continue
            if own := _OWN_ZH.search(matter):
                yield Claim(
                    subject="",
                    relation="has_value",
                    aspect=own.group(),
                    object=match.group("o"),
                    text=match.group(),
                    subject_type="person",
                )
            else:
                yield _claim(matter, match.group("o"), match.group())


def _claim(matter: str, value: str, text: str) -> Claim:
    kind = kind_of(value)
    if kind == "date":
        relation = "scheduled_for"
    elif kind == "money" or (kind == "number" and re.search(r"[.,]\d\d$", value)):
        relation = "costs"
    else:
        relation = "has_value"
    return Claim(subject=matter, relation=relation, object=value, text=text, subject_type="concept")
