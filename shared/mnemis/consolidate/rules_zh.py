"""Chinese sentences to claims: a subject at the clause's head, then patterns on what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from typing import Final

from mnemis.consolidate import lexicon_zh as lex
from mnemis.consolidate.claims import OBJECT_TYPES, Claim
from mnemis.consolidate.names_zh import find_names
from mnemis.model.graph import EntityType
from mnemis.text.dates import has_date
from mnemis.text.scripts import HAN

_HYPOTHETICAL: Final = re.compile(
    r"如果|要是|假如|假设|倘若|除非|万一|是否|是不是|会不会|能不能|要不要|有没有|也许|可能|或许|说不定|开玩笑|若是|想象一下|听说|据说"
)
_CORRECTION: Final = re.compile(
    r"^(?:不对|不是|错了|说错了|我说错了|记错了|我记错了|弄错了|更正|纠正一下|抱歉|对不起|不好意思|等等|刚才说错了|应该是|其实)+[，,、:：。!！\s]*"
)
_LEAD: Final = re.compile(
    r"^(?:(?:对了|另外|还有|顺便说一下|顺便说|顺便|说到这个|告诉你|跟你说|记一下|提醒一下|请记住|记住|好消息|坏消息|哈哈|嗯|哦|唉|哎|啊|那|那么|(?:上|下|这|本)(?:个)?(?:周|星期|礼拜|月)(?:[一二三四五六日天末])?|去年|前年|明年|前天|后天|昨晚|今晚|今早|早上|晚上|"
    r"(?:\d{2,4}年)?(?:\d{1,2}|[一二三四五六七八九十]+)月(?:\d{1,2}[日号])?(?:份)?|"
    r"所以|但是|不过|可是|而且|然后|因为|由于|因此|其实|现在|目前|最近|今年|今天|昨天|刚刚|刚|已经|从现在起|以后|之后|当然|确实|真的|"
    r"我也有一个要大家记一下|最终|最后|总之|经过讨论|讨论后|另一个|好的|好嘞|是的|对|行|哎呀|天哪)[，,:：、\s]*)+"
)
_CLAUSE: Final = re.compile(r"[，,；;。！!\n：:]+|(?<=[^\s])(?:但是|但|不过|可是|所以|因此|而且)")
_ADVERB: Final = r"(?:也|就|都|还|又|现在|目前|最近|真的|非常|特别|很|超|超级|最|一直|从小|平时|已经|刚|刚刚|终于|其实|一般|当然|确实|今年|去年|昨天|今天|上周|上个月|正在|正|早就|比较|更|下周|明天|后天|严重|都已经|从今天起|以后|每天|周末|早上|晚上)*"
_LONGEST: Final = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    regex: re.Pattern[str]
    relation: str
    polarity: bool = True
    speaker: bool = False


def _p(regex: str, relation: str, *, polarity: bool = True, speaker: bool = False) -> _Pattern:
    return _Pattern(regex=re.compile(regex), relation=relation, polarity=polarity, speaker=speaker)


_O: Final = r"(?P<o>.+)"
_PATTERNS: Final = (
    _p(
        r"(?:对|對)(?P<o>.+?)(?:严重|重度|轻微|有点|都|也)*(?:过敏|過敏)",
        "allergic_to",
        speaker=True,
    ),
    _p(
        r"(?:患有|得了|确诊了?|被诊断为|被诊断出|查出)(?P<o>.{0,6}(?:病|症|炎|癌|糖尿|高血压|哮喘|抑郁).{0,3})",
        "has_condition",
        speaker=True,
    ),
    _p(
        r"有(?P<o>糖尿病|高血压|哮喘|胃炎|心脏病|偏头痛|抑郁症|痛风|贫血|湿疹|过敏性鼻炎|鼻炎)",
        "has_condition",
        speaker=True,
    ),
    _p(r"从(?P<r>.{2,8}?)(?:搬到|搬去|搬来|搬回|迁到)了?(?P<o>.+)", "moved"),
    _p(r"(?:搬到|搬去|搬来|搬回|搬进|定居在|定居)了?(?P<o>.+)", "lives_in"),
    _p(r"(?:搬离|离开|搬出)了?(?P<o>.{2,8})$", "moved_from"),
    _p(r"(?:不再|不|没有?)住在?(?P<o>.+)", "lives_in", polarity=False),
    _p(
        r"住的(?:这个|那个|那)?(?P<a>小区|城市|地方|房子|公寓|楼盘)(?:叫做?|是)(?P<o>.+)",
        "lives_in",
    ),
    _p(
        r"(?:家)?(?:住在|家住|家在|居住在|常住|住(?=[\u4e00-\u9fff]{2,8}[省市区县镇路街]|北京|上海|广州|深圳|杭州|成都))(?P<o>.+)",
        "lives_in",
        speaker=True,
    ),
    _p(r"在(?P<o>.{2,14}?)(?:工作|上班|任职|就职|实习)", "works_at", speaker=True),
    _p(
        r"在\s*(?P<o>[A-Za-z][\w.& -]{0,20}?|[^，。]{2,12}(?:公司|集团|银行|医院|大学|事务所|工作室))\s*(?:做|当|担任)(?P<j>.+)",
        "works_at",
        speaker=True,
    ),
    _p(r"(?:入职|加入|就职于|任职于|跳槽到|跳槽去|去了?(?=.+公司))了?(?P<o>.+)", "joined"),
    _p(r"(?:的)?(?:职业|工作|职位|岗位)是(?:一名|一位|一个)?(?P<o>.+)", "works_as"),
    _p(
        r"(?:的)?(?P<a>学历|身高|体重|年龄|性格|工作单位|单位|公司|工作地点|家乡|籍贯|老家|专业|星座|血型|鞋码|尺码|体质|口味|血压|网名)(?:是|为|：|:)(?P<o>.+)",
        "attribute",
    ),
    _p(
        r"(?:当|做|担任)了?(?:一名|一位|一个)?(?P<o>.{0,6}(?:师|员|生|者|家|经理|总监|主任|教练|司机|律师|会计|护士|编辑|导演|演员|记者|警察|老师))$",
        "works_as",
    ),
    _p(
        r"是(?:一名|一位|一个|个|名|位|做)?(?P<o>.{0,8}(?:工程师|老师|医生|护士|律师|设计师|会计|程序员|经理|教师|教授|厨师|司机|记者|学生|编辑|兽医|护理|顾问|教练|公务员|研究员|翻译|演员|作家|摄影师|画家|警察|军人|店主|创始人))(?:的)?$",
        "works_as",
    ),
    _p(
        r"(?:在)(?P<o>.{2,12}?(?:大学|学院|中学|小学|学校|高中))(?:读书|上学|读|念书|念|学习)(?P<j>.*)",
        "studies_at",
        speaker=True,
    ),
    _p(r"(?:就读于|考上了?|毕业于)(?P<o>.+)", "studies_at"),
    _p(r"(?:在学|正在学|开始学|学习|学)(?P<o>[^校生习院历期费位分到会].{0,10})$", "studies"),
    _p(r"(?:出生于|出生在|生于)(?P<o>.+)", "born"),
    _p(r"(?:的)?生日(?:是|在)(?P<o>.+)", "born_on"),
    _p(
        r"(?:的)?(?P<a>手机号码?|电话号码?|电话|邮箱|微信号?|微信|邮件地址|QQ号?|联系电话|联系方式|手机)(?:是|为|:|：)\s*(?P<o>.+)",
        "contact_is",
    ),
    _p(r"(?:汇报给|向)(?P<o>.{2,6}?)(?:汇报|$)", "reports_to"),
    _p(
        r"(?:不再|再也不|不|没那么|不太|不怎么|不是很|并不)(?:那么|太|是很)?(?:喜欢|爱|喜歡)(?P<o>.+)",
        "likes",
        polarity=False,
        speaker=True,
    ),
    _p(
        r"(?:最)?(?:讨厌|讨厌|恨|受不了|厌恶|反感|嫌弃|討厭|忍不了|吃不惯)(?P<o>.+)",
        "dislikes",
        speaker=True,
    ),
    _p(
        r"(?:更喜欢|偏爱|偏好|更爱|宁愿)(?P<o>.+?)(?:而不是|胜过|多过|,|，|$)(?P<r>.*)",
        "prefers",
        speaker=True,
    ),
    _p(
        r"(?:最|特别|很|非常|超|超级)?(?:喜欢上了?|喜欢|热爱|爱上了|爱好是|酷爱|喜歡|爱(?=吃|喝|看|听|玩|养|打|跑|画))(?P<o>.+)",
        "likes",
        speaker=True,
    ),
    _p(r"的(?:爱好|兴趣|兴趣爱好)是(?P<o>.+)", "likes"),
    _p(
        r"(?:再也不|不再|从不|从来不|不能|戒了?|戒掉了?|已经不|不)(?:吃|喝|抽|碰|用|买|玩|看)(?P<o>[^了完到惯上起过得动].*)",
        "avoids",
        speaker=True,
    ),
    _p(r"(?:戒掉了?|戒了)(?P<o>.+)", "avoids", speaker=True),
    _p(r"(?:改|现在)(?:喝|吃|用|骑|坐|穿|学|玩)了?(?P<o>.+)", "uses", speaker=True),
    _p(
        r"(?:把)?(?P<s>.{2,12}?)(?:从|由)(?P<r>.{1,14}?)(?:改到|改成|改为|换成|换到|换为|调到|调整为|推迟到|提前到|涨到|降到|升级到|迁移到|变成)了?(?P<o>.+)",
        "changed",
    ),
    _p(
        r"(?:从|由)(?P<r>.{1,14}?)(?:换成|换到|换为|改成|改为|改用|转到|转用|迁移到|切换到)了?(?P<o>.+)",
        "uses",
    ),
    _p(
        r"把(?P<s>.{2,12}?)(?:改到|改成|改为|换成|换到|换为|调到|调整为|推迟到|提前到|定在|定为|延期到|延后到|延到|涨到|降到)了?(?P<o>.+)",
        "changed",
    ),
    _p(r"用(?P<o>.{1,12}?)(?:代替|取代|替换|替代)了?(?P<r>.+)", "uses"),
    _p(
        r"(?:养了|养着|养过|有|养)(?:一只|一条|两只|三只|只|一匹|一对)?(?P<o>.{0,6}(?:狗|猫|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金鱼))(?:叫|，叫)?.*",
        "has_pet",
    ),
    _p(
        r"(?:决定|商定|敲定|拍板|同意)(?:用|采用|选择|选用|选|改用|换成|换|使用|和|与)?(?P<o>.+?)(?:作为|做|当)(?P<a>.{2,10})$",
        "decided",
    ),
    _p(r"(?:决定|商定|敲定|拍板)了?(?P<o>.+)", "decided", speaker=True),
    _p(r"(?:打算|计划|准备|打算要|即将)(?P<o>.+)", "plans", speaker=True),
    _p(r"(?:想要|很想|一直想|希望能|希望)(?P<o>.+)", "wants", speaker=True),
    _p(r"(?:去过|去了|去过了|参观了|游览了|到过)(?P<o>.+)", "visited"),
    _p(r"(?:买了|购买了|入手了|订了|下单了)(?P<o>.+)", "bought"),
    _p(r"(?:会|能)(?P<o>(?:说|弹|拉|做|讲|开|游泳|编程|唱|跳|写|画|吹).{1,8})$", "can"),
    _p(
        r"(?:主要|平时|一直|都|现在)?(?:使用|写|用)\s*(?P<o>[A-Za-z][\w.+#]*(?:\s[\w.+#]+)?)",
        "uses",
        speaker=True,
    ),
)
_TOPIC_PATTERNS: Final = (
    _p(
        r"(?:从|由)(?P<r>.{1,14}?)(?:改到|推迟到|提前到|改成|改为|换成|涨到|降到|调整为|延期到|变成|延到)了?(?P<o>.+)",
        "changed",
    ),
    _p(
        r"(?:改到|推迟到|提前到|改成|改为|换成|涨到|降到|调整为|延期到|延后到|延到|定在|定于|安排在|定为|变成|变为)了?(?P<o>.+)",
        "changed",
    ),
    _p(
        r"(?:每月|每年|一共|总共|现在)?(?:价格是|价格为|售价是?|报价是?|要价|卖|收费|月费是?|花费?|要花)(?P<o>.*\d.*|.*[一二三四五六七八九十百千万两]+(?:元|块|美元|欧元).*)",
        "costs",
    ),
    _p(r"(?:位于|坐落于|坐落在|地址在|地址是|地点是|地点在)(?P<o>.+)", "located_in"),
    _p(r"(?:隶属于|属于|是.{0,4}旗下)(?P<o>.+)", "part_of"),
    _p(r"由(?P<o>.{2,12}?)(?:制作|生产|制造|做|加工|开发)", "made_by"),
    _p(r"由(?P<o>.{2,12}?)(?:供应|供货|提供)", "supplied_by"),
    _p(r"(?:的名字|名字)?(?:叫做|叫作|名叫|叫)(?P<o>.+)", "named"),
    _p(r"的名字是(?P<o>.+)", "named"),
    _p(r"(?:是|为|:|：)(?P<o>.+)", "has_value"),
)


def claims_of(sentence: str, *, people: Set[str] = frozenset()) -> tuple[Claim, ...]:
    """The claims of one Chinese sentence that is neither asked, supposed nor quoted.

    ``people`` are names of persons that may open a clause.
    """
    text = sentence.strip()
    correction = _CORRECTION.match(text)
    corrects = correction is not None and len(correction.group()) < len(text)
    if corrects and correction is not None:
        text = text[correction.end() :]
    claims: list[Claim] = []
    carried: _Subject | None = None
    for clause in _CLAUSE.split(text):
        if not clause or not clause.strip():
            continue
        if _HYPOTHETICAL.search(clause):
            break
        subject, made = _clause_claims(clause.strip(), carried, people)
        carried = subject or carried
        claims.extend(replace(claim, corrects=corrects) for claim in made)
    return tuple(claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """``name`` "" is the speaker; ``aspect`` what of it is spoken of; ``rest`` follows."""

    name: str
    rest: str
    aspect: str = ""
    owned: bool = False
    kind: EntityType = "other"
    explicit: bool = True


def _clause_claims(
    clause: str, carried: _Subject | None, people: Set[str]
) -> tuple[_Subject | None, list[Claim]]:
    plain = _LEAD.sub("", clause)
    subject = _subject(plain, people)
    if subject is not None and subject.name == "?" and carried is not None and carried.owned:
        if pronoun := re.match(r"^[他她](?![们的])", plain):
            subject = replace(carried, rest=plain[pronoun.end() :])
    if subject is not None and subject.kind == "person" and (said := _SAYS.match(subject.rest)):
        reported = subject.rest[said.end() :]
        inner = _subject(reported, people)
        if inner is not None and inner.name not in ("", "?") and not inner.owned:
            subject = inner
    if subject is None:
        subject = replace(
            carried or _Subject(name="", rest="", kind="person"),
            rest=plain,
            explicit=False,
            aspect="",
        )
        if carried is not None and carried.kind != "person":
            subject = replace(subject, name="", kind="person")
    rest = re.sub(rf"^{_ADVERB}", "", subject.rest.strip())
    made = list(_claims(subject, rest, clause, has_carried=carried is not None))
    return (subject if subject.explicit else None), made


_ROLE: Final = "|".join(sorted({*lex.KIN, *lex.ROLES}, key=lambda w: (-len(w), w)))
_ROLE_WORDS: Final = frozenset({*lex.KIN, *lex.ROLES})
_MINE: Final = re.compile(
    rf"^我们?的?(?:(?P<q>大|小|二|前|新|老|亲)?(?P<n>{_ROLE}))(?P<x>的|叫|是|在|住|说|也|都|,|，|\s|$|(?=[{HAN}A-Za-z]))"
)
_NAMED_KIN: Final = re.compile(
    rf"^我们?的?(?P<q>大|小|二|前|新|老|亲)?(?P<n>{_ROLE})(?=[{HAN}A-Z])"
)
_OWN: Final = re.compile(
    rf"^我们?的(?P<a>[{HAN}A-Za-z0-9]{{1,10}}?)(?=是|叫|为|改|换|推迟|提前|定|从|涨|降|:|：|在)"
)
_HABIT: Final = re.compile(
    rf"^我(?P<a>(?:最?喜欢|最爱|常?穿|常?用|开|骑|读|学|睡|戴)的[{HAN}]{{1,8}}?)(?=是|叫|为)"
)
_I: Final = re.compile(r"^(?:我们|咱们|我|本人)(?!的)")
_THEY: Final = re.compile(r"^(?:他们|她们|它们|他|她|它|你们|你|您|大家|有人|谁|这|那|其)")
_TOPIC: Final = re.compile(
    rf"^(?P<t>[{HAN}A-Za-z0-9 .+#-]{{2,14}}?)(?=已?(?:从|由|改到|改成|改为|换成|推迟到|提前到|定在|定于|定为|安排在|涨到|降到|调整为|延期到|延后到|延到|变成|是|叫|位于|属于|地点|地址|价格|报价|售价|月费|每月|生日|电话|手机号|邮箱|名字))"
)
_PERSON_ROLE: Final = re.compile(
    rf"^(?P<p>[{HAN}]{{2,4}}|[A-Z][\w]*(?: [A-Z]\w*)?)\s*的(?P<n>{_ROLE})"
)


_SAYS: Final = re.compile(r"^(?:说|告诉我|提到|跟我说|告诉大家|表示)[，,：:\s]*")


def _subject(plain: str, people: Set[str]) -> _Subject | None:
    if match := _NAMED_KIN.match(plain):
        name = next(
            (
                each
                for each in sorted(people, key=len, reverse=True)
                if plain.startswith(each, match.end())
            ),
            "",
        )
        given = plain[match.end() : match.end() + 2]
        if (
            not name
            and len(given) == 2
            and set(given) <= lex.GIVEN
            and plain[match.end() + 2 : match.end() + 3] in tuple("从是在说也都，,、来去会")
        ):
            name = given
        if name:
            noun = (match.group("q") or "") + match.group("n")
            return _Subject(name=noun, rest="叫" + name, owned=True, kind="person")
    if match := _MINE.match(plain):
        noun = (match.group("q") or "") + match.group("n")
        rest = plain[match.end("n") :]
        return _Subject(name=noun, rest=rest, owned=True, kind="person")
    if match := _OWN.match(plain):
        noun = match.group("a")
        if noun in lex.PETS:
            return _Subject(name=noun, rest=plain[match.end() :], owned=True, kind="animal")
        return _Subject(name="", rest=plain[match.end() :], aspect=noun, kind="other")
    if match := _HABIT.match(plain):
        return _Subject(name="", rest=plain[match.end() :], aspect=match.group("a"), kind="other")
    if match := _I.match(plain):
        return _Subject(name="", rest=plain[match.end() :], kind="person")
    if _THEY.match(plain):
        return _Subject(name="?", rest="", kind="other")
    names = [each for each in find_names(plain[:16], known=people) if each.start == 0]
    if names and (names[0].type == "person" or names[0].name in people):
        after = plain[len(names[0].name) :]
        if role := re.match(rf"^的(?P<n>{_ROLE})", after):
            return _Subject(
                name=f"{names[0].name}的{role.group('n')}", rest=after[role.end() :], kind="person"
            )
        return _Subject(name=names[0].name, rest=after, kind="person")
    if match := re.match(r"^([A-Z][\w.-]*(?: [A-Z][\w.-]*)?)\s*(?=[\u4e00-\u9fff])", plain):
        return _Subject(name=match.group(1), rest=plain[match.end() :], kind="other")
    if match := _TOPIC.match(plain):
        topic = re.sub(r"(?:已经|已|现在|目前|都|也|就|终于|的)+$", "", match.group("t"))
        if _is_topic(topic):
            return _Subject(name=topic.strip(), rest=plain[match.end("t") :], kind="other")
    return None


def _is_topic(topic: str) -> bool:
    return len(topic.strip()) >= 2 and not re.search(
        r"^(?:不|没|就|都|也|还|又|再|如|因|所|但|可|要|会|想|把|被|对|在|从|给|让|说|觉得|感觉|关键|问题|原因|主要|可能|应该|重点|重要的|最|好|真|特别|上面|下面|其|另|有|用|去|来|做|吃|喝|看)|的$|了$|说$|觉得$",
        topic,
    )


def _claims(subject: _Subject, rest: str, clause: str, *, has_carried: bool) -> Iterator[Claim]:
    if subject.name == "?":
        return
    topic = subject.kind in ("other", "animal") or not subject.explicit
    person = subject.kind in ("person",) or (subject.kind == "other" and not subject.aspect)
    patterns = (
        *(_PATTERNS if person else ()),
        *(_TOPIC_PATTERNS if topic or subject.owned or subject.explicit else ()),
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


def _apply(pattern: _Pattern, match: re.Match[str], subject: _Subject) -> Iterator[Claim]:
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
        base = replace(base, aspect=_contact(base.aspect))
    if groups.get("s"):
        name = re.sub(
            r"^(?:我们|我|把|将|的)+|(?:也|都|就|又|还|全|一起|给|的)+$", "", groups["s"] or ""
        ).strip()
        base = replace(base, subject=name, owned=False, subject_type="other")
    yield from _meaning(base, subject, groups)


def _meaning(base: Claim, subject: _Subject, groups: dict[str, str | None]) -> Iterator[Claim]:
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
        yield _typed(replace(base, object=_bare_taste(target), replaces=_bare_taste(base.replaces)))
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
        place = relation == "works_at" and target in lex.PLACES
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
    return replace(claim, object_type=OBJECT_TYPES.get(claim.relation, "other"))


def _changed(base: Claim, subject: _Subject) -> Iterator[Claim]:
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


def _value(base: Claim, subject: _Subject) -> Iterator[Claim]:
    target, aspect = base.object, subject.aspect
    if target.endswith(("的", "了", "吗", "呢")) or re.match(
        r"^(?:我|你|他|她|它|这|那|不|因为|为了|什么|谁|怎么|要|去|在|说|觉得|会)", target
    ):
        return
    owner = subject.name
    if aspect in ("名字", "姓名") or aspect.endswith("的名字"):
        who = aspect.removesuffix("名字").removesuffix("的")
        yield replace(
            base, subject=who or owner, relation="named", owned=bool(who), object_type="other"
        )
    elif aspect == "生日" or owner.endswith("生日"):
        yield replace(
            base, subject=owner.removesuffix("生日").removesuffix("的"), relation="born_on"
        )
    elif re.search(r"(?:电话|手机号?码?|邮箱|微信|联系方式)$", aspect or owner):
        yield replace(base, relation="contact_is", aspect=_contact(aspect))
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
        yield replace(base, subject=whole, aspect=part)
    elif len(target) <= 24 and subject.explicit and len(owner) <= 8 and _VALUE_NOUN.search(owner):
        yield base


_VALUE_NOUN: Final = re.compile(
    r"(?:密码|口令|地址|时间|日期|定金|押金|房租|租金|尺码|颜色|预算|工资|薪水|面积|数量|型号|版本|编号|号码|车牌|楼层|门牌|截止日|"
    r"规模|名称|主题|负责人|联系人|队长|冠军|首发|上线日|发布日|发布会|会议|评审|攀岩|课|考试|婚礼|比赛|演出)$"
)


def _named(base: Claim, subject: _Subject) -> Iterator[Claim]:
    target = base.object
    if len(target) > 12 or re.search(r"[的了吗呢]$", target):
        return
    if subject.name in _ROLE_WORDS and not subject.owned:
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


def _contact(aspect: str) -> str:
    """One word for one way to reach somebody."""
    if re.search(r"电话|手机", aspect):
        return "电话"
    return "邮箱" if re.search(r"邮", aspect) else aspect.removesuffix("号")


def _bare_taste(target: str) -> str:
    """苦瓜 for 吃苦瓜: eating is how one likes food."""
    return (
        re.sub(r"^(?:吃|喝|看|听|玩|用|抽|打|穿)(?=.)", "", target) if len(target) > 1 else target
    )


_CUT: Final = re.compile(
    r"[，,。；;！!？?（(、:：].*$|(?:因为|由于|所以|但是|但|不过|而且|并且|然后|之后|以后|的时候|了吧|来着).*$"
)
_ENDS: Final = re.compile(r"(?:了|啦|啊|呢|吧|哦|呀|的|着|嘛|哈|上班|工作|生活|附近住)+$")
_STARTS: Final = re.compile(
    r"^(?:在(?=\d|[一二三四五六七八九十]+月)|于(?=\d)|了|过|着|一家|一个|一份|一款|一只|一条|一下|这家|那家|这个|那个|[:：\s])+"
)


def tidy(text: str) -> str:
    """The object phrase at the head of ``text``; "" when nothing short is left."""
    phrase = _STARTS.sub("", _CUT.sub("", text.strip()))
    phrase = _ENDS.sub("", phrase.strip(" “”「」『』\"'~～"))
    if re.match(r"^(?:这|那)(?:儿|里|边|个|家|位)?", phrase):
        return ""
    return (
        phrase.strip(" “”「」『』\"'~～")
        if 0 < len(phrase) <= _LONGEST + 22 * phrase.isascii()
        else ""
    )
