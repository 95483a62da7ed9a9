"""Values that a text gives to a matter, told by their kind, and whether it says that they are new.

"Moved to Thursdays", "make that 15 pounds", 改到五月二十五, "it's Brightside from Monday": what matter is meant is
often left unsaid, so a value alone asserts nothing; ``amend`` finds the older value it overturns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemis.consolidate.rules.values import AMOUNT, MONTH, WEEKDAY, day_parts, figure_of
from mnemis.text.normalise import fold
from mnemis.text.sentences import question_share, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A value in a clause. ``kind`` is what it can compete with ("day", "money", "measure:km").
    ``changes``: the clause says that it is new; ``supposed``: it does not say that it holds.
    ``replaces``: whose place somebody took, ``role``: as what ("answer": a name that says nothing
    unless it answers a question for one).
    """

    kind: str
    value: str
    clause: str
    changes: bool = False
    supposed: bool = False
    replaces: str = ""
    role: str = ""


_HAN: Final = r"\u4e00-\u9fff"
_ZH_DIGITS: Final = "一二三四五六七八九十百千万两零"
_NAME: Final = r"(?-i:[A-ZÀ-Þ])[\w&'’.+-]*\w(?:\s(?:&\s)?(?-i:[A-ZÀ-Þ])[\w&'’.+-]*\w){0,3}"
_HOUR: Final = (
    r"(?:noon|midnight|half\s(?:past\s)?\w+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"\d{1,2}(?::\d\d)?\s?(?:am|pm|o['’]clock)?)"
)
_KINDS: Final = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            "day",
            (
                rf"(?:{WEEKDAY},?\s+)?(?:the\s+)?\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH}\b|\b{MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\b"
                r"|\bthe\s+\d{1,2}(?:st|nd|rd|th)\b(?!\s+(?:floor|time|birthday|century|anniversary|place|edition|row))"
                r"|(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3}|底|初|中旬?)[日号]?"
                r"|(?:\d{1,2}|(?:二十|三十|十)?[一二三四五六七八九十])[日号](?![线楼院店])"
            ),
        ),
        (
            "week",
            (
                rf"\b{WEEKDAY}(?:\s+(?:mornings?|afternoons?|evenings?|nights?))?(?:\s+at\s+{_HOUR})?\b"
                r"|(?:每|逢)?(?:周|星期|礼拜)[一二三四五六日天末](?:上午|下午|早上|晚上|中午|晚)?(?:[一二三四五六七八九十两\d]{1,3}点半?)?"
            ),
        ),
        (
            "clock",
            r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o['’]clock)\b|\b\d{1,2}:\d\d\b|(?:上午|下午|早上|晚上|中午)?[一二三四五六七八九十两\d]{1,3}点(?:半|[一二三四五六七八九十\d]+分)?(?!几|钟?的)",
        ),
        (
            "money",
            rf"{AMOUNT}|[{_ZH_DIGITS}]+(?:块|元)|\d[\d.]*(?:块|元)|(?<=租金|价格|预算|费用|押金)[{_ZH_DIGITS}]{{2,}}",
        ),
        (
            "measure",
            (
                r"\b\d+(?:\.\d+)?\s?(?P<u>minutes?|hours?|km|kilomet\w+|miles?|pages?|people|guests|chapters?|words|kilos?|kg|seats|percent|tablets?|episodes?)\b"
                rf"|(?:\d+(?:\.\d+)?|[{_ZH_DIGITS}]+个?半?)\s?(?P<z>平米|平方米?|公里|千米|小时|分钟|公斤|斤|页|章|集|个人|人|米|桌|票|片|字)(?:半|[{_ZH_DIGITS}]+分?钟?|\d+分?)?"
            ),
        ),
        ("code", r"(?-i:\b[A-Z]{1,3}-?\d{1,4}[A-Z]?\b)"),
    )
)
_TITLES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), changes)
    for pattern, changes in (
        (
            rf"^(?:(?:so|ok(?:ay)?|right|then|and|but)[\s,]+)*(?:it['’]s|it\s+is|we(?:['’]re|\s+are)|we\s+call\s+it)\s+(?P<v>{_NAME})\s+(?:now|instead|from\s+(?:\w+day|now\s+on|next\s+\w+|{MONTH}|today|tomorrow))\b",
            True,
        ),
        (
            rf"\b(?:renam\w+\s+(?:it|ours\w+|the\s+\w+(?:\s\w+)?)\s+(?:to\s+|as\s+)?|chang\w+\s+(?:its|our|the)\s+name\s+to\s+|new\s+name\s*(?:['’]s|is|:|will\s+be)\s+|now\s+(?:called|named)\s+|(?:is|are|be)\s+called\s+(?=\S+\s+now)|goes\s+by\s+)(?P<v>{_NAME})",
            True,
        ),
        (
            rf"(?:改名|更名|改叫|改名叫|换名)(?:字)?(?:叫|为|成|做)?了?[「『《“]?(?P<v>[{_HAN}A-Za-z0-9]{{2,8}}?)(?=[」』》”，,。；;！!\s了吧]|$)",
            True,
        ),
        (
            rf"(?:现在|如今|以后|就|还是)叫[「『《“]?(?P<v>[{_HAN}A-Za-z0-9]{{2,8}}?)(?=[」』》”，,。；;！!\s了吧]|$)",
            True,
        ),
        (r"[「『《](?P<v>[^」』》]{1,10})[」』》]", False),
        (
            rf"(?<!man )(?<!lad )(?<!guy )(?<!girl )(?<!boy )(?<!one )(?<!son )(?<!friend )(?<!lady )\b(?:called|named)\s+(?P<v>{_NAME})",
            False,
        ),
        (rf"^(?P<answer>(?P<v>{_NAME}))$", False),
    )
)
_CHOICES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), changes)
    for pattern, changes in (
        (
            (
                rf"\b(?:(?:gone|went|going|moved|switched|switching|changed)\s+(?:over\s+|back\s+)?to|(?:went|gone)\s+with|(?:settled|ended\s+up)\s+(?:on|with))\s+"
                rf"(?:(?:an?|the)\s+(?:\w+\s+)?(?:called|named)\s+)?(?P<v>{_NAME})"
            ),
            True,
        ),
        (
            rf"\b(?:going\s+with|we\s+(?:use|chose|picked)|I\s+(?:use|chose|picked)|using|ordered\s+from|buy(?:ing)?\s+from|signed\s+with)\s+(?:the\s+)?(?P<v>{_NAME})",
            False,
        ),
        (
            r"(?:换成|改用|换用|重写成|迁到|换到|最[后终](?:用|选|定)了?|还是用)(?P<v>[A-Z][A-Za-z0-9.+-]*(?:\s[A-Z][A-Za-z0-9.+-]*)*)",
            True,
        ),
        (
            r"(?:用的?是?|选了?|定了)\s?(?P<v>[A-Z][A-Za-z0-9.+-]*(?:\s[A-Z][A-Za-z0-9.+-]*)*)",
            False,
        ),
    )
)
_LEAVES: Final = re.compile(
    rf"\b(?P<r>{_NAME})(?:['’]s|\s+has|\s+is|\s+had|\s+will\s+be)?\s+(?:just\s+|already\s+)?(?:gone|leaving|left|leaves|retiring|retired|retires|quit|quitting|"
    r"moved?\s+on|moving\s+(?:on|away)|stepp(?:ed|ing)\s+down|gone\s+off|off\s+(?:sick|to)|on\s+(?:maternity\s+|sick\s+)?leave|been\s+promoted|handed\s+over)\b"
)
_COMES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Ii]t['’]s|[Ww]e\s+(?:now\s+)?have|[Tt]here['’]s|[Ww]e['’]ve\s+got|[Nn]ow)\s+(?:an?|the|our)\s+(?:new\s+)?(?P<a>[a-z]+)\s+(?:called|named)\s+(?P<v>{_NAME})",
        rf"\bnew\s+(?P<a>[a-z]+)\b[^.;!?]{{0,30}}?,\s+(?P<v>{_NAME})",
        rf"\b(?P<v>{_NAME})(?:['’]s|\s+is|\s+has|\s+will\s+be)?\s+(?:taking\s+over|takes\s+over|taken\s+over|stepping\s+in|filling\s+in|covering|in\s+charge\s+now|doing\s+it\s+now)",
    )
)
_RENAMING: Final = re.compile(
    r"\b(?:need|want|find|pick|choose)\w*\s+a\s+(?:new|different|better)\s+name|\bname\s+(?:has\s+to|must|needs\s+to)\s+(?:go|change)|\brenam|\bchange\s+(?:the|its|our)\s+name"
    r"|名字.{0,3}[要得]改|名字.{0,3}[要得]换|改个?名|换个?名字?|更名",
    re.IGNORECASE,
)
_CUE: Final = re.compile(
    r"\b(?:(?<!for\s)(?<!right\s)now|renam(?:ed|es|ing)|mov(?:ed|es|ing)|move\s+(?:it|that|the|our|to)|chang(?:ed|ing)|changes?\s+(?:it\s+|that\s+)?to|push(?:ed|es|ing)?|postponed?|delayed|put\s+(?:\w+\s+){0,3}(?:up|down|back)|rescheduled|rebooked|new\s+date|put\s+me\s+down\s+for|shift(?:ed|ing)|shifts?\s+(?:it\s+)?to|"
    r"brought\s+(?:\w+\s+){0,3}forward|instead|no\s+longer|switch(?:ed|es|ing)?|make\s+(?:it|that)|as\s+of|turned\s+out|turns\s+out|in\s+the\s+end|"
    r"(?:up|down|back|cut|raised|dropped|lowered|slipped|gone\s+up|went\s+up)\s+to|ended\s+up|after\s+all|correction|scratch\s+that)\b"
    r"|改|换|推迟|推到|往后推|提前|提到|挪|延到|延期|顺延|重约|改约|约到|调到|调回|调成|调整|不是.{1,12}是|最[后终]定|还是.{1,12}吧|现在|涨到|涨成|降到|降成|加到|减到|搬到|变成|更新",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"^\s*(?:no|nope|not\s+any\s*more|not\s+quite|actually|correction|sorry|wrong|scratch\s+that|hm+,?\s+no)\b|^\s*(?:不[,，。是对了行]|没有?[,，。]|错了|不对)",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(
    r"\b(?:if|unless|whether|suppose|supposing|imagine|wish|could|might|maybe|perhaps|jok(?:ed?|es|ing)|kidding|dream(?:t|ed|s)|pretend\w*|would|rumou?r\w*|apparently|on\s+average|almost|nearly|in\s+case)\b"
    r"|如果|要是|假如|除非|万一|是否|是不是|会不会|能不能|要不要|也许|或许|说不定|可能|听说|据说|平均|开玩笑|梦[见到]|谎称|差点|要不",
    re.IGNORECASE,
)
_WISHED: Final = re.compile(
    r"\b(?:consider\w*|thinking|want\w*|hop(?:e|es|ing)|propos\w+|suggest\w*|should|used\s+to|tempted|trying|asked|not|never|vote|said|says)\b|n['’]t\b"
    r"|想|希望|考虑|建议|提议|打算|商量着|应该|没有?[改换推提定涨降搬调延]|不[改换想会]|别|争取|以前|之前|原来",
    re.IGNORECASE,
)
_CLAUSE_ZH: Final = re.compile(r"[，,；;]")
_COMMON_ZH: Final = re.compile(r"\u4e00|[\u4e00-\u9fff]")


_ANSWER: Final = "answer"
_ASKS_NAME: Final = re.compile(
    r"\bcalled\b|\bnames?\b|\bcall (?:it|her|him)\b|叫什么|什么名|名字|取名", re.IGNORECASE
)


def is_name_of(value: Given, before: str) -> bool:
    """Whether a title stands as one, given the turn before it."""
    return value.role != _ANSWER or _ASKS_NAME.search(before) is not None


def denies(text: str) -> bool:
    """Whether a reply opens by saying that what was said before it is not so."""
    return _DENIES.search(text) is not None


def says_change(text: str) -> bool:
    """Whether any word of the text can tell of a change; cheap, and true too often."""
    return any(each.search(text) for each in (_CUE, _DENIES, _LEAVES, _GOES_OVER))


def is_unreal(text: str) -> bool:
    """Whether a text supposes, doubts or reports rather than says."""
    return _UNREAL.search(text) is not None


def is_wished(text: str) -> bool:
    """Whether a text wishes, proposes, denies or forbids rather than says."""
    return _WISHED.search(text) is not None


def is_added(text: str) -> bool:
    """Whether a text says that something holds beside what held."""
    return _BESIDE.search(text) is not None


def renames(text: str) -> bool:
    """Whether a text says that something is to be called otherwise."""
    return _RENAMING.search(text) is not None


_GOES_OVER: Final = re.compile(
    r"\bit['’]s\s|\bgo(?:ne|ing)\b|\bwent\b|\bthen\.?$|[「『《]|吧|[用选定]了?\s?[A-Z]",
    re.IGNORECASE,
)


@lru_cache(maxsize=4_096)
def given(text: str, *, asked: bool = False) -> tuple[Given, ...]:
    """Every value that the sentences of a text give, in order; those of questions if ``asked``."""
    found: list[Given] = []
    for start, end in sentences(text):
        sentence = text[start:end].strip()
        asks = sentence.rstrip("\"'”’) ").endswith(("?", "？")) or question_share(sentence) > 0.5
        if asks and not asked:
            continue
        found.extend(_in_sentence(sentence))
    if not asked and (heir := _heir(text)) is not None:
        found.append(heir)
    return tuple(found)


def _heir(text: str) -> Given | None:
    """Who came in somebody's place, when the text says that the one left and the other came."""
    leaves = _LEAVES.search(text)
    if leaves is None:
        return None
    for pattern in _COMES:
        match = pattern.search(text)
        if match is None or match.group("v") in leaves.group("r"):
            continue
        start, end = min(leaves.start(), match.start()), max(leaves.end(), match.end())
        if not _UNREAL.search(text, start, end):
            return Given(
                kind="person",
                value=match.group("v"),
                clause=text,
                changes=True,
                replaces=re.sub(r"['’]s$", "", leaves.group("r")),
                role=match.groupdict().get("a") or "",
            )
    return None


def _in_sentence(sentence: str) -> Iterator[Given]:
    unreal = _UNREAL.search(sentence) is not None or _ASKS_ZH.search(sentence) is not None
    chinese = _COMMON_ZH.search(sentence) is not None
    clauses = _CLAUSE_ZH.split(sentence) if chinese else [sentence]
    for clause in clauses:
        open_ = unreal or _WISHED.search(clause) is not None
        cued = _CUE.search(clause) is not None and _BESIDE.search(clause) is None
        seen: set[str] = set()
        for kind, pattern in _KINDS:
            for match in pattern.finditer(clause):
                if kind in seen or (kind == "clock" and "week" in seen):
                    continue
                seen.add(kind)
                yield Given(
                    kind=_exact(kind, match),
                    value=match.group().strip(),
                    clause=sentence,
                    changes=not open_ and _is_new(clause, match, cued=cued),
                    supposed=unreal,
                )
        for kind, patterns in (("title", _TITLES), ("choice", _CHOICES)):
            for pattern, new in patterns:
                named = pattern.search(clause.strip(" .!。！"))
                if named is not None:
                    yield Given(
                        kind=kind,
                        value=named.group("v"),
                        clause=sentence,
                        changes=new and not open_,
                        supposed=unreal,
                        role=_ANSWER if "answer" in named.groupdict() else "",
                    )
                    break


def _exact(kind: str, match: re.Match[str]) -> str:
    if kind != "measure":
        return kind
    unit = (match.group("u") or match.group("z")).lower()
    return f"measure:{unit.rstrip('s')}"


_BESIDE: Final = re.compile(
    r"\b(?:too|also|as\s+well|another|extra)\b|也|另外|还有|再加", re.IGNORECASE
)
_SETTLES: Final = re.compile(r"^(?:那|就|还是)*$|^(?:(?:so|ok(?:ay)?|well)[\s,]+)*$", re.IGNORECASE)
_SETTLED: Final = re.compile(r"^\s*吧|^,?\s+then$", re.IGNORECASE)
_ASKS_ZH: Final = re.compile(r"行不行|好不好|可不可以|可以吗|怎么样|如何")
_BEGINS: Final = re.compile(
    r"\b(?:from|until|till|by|before|after|since|last|every\s+other)\s+(?:the\s+)?$|(?:从|到)?(?:直到|自从)$",
    re.IGNORECASE,
)


def _is_new(clause: str, match: re.Match[str], *, cued: bool) -> bool:
    """Whether the value is what a change led to, not when it begins or what it was before; a
    value alone settles the matter too (六月十五吧, "Thursday, then").
    """
    bare = clause.strip(" .!。！")
    before, after = clause[: match.start()], bare[bare.find(match.group()) + len(match.group()) :]
    if _SETTLES.search(before.strip()) and _SETTLED.search(after):
        return True
    return cued and _BEGINS.search(before) is None


_OWNERS: Final = re.compile(
    r"\b(?:my|his|her|their|your)\s+\w+['’]s\b|\b(?:his|their|your)\b|(?:他|她|你|同事|朋友|邻居|老板|妈|爸|姐|哥|弟|妹|叔|姨)们?的",
    re.IGNORECASE,
)


def owners(value: Given) -> frozenset[str]:
    """Words of the clause that say that the matter is somebody else's."""
    return frozenset(fold(match.group()) for match in _OWNERS.finditer(value.clause))


def matter_of(value: Given) -> str:
    """The clause without the value and without the words that tell of the change."""
    return _CUE.sub(" ", value.clause.replace(value.value, " "))


def _whole_day(text: str) -> str:
    """五月二十五 is 五月二十五日."""
    return re.sub(r"(月(?:\d{1,2}|[一二三四五六七八九十]{1,3}))$", r"\1日", text)


def alike(one: Given, two: Given) -> bool:
    """Whether two values of one kind are the same one, said this way or that."""
    if one.kind in ("day", "week", "clock"):
        first, second = day_parts(_whole_day(one.value)), day_parts(_whole_day(two.value))
        shared = first.keys() & second.keys()
        return bool(shared) and all(first[key] == second[key] for key in shared)
    if one.kind == "money" or one.kind.startswith("measure"):
        return figure_of(one.value) == figure_of(two.value) and (
            one.kind == "money" or fold(one.value) == fold(two.value)
        )
    return fold(one.value) == fold(two.value)
