"""Cleaning, folding and keys of names, and the language of a text."""

import re
import unicodedata
from typing import Final

from mnemis.text.scripts import CJK, HAN

_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE: Final = re.compile("[\ud800-\udfff]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f]")

_QUOTES: Final = "\"'`´‘’‚‛“”„‟«»‹›*_~"
_BRACKETS: Final = {
    "(": ")", "[": "]", "{": "}", "<": ">", "《": "》", "〈": "〉", "「": "」", "『": "』",
    "【": "】", "〔": "〕", "〖": "〗",
}  # fmt: skip
_CLOSERS: Final = {close: opener for opener, close in _BRACKETS.items()}
_TRAILING: Final = ".,;:!?、。…·"
_LEADING: Final = ",;:!?、。…·"
_BLANK_IN_CJK: Final = re.compile(rf"(?<=[{CJK}]) (?=[{CJK}])")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s?$")
_TITLE: Final = re.compile(r"^(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam)(?:\. ?| )(?=\S)")
_TITLE_ZH: Final = re.compile(r"(?<=\S)(?:先生|女士|小姐|老师|医生|教授|博士)$")
_DOT_BY_LETTER: Final = re.compile(r"(?<=[^\W\d_])\.(?=[^\W\d_]|\s|$)")

_PLAIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9 +#&_-]*[a-z0-9])?")  # nothing to take away

_HAN_RUN: Final = re.compile(rf"[{HAN}]")
_LATIN: Final = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 20_000


def clean(text: str) -> str:
    """Return `text` in a form that every store can keep: valid UTF-8, no control characters.

    A surrogate pair becomes its code point, a lone surrogate U+FFFD; NUL and the other C0
    controls go, except newline and tab; a carriage return becomes a newline. A text
    that has none of these is returned unchanged. Idempotent.
    """
    if not text.isascii():
        text = _PAIR.sub(_join_pair, text)
        text = _LONE.sub("\ufffd", text)
    return _CONTROLS.sub("", _keep_line_ends(text))


def _join_pair(match: re.Match[str]) -> str:
    high, low = ord(match.group()[0]), ord(match.group()[1])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _keep_line_ends(text: str) -> str:
    """A carriage return is a control character, but the line that it ends must stay a line."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def fold(text: str) -> str:
    """Return `text` in compatibility form (NFKC), case-folded, each run of blanks one space."""
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def name_key(text: str) -> str:
    """Return the key under which an entity's name is found.

    Two spellings of one name share a key (width, case, quotes, titles, "Node.js" and "nodejs");
    names that differ in a letter, a digit, "+" or "#" do not. The key is empty only when `text`
    is blank: where all letters would go, the folded text itself is the key.
    """
    folded = fold(text)
    if _PLAIN.fullmatch(folded) and not _TITLE.match(folded):
        return folded
    key = _POSSESSIVE.sub("", _strip_ends(folded))
    key = _BLANK_IN_CJK.sub("", key)
    key = _TITLE.sub("", key)
    key = _TITLE_ZH.sub("", key)
    key = _DOT_BY_LETTER.sub("", key)
    key = _strip_ends(key)
    if not key or (_LETTER.search(folded) and not _LETTER.search(key)):
        return folded
    return key


def _strip_ends(name: str) -> str:
    """Strip quotes, sentence marks and the brackets that enclose the whole or have no partner."""
    left, right = 0, len(name)
    while left < right:
        first, last = name[left], name[right - 1]
        if first in _QUOTES or first in _LEADING or first == " ":
            left += 1
        elif last in _QUOTES or last in _TRAILING or last == " ":
            right -= 1
        elif _BRACKETS.get(first) == last:
            left, right = left + 1, right - 1
        elif first in _BRACKETS and name.find(_BRACKETS[first], left, right) < 0:
            left += 1
        elif last in _CLOSERS and name.find(_CLOSERS[last], left, right) < 0:
            right -= 1
        else:
            break
    return name[left:right]


def language(text: str) -> str:
    """Return "zh", "en" (Latin letters) or "und", judged by the scripts of the letters.

    A fifth of Chinese characters among the letters makes a text Chinese, since identifiers and
    product names inside Chinese sentences are Latin. Only the first 20,000 characters count.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return "en" if _LATIN.search(sample) else "und"
    sample = unicodedata.normalize("NFKC", sample)
    letters = len(_LETTER.findall(sample))
    han, latin = len(_HAN_RUN.findall(sample)), len(_LATIN.findall(sample))
    others = letters - han - latin
    if letters and han * 5 >= letters and han > others:
        return "zh"
    return "en" if latin and latin * 2 >= letters else "und"
