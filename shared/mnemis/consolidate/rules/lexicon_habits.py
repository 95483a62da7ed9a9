"""What people drink and which sports they do: habits, of which several can hold at once."""

from __future__ import annotations

import re
from typing import Final

ASPECTS: Final = {
    "drink": "drink",
    "food": "food",
    "sport": "sport",
    "饮品": "drink",
    "饮食": "food",
    "运动": "sport",
}
"""The aspects of ``uses`` that are habits, to one word for both languages."""

_DRINKS: Final = (
    "coffee espresso latte cappuccino americano tea matcha chai juice water soda cola coke lemonade beer wine whisky "
    "whiskey milk smoothie smoothies kombucha cocoa mate rooibos decaf"
)
_SPORTS: Final = {
    "running": "running jogging jog runner runs run",
    "swimming": "swimming swim swimmer swims",
    "cycling": "cycling biking cyclist cycle cycles",
    "climbing": "climbing bouldering climber climb climbs",
    "rowing": "rowing rower row rows",
    "tennis": "tennis",
    "football": "football soccer",
    "basketball": "basketball",
    "badminton": "badminton",
    "squash": "squash",
    "volleyball": "volleyball",
    "table tennis": "ping-pong",
    "yoga": "yoga",
    "pilates": "pilates",
    "boxing": "boxing boxer",
    "hiking": "hiking",
    "skiing": "skiing",
    "golf": "golf",
    "karate": "karate judo aikido",
    "dancing": "dancing",
    "surfing": "surfing surfer",
    "padel": "padel",
}
_SPORT_OF: Final = {word: sport for sport, words in _SPORTS.items() for word in words.split()}

DRINK: Final = re.compile(rf"\b(?:{'|'.join(_DRINKS.split())})s?$", re.IGNORECASE)
SPORT_WORD: Final = "|".join(sorted(_SPORT_OF, key=lambda word: (-len(word), word)))
DRINK_ZH: Final = re.compile(
    r"(?:咖啡|拿铁|美式|奶茶|绿茶|红茶|花茶|普洱|乌龙|茶|果汁|白开水|开水|温水|矿泉水|水|可乐|雪碧|汽水|啤酒|白酒|红酒|酒|豆浆|牛奶|酸奶|柠檬水)$"
)
SPORT_ZH: Final = re.compile(
    r"(?:跑步|慢跑|夜跑|晨跑|游泳|骑车|骑行|攀岩|划船|赛艇|瑜伽|普拉提|拳击|徒步|滑雪|爬山|登山|健身|跳舞|太极拳?|武术|冲浪|"
    r"(?:打)?(?:网球|篮球|羽毛球|乒乓球|排球|壁球|高尔夫|台球)|(?:踢)?足球)"
)
CHANGES_HABIT: Final = re.compile(
    r"\b(?:switch(?:ed|ing)?|swapp?(?:ed)?|changed|now|these days|nowadays|instead|from now on|no longer|any ?more|"
    r"taken up|took up|turned into|(?:has|have) become|moved on to|given up|gave up|quit|replaced?)\b|改|换|现在|如今|以后|从今|戒|不再|开始",
    re.IGNORECASE,
)
"""Words without which a new habit stands beside the old one."""


def habit_aspect(value: str) -> str:
    """The habit that a value answers ("green tea" → "drink"); "" when it is none."""
    if value.isascii():
        if DRINK.search(value):
            return "drink"
        return "sport" if value.lower() in _SPORT_OF else ""
    if DRINK_ZH.search(value):
        return "饮品"
    return "运动" if SPORT_ZH.fullmatch(value) else ""


def sport_of(word: str) -> str:
    """The sport that a word speaks of: "swimmer" is swimming; "" for other words."""
    return _SPORT_OF.get(word.lower(), "")
