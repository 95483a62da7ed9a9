"""Chinese patterns that state a relation, tried in order on what follows the subject."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """``regex`` names its object ``o``, the old value ``r``, the aspect ``a`` and a subject ``s``;
    ``speaker``: it may stand without a subject and then means the speaker.
    """

    regex: re.Pattern[str]
    relation: str
    polarity: bool = True
    speaker: bool = False


def p(regex: str, relation: str, *, polarity: bool = True, speaker: bool = False) -> Pattern:
    """One row of the table."""
    return Pattern(regex=re.compile(regex), relation=relation, polarity=polarity, speaker=speaker)


OBJECT: Final = r"(?P<o>.+)"


PATTERNS: Final = (
    p(
        r"(?:对|對)(?P<o>.+?)(?:严重|重度|轻微|有点|都|也)*(?:过敏|過敏)",
        "allergic_to",
        speaker=True,
    ),
    p(
        r"(?:患有|得了|确诊了?|被诊断为|被诊断出|查出)(?P<o>.{0,6}(?:病|症|炎|癌|糖尿|高血压|哮喘|抑郁).{0,3})",
        "has_condition",
        speaker=True,
    ),
    p(
        r"有(?P<o>糖尿病|高血压|哮喘|胃炎|心脏病|偏头痛|抑郁症|痛风|贫血|湿疹|过敏性鼻炎|鼻炎)",
        "has_condition",
        speaker=True,
    ),
    p(r"从(?P<r>.{2,8}?)(?:搬到|搬去|搬来|搬回|迁到)了?(?P<o>.+)", "moved"),
    p(r"(?:搬到|搬去|搬来|搬回|搬进|定居在|定居)了?(?P<o>.+)", "lives_in"),
    p(r"(?:的)?(?:新家|新房子?|新居|新住处|新公寓)(?:就|是)?在(?P<o>.+)", "lives_in", speaker=True),
    p(r"(?:搬离|离开|搬出)了?(?P<o>.{2,8})$", "moved_from"),
    p(r"(?:不再|不|没有?)住在?(?P<o>.+)", "lives_in", polarity=False),
    p(
        r"住的(?:这个|那个|那)?(?P<a>小区|城市|地方|房子|公寓|楼盘)(?:叫做?|是)(?P<o>.+)",
        "lives_in",
    ),
    p(
        r"(?:家)?(?:住在|家住|家在|居住在|常住|住(?=[\u4e00-\u9fff]{2,8}[省市区县镇路街]|北京|上海|广州|深圳|杭州|成都))(?P<o>.+)",
        "lives_in",
        speaker=True,
    ),
    p(r"在(?P<o>.{2,14}?)(?:工作|上班|任职|就职|实习)", "works_at", speaker=True),
    p(
        r"在\s*(?P<o>[A-Za-z][\w.& -]{0,20}?|[^，。]{2,12}(?:公司|集团|银行|医院|大学|事务所|工作室))\s*(?:做|当|担任)(?P<j>.+)",
        "works_at",
        speaker=True,
    ),
    p(r"(?:入职|加入|就职于|任职于|跳槽到|跳槽去|去了?(?=.+公司))了?(?P<o>.+)", "joined"),
    p(r"(?:的)?(?:职业|工作|职位|岗位)是(?:一名|一位|一个)?(?P<o>.+)", "works_as"),
    p(
        r"(?:的)?(?P<a>学历|身高|体重|年龄|性格|工作单位|单位|公司|工作地点|家乡|籍贯|老家|专业|星座|血型|鞋码|尺码|体质|口味|血压|网名)(?:是|为|：|:)(?P<o>.+)",
        "attribute",
    ),
    p(
        r"(?:当|做|担任)了?(?:一名|一位|一个)?(?P<o>.{0,6}(?:师|员|生|者|家|经理|总监|主任|教练|司机|律师|会计|护士|编辑|导演|演员|记者|警察|老师))$",
        "works_as",
    ),
    p(
        r"是(?:一名|一位|一个|个|名|位|做)?(?P<o>.{0,8}(?:工程师|老师|医生|护士|律师|设计师|会计|程序员|经理|教师|教授|厨师|司机|记者|学生|编辑|兽医|护理|顾问|教练|公务员|研究员|翻译|演员|作家|摄影师|画家|警察|军人|店主|创始人))(?:的)?$",
        "works_as",
    ),
    p(
        r"(?:在)(?P<o>.{2,12}?(?:大学|学院|中学|小学|学校|高中))(?:读书|上学|读|念书|念|学习)(?P<j>.*)",
        "studies_at",
        speaker=True,
    ),
    p(r"(?:就读于|考上了?|毕业于)(?P<o>.+)", "studies_at"),
    p(r"(?:在学|正在学|开始学|学习|学)(?P<o>[^校生习院历期费位分到会].{0,10})$", "studies"),
    p(r"(?:出生于|出生在|生于)(?P<o>.+)", "born"),
    p(r"(?:的)?生日(?:是|在)(?P<o>.+)", "born_on"),
    p(
        r"(?:的)?(?P<a>手机号码?|电话号码?|电话|邮箱|微信号?|微信|邮件地址|QQ号?|联系电话|联系方式|手机)(?:是|为|:|：)\s*(?P<o>.+)",
        "contact_is",
    ),
    p(r"(?:汇报给|向)(?P<o>.{2,6}?)(?:汇报|$)", "reports_to"),
    p(
        r"(?:不再|再也不|不|没那么|不太|不怎么|不是很|并不)(?:那么|太|是很)?(?:喜欢|爱|喜歡)(?P<o>.+)",
        "likes",
        polarity=False,
        speaker=True,
    ),
    p(
        r"(?:最)?(?:讨厌|讨厌|恨|受不了|厌恶|反感|嫌弃|討厭|忍不了|吃不惯)(?P<o>.+)",
        "dislikes",
        speaker=True,
    ),
    p(
        r"(?:更喜欢|偏爱|偏好|更爱|宁愿)(?P<o>.+?)(?:而不是|胜过|多过|,|，|$)(?P<r>.*)",
        "prefers",
        speaker=True,
    ),
    p(
        r"(?:最|特别|很|非常|超|超级)?(?:喜欢上了?|喜欢|热爱|爱上了|爱好是|酷爱|喜歡|爱(?=吃|喝|看|听|玩|养|打|跑|画))(?P<o>.+)",
        "likes",
        speaker=True,
    ),
    p(r"的(?:爱好|兴趣|兴趣爱好)是(?P<o>.+)", "likes"),
    p(
        r"(?:再也不|不再|从不|从来不|不能|戒了?|戒掉了?|已经不|不)(?:吃|喝|抽|碰|买|玩|看)(?P<o>[^了完到惯上起过得动].*)",
        "avoids",
        speaker=True,
    ),
    p(
        r"(?:再也不|不再|已经不|不)用(?P<o>[^了完到惯上起过得动着].{1,10}?)了",
        "uses",
        polarity=False,
        speaker=True,
    ),
    p(r"(?:戒掉了?|戒了)(?P<o>.+)", "avoids", speaker=True),
    p(r"(?:改|现在)(?:喝|吃|用|骑|坐|穿|学|玩)了?(?P<o>.+)", "uses", speaker=True),
    p(
        r"(?:把)?(?P<s>.{2,12}?)(?:从|由)(?P<r>.{1,14}?)(?:改到|改成|改为|换成|换到|换为|调到|调整为|推迟到|提前到|涨到|降到|升级到|迁移到|变成)了?(?P<o>.+)",
        "changed",
        speaker=True,
    ),
    p(
        r"(?:从|由)(?P<r>.{1,14}?)(?:换成|换到|换为|改成|改为|改用|转到|转用|迁移到|切换到)了?(?P<o>.+)",
        "uses",
    ),
    p(
        r"把(?P<s>.{2,12}?)(?:改到|改成|改为|换成|换到|换为|调到|调整为|推迟到|提前到|定在|定为|延期到|延后到|延到|涨到|降到)了?(?P<o>.+)",
        "changed",
        speaker=True,
    ),
    p(r"用(?P<o>.{1,12}?)(?:代替|取代|替换|替代)了?(?P<r>.+)", "uses"),
    p(
        r"(?:养了|养着|养过|有|养)(?:一只|一条|两只|三只|只|一匹|一对)?(?P<o>.{0,6}(?:狗|猫|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金鱼))(?:叫|，叫)?.*",
        "has_pet",
    ),
    p(
        r"(?:决定|商定|敲定|拍板|同意)(?:用|采用|选择|选用|选|改用|换成|换|使用|和|与)?(?P<o>.+?)(?:作为|做|当)(?P<a>.{2,10})$",
        "decided",
    ),
    p(r"(?:决定|商定|敲定|拍板)了?(?P<o>.+)", "decided", speaker=True),
    p(r"(?:打算|计划|准备|打算要|即将)(?P<o>.+)", "plans", speaker=True),
    p(r"(?:想要|很想|一直想|希望能|希望)(?P<o>.+)", "wants", speaker=True),
    p(r"(?:去过|去了|去过了|参观了|游览了|到过)(?P<o>.+)", "visited"),
    p(r"(?:买了|购买了|入手了|订了|下单了)(?P<o>.+)", "bought"),
    p(r"(?:会|能)(?P<o>(?:说|弹|拉|做|讲|开|游泳|编程|唱|跳|写|画|吹).{1,8})$", "can"),
    p(
        r"(?:主要|平时|一直|都|现在)?(?:使用|写|用)\s*(?P<o>[A-Za-z][\w.+#]*(?:\s[\w.+#]+)?)",
        "uses",
        speaker=True,
    ),
)


TOPIC_PATTERNS: Final = (
    p(
        r"(?:从|由)(?P<r>.{1,14}?)(?:改到|推迟到|提前到|改成|改为|换成|涨到|降到|调整为|延期到|变成|延到)了?(?P<o>.+)",
        "changed",
    ),
    p(
        r"(?:改到|推迟到|提前到|改成|改为|换成|涨到|降到|调整为|延期到|延后到|延到|定在|定于|安排在|定为|变成|变为)了?(?P<o>.+)",
        "changed",
    ),
    p(
        r"(?:每月|每年|一共|总共|现在)?(?:价格是?|价格为|售价是?|报价是?|要价|卖|收费|月费是?|花费?|要花)(?P<o>.*\d.*|.*[一二三四五六七八九十百千万两]+(?:元|块|美元|欧元).*)",
        "costs",
    ),
    p(r"(?:位于|坐落于|坐落在|地址在|地址是|地点是|地点在)(?P<o>.+)", "located_in"),
    p(r"(?:隶属于|属于|是.{0,4}旗下)(?P<o>.+)", "part_of"),
    p(r"由(?P<o>.{2,12}?)(?:制作|生产|制造|做|加工|开发)", "made_by"),
    p(r"由(?P<o>.{2,12}?)(?:供应|供货|提供)", "supplied_by"),
    p(r"(?:的名字|名字)?(?:叫做|叫作|名叫|叫)(?P<o>.+)", "named"),
    p(r"的名字是(?P<o>.+)", "named"),
    p(r"(?:是|为|:|：)(?P<o>.+)", "has_value"),
)
