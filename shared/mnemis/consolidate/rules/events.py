"""The day of an event that a sentence leaves unsaid: "It's the 24th now", 那就改到五月二十五.

The event is the only one that the turn names, or else the nearest of the turns before; where two are
spoken of, the day belongs to neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.speech import Sentence, sentences_of
from mnemis.consolidate.rules.values import DAY, DAY_ZH
from mnemis.model.graph import Turn

EVENT: Final = (
    r"\b(?:(?:driving|dental|job|final|project|board)\s+)?(?:launch|deadline|release|exam|test|wedding|meeting|appointment|interview|party|trip|move|surgery|operation|"
    r"opening|presentation|defen[cs]e|demo|workshop|concert|rehearsal|race|marathon|kick-?off|review|inspection|delivery|dinner|viewing|check-?up|handover|hearing|lesson|class)\b(?!\s+(?:drive|run|site|room|case|cases|results?|dress|cake|suite))"
)
EVENT_ZH: Final = r"(?:婚礼|发布会|上线|考试|补考|驾考|比赛|半马|马拉松|会议|例会|评审|面试|手术|复查|复诊|搬家|聚会|演出|排练|答辩|交稿|截止日|开业|开庭|体检|团建|年会|交房|交货|发货|首发|开幕|试模|拍摄|看房|聚餐)"
"""What has a day, as patterns."""

_EVENT: Final = re.compile(EVENT, re.IGNORECASE)
_EVENT_ZH: Final = re.compile(EVENT_ZH)
_STATED: Final = re.compile(
    rf"^(?:(?:so|ok(?:ay)?|then|well|now|right|fine|yes|and|but)[\s,]+)*(?:it['’]s|it is|make it|let['’]s (?:say|do|make it)|"
    rf"(?:we(?:['’]ve| have)?\s+|they(?:['’]ve| have)?\s+)?(?:moved|pushed|postponed|brought|shifted|rescheduled)\s+(?:it|that|everything)?\s*(?:back\s+|forward\s+|up\s+)?to|"
    rf"it (?:has\s+)?(?:moves|moved|goes|slipped|slips|was moved|was pushed)(?:\s+back|\s+forward)?\s+to)\s+(?:on\s+)?(?P<o>{DAY})(?P<n>\s+(?:now|instead|then))?",
    re.IGNORECASE,
)
_OPENS: Final = re.compile(rf"^(?P<o>{DAY})(?=[.,;!]|\s+at\b|$)", re.IGNORECASE)
_STATED_ZH: Final = re.compile(
    rf"(?:改|提|推迟|推|挪|延期?|换|定|提前)(?:到|成|在|至)?了?(?P<o>{DAY_ZH}(?:{DAY_ZH})?)(?=[，,。；;！!吧了]|再|$)|^(?:那就|就|那)?(?P<p>{DAY_ZH}(?:{DAY_ZH})?)吧"
)
_DOUBT: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|should|joking|kidding|almost|wish|suppose)\b|如果|要是|会不会|能不能|要不要|可能|也许|或许|说不定|考虑|建议|提议|没有?(?:改|推|提|定|挪|延|换)|不(?:改|想)|听说",
    re.IGNORECASE,
)
_OF_OTHERS_ZH: Final = re.compile(
    rf"(?:同事|朋友|同学|邻居|客户|对手|老板|室友|[堂表大小]?[哥姐弟妹叔姨舅姑爸妈儿女][哥姐弟妹叔姨舅姑爸妈子儿]?)的(?:{EVENT_ZH})"
)
"""Somebody else's event is a matter of its own: 表妹的婚礼 is not 婚礼."""
_BACK: Final = 3


def dated_events(turns: Sequence[Turn], index: int) -> Iterator[tuple[Sentence, Claim]]:
    """Days that the turn at ``index`` gives to an event named beside or before."""
    turn = turns[index]
    before = ""
    for sentence in sentences_of(turn):
        text = sentence.text.strip()
        if not sentence.asks and not _DOUBT.search(text):
            day, fragment = _day(text)
            event = ""
            if day and fragment:
                event = _only(before)
            elif day:
                event = _only(turn.text) or _earlier(turns, index)
                if event and (owned := _OF_OTHERS_ZH.search(text)) and event in owned.group():
                    event = owned.group()
            if event:
                yield (
                    sentence,
                    Claim(
                        subject=event,
                        relation="scheduled_for",
                        object=day,
                        text=text,
                        subject_type="concept",
                    ),
                )
        before = sentence.text


def _day(text: str) -> tuple[str, bool]:
    """The day that a sentence gives, and whether it says nothing else."""
    if match := _STATED.match(text):
        return match.group("o"), False
    if match := _OPENS.match(text):
        return match.group("o"), True
    if not text.isascii() and (match := _STATED_ZH.search(text)):
        return match.group("o") or match.group("p"), False
    return "", False


def _earlier(turns: Sequence[Turn], index: int) -> str:
    for turn in reversed(turns[max(0, index - _BACK) : index]):
        found = _events(turn.text)
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


def _only(text: str) -> str:
    found = _events(text)
    return found[0] if len(found) == 1 else ""


def _events(text: str) -> list[str]:
    named = [match.group().lower() for match in _EVENT.finditer(text)]
    if not text.isascii():
        named += [match.group() for match in _EVENT_ZH.finditer(text)]
    return list(dict.fromkeys(named))
