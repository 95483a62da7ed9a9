"""What a follow-up leaves unsaid, taken from the turns just before it.

Three ways to lean on what was said: choosing from a list ("the second one", 后者), pointing
("she", 那家), leaving out ("And in May?", 后来呢). Each brings other words along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mnemis.model.message import Message
from mnemis.recall.cues import ANAPHORA
from mnemis.text.normalise import language
from mnemis.text.tokenise import content_tokens

_MAX_CHARS = 400  # of earlier turns; more would drown the question itself
_LOOKED_AT = 6  # turns back; what was said before that is seldom meant
_SHORT_EN, _SHORT_ZH = 3, 5  # words, characters: a question this short stands on another
_LONG_ZH = 12  # characters from which on a question that starts with 那 stands alone
_FULL = 5  # content words from which on a question that starts with "and" stands alone

_NUMBERS = {
    "first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4,
    "last": -1, "latter": -1,
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4,
    "前者": 0, "后者": -1, "最后": -1,
}  # fmt: skip
_CHOICE = re.compile(
    r"\bthe (?P<en>first|second|third|fourth|fifth|last)"
    r"(?: (?:one|option|choice|item|person|place|idea)\b|\s*[?.!,]|\s*$)"
    r"|\bthe (?P<pair>former|latter)\b"
    r"|(?:第(?P<zh>[一二三四五1-5])|(?P<end>最后)一)(?:个|家|种|位|款|条|项|部|间|样|名|处|所)"
    r"|(?P<both>前者|后者)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:he|she|him|his|her|hers|they|them|their|theirs)\b|[他她](?!们?自己)|对方", re.IGNORECASE
)
_THING = re.compile(
    r"\b(?:its|those|these)\b|[那这](?:家|位|部|次|天|里|边|时|种|款|间|本|套|样|场|趟)|其中|该公司",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"^(?:and|but|so|then|or|what about|how about|what else|anything else|who else|why not)\b"
    r"|^(?:那么?|然后|后来|还有|接着|结果|可是|但是)(?!个|家|位|部|次|天|里|边|时)",
    re.IGNORECASE,
)
_EMPTY_ZH = re.compile(
    r"那么|那|呢|后来|然后|接着|结果|为什么|怎么样|怎么|什么时候|多少|哪里|哪儿|什么|谁|还有|还是|还"
    r"|这样|这么|如此|现在|是|吗|了|啊|呀|的|\W"
)
_EMPTY_EN = frozenset(
    "now then still exactly happened later after next since and but so why when where who how what"
    " not else is was did that this it the s about".split()
)
_THANKS = re.compile(
    r"^(?:\W|thank(?:s| you)|you'?re welcome|welcome|ok(?:ay)?|great|perfect|got it|sure|yes|no"
    r"|nice|so much|a lot|very|谢谢|多谢|不客气|好的?|行|嗯|可以|知道|明白|收到"
    r"|是的?|您|你|了|啊|吧)*$",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"^\s*(?:\d{1,2}\s*[.)、:：．]|[-*•·]|[(（]\d{1,2}[)）])\s*(?P<item>\S.*)$", re.M
)
_LEAD = re.compile(r"^.*?[:：]\s*", re.DOTALL)
_BETWEEN = re.compile(
    r"\s*(?:[,，、;；]\s*(?:and|or|then|后来是?|然后是?|再是?|和|或)?"
    r"|\b(?:and(?: then)?|or|then)\b|以及|还有|和|或者?)\s*",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^(?:first(?:ly)?|at first|先是?|首先是?|最初是?)[,，\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """``words`` that earlier turns add to a query; ``asked``: the earlier question that it goes
    on with, when it leaves out what that one asked. Both empty when it stands alone.
    """

    words: str = ""
    asked: str = ""


def lean(text: str, recent: Sequence[Message], *, names: bool) -> Leaning:
    """What the query leans on in the last turns (oldest first), of which the last may be the query
    itself. ``names``: it names somebody of the memory itself, so its "she" needs nobody else.
    """
    if recent and recent[-1].text.strip() == text.strip():
        recent = recent[:-1]
    said = [each for each in recent[-_LOOKED_AT:] if _says_something(each.text)]
    if not said:
        return Leaning()
    chosen = _chosen(text, said)
    if chosen:
        return Leaning(words=chosen)
    if _leaves_out(text):
        asked = next((each.text for each in reversed(said) if each.role == "user"), "")
        bare = _is_bare(text)
        words = _tail(said[-2:]) if bare or not asked else asked[-_MAX_CHARS:]
        return Leaning(words=words, asked=asked)
    points = ANAPHORA.sub("", text) != text and not (names and _only_person(text))
    if points or _THING.search(text) or (not names and _PERSON.search(text)):
        return Leaning(words=_tail(said[-2:]))
    return Leaning()


def listed(text: str) -> tuple[str, ...]:
    """The things a text lists, in order: numbered or dotted lines, else what stands between
    commas and "and" in its last sentence that has two of them.

    >>> listed("We tried MongoDB and PostgreSQL.")
    ('We tried MongoDB', 'PostgreSQL')
    """
    items = [match["item"].strip() for match in _ITEM.finditer(text)]
    if len(items) > 1:
        return tuple(items)
    for sentence in reversed(re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n", text)):
        bare = _FIRST.sub("", _LEAD.sub("", sentence)).strip(" .。!！?？")
        items = [each.strip() for each in _BETWEEN.split(bare) if each.strip()]
        if len(items) > 1:
            return tuple(items)
    return ()


def _chosen(text: str, said: Sequence[Message]) -> str:
    """The thing that "the second one" means: from the latest turn that lists enough things."""
    match = _CHOICE.search(text)
    if match is None:
        return ""
    number = _NUMBERS[next(group for group in match.groups() if group).lower()]
    for each in reversed(said):
        items = listed(each.text)
        if len(items) > max(number, 1):
            return items[number][:_MAX_CHARS]
    return ""


def _leaves_out(text: str) -> bool:
    """Whether a query is the rest of an earlier one: it goes on with "and" or 那, or asks a bare
    "why".
    """
    if language(text) == "zh":
        length = len(re.sub(r"\W", "", text))
        goes_on = _THEN.search(text) or text.rstrip("？?。 ").endswith("呢")
        return length < _LONG_ZH if goes_on else length <= _SHORT_ZH and _is_bare(text)
    if _THEN.search(text):
        return len(set(content_tokens(text))) < _FULL
    return len(text.split()) <= _SHORT_EN and _is_bare(text)


def _is_bare(text: str) -> bool:
    """Whether a follow-up brings no matter of its own: "Why?", 后来呢; or points at some."""
    if ANAPHORA.search(text) or _PERSON.search(text) or _THING.search(text):
        return True
    if language(text) == "zh":
        return not _EMPTY_ZH.sub("", text)
    return set(re.findall(r"\w+", text.lower())) <= _EMPTY_EN


def _only_person(text: str) -> bool:
    """Whether what the query points with are people's pronouns alone."""
    return ANAPHORA.search(_PERSON.sub(" ", text)) is None


def _says_something(text: str) -> bool:
    """Thanks and ok are nothing to point at."""
    return bool(text.strip()) and _THANKS.match(text) is None


def _tail(said: Sequence[Message]) -> str:
    """The end of what was said, from a word's start."""
    whole = " ".join(each.text.strip() for each in said)
    if len(whole) <= _MAX_CHARS:
        return whole
    cut = whole[-_MAX_CHARS:]
    return re.sub(r"^[^\s。！？.!?]{0,40}[\s。！？.!?]+", "", cut)
