"""Words that speak of one matter in either language, so that "price", "cost" and 报价 meet.

A theme only brings its words together; a category's name is always words that were said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from mnemis.text.tokenise import tokenise

_PRICES: Final = (
    "price prices pricing cost costs discount discounts fee fees quote budget invoice subscription euros "
    "dollars cheap cheaper expensive rent salary mortgage payment payments refund refunds"
)
_GROUPS: Final[tuple[tuple[str, str], ...]] = (
    (
        _PRICES,
        "价格 报价 售价 成本 费用 折扣 打折 优惠 预算 发票 订阅 月费 运费 房租 租金 工资 付款 退款 便宜 模具费",
    ),
    (
        "supplier suppliers vendor vendors manufacturer factory supply contract",
        "供应商 供货 厂家 工厂 厂商 供应链 合同 代工 采购",
    ),
    (
        "storage backup backups cloud bucket hosting disk",
        "存储 备份 云存储 云盘 网盘",
    ),
    (
        "database databases postgres postgresql mongodb mysql sqlite sql schema migration",
        "数据库 迁移 表结构 字段",
    ),
    (
        "launch release deadline deadlines milestone schedule rollout",
        "发布 上线 发布会 发布日 截止 排期 里程碑 首发",
    ),
    (
        "test tests testing certificate certification retest audit inspection",
        "测试 检测 认证 证书 验收 试模 质检",
    ),
    ("allergy allergic allergies penicillin peanuts", "过敏 青霉素 花生 皮试"),
    (
        "doctor hospital clinic illness disease injury surgery medicine fever knee physio therapy checkup health symptoms diet",
        "医生 医院 生病 发烧 手术 打针 吃药 体检 健康 复查 血脂 膝盖 治疗 血压",
    ),
    (
        "vegetarian vegan restaurant dinner lunch breakfast meal recipe cooking food cuisine dish",
        "素食 吃素 素菜 餐厅 晚饭 午饭 早饭 做饭 菜谱 美食 火锅 馆子 炸鸡",
    ),
    ("coffee tea drink drinks juice", "咖啡 奶茶 绿茶 喝茶 茶叶 果汁"),
    (
        "running marathon swimming gym yoga hiking climbing cycling football tennis basketball workout fitness training rowing race",
        "跑步 马拉松 游泳 健身 瑜伽 徒步 爬山 攀岩 骑行 足球 网球 篮球 锻炼 训练 比赛",
    ),
    ("dog cat puppy kitten pet pets vet beagle", "宠物 小狗 小猫 猫咪 狗狗 兽医 猫粮 黑白花"),
    (
        "flat apartment house landlord moving relocation neighbourhood housing furniture",
        "搬家 房东 公寓 租房 小区 新家 房子 装修",
    ),
    (
        "travel trip flight flights hotel vacation holiday airline airport visa itinerary",
        "旅行 旅游 出差 机票 航班 酒店 民宿 高铁 签证 行程",
    ),
    (
        "job jobs career interview resume promotion colleague hiring hire recruitment resignation",
        "面试 跳槽 离职 入职 升职 招聘 简历 职业 求职 辞职 交接",
    ),
    (
        "school university college course exam exams homework lecture degree thesis class lessons teacher",
        "学校 大学 课程 考试 作业 论文 学位 上课 老师 学习 毕业",
    ),
    (
        "wedding marriage birthday anniversary party celebration",
        "婚礼 结婚 生日 纪念日 聚会 派对 庆祝",
    ),
    (
        "family mother father parents sister brother kids children son daughter cousin grandmother",
        "家人 父母 妈妈 爸爸 妹妹 姐姐 弟弟 哥哥 孩子 儿子 女儿 表妹 表弟 舅舅 奶奶",
    ),
    (
        "painting art music concert guitar piano pottery drawing museum band song",
        "画画 艺术 音乐 演出 吉他 钢琴 陶艺 绘画 博物馆 乐队 唱歌 音乐会",
    ),
    ("movie film series documentary book novel books reading", "电影 电视剧 纪录片 小说 看书 读书"),
    (
        "design colour color colours logo packaging layout icon icons interface",
        "设计 颜色 配色 包装 图标 界面 外壳",
    ),
    (
        "bug bugs error errors crash code api deployment server firmware",
        "报错 崩溃 代码 部署 服务器 固件 接口",
    ),
    (
        "battery sensor hardware antenna circuit mould casing casings",
        "电池 传感器 硬件 天线 电路板 模具",
    ),
    (
        "customer customers feedback complaint complaints support returns review reviews survey",
        "客户 用户反馈 投诉 售后 退货 评价 问卷 客服",
    ),
    ("marketing bloggers campaign advertising newsletter press", "营销 推广 博主 广告 宣传 媒体"),
)


def _index() -> dict[str, int]:
    found: dict[str, int] = {}
    for number, (english, chinese) in enumerate(_GROUPS):
        for word in english.split():
            found.setdefault(tokenise(word)[0], number)
        for word in chinese.split():
            found.setdefault(word, number)
    return found


_THEMES: Final = _index()
_CHINESE: Final = re.compile(
    "|".join(
        sorted(
            (word for word in _THEMES if not word.isascii()), key=lambda word: (-len(word), word)
        )
    )
)
_MONEY: Final = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:euros?|dollars?|pounds?|cents?|元|块|欧|美元)|[一二三四五六七八九十百千万]+(?:元|块钱)",
    re.IGNORECASE,
)


def theme_of(key: str) -> int | None:
    """The theme of a phrase key (its last word decides), None when it has none."""
    if key in _THEMES:
        return _THEMES[key]
    if not key.isascii():
        found = _CHINESE.findall(key)
        return _THEMES[found[-1]] if found else None
    return _THEMES.get(key.rsplit(" ", 1)[-1])


_NO_LABELS: Final = frozenset(
    "euros dollars cheap cheaper expensive allergic vegan vegetarian running moving reading class classes starts 便宜 吃素 打折 "
    "看书 学习 上课 吃药 老师 kids children".split()
)


def names_theme(word: str) -> bool:
    """Whether a word of a theme may name a category ("price", not "cheap")."""
    return word not in _NO_LABELS


def chinese_theme_words(text: str) -> list[str]:
    """Chinese words of any theme in a text, with repeats."""
    return [] if text.isascii() else _CHINESE.findall(text)


def themes_in(texts: Iterable[str]) -> dict[int, Counter[str]]:
    """The themes that texts speak of, each with its words as written and their counts.

    A sum of money speaks of prices without a word.
    """
    found: dict[int, Counter[str]] = {}
    for text in texts:
        for word in re.findall(r"[A-Za-z]+", text):
            tokens = tokenise(word)
            if tokens and tokens[0] in _THEMES:
                found.setdefault(_THEMES[tokens[0]], Counter())[word.lower()] += 1
        for word in chinese_theme_words(text):
            found.setdefault(_THEMES[word], Counter())[word] += 1
        if _MONEY.search(text):
            found.setdefault(_MONEY_THEME, Counter())[""] += 1
    return found


_MONEY_THEME: Final = 0
