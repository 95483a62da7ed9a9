"""Chinese object phrases, cut to what can be asked for."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 18


def contact(aspect: str) -> str:
    """One word for one way to reach somebody."""
    if re.search(r"电话|手机", aspect):
        return "电话"
    return "邮箱" if re.search(r"邮", aspect) else aspect.removesuffix("号")


def bare_taste(target: str) -> str:
    """苦瓜 for 吃苦瓜: eating is how one likes food."""
    return (
        re.sub(r"^(?:吃|喝|看|听|玩|用|抽|打|穿)(?=.)", "", target) if len(target) > 1 else target
    )


CUT: Final = re.compile(
    r"[，,。；;！!？?（(、:：].*$|(?:因为|由于|所以|但是|但|不过|而且|并且|然后|之后|以后|的时候|了吧|来着).*$"
)


ENDS: Final = re.compile(
    r"(?:了|啦|啊|呢|吧|哦|呀|的|着|嘛|哈|上班|工作|生活|附近住|参观|旅游|旅行|出差|散步|玩|逛逛|看看|度假|那块儿|那边|这边|一带)+$"
)


STARTS: Final = re.compile(
    r"^(?:在(?=\d|[一二三四五六七八九十]+月)|于(?=\d)|了|过|着|一家|一个|一份|一款|一只|一条|一下|这家|那家|这个|那个|[:：\s])+"
)


def tidy(text: str) -> str:
    """The object phrase at the head of ``text``; "" when nothing short is left."""
    phrase = STARTS.sub("", CUT.sub("", text.strip()))
    phrase = ENDS.sub("", phrase.strip(" “”「」『』\"'~～"))
    if re.match(r"^(?:这|那)(?:儿|里|边|个|家|位)?", phrase):
        return ""
    return (
        phrase.strip(" “”「」『』\"'~～")
        if 0 < len(phrase) <= LONGEST + 22 * phrase.isascii()
        else ""
    )
