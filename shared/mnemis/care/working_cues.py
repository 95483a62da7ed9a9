"""Words by which people rule out, prefer, settle and take back, also where no fact tells it."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from typing import Final

TAKEN_BACK: Final = re.compile(
    r"\b(?:no longer|any ?more|instead|never ?mind|on second thoughts?|scrap(?:ped)?|forget"
    r"|cancel(?:led|ed)?|called off|dropped?|changed (?:my|our) minds?|not going (?:to|with)"
    r"|after all|allowed again"
    r"|actually\b.{0,20}\b(?:rather|prefer|want|need|take|let['’]s|going with))\b"
    r"|[不别没].{0,12}了|算了|取消|作废|不再|改主意|而不是|[改换](?:成|用|为|坐|去|到)"
    r"|其实.{0,6}(?:更|还是|宁)|还是[放加]|又可以|又允许",
    re.IGNORECASE,
)
"""Said of a decision or a wish, it no longer holds, whether or not a fact tells what does."""

MOVED: Final = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )\b(?:moved|postponed|pushed|rescheduled|shifted|delayed|changed|brought forward)\b"
    r".{0,30}\b(?:to|until)\b|[改推挪延提][迟后前期]?(?:到|至|在)",
    re.IGNORECASE,
)
"""Said with a day, a day that was settled before it is over."""

_DAY_ALONE: Final = re.compile(
    r"^[\s,，。.!！]*(?:on|for|the|of|定在|定于|定|在|于)?[\s,，。.!！]*$", re.IGNORECASE
)

_LONG_AGO: Final = re.compile(
    r"\byears?\s+ago\b|\bback then\b|\bin those days\b|\bas a (?:child|kid|boy|girl)\b"
    r"|\bwhen (?:i|we) (?:was|were)\b|[一二两三四五六七八九十几多\d]年前|小时候|当年|那时|从前",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(
    r"\bin\s+((?:1[89]|20)\d\d)\b|((?:1[89]|20)\d\d)年(?!.{0,12}的)", re.IGNORECASE
)

_JOKE: Final = re.compile(
    r"(?<!not )(?<!no )\b(?:joked|joking|kidding)\b|(?<!不是)(?<!没)开玩笑|说笑", re.IGNORECASE
)
_REPORTED: Final = re.compile(
    r"^(?!i\b|we\b)[\w'’ ]{1,40}\b(?:said|says|told \w+|wrote|writes|shouted|sang|goes)\s*[:,]"
    r"|^(?![我咱])[\u4e00-\u9fff]{1,8}(?:说|道|喊|嚷|写)[过了着]?[：:，,]",
    re.IGNORECASE,
)

_LEAD: Final = r"^(?:(?:ok(?:ay)?|alright|right|so|then|fine|great|good|perfect|and|but|oh|actually|sorry|well)\b[,! ]*)*"
_LEAD_ZH: Final = r"^(?:(?:好的|好|行|嗯|可以|没问题|不过|但是|但|其实|还有|另外|对了)[，, ]*)*"
_BANNED: Final = (
    r"(?:rul(?:ed|es) (?:it|them|that|this) out|not allowed|forbid(?:s|den)|bann?ed|bans|prohibit\w*|"
    r"(?:won|doesn|don)['’]t allow|against the rules)"
)
_SAID_IDLY: Final = (
    "worry|forget|mind|hesitate|get me wrong|bother|laugh|judge|hate me|know|think|be |panic|"
    "rush|ask me (?:why|how)|you |feel|take (?:it|this)"
)
_DONE: Final = "call(?! me (?:crazy|mad|silly|stupid|old))|ring|phone|text|email|message|contact|wake|book|buy|order|use(?! th(?:at|is)\\b)|add|put|send|share|invite|include|schedule|serve|post"

_BINDING: Final = (
    ("avoids", rf"{_LEAD}(?:please,?\s+)?no\s+(?P<o>[\w'’ -]{{2,40}}?)\s*[,;:—–-]\s*.*\b{_BANNED}"),
    ("avoids", rf"{_LEAD}(?:please,?\s+no|no(?=[\w'’ -]{{3,40}},?\s+please\b))\s+(?!no\b)(?P<o>[\w'’ -]{{2,40}})"),
    ("avoids", rf"{_LEAD}please,?\s+(?:do not|don['’]?t|never)\s+(?!{_SAID_IDLY})(?P<o>\w+\s.+)"),
    ("avoids", rf"{_LEAD}(?:do not|don['’]?t|never)\s+(?P<o>(?:{_DONE})\s.+)"),
    ("avoids", r"^(?P<o>[\w'’ -]{2,40}?)\s+(?:is|are)\s+(?:ruled out|out of the question|off[- ]limits|off the table)\b"),
    ("prefers", rf"{_LEAD}(?:i|we)(?:['’]d|\s+would)\s+(?:much\s+)?rather\s+(?P<o>(?!(?:not )?(?:say|talk|know)\b)\w+\s.+)"),
    ("avoids", rf"{_LEAD}(?:i|we)\s+(?:really\s+)?(?:don['’]t|do not)\s+want\s+(?!.*\b(?:today|tonight|now|yet|any ?more)\b)(?P<o>(?:to\s+(?:fly|drive|travel|stay|eat|pay|spend|use|take|sit|sleep|share|rent|book|invite|serve|have)|any|an?|the)\b.*)"),
    ("decided", rf"{_LEAD}(?:it|that)['’]s (?:settled|decided|agreed)(?: then)?[,;:—–-]\s*(?P<o>\w+\s.+)"),
    ("decided", rf"{_LEAD}(?:let['’]s|let us|we['’]ll|we will|we['’]re|i['’]ll)\s+(?:go(?:ing)? with|stick (?:with|to)|settle on)\s+(?P<o>(?:the(?! (?:kids|children|family|boys|girls|others|flow)\b)|an?|this|these|those|option|plan|version|number)\s+\w.*)"),
    ("avoids", rf"{_LEAD_ZH}(?:请|麻烦|拜托|千万)(?:你|您|大家|你们)?(?:千万)?(?:不要|别|勿)(?![担着忘介客紧见笑怪生])(?P<o>.{{2,}})"),
    ("avoids", rf"{_LEAD_ZH}不要(?![担着忘介客紧脸命说笑怪生急怕这那了钱再光只总老你他她]|以为|相信|放弃)(?P<o>.{{2,}})"),
    ("avoids", rf"{_LEAD_ZH}别(?P<o>(?:给我|打电话|放|加|订|买|叫|安排|约|带|用(?![这那])).{{1,}})"),
    ("avoids", rf"{_LEAD_ZH}(?:我|我们|咱们)(?:真的|实在|就是)?不(?:想|愿意?+|要)(?!.*(?:今天|现在|今晚|[了吗]))(?![说提打扰知麻烦让活听谈聊你您他她]|承认|相信|面对|失去|错过|认输|放弃)(?P<o>.{{2,}})"),
    ("prefers", rf"{_LEAD_ZH}(?:我|我们|咱们)(?:其实)?(?:宁愿|宁可|更愿意|还是(?=[想要坐用选去买订住]))(?P<o>.{{2,}})"),
    ("decided", rf"{_LEAD_ZH}那?就(?:这么|这样|说)定了?[，,。！!\s]+(?P<o>.{{2,}})"),
    ("decided", rf"{_LEAD_ZH}那(?:我们|咱们|咱|大家)?就(?:用|选|订|买|定)(?!是)(?P<o>.{{2,}})"),
)  # fmt: skip
_PATTERNS: Final = tuple((kind, re.compile(text, re.IGNORECASE)) for kind, text in _BINDING)

_UNSURE: Final = re.compile(r"\b(?:maybe|perhaps|if)\b|也许|可能|如果|要不", re.IGNORECASE)


def binding(sentence: str) -> tuple[str, str] | None:
    """What a sentence that asks nothing rules out, prefers or settles: the kind of the note, and
    the words for the matter; None for one that binds nothing.
    """
    if _UNSURE.search(sentence) or _JOKE.search(sentence):
        return None
    for kind, pattern in _PATTERNS:
        found = pattern.search(sentence)
        if found and not (kind == "avoids" and TAKEN_BACK.search(sentence)):
            return kind, found["o"]
    return None


def is_joke(sentence: str) -> bool:
    """Whether the speaker says that it is a joke."""
    return _JOKE.search(sentence) is not None


def is_reported(sentence: str) -> bool:
    """Whether a sentence begins with somebody else's saying it, such as "Dad said: …"."""
    return _REPORTED.search(sentence) is not None


def is_long_ago(sentence: str, year: int) -> bool:
    """Whether it tells of another time of life, or of a year before that one."""
    named = (int(found[1] or found[2]) for found in _YEAR.finditer(sentence))
    return _LONG_AGO.search(sentence) is not None or any(each < year for each in named)


def is_day_alone(rest: str) -> bool:
    """Whether words say nothing once the days that they name are taken out."""
    return _DAY_ALONE.search(rest) is not None
