"""Words of a query that tell what kind of answer it wants. Small, bilingual, documented tables."""

from __future__ import annotations

import re

from mnemis.model.query import Intent
from mnemis.recall.wide import EVERYTHING, VAGUE

INTENTS: dict[Intent, re.Pattern[str]] = {
    "when": re.compile(
        r"\bwhen\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b|\bwhich (?:day|month|year)\b"
        r"|什么时候|何时|哪天|哪一天|几点|几号|几月|哪年|多久|时间是",
        re.IGNORECASE,
    ),
    "why": re.compile(
        r"\bwhy\b|\bhow come\b|\bwhat caused\b|\breason\b|为什么|为何|怎么会|原因|导致",
        re.IGNORECASE,
    ),
    "how": re.compile(r"\bhow (?:did|do|does|can|to)\b|怎么|怎样|如何", re.IGNORECASE),
    "who": re.compile(r"\bwho(?:m|se)?\b|谁|哪位", re.IGNORECASE),
    "where": re.compile(
        r"\bwhere\b|\bwhich (?:city|place|country)\b|哪里|哪儿|在哪|什么地方", re.IGNORECASE
    ),
    "all": EVERYTHING,
    "vague": VAGUE,
    "now": re.compile(
        r"\bnow\b|\bcurrent(?:ly)?\b|\blatest\b|\bstill\b|\bthese days\b|\bat the moment\b"
        r"|\bin the end\b|\bfinal(?:ly)?\b|\bend up\b|现在|目前|最新|如今|最近|最终|最后|还是",
        re.IGNORECASE,
    ),
    "before": re.compile(
        r"\bbefore\b|\bprevious(?:ly)?\b|\bused to\b|\boriginal(?:ly)?\b|\bat first\b"
        r"|\bformer(?:ly)?\b|\bto begin with\b|\b(?:in|at) the (?:beginning|start)\b"
        r"|\bonce (?:was|were|had)\b"
        r"|\b(?:did|was|were|had) (?:[\w'’]+ ){1,4}first\b(?! (?:time|name|aid|class|thing))"
        r"|\b(?:was|were|is) (?:the|my|our|his|her|their|[\w'’]+s) first "
        r"(?!time|name|aid|class|thing)\w+"
        r"|\bearlier\b|\binitial(?:ly)?\b|\bback then\b|\bin those days\b"
        r"|那会儿|那阵子|那时候|以前|之前|原来|最初|原先|原本|一开始|当初|曾经|最早|起初|起先|先前|从前|最开始|早先|本来",
        re.IGNORECASE,
    ),
}

ANAPHORA = re.compile(
    r"\b(?:that|this|the other|the same) one\b|\bit\b|\bthey\b|\bthem\b|\bhe\b|\bshe\b|\bthere\b"
    r"|\bthat\b(?! \w+ed)|那个|这个|那件|这件|它|他们|她|他|那里|那边",
    re.IGNORECASE,
)

_RELATION_CUES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"\bboss\b|\bmanager\b|\breports? to\b|\bsupervisor\b|上司|老板|领导|经理|汇报",
        ("reports_to", "manages"),
    ),
    (
        r"\bwork(?:s|ed|ing)?\b|\bjobs?\b|\bemployer\b|\bcompany\b|工作|上班|任职|就职|公司|职业|单位",
        ("works_at", "works_as", "works_on"),
    ),
    (
        r"\bliv(?:e|es|ed|ing)\b|\bmoved?\b|\bhome\b|\bcity\b|\baddress\b|住|搬|家在|城市|地址",
        ("lives_in", "moved_from", "located_in"),
    ),
    (r"\bborn\b|\bbirthday\b|\bcomes? from\b|出生|生日|老家|家乡", ("born_in", "born_on")),
    (r"\bcolleagues?\b|\bco-?workers?\b|同事", ("colleague_of", "works_at", "works_on")),
    (r"\bfriends?\b|朋友|闺蜜", ("friend_of", "knows")),
    (
        r"\bwife\b|\bhusband\b|\bpartner\b|\bgirlfriend\b|\bboyfriend\b|\bmarried\b|妻子|老婆|丈夫|老公|伴侣|对象|男友|女友|男朋友|女朋友",
        ("partner_of",),
    ),
    (
        r"\bsister\b|\bbrother\b|\bmother\b|\bfather\b|\bmum\b|\bmom\b|\bdad\b|\bparents?\b|\bcousin\b|\baunt\b|\buncle\b|\bfamily\b|姐|妹|哥|弟|妈|爸|父|母|表|堂|家人|亲戚",
        ("family_of", "parent_of"),
    ),
    (
        r"\bson\b|\bdaughter\b|\bkids?\b|\bchild(?:ren)?\b|儿子|女儿|孩子",
        ("parent_of", "family_of"),
    ),
    (
        r"\blik(?:e|es|ed)\b|\blov(?:e|es|ed)\b|\benjoys?\b|\bfavou?rites?\b|\bprefers?\b|\bhobb(?:y|ies)\b|喜欢|爱|偏好|最爱|爱好",
        ("likes", "prefers", "dislikes"),
    ),
    (r"\bhates?\b|\bdislikes?\b|\bavoids?\b|讨厌|不喜欢|避免|忌", ("dislikes", "avoids")),
    (
        r"\ballerg|\bhealth\b|\bcondition\b|过敏|健康|生病|忌口",
        ("allergic_to", "has_condition", "avoids"),
    ),
    (r"\bpets?\b|\bdogs?\b|\bcats?\b|宠物|狗|猫", ("has_pet",)),
    (
        r"\bsuppl(?:y|ier|iers|ies|ied)\b|\bvendors?\b|\bprovider\b|供应|厂商|供货",
        ("supplied_by", "made_by"),
    ),
    (r"\bcosts?\b|\bpric(?:e|es|ing)\b|\bfees?\b|\brent\b|价格|多少钱|费用|定价|房租", ("costs",)),
    (r"\bschedul|\blaunch\b|\bdeadline\b|\bdate\b|安排|上线|发布|日期|截止", ("scheduled_for",)),
    (r"\bdecid|\bdecision|\bchos|\bchoose|\bpick(?:ed)?\b|决定|选择|选了|定下|敲定", ("decided",)),
    (r"\buses?\b|\busing\b|用的|使用|在用", ("uses", "prefers", "owns")),
    (
        r"\bstud(?:y|ies|ied)\b|\bschool\b|\buniversity\b|\bcollege\b|学校|大学|毕业|专业|读书",
        ("studies_at", "studies"),
    ),
    (r"\bphone\b|\bemail\b|\bcontact\b|\bnumber\b|电话|手机号|邮箱|联系方式|微信", ("contact_is",)),
    (r"\bplans?\b|\bwants?\b|\bgoing to\b|\bgoals?\b|打算|计划|想要|目标", ("plans", "wants")),
    (r"\bvisit|\btrips?\b|\btravel|\bwent to\b|去过|旅行|旅游|出差", ("visited", "plans")),
    (r"\bbought\b|\bbuy\b|\bpurchas|买", ("bought", "owns")),
    (r"\bcalled\b|\bnames?\b|叫什么|名字|叫作", ("named",)),
)
RELATION_CUES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), types) for pattern, types in _RELATION_CUES
)


_BEFORE_NOW = re.compile(
    r"\bbefore\b[^,.;?!]{0,40}\b(?:now|current|latest|present)\b|(?:现在|如今|目前).{0,12}(?:之前|以前)(?!那)",
    re.IGNORECASE,
)


def intents_of(text: str) -> frozenset[Intent]:
    """Every intent whose words occur; of "now" and "before" the one that is named last, for that
    is what is asked (以前那个店,现在叫什么): but "before the current one" asks for the past.
    """
    found: set[Intent] = {name for name, pattern in INTENTS.items() if pattern.search(text)}
    if {"now", "before"} <= found:
        past = _BEFORE_NOW.search(text) or _last("before", text) > _last("now", text)
        found.discard("now" if past else "before")
    return frozenset(found)


def _last(intent: Intent, text: str) -> int:
    return max(match.start() for match in INTENTS[intent].finditer(text))


def relations_of(text: str) -> tuple[str, ...]:
    """Relation types the words ask along, in table order, without repeats."""
    found = (each for pattern, types in RELATION_CUES if pattern.search(text) for each in types)
    return tuple(dict.fromkeys(found))
