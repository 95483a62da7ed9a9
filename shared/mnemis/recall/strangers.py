"""People and things that a query names and the memory has never heard of: what it finds is then
about somebody else, however well the rest of the words fit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mnemis.ports.store import View
from mnemis.recall.evidence import known_terms
from mnemis.text.normalise import fold
from mnemis.text.tokenise import content_tokens, tokenise

_CALENDAR: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december christmas easter".split()
)
_WORD: Final = re.compile(r"(?!I\b)[^\W\d_]+(?:['’-][^\W\d_]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s$")
_SURNAMES: Final = (
    "王李张刘陈杨赵吴徐孙朱胡郭罗宋郑谢韩冯董曹袁邓傅沈彭吕苏卢蒋蔡贾丁魏薛阎潘杜戴汪姜范姚谭廖邹"
    "熊陆郝崔邱秦侯邵孟汤尹黎乔贺赖龚"
)
"""Those that begin few everyday words."""
_CHINESE: Final = re.compile(
    rf"(?:^|[，,。？?：:、\s]|请问|那么?)(?P<name>[小老阿][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=的|家|在|住|现在|是|叫|什么|喜欢|有|会|去|说)"
)


def strangers(text: str, view: View, *, heard: Sequence[str]) -> tuple[str, ...]:
    """The names in ``text`` of which the memory has no word, in order.

    ``heard``: how the query words the people and things that the memory knows. None where the
    memory knows no other word of the query written in the same script: it may well hold the
    answer in another language.
    """
    known = {token for each in heard for token in tokenise(each)}
    names = {name: _words_of(name) for name in _names(text)}
    names = {name: words for name, words in names.items() if not words & known}
    if not names:
        return ()
    named = {token for name in names for token in tokenise(name)}
    others = [token for token in content_tokens(text) if token not in named]
    told = set(known_terms(view, [*sorted(named), *others], facts=True)[0])
    return tuple(
        name
        for name, words in names.items()
        if not words & told
        and any(token in told and token.isascii() == name.isascii() for token in others)
    )


def _words_of(name: str) -> set[str]:
    """Its tokens; of a Chinese name the pairs, since each of its characters is common."""
    return {token for token in tokenise(name) if token.isascii() or len(token) > 1}


def _names(text: str) -> list[str]:
    """Words with a capital inside of a sentence or with a possessive, and Chinese full names and
    forms of address; not in a text where most words have a capital, nor words all in capitals.
    """
    names = [match["name"] for match in _CHINESE.finditer(text)]
    words = list(_WORD.finditer(text))
    begins = {word.start(): _begins(text[: word.start()]) for word in words}
    capitals = [word for word in words if word.group()[0].isupper()]
    if sum(not begins[word.start()] for word in capitals) > max(2, len(words) // 2):
        return names
    for word in capitals:
        bare = _POSSESSIVE.sub("", word.group())
        is_named = (bare != word.group() or not begins[word.start()]) and not bare.isupper()
        if is_named and content_tokens(bare) and fold(bare) not in _CALENDAR:
            names.append(bare)
    return names


def _begins(before: str) -> bool:
    """Whether a sentence begins after this."""
    return not before.strip() or before.rstrip()[-1] in ".?!:。？！："
