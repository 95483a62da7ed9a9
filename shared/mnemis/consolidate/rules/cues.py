"""Phrases that tell how a stretch reads: that a new matter begins, that something changed, that it
matters, that two bear one name, that a value took another's place.
"""

from __future__ import annotations

import re
from typing import Final

OPENER: Final = re.compile(
    r"^\s*(?:by the way|btw|anyway|on another (?:note|topic)|speaking of|next (?:topic|item|up|question)|new topic|also,|"
    r"other news|one more thing|different (?:topic|question)|changing the subject|another thing|"
    r"对了|另外|顺便|话说|说到|还有一件事|还有个事|换个话题|下一个|接下来|言归正传|再说)",
    re.IGNORECASE,
)
CHANGE: Final = re.compile(
    r"\b(?:moved|changed?|switched|now|new|updated?|postponed|delayed|pushed|no longer|instead|replaced|anymore|correction|"
    r"wrong|sorry|actually|went up|dropped|decided|agreed|cancell?ed|called off|scrapped)\b|取消|作废|改|换|推迟|提前|不再|现在|最新|更新|更正|不对|错了|调整|涨|降|决定|延期",
    re.IGNORECASE,
)
FEELING: Final = re.compile(
    r"\b(?:love|hate|happy|sad|excited|worried|afraid|proud|angry|hope|want|plan|wish|feel|glad|sorry|nervous|tired|"
    r"going to|will|need|must|should|decided|agreed)\b|喜欢|讨厌|开心|难过|担心|希望|想要|打算|计划|决定|害怕|生气|骄傲|期待|必须|需要|同意|舒服",
    re.IGNORECASE,
)
EMPHASIS: Final = re.compile(
    r"\b(?:important|crucial|critical|remember|never forget|must|seriously|urgent|deadly)\b|重要|记住|千万|务必|一定要|必须|严重|切记",
    re.IGNORECASE,
)
TWINS: Final = re.compile(
    r"\b(?:called|named)\s+([A-Z]\w+(?:\s[A-Z]\w+)+)\s*[:,;–—-]\s*one\s+(?:is\s+|works\s+)?(?:in|from|at)\s+(\w+)[,;]?\s+(?:and\s+)?"
    r"(?:the other|one)\s+(?:is\s+|works\s+)?(?:in|from|at)\s+(\w+)"
)
TWINS_ZH: Final = re.compile(
    r"两[个位]\w{0,4}(?:都)?叫([\u4e00-\u9fff]{2,4})[，,：:]+\s*一[个位]在(\w{2,6}?)[，,]\s*(?:另)?一[个位]在(\w{2,6})"
)
NOT_SAME_ZH: Final = re.compile(
    r"([\u4e00-\u9fff]{2,8})\s*(?:和|跟|与|就是)\s*([\u4e00-\u9fff][\u4e00-\u9fff ]{1,8}?)\s*是同一[家个](公司|人|地方|产品)?"
)
TOGETHER: Final = re.compile(
    r"\b(?:we|our|us|let's|let us)\b|^[^:]{1,40}:\s*(?:ok(?:ay)?|right|then|done|so|well|agreed|go|drop|use|put|keep|switch)\b|我们|咱|大家|^[^:]{1,40}:\s*(?:那就|就|改|换|定)",
    re.IGNORECASE,
)
GENERAL: Final = frozenset(
    "price prices cost costs date day deadline time budget rent fee plan new european total launch delivery "
    "价格 售价 报价 日期 时间 截止日 预算 费用 房租 新".split()
)
GOES_BACK: Final = re.compile(
    r"\b(?:back\s+(?:to|on|with)|returned?\s+to|again)\b|改回|换回|又回到|回到|重新(?:用|交给|喝|选)|还是(?:用|回)",
    re.IGNORECASE,
)
SWITCHES: Final = re.compile(
    r"\b(?:gone over to|switch(?:ed|ing)? to|chang(?:ed|ing) to|mov(?:ed|ing) to|going with|go with|rewrit\w+|migrat\w+)\b|换成|换了|改用|改成|改找|改签|重写成|转到|换用",
    re.IGNORECASE,
)
MATTER_CHANGES: Final = re.compile(
    r"\b(?:now|moved?|moves|moving|push(?:ed)?|postponed?|delayed|rescheduled|shifted|brought|put\s[\w ]+\s(?:up|down)|raised|lowered|went\s(?:up|down)|"
    r"up\sto|down\sto|dearer|cheaper|instead|no longer|new|from (?:mon|tues|wednes|thurs|fri|satur|sun)day|as of|changed?)\b|"
    r"改|提到|提前|推|挪|延|调|涨|降|现在|换",
    re.IGNORECASE,
)
