"""Chinese sentences to claims: a subject at the clause's head, then patterns on what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Final

from mnemis.consolidate.rules import lexicon_zh as lex
from mnemis.consolidate.rules.claims import Claim
from mnemis.consolidate.rules.objects_zh import bare_taste, contact, tidy
from mnemis.consolidate.rules.patterns_zh import (
    PATTERNS,
    ROLE_NAMED,
    TOPIC_PATTERNS,
    Pattern,
)
from mnemis.consolidate.rules.subjects_zh import ROLE_WORDS, SAYS, Subject, subject_of
from mnemis.consolidate.rules.values import kind_of
from mnemis.model.usual import object_type
from mnemis.text.dates import has_date

_HYPOTHETICAL: Final = re.compile(
    r"如果|要是|假如|假设|倘若|除非|万一|是否|是不是|会不会|能不能|要不要|有没有|也许|可能|或许|说不定|开玩笑|若是|想象一下|听说|据说|梦见|梦到|谎称"
)
_CORRECTION: Final = re.compile(
    r"^(?:不对|不是|错了|说错了|我说错了|记错了|我记错了|弄错了|更正|纠正一下|抱歉|对不起|不好意思|等等|刚才说错了|应该是|其实)+[，,、:：。!！\s]*"
)
_LEAD: Final = re.compile(
    r"^(?:(?:对了|另外|还有|顺便说一下|顺便说|顺便|说到这个|告诉你|跟你说|记一下|提醒一下|请记住|记住|好消息|坏消息|哈哈|嗯|哦|唉|哎|啊|那|那么|(?:上|下|这|本)(?:个)?(?:周|星期|礼拜|月)(?:[一二三四五六日天末])?|去年|前年|明年|前天|后天|昨晚|今晚|今早|早上|晚上|"
    r"(?:\d{2,4}年)?(?:\d{1,2}|[一二三四五六七八九十]+)月(?:\d{1,2}[日号])?(?:份)?|(?:19|20)\d\d年(?:的时候|那年|[初底])?|"
    r"所以|但是|不过|可是|而且|然后|因为|由于|因此|其实|现在|目前|最近|今年|今天|昨天|刚刚|刚|已经|从现在起|以后|之后|当然|确实|真的|"
    r"我也有一个要大家记一下|最终|最后|总之|经过讨论|讨论后|另一个|好的|好嘞|是的|对|行|哎呀|天哪)[，,:：、\s]*)+"
)
_UNCHANGED: Final = re.compile(
    r"(?:没有?|未曾?|不曾|不会|不是|并不)(?:真的|再|被|把.{1,8}?)*(?:搬[到去来进]|迁到|改[到成为用名]|换[成到了]|调到|调整为|推迟|提前|延期|延后|涨到|降到|接手|接管|入职|加入|跳槽)"
)
"""A change that did not happen gives no value: 没有改到周五 leaves the day as it was."""
_CLAUSE: Final = re.compile(r"[，,；;。！!\n：:]+|(?<=[^\s])(?:但是|但|不过|可是|所以|因此|而且)")
_ADVERB: Final = r"(?:(?:19|20)\d\d年(?:的时候|那年|[初底])?|也|就|都|还|又|现在|目前|最近|真的|非常|特别|很|超|超级|最|一直|从小|平时|已经|刚|刚刚|终于|其实|一般|当然|确实|今年|去年|昨天|今天|上周|上个月|正在|正|早就|比较|更|下周|明天|后天|严重|都已经|从今天起|以后|每天|周末|早上|晚上)*"


def claims_of(sentence: str, *, people: Set[str] = frozenset()) -> tuple[Claim, ...]:
    """The claims of one Chinese sentence that is neither asked, supposed nor quoted.

    ``people`` are names of persons that may open a clause.
    """
    text = sentence.strip()
    correction = _CORRECTION.match(text)
    corrects = correction is not None and len(correction.group()) < len(text)
    if corrects and correction is not None:
        text = text[correction.end() :]
    claims: list[Claim] = list(_holders(text))
    carried: Subject | None = None
    for clause in _CLAUSE.split(text):
        if not clause or not clause.strip():
            continue
        if doubt := _HYPOTHETICAL.search(clause):
            if home := _HOME.match(clause[: doubt.start()]):
                claims.append(
                    _typed(
                        Claim(
                            subject="",
                            relation="lives_in",
                            object=home.group("o"),
                            text=clause,
                            subject_type="person",
                        )
                    )
                )
            break
        if _UNCHANGED.search(clause):
            continue
        subject, made = _clause_claims(clause.strip(), carried, people)
        carried = subject or carried
        claims.extend(replace(claim, corrects=corrects) for claim in made)
    return tuple(claims)


def _holders(text: str) -> Iterator[Claim]:
    """Who now is the driving instructor, the doctor, the supplier."""
    if _HYPOTHETICAL.search(text):
        return
    for match in ROLE_NAMED.finditer(text):
        yield Claim(
            subject=match.group("s") or match.group("s2"),
            relation="has_value",
            object=match.group("o") or match.group("o2"),
            text=match.group(),
            subject_type="concept",
        )


def _clause_claims(
    clause: str, carried: Subject | None, people: Set[str]
) -> tuple[Subject | None, list[Claim]]:
    plain = _LEAD.sub("", clause)
    subject = subject_of(plain, people)
    if subject is not None and subject.name == "?" and carried is not None and carried.owned:
        if pronoun := re.match(r"^[他她](?![们的])", plain):
            subject = replace(carried, rest=plain[pronoun.end() :])
    if subject is not None and subject.kind == "person" and (said := SAYS.match(subject.rest)):
        reported = subject.rest[said.end() :]
        inner = subject_of(reported, people)
        if inner is not None and inner.name not in ("", "?") and not inner.owned:
            subject = inner
    if subject is None:
        subject = replace(
            carried or Subject(name="", rest="", kind="person"),
            rest=plain,
            explicit=False,
            aspect="",
        )
        if carried is not None and carried.kind != "person":
            subject = replace(subject, name="", kind="person")
    rest = re.sub(rf"^{_ADVERB}", "", subject.rest.strip())
    made = list(_claims(subject, rest, clause, has_carried=carried is not None))
    return (subject if subject.explicit else None), made


def _claims(subject: Subject, rest: str, clause: str, *, has_carried: bool) -> Iterator[Claim]:
    if subject.name == "?":
        return
    topic = subject.kind in ("other", "animal") or not subject.explicit
    person = subject.kind in ("person",) or (subject.kind == "other" and not subject.aspect)
    patterns = (
        *(PATTERNS if person else ()),
        *(TOPIC_PATTERNS if topic or subject.owned or subject.explicit else ()),
    )
    for pattern in patterns:
        if not subject.explicit and not has_carried and not pattern.speaker:
            continue
        match = pattern.regex.match(rest)
        if match is None:
            continue
        made = list(_apply(pattern, match, subject))
        if made:
            yield from (replace(claim, text=clause) for claim in made)
            return


def _apply(pattern: Pattern, match: re.Match[str], subject: Subject) -> Iterator[Claim]:
    groups = match.groupdict()
    target = tidy(groups.get("o") or "")
    if not target:
        return
    base = Claim(
        subject=subject.name,
        relation=pattern.relation,
        object=target,
        text="",
        aspect=tidy(groups.get("a") or "") or "",
        polarity=pattern.polarity,
        replaces=tidy(groups.get("r") or ""),
        owned=subject.owned,
        subject_type=subject.kind,
    )
    if pattern.relation == "attribute":
        yield replace(
            base,
            relation="works_at" if base.aspect in ("单位", "工作单位", "公司") else "has_value",
            aspect="" if base.aspect in ("单位", "工作单位", "公司") else base.aspect,
        )
        return
    if pattern.relation == "lives_in":
        base = replace(base, aspect="小区" if base.aspect in ("小区", "公寓", "楼盘") else "")
    if pattern.relation == "contact_is":
        if "手机" in base.aspect and not re.search(r"\d{5}|@", target):
            yield replace(base, relation="has_value", aspect="手机")
            return
        base = replace(base, aspect=contact(base.aspect))
    if groups.get("s"):
        name = re.sub(
            r"^(?:我们|我|把|将|的)+|(?:也|都|就|又|还|全|一起|给|的)+$", "", groups["s"] or ""
        ).strip()
        base = replace(base, subject=name, owned=False, subject_type="other")
    yield from _meaning(base, subject, groups)


_PLACE: Final = f"(?:{'|'.join(sorted(lex.PLACES, key=lambda w: (-len(w), w)))})+[省市]?"
_ALL_PLACES: Final = re.compile(_PLACE)
_HOME: Final = re.compile(
    rf"^(?:不过|但是?|而且|因为|反正)?我(?:现在|一直|还)?住在?(?P<o>{_PLACE})"
)
"""That one lives somewhere stands even where the rest of the clause is doubt."""


def _meaning(base: Claim, subject: Subject, groups: dict[str, str | None]) -> Iterator[Claim]:
    relation, target = base.relation, base.object
    if relation == "moved":
        yield _typed(replace(base, relation="lives_in"))
        if base.replaces:
            yield _typed(replace(base, relation="moved_from", object=base.replaces, replaces=""))
    elif relation == "joined":
        name = (
            "works_at"
            if target.endswith(lex.ORGANISATION_SUFFIXES) or target[:1].isascii()
            else "member_of"
        )
        yield _typed(replace(base, relation=name))
    elif relation == "born":
        yield _typed(replace(base, relation="born_on" if has_date(target) else "born_in"))
    elif relation == "changed":
        yield from _changed(base, subject)
    elif relation == "avoids" and (len(target) > 8 or "不" in target):
        return
    elif relation in ("likes", "dislikes", "avoids", "prefers"):
        yield _typed(replace(base, object=bare_taste(target), replaces=bare_taste(base.replaces)))
    elif relation == "decided":
        topic = base.aspect
        yield (
            replace(base, subject=topic, aspect="", subject_type="concept")
            if topic
            else replace(base, subject="")
        )
    elif relation == "has_value":
        yield from _value(base, subject)
    elif relation == "named":
        yield from _named(base, subject)
    elif relation in ("costs", "located_in", "supplied_by") and subject.aspect:
        yield _typed(replace(base, subject=subject.aspect))
    elif relation == "works_as":
        yield replace(base, object=re.sub(r"^(?:干|当|做|个|名|位)+(?=.{2})", "", target))
    elif relation in ("works_at", "studies_at"):
        place = relation == "works_at" and _ALL_PLACES.fullmatch(target) is not None
        yield replace(_typed(base), aspect="地点", object_type="place") if place else _typed(base)
        if job := tidy(groups.get("j") or ""):
            yield replace(
                base,
                relation="works_as" if relation == "works_at" else "studies",
                object=job,
                replaces="",
            )
    else:
        yield _typed(base)


def _typed(claim: Claim) -> Claim:
    return replace(claim, object_type=object_type(claim.relation))


def _changed(base: Claim, subject: Subject) -> Iterator[Claim]:
    name = base.subject or subject.aspect
    if not name:
        return
    if has_date(base.object) or re.search(
        r"\d+\s*[点号月日]|[一二三四五六七八九十]+[点号月]", base.object
    ):
        yield replace(base, subject=name, relation="scheduled_for")
    elif re.search(r"价|费|租金", name) or re.search(
        r"\d.*(?:元|块)|[一二三四五六七八九十百千]+(?:元|块)", base.object
    ):
        yield replace(
            base,
            subject=re.sub(r"(?:的)?(?:价格|价钱|售价|报价)$", "", name) or name,
            relation="costs",
        )
    elif "供应商" in name:
        yield replace(base, subject=name, relation="supplied_by", object_type="organisation")
    elif subject.aspect and base.subject == "":
        yield replace(base, aspect=subject.aspect, relation="has_value")
    else:
        yield replace(base, subject=name, relation="has_value")


def _value(base: Claim, subject: Subject) -> Iterator[Claim]:
    target, aspect = base.object, subject.aspect
    if target.endswith(("的", "了", "吗", "呢")) or re.match(
        r"^(?:我|你|他|她|它|这|那|不|因为|为了|什么|谁|怎么|要|去|在|说|觉得|会)", target
    ):
        return
    owner = subject.name
    if owner == "我" or owner.startswith(("结果", "先")):
        return
    if kind_of(target) == "money" and subject.kind != "person" and len(aspect or owner) <= 8:
        yield replace(
            base,
            subject=re.sub(r"的?(?:价格|售价|报价)$", "", aspect or owner) or (aspect or owner),
            relation="costs",
        )
        return
    if aspect in ("名字", "姓名") or aspect.endswith("的名字"):
        who = aspect.removesuffix("名字").removesuffix("的")
        yield replace(
            base, subject=who or owner, relation="named", owned=bool(who), object_type="other"
        )
    elif aspect == "生日" or owner.endswith("生日"):
        yield replace(
            base, subject=owner.removesuffix("生日").removesuffix("的"), relation="born_on"
        )
    elif re.search(r"(?:电话|手机号?码?|邮箱|微信|联系方式)$", aspect or owner) and (
        "手机" not in (aspect or owner) or re.search(r"\d{5}|@", target)
    ):
        yield replace(base, relation="contact_is", aspect=contact(aspect))
    elif re.search(r"供应商$", aspect or owner):
        yield replace(
            base, subject=aspect or owner, relation="supplied_by", object_type="organisation"
        )
    elif re.search(r"(?:价格|售价|报价|费用)$", aspect or owner):
        yield replace(
            base,
            subject=re.sub(r"的?(?:价格|售价|报价|费用)$", "", aspect or owner)
            or (aspect or owner),
            relation="costs",
        )
    elif aspect and len(target) <= 24:
        yield replace(base, aspect=aspect)
    elif subject.kind == "person":
        return
    elif "的" in owner and len(target) <= 24:
        whole, _, part = owner.rpartition("的")
        yield replace(base, subject="" if whole in ("我", "我们") else whole, aspect=part)
    elif len(target) <= 24 and subject.explicit and len(owner) <= 8 and _VALUE_NOUN.search(owner):
        yield base


_VALUE_NOUN: Final = re.compile(
    r"(?:密码|口令|地址|时间|日期|定金|押金|房租|租金|尺码|颜色|预算|工资|薪水|面积|数量|型号|版本|编号|号码|车牌|楼层|门牌|截止日|"
    r"规模|名称|主题|负责人|联系人|队长|冠军|首发|上线日|发布日|发布会|会议|评审|攀岩|课|考试|婚礼|比赛|演出)$"
)


def _named(base: Claim, subject: Subject) -> Iterator[Claim]:
    target = base.object
    if len(target) > 12 or re.search(r"[的了吗呢]$|什么|啥|谁|…|^它|.的.", target):
        return
    if subject.kind == "person" and not subject.explicit and not subject.owned:
        return
    if subject.kind == "person" and target.endswith(lex.ORGANISATION_SUFFIXES):
        yield _typed(replace(base, relation="works_at"))
        return
    if subject.kind == "other" and re.match(r"(?:一个|有个|先|结果|就|那个|这个)", subject.name):
        return
    if subject.name in ROLE_WORDS and not subject.owned:
        yield replace(base, object_type="person", subject_type="person")
        return
    if subject.kind == "animal":
        yield replace(base, object_type="animal")
    elif subject.aspect:
        yield replace(base, subject=subject.aspect.removesuffix("的名字"), owned=True)
    elif subject.kind == "person":
        yield replace(base, object_type="person")
    else:
        yield base
