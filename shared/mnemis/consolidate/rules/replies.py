"""What two turns assert together: a short answer to a question, and a yes to a proposal.

"Where do you live?" – "Lisbon." becomes "I live in Lisbon" and is read like any sentence; 我建议399元
– "OK, 399 yuan" settles a price that neither turn states alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.objects_en import tidy
from mnemis.consolidate.rules.speech import is_personal, sentences_of
from mnemis.consolidate.rules.values import AMOUNT, DAY, DAY_ZH, kind_of, same_value
from mnemis.model.graph import Turn
from mnemis.text.normalise import language

_NAME: Final = r"(?:(?-i:[A-ZÀ-Þ])[\w&'’.+-]*\w(?:\s(?-i:[A-ZÀ-Þ])[\w&.+-]*\w){0,3})"
_N: Final = r"(?P<n>[\w' -]{2,40}?)"
_ANSWER: Final = re.compile(
    r"^(?:(?:oh|hm+|well|ok|okay|so|still|now|it['’]s|that['’]s|i['’]d say|probably|in|at|on|with|for|the|about|around)[,\s]+)*"
    r"(?P<v>[^.,;!?]{1,50})(?=[.,;!]|$)",
    re.IGNORECASE,
)
_ANSWER_ZH: Final = re.compile(
    r"^(?:嗯|哦|现在|还是|就|是|在|改成了?|大概|用|叫|住)*[，,\s]?(?P<v>[^，,。；;！!？?]{1,14}?)(?:了|吧|啊|呢|哦)?(?=[，,。；;！!]|$)"
)
_VERBISH: Final = re.compile(
    r"\b(?:is|are|was|were|am|be|do|does|did|have|has|had|can|will|would|could|should|not|n['’]t|know|think|sure|no|yes|yeah|yep|nope|maybe|none|depends|nothing|i|we|you|he|she|they|it|what|why|how)\b",
    re.IGNORECASE,
)
_VERBISH_ZH: Final = re.compile(
    r"不|没|是|有|会|能|可以|知道|觉得|应该|可能|看|想|要|好|行|对|我|你|他|她|哈|嘿|谢|什么|怎么|吗"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """A question and the statement that a short answer to it makes."""

    asks: re.Pattern[str]
    says: str
    kinds: frozenset[str] = frozenset()


def _f(pattern: str, says: str, kinds: str = "") -> _Form:
    return _Form(asks=re.compile(pattern, re.IGNORECASE), says=says, kinds=frozenset(kinds.split()))


_FORMS: Final = (
    _f(r"\bwhere (?:do|are) you (?:\w+ )?(?:live|living|based)\b", "I live in {v}.", "name"),
    _f(r"\b(?:where|who) do you (?:\w+ )?work(?: for| at)?\b", "I work at {v}.", "name"),
    _f(r"\bwhat do you (?:usually |normally |now )?drink\b", "I drink {v}.", "thing"),
    _f(
        r"\b(?:what|which) sports? (?:do|are) you (?:\w+ )?(?:do|doing|play|playing)\b",
        "I do {v}.",
        "thing",
    ),
    _f(
        rf"\bhow much (?:is|are|does|do|would) (?:the |our )?{_N}(?: cost| now)*\s*\?",
        "The {n} costs {v}.",
        "money number",
    ),
    _f(rf"\bwhat (?:does|do) (?:the |our )?{_N} cost\b", "The {n} costs {v}.", "money number"),
    _f(
        rf"\bwhat(?:['’]s| is) (?:the |our )?(?:new |current )?{_N} price\b",
        "The {n} costs {v}.",
        "money number",
    ),
    _f(
        rf"\bwhen(?:['’]s| is| are) (?:the |our )?(?:new )?{_N}(?: now| then)?\s*\?",
        "The {n} is scheduled for {v}.",
        "date",
    ),
    _f(
        rf"\b(?:what|which) (?:day|date) is (?:the |our )?{_N}(?: now| then| on)?\s*\?",
        "The {n} is scheduled for {v}.",
        "date",
    ),
    _f(
        rf"\bwhat(?:['’]s| is) your (?:new |current )?{_N}(?: now| again| these days)?\s*\?",
        "My {n} is {v}.",
    ),
    _f(
        rf"\bwho (?:makes|builds|produces) (?:the |our )?{_N}(?: now)?\s*\?",
        "The {n} is made by {v}.",
        "name",
    ),
    _f(
        rf"\bwho (?:supplies|delivers) (?:the |our )?{_N}(?: now)?\s*\?",
        "The {n} is supplied by {v}.",
        "name",
    ),
)
_FORMS_ZH: Final = (
    _f(r"你?(?:现在|们)?住(?:在)?(?:哪|什么地方)", "我住在{v}"),
    _f(r"你?在(?:哪|什么)(?:里|儿|家|个公司|公司)?(?:工作|上班)", "我在{v}工作"),
    _f(r"你(?:现在|平时|早上|下午|一般)*喝(?:什么|啥)", "我喝{v}"),
    _f(r"你的(?P<n>[\u4e00-\u9fff]{1,8}?)(?:现在)?(?:是|叫)(?:什么|多少|谁|哪)", "我的{n}是{v}"),
    _f(
        r"(?P<n>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:现在)?(?:的)?(?:价格|售价)?(?:卖|要|是|定)?(?:多少钱|多少)",
        "{n}的价格是{v}",
        "money number",
    ),
    _f(
        r"(?P<n>[\u4e00-\u9fff]{2,8}?)(?:现在|到底)?(?:是|定在|改到|在)?(?:什么时候|哪天|几号|几点|周几)",
        "{n}定在{v}",
        "date",
    ),
)
_CHOICE: Final = re.compile(
    r"\b(?:what|which)\s+(?P<n>[a-z][a-z -]{2,24}?)\s+(?:do|are|should|shall|will|did)\s+we\s+(?:\w+\s+)?(?:use|using|go(?:ing)? with|take|taking|pick|choose)\b(?:\s+for\s+(?:the\s+|our\s+)?(?P<m>[a-z][\w -]+?))?\s*\?",
    re.IGNORECASE,
)
_CHOICE_ZH: Final = re.compile(
    r"(?P<n>[\u4e00-\u9fff]{2,6}?)(?:现在|到底|最后)?(?:用|选|定|找)(?:的是)?(?:哪|什么|谁)"
)
_ASSENT: Final = re.compile(
    r"^(?:ok(?:ay)?|agreed|fine(?:\s+by\s+me)?|done|deal|yes|yep|yeah|right|sure|perfect|sounds good|good|great|convinced|let['’]s (?:do|say)|then|correct)\b[\s,.:!—–-]*(?:then\s+|let['’]s\s+(?:do|say|go with|make it)\s+|we\s+(?:go with|do|say)\s+|it['’]s\s+|at\s+|on\s+)?(?P<v>[^.;!?]{1,60})",
    re.IGNORECASE,
)
_THEN: Final = re.compile(
    rf"^(?P<v>{AMOUNT}|{DAY}|\d[\d.,]*|{_NAME})\s+then(?=[.,!]|$)", re.IGNORECASE
)
_ASSENT_ZH: Final = re.compile(
    r"^(?:好的?|行|可以|同意|对|嗯|没问题|OK|ok|就这么定|那)[，,、。！!\s]*(?:那)?(?:就|定)*(?P<v>[^，,。；;！!？?]{1,14}?)(?:吧|了|啦)?(?=[，,。；;！!]|$)"
)
_FIGURE: Final = re.compile(
    rf"{AMOUNT}|{DAY}|{DAY_ZH}|[一二三四五六七八九十百千万两]+(?:元|块)|(?<![\w.])\d[\d.,]*(?![\w%])",
    re.IGNORECASE,
)
_PROPOSES: Final = re.compile(
    r"\b(?:i['’]d (?:say|go)|how about|what about|suggest|propose|proposal|could do|we could|let['’]s|if we)\b|\?|？|建议|提议|吧|要不|不如|怎么样|得动|with\b",
    re.IGNORECASE,
)
_TOPIC: Final = re.compile(
    rf"^(?:[A-Za-z]+[.!,]\s+)?(?:so|ok|then)[\s,]+(?:the\s+|our\s+)?(?P<d>[a-z]+(?:\s[a-z]+)?)\s+(?:at|on|in|by|for|is|moves?\s+to)\s+(?:the\s+(?:end|start)\s+of\s+)?(?=(?:{DAY}|{AMOUNT}))|"
    rf"(?:{AMOUNT}|{DAY})\s+(?:for|as)\s+(?:the|our)\s+(?P<e>[a-z]+(?:\s[a-z]+)?)|"
    r"\b(?:what|how)\s+about\s+(?:the\s+|our\s+)?(?P<a>[A-Za-z][\w -]{1,24}?)\s*\?|\b(?:price|cost|fee|rent|budget)\s+(?:for|of|in)\s+(?:the\s+)?(?P<b>[A-Za-z][\w-]+(?:\s[A-Z]\w+)?)|"
    r"\b(?:the|our)\s+(?P<c>(?:[a-z]+\s)?(?:price|budget|rent|fee|deadline|launch|meeting|delivery|party|wedding|kick-?off|demo|interview|exam|trip|dinner|release))\b",
    re.IGNORECASE,
)
_TOPIC_ZH: Final = re.compile(
    r"^(?:那|另外|还有)?(?P<a>[\u4e00-\u9fff]{2,4}?)(?=(?:的)?(?:价格?|售价|那边|这边)?(?:太|也|得|就|卖|定|要|改|怎么))|(?P<b>[\u4e00-\u9fff]{0,3}(?:房租|会议|发布会|婚礼|截止日|预算|比赛|考试|聚会|面试|上线))"
)
_NOT_TOPIC_ZH: Final = re.compile(
    r"^(?:我|你|他|她|它|这|那|大家|什么|怎么|就|也|都|不|没|可以|应该|如果|还|因|所以|但)"
)
_BACK: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A claim that rests on a turn and on those before it, best first; ``statement`` is what to
    read in place of the turn instead, "" when there is a claim.
    """

    claim: Claim | None
    turns: tuple[str, ...]
    statement: str = ""


def replies(turns: Sequence[Turn], index: int) -> Iterator[Reply]:
    """What the turn at ``index`` says as a reply to those before it."""
    turn = turns[index]
    first = next(iter(sentences_of(turn)), None)
    if first is None or first.asks or len(turn.text) > 240:
        return
    earlier = [
        each
        for each in turns[max(0, index - _BACK) : index]
        if is_personal(each) or each.role == "assistant"
    ]
    if not earlier:
        return
    before = earlier[-1]
    text = first.text.strip()
    if before.speaker != turn.speaker and before.question_share > 0:
        yield from _answer(before, turn, text)
    proposals = [each for each in earlier if each.speaker != turn.speaker and is_personal(each)]
    if proposals:
        yield from _assent(proposals, earlier, turn, text)


def _answer(question: Turn, turn: Turn, text: str) -> Iterator[Reply]:
    asked = [each.text for each in sentences_of(question) if each.asks]
    if not asked:
        return
    last = asked[-1].strip()
    chinese = language(last) == "zh"
    match = (_ANSWER_ZH if language(text) == "zh" else _ANSWER).match(text)
    value = match.group("v").strip() if match else ""
    if not value or (
        _VERBISH_ZH.search(value) if language(text) == "zh" else _VERBISH.search(value)
    ):
        return
    if len(value.split()) > 5:
        return
    for form in _FORMS_ZH if chinese else _FORMS:
        found = form.asks.search(last)
        if found is None or (form.kinds and kind_of(value) not in form.kinds):
            continue
        noun = found.groupdict().get("n") or ""
        if noun.strip().lower() in ("it", "that", "this", "you", "he", "she", "they"):
            return
        yield Reply(claim=None, turns=(turn.id,), statement=form.says.format(v=value, n=noun))
        return
    choice = (_CHOICE_ZH if chinese else _CHOICE).search(last)
    if choice is not None and kind_of(value) in ("name", "thing"):
        topic = choice.groupdict().get("m") or choice.group("n")
        yield Reply(
            claim=Claim(
                subject=re.sub(r"^(?:我们|咱们|那)的?", "", topic).strip().lower(),
                relation="decided",
                object=tidy(value, keep_article=False) if value.isascii() else value,
                text=text,
                subject_type="concept",
            ),
            turns=(turn.id, question.id),
        )


def _assent(
    proposals: Sequence[Turn], earlier: Sequence[Turn], turn: Turn, text: str
) -> Iterator[Reply]:
    chinese = language(text) == "zh"
    match = (_ASSENT_ZH if chinese else _ASSENT).match(text) or _THEN.match(text)
    if match is None:
        return
    figure = _FIGURE.search(match.group("v"))
    if figure is None:
        return
    value = figure.group().strip()
    kind = kind_of(value)
    for proposal in reversed(proposals):
        named = [each.group() for each in _FIGURE.finditer(proposal.text)]
        if not any(same_value(value, each) for each in named):
            continue
        if not _PROPOSES.search(proposal.text):
            return
        subject = _topic(proposal.text) or next(
            (topic for each in reversed(earlier) if (topic := _topic(each.text))), ""
        )
        relation = "scheduled_for" if kind == "date" else "costs"
        if kind == "date" and not subject:
            return
        if kind == "number" and not any(kind_of(each) == "money" for each in named):
            return
        yield Reply(
            claim=Claim(
                subject=subject,
                relation=relation if subject else "decided",
                object=value,
                text=text,
                subject_type="concept" if subject else "person",
            ),
            turns=(turn.id, proposal.id),
        )
        return


def _topic(text: str) -> str:
    """What a question or a proposal is about, when it opens with it or names it plainly."""
    found = (_TOPIC_ZH if language(text) == "zh" else _TOPIC).search(text)
    topic = next((each for each in found.groups() if each), "") if found else ""
    return "" if _NOT_TOPIC_ZH.match(topic) else topic.strip()
