"""Requests for everything about a matter, and vague ones: how they are worded, and what is left
when the wording is taken away. Small, bilingual, documented tables.
"""

from __future__ import annotations

import re

EVERYTHING = re.compile(
    r"\beverything\b|\ball (?:the|of|that|our|my|his|her|their|about)\b|\bevery\b|\blist\b"
    r"|\bwhat (?:all|else)\b|\banything\b|\bsummar\w*|\boverview\b|\bhistory of\b|\brecap\b"
    r"|\b(?:the|that) (?:whole|entire|full) (?:\w+ )?(?:business|story|saga|affair|matter|thing)\b"
    r"|\ball mentions\b|\bgo (?:through|over) (?:all|every)|\bevery (?:step|time|detail)\b"
    r"|\bfrom (?:first|start|beginning) to (?:last|finish|end)\b|\bto (?:now|date|this day)\b"
    r"|\bstep by step\b|\bthe ins and outs\b|\balong the way\b|\bover (?:the )?time\b"
    r"|\bwhat (?:do|have|did) (?:you|we|i) (?:ever |already )?"
    r"(?:know|knew|told?|tell|say|said|mention(?:ed)?|heard?|learn(?:ed|t)?)"
    r"(?: (?:you|me|each other))?(?= (?:about|of|on)\b)"
    r"|\b(?:fill me in|catch me up|bring me up to (?:date|speed))(?= (?:on|about|with)\b)"
    r"|所有|全部|一切|哪些|都.{0,6}(?:说|聊|谈|讨论|提|做|决定|有|知道)|总结|汇总|梳理|回顾|来龙去脉"
    r"|一五一十|前前后后|从头到尾|始末|全过程|整个过程|整件事|每一(?:步|次|回)|那些事"
    r"|[过讲说理]一遍|列(?:一下|出来|举)|(?:有关|相关)的?都|都(?:要|列|讲|找|告诉)|(?:全|都)找出来"
    r"|到(?:现在|如今|最后)的?(?:所有|全部|经过|过程)|(?:讲讲|说说|聊聊)(?!的|过)"
    r"|(?:关于|对).{1,20}(?:知道|了解)(?:些|点)?(?:什么|多少)|有(?:什么|啥)(?:消息|近况|进展)",
    re.IGNORECASE,
)

VAGUE = re.compile(
    r"\bsomething\b|\bsomeone\b|\bsomewhere\b|\bi think\b|\bor so\b|\bkind of\b|\bvaguely\b"
    r"|\bwasn't there\b|\bremind me\b|\bthat (?:thing|stuff|business|matter)\b"
    r"|\bi (?:forget|can't|can never|don't remember)\b|忘了"
    r"|好像|似乎|大概|来着|那件事|那个事|什么的(?!\w)|有点印象|记不清|记得.{0,4}(?:提|说|聊)",
    re.IGNORECASE,
)

_ENGLISH_FRAME = re.compile(
    r"\b(?:can|could|would|will) you\b|\bplease\b"
    r"|\b(?:tell|give|show|remind|list|fill|catch|bring)(?: (?:me|us))?"
    r"(?: in| up(?: to (?:date|speed))?)?\b"
    r"|\b(?:summari[sz]e|summary|overview|recap)\b"
    r"|\bwhat (?:do|did|have|has|was|were) (?:we|you|i|they|been|anyone) "
    r"(?:ever |already |all )?(?:know|knew|say|said|tell|told|heard?|learn(?:ed|t)?|mention(?:ed)?"
    r"|discuss(?:ed)?|talk(?:ed)?|decided?)?(?: (?:you|me))?\b"
    r"|\b(?:there is|there was|that was|wasn't there|was it|it was)\b"
    r"|\b(?:we|anyone|everybody|everyone)\b"
    r"|\b(?:said|mention(?:ed|s)?|discussed|talked|decided)\b"
    r"|\b(?:whole|entire|full|story|saga|business|matters?|stuff|everything on)\b"
    r"|\b(?:so far|up to now|until now)\b",
    re.IGNORECASE,
)
"""English words that make the request and say nothing of its matter."""

_CHINESE_FRAME = re.compile(
    r"^(?:请|麻烦|劳驾)?(?:你|您)?(?:[帮替给跟和向]我)?(?:再)?(?=\S)"
    r"(?:讲讲|说说|聊聊|谈谈|讲一讲|说一说|列出|列一下|总结|汇总|梳理|回顾|整理|找出|告诉我|想想)?"
    r"(?:一下)?把?"
    r"|(?:我们|大家|咱们|你|您|我)?(?:一共|都|总共|前前后后)?"
    r"(?:说|聊|谈|讨论|提|讲|做|知道|了解)(?:过|到|了)?(?:些|点)?(?:的|什么|多少)"
    r"|(?:我们|大家|咱们)?(?:一共|都|总共|前前后后)?(?:说|聊|谈|讨论|提|讲|做)(?:过|到|了)(?:些|的)?"
    r"|关于|对于|方面|相关|有关|这个话题|那一?摊子?事|整个过程|来龙去脉|(?:都)?(?:有)?哪些"
    r"|什么的?|怎样的?|好像|是说|大概"
    r"|(?:有|的)?(?:什么|啥)?(?:消息|近况|进展)(?=[。？！?!.]?$)"
    r"|的?(?:全部|所有|一切)?(?:内容|情况|信息|经过|事情?)?(?:[全都再])?(?:[给跟向]我)?"
    r"(?:告诉我|(?:讲|说|列|找|理|捋|过|总结|汇总|梳理|整理|讲讲|说说|聊聊)"
    r"(?:给我)?(?:一遍|一下|出来|清楚|听听)?[吧呗]?)?[。？！?!.]*$",
)
"""The same in Chinese; the last line is how such requests end."""


def topic_of(text: str) -> str:
    """What a request for everything (or a vague one) is about, without the words of the request.

    The text itself when nothing else would be left.

    >>> topic_of("Everything we decided about pricing")
    'about pricing'
    """
    bare = text
    for pattern in (_CHINESE_FRAME, EVERYTHING, VAGUE, _ENGLISH_FRAME):
        bare = pattern.sub(" ", bare)
    bare = " ".join(bare.split()).strip(" ,.?!，。？！…、")
    return bare if any(character.isalnum() for character in bare) else text
