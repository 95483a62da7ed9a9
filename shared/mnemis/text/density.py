"""How much a turn tells: from 0 (a greeting) to 1."""

import math
import re
from typing import Final

from mnemis.text.dates import has_date
from mnemis.text.normalise import clean
from mnemis.text.scripts import CJK
from mnemis.text.stopwords import CHINESE_CHARACTERS, ENGLISH_FILLERS
from mnemis.text.tokenise import content_tokens

_FILLER_ZH: Final = re.compile(
    r"哈+|呵+|嘿+|嘻+|嗯+|哦+|噢+|喔+|唉+|哎呀?|好的|好呀|好啊|好吧|好嘞|好滴|好哒|谢谢|多谢|感谢|再见|拜拜|晚安|早安|早上好|"
    r"下午好|晚上好|收到|没问题|没事|可以的?|不客气|太[好棒赞]了?|真[好棒不]错?|厉害|是的|是啊|对的|对啊|对呀|加油|辛苦了?|不错|"
    r"你好|您好|大家好|明白了?|知道了|了解|没关系|不好意思|对不起|抱歉|(?:明天|后天|回头|下次|一会儿?|周.)见|一路顺风|祝你|恭喜|牛|赞|行"
)
_CJK: Final = re.compile(rf"[{CJK}]")
_WORD: Final = re.compile(r"[^\W_]")
_NAME: Final = re.compile(
    r"(?<=[a-z,;:] )[A-Z][a-z]+|\b[A-Z]{2,}\b|\b[A-Za-z]+-?\d+\b|[《「][^》」]{1,20}[》」]"
)
_SHOUT: Final = re.compile(r"[^a-z]*")
_PREFERENCE: Final = re.compile(
    r"\b(?:i|we)(?:'m|’m| am)? (?:\w+ )?(?:love|like|hate|prefer|enjoy|want|need|allergic|avoid)\b"
    r"|我.{0,3}(?:喜欢|讨厌|不吃|不喝|过敏|想要|需要|爱|习惯|偏好)",
    re.IGNORECASE,
)
_SCALE: Final = 2.8
# Pairs of characters overlap, so a Chinese pair tells less than a word.
_PAIR_WEIGHT: Final = 0.7
_SAMPLE: Final = 4_000


def density(text: str) -> float:
    """Return the information density of a turn, from 0 to 1.

    It rises with the number of different content words and with their share among all, and with
    figures, names and dates. Greetings, fillers and bare emoji stay at 0.2 or below. Of a long
    text the first 4,000 characters count.
    """
    sample = clean(text[:_SAMPLE])
    told = _FILLER_ZH.sub(" ", sample)
    tokens = [token for token in content_tokens(told) if _tells(token)]
    if not tokens:
        return 0.0
    distinct = set(tokens)
    told_by = sum(_PAIR_WEIGHT if _CJK.match(token) else 1.0 for token in distinct)
    score = (1.0 - math.exp(-told_by / _SCALE)) * math.sqrt(len(distinct) / len(tokens))
    if len(distinct) == 1:
        score = min(score, 0.2)  # "Thanks, Ana!"
    return min(1.0, score + _extras(sample, alone=len(distinct) == 1))


def _tells(token: str) -> bool:
    """Whether a token carries matter: a Chinese pair without function characters, a word."""
    if token in ENGLISH_FILLERS or not _WORD.search(token):
        return False
    if _CJK.match(token):
        return len(token) > 1 and not any(char in CHINESE_CHARACTERS for char in token)
    return len(token) > 1 or token.isdigit()


def _extras(text: str, *, alone: bool) -> float:
    """What a preference, a figure, a name and a date add; one word alone needs a preference."""
    extra = 0.15 if _PREFERENCE.search(text) else 0.0
    if alone:
        return extra
    if any(char.isdigit() for char in text):
        extra += 0.08
    if _NAME.search(text) and not _SHOUT.fullmatch(text):
        extra += 0.08
    if has_date(text):
        extra += 0.1
    return extra
