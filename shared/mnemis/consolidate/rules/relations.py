"""Who is whose and who works where, said of others: "Inês is Duarte's cousin", 何静是星桥教育的设计总监.

Somebody's relative is one entity with the name; the tie follows from "Duarte's cousin" itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from mnemis.consolidate.rules import lexicon_en, lexicon_zh
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.lexicon_professions import is_profession
from mnemis.model.graph import EntityType

_NAME: Final = r"[A-ZÀ-Þ][\w’'-]*[\wà-ÿ](?:\s[A-ZÀ-Þ][\w’'-]*[\wà-ÿ]){0,2}?"
_ORG: Final = (
    r"(?:the\s+)?(?P<org>[A-ZÀ-Þ][\w&.'-]*(?:\s(?:of\s+|and\s+|&\s+)?[A-ZÀ-Þ][\w&.'-]*){0,3})"
)
_NOUN: Final = r"(?P<noun>(?:[a-z-]+\s){0,1}[a-z-]+)"
_TIES: Final = (
    re.compile(
        rf"\b(?P<name>{_NAME})\s+is\s+(?:the\s+)?{_NOUN}\s+of\s+(?P<who>{_NAME})(?=[\s.,;!]|$)"
    ),
    re.compile(rf"\b(?P<name>{_NAME})\s+is\s+(?P<who>{_NAME})['’]s\s+{_NOUN}(?=[.,;!]|$)"),
    re.compile(rf"\b(?P<who>[A-ZÀ-Þ][\w-]*\w)['’]s\s+{_NOUN},?\s+(?P<name>{_NAME})(?=[\s.,;!]|$)"),
)
_JOBS: Final = (
    re.compile(
        rf"\b(?P<who>{_NAME})\s+(?:now\s+)?(?:starts?|started|begins|began)\s+(?:work\s+)?at\s+{_ORG}"
    ),
    re.compile(
        rf"\b(?P<who>{_NAME})(?:,[^,]{{2,40}},)?\s+(?:is|was made|became)\s+(?:now\s+)?(?:the\s+|an?\s+)?(?P<job>[a-z][a-z -]{{2,30}}?)\s+(?:at|for)\s+{_ORG}"
    ),
)
_BOARD: Final = re.compile(
    rf"\b(?P<who>{_NAME})\s+(?:sits|serves|is)\s+on\s+(?:the|our)\s+(?P<body>board|committee|council|jury)\b"
)
_ASIDE: Final = re.compile(
    r"(?<=[\w])(?<![,.;])\s*,\s+(?:my|our|his|her|their|an?|the)\s+[\w' -]{2,40}?,\s+(?=(?:is|works?|lives?|runs?|owns?|has|studies|teaches|moved|likes|loves|hates|starts?|plays)\b)"
)
_WHO: Final = re.compile(
    rf"(?P<name>{_NAME}),\s+who\s+(?P<verb>runs|works|lives|owns|studies|manages|leads|moved)\s+(?P<rest>[^.;!?]{{3,80}})"
)
_DOUBT: Final = re.compile(
    r"\b(?:if|not|n['’]t|never|maybe|perhaps|might|could|would|wants?|suppose|imagine|looks? like|as if|joking|kidding)\b",
    re.IGNORECASE,
)
_HAN: Final = r"\u4e00-\u9fff"
_KIN_ZH: Final = "|".join(
    sorted(
        {
            *lexicon_zh.KIN,
            "同学",
            "大学同学",
            "同事",
            "朋友",
            "房东",
            "邻居",
            "室友",
            "老师",
            "学生",
            "徒弟",
            "男朋友",
            "女朋友",
        },
        key=lambda word: (-len(word), word),
    )
)
_TIE_ZH: Final = re.compile(
    rf"(?:^|[，,。；;\s])(?P<name>[{_HAN}]{{2,4}}?)(?:就)?是(?P<who>我们?|[{_HAN}]{{2,4}}?|[A-Z]\w+)的?(?:大|小|二|前)?(?P<noun>{_KIN_ZH})(?=[，,。；;！!\s]|$)"
)
_JOB_ZH: Final = re.compile(
    rf"(?:^|[，,。；;\s])(?P<name>[{_HAN}]{{2,4}}?|[A-Z]\w+)(?:现在)?(?:就)?是(?P<org>[{_HAN}A-Za-z]{{2,12}}?)的(?P<job>[{_HAN}]{{0,4}}(?:总监|经理|老板|创始人|主任|工程师|设计师|教练|老师|律师|会计|负责人|院长|校长|店长|厂长|总编|主编))(?=[，,。；;！!\s]|$)"
)
_DOUBT_ZH: Final = re.compile(r"如果|要是|不是|是不是|可能|也许|好像|听说|像是|假如|以为|开玩笑")


def ties(sentence: str, *, people: Set[str] = frozenset()) -> Iterator[Claim]:
    """Claims of one sentence about other people's kin and work."""
    if sentence.isascii() or re.search(r"[a-z]\s[a-z]", sentence):
        if _DOUBT.search(sentence) is None:
            yield from _english(sentence)
    elif _DOUBT_ZH.search(sentence) is None:
        yield from _chinese(sentence, people)


def plain(sentence: str) -> str:
    """An English sentence without asides between a subject and its verb, and with "NAME, who runs
    …" as a sentence of its own at the end.
    """
    if ", " not in sentence:
        return sentence
    text = _ASIDE.sub(" ", sentence)
    if match := _WHO.search(text):
        whole = f"{match.group('name')} {match.group('verb')} {match.group('rest')}"
        text = f"{text[: match.end('name')]}; {whole}"
    return text


def _english(text: str) -> Iterator[Claim]:
    for pattern in _TIES:
        for match in pattern.finditer(text):
            noun, name, who = match.group("noun"), match.group("name"), match.group("who")
            last = noun.split()[-1].lower()
            if last not in _TIED or not (_is_name(name) and _is_name(who)):
                continue
            kind: EntityType = "animal" if last in lexicon_en.PETS else "person"
            yield Claim(
                subject=f"{who}'s {noun}",
                relation="named",
                object=name,
                text=match.group(),
                subject_type=kind,
                object_type=kind,
            )
    for pattern in _JOBS:
        for match in pattern.finditer(text):
            who, org = match.group("who"), match.group("org").rstrip(".")
            job = match.groupdict().get("job")
            if not _is_name(who) or not _is_name(org) or (job and not is_profession(job)):
                continue
            yield Claim(
                subject=who,
                relation="works_at",
                object=org,
                text=match.group(),
                subject_type="person",
                object_type="organisation",
            )
    board = _BOARD.search(text)
    if board is not None and _is_name(board.group("who")):
        yield Claim(
            subject=board.group("who"),
            relation="member_of",
            object=board.group("body"),
            text=board.group(),
            subject_type="person",
        )


def _is_name(text: str) -> bool:
    return text.split()[0].lower() not in lexicon_en.NOT_NAMES


_TIED: Final = lexicon_en.KIN | lexicon_en.ROLES | lexicon_en.CHILDREN | lexicon_en.PETS


def _chinese(text: str, people: Set[str]) -> Iterator[Claim]:
    if (match := _TIE_ZH.search(text)) and _is_person(match.group("name"), people):
        who, noun = match.group("who"), match.group("noun")
        own = who.startswith("我")
        if own or who[:1].isascii() or _is_person(who, people):
            yield Claim(
                subject=noun if own else f"{who}的{noun}",
                relation="named",
                object=match.group("name"),
                text=match.group(),
                owned=own,
                subject_type="person",
                object_type="person",
            )
    if match := _JOB_ZH.search(text):
        name, org = match.group("name"), match.group("org")
        if (name[:1].isascii() or _is_person(name, people)) and not org.startswith("我"):
            yield Claim(
                subject=name,
                relation="works_at",
                object=org,
                text=match.group(),
                subject_type="person",
                object_type="organisation",
            )
            yield Claim(
                subject=name,
                relation="works_as",
                object=match.group("job"),
                text=match.group(),
                subject_type="person",
            )


def _is_person(name: str, people: Set[str]) -> bool:
    if name in people or re.fullmatch(r"[小阿老][\u4e00-\u9fff]", name):
        return True
    if name[0] not in lexicon_zh.SURNAMES or name[:2] in lexicon_zh.NOT_NAMES:
        return False
    return len(name) == 3 or (len(name) == 2 and set(name[1:]) <= lexicon_zh.GIVEN)
