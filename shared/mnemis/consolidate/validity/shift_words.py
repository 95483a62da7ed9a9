"""What two turns share, by the words of both and of those around them: how ``shifts`` tells that
they are about one matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mnemis.consolidate.validity.matters import content_of

_LONGEST: Final = 600
_AROUND: Final = 0.5
"""What a word counts that stands only in the turns before."""
_EMPTY: Final = re.compile(
    r"[的了是我你他她它们就一不都也还有这那着过得很说没再把给跟和在负责管交由归现]"
    r"|^(?:look|charg|respons|keep|take|handl|job|contact|alway|peopl|lot|team|new|live)\w*$"
)
"""Words that tell no matter: Chinese pairs with a function word, words of the frames themselves."""
_MEANT: Final[Mapping[str, str]] = {"landlord": "rent", "landlady": "rent", "房东": "房租"}


def words_of(text: str) -> frozenset[str]:
    """The words by which a text can name its matter; a landlord's is the rent."""
    words = frozenset(each for each in content_of(text[:_LONGEST]) if not _EMPTY.search(each))
    return words | frozenset(_MEANT[each] for each in words if each in _MEANT)


def weights_of(
    own: frozenset[str],
    around: frozenset[str],
    there: frozenset[str],
    beside: frozenset[str],
    idf: Mapping[str, float],
) -> dict[str, float]:
    """What two turns share, by word."""
    return {
        token: idf.get(token, 0.0)
        * (1.0 if token in own else _AROUND)
        * (1.0 if token in there else _AROUND)
        for token in (own | around) & (there | beside)
    }


def characters_of(clause: str) -> frozenset[str]:
    """The Chinese characters of a clause that can name its matter."""
    return frozenset(
        each for each in re.findall(r"[\u4e00-\u9fff]", clause) if not _EMPTY.search(each)
    )


def shares_word(weight: Mapping[str, float], idf: Mapping[str, float], *, both: bool) -> bool:
    """Whether one of the two turns itself (``both``: each of them) has a word of the other or of
    its surroundings.
    """
    least = 1.0 if both else _AROUND
    return any(each >= least * idf[token] > 0 for token, each in weight.items())


_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)


def weekdays_of(text: str) -> frozenset[str]:
    """The weekdays that a text names, as written but for case and for 星期 and 礼拜."""
    return frozenset(
        re.sub("星期|礼拜", "周", match.group().lower()) for match in _WEEKDAY.finditer(text)
    )
