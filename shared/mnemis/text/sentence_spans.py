"""Sentences and parts of a text, as half-open character spans into it."""

import re
from collections.abc import Iterator
from typing import Final

from mnemis.text.scripts import CJK

Span = tuple[int, int]

_CLOSERS: Final = "\"'”’»)\\]}」』）】》"
_END: Final = re.compile(rf"[。！？；…!?.]++[{_CLOSERS}]*+|\n++")
_LATIN_ENDERS: Final = ".!?…"
_WORD_BEFORE: Final = re.compile(r"[A-Za-z.]+$")
_NEVER_LAST: Final = frozenset(
    "mr mrs ms mx dr prof rev gen sen rep capt lt col st mt vs cf viz fig figs no nos vol pp eq "
    "sec ch approx e.g i.e eg ie al jan feb mar apr jun jul aug sep sept oct nov dec dept "
    "est".split()
)
_SOMETIMES_LAST: Final = frozenset(
    "etc a.m p.m am pm inc ltd co corp llc jr sr u.s u.k e.u u.n ph.d b.a m.a m.sc b.sc ave".split()
)
_LIST_LINE: Final = re.compile(r"[ \t]*(?:[-*+•·]|\d{1,3}[.)、])[ \t]?")
_FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)", re.MULTILINE)
_CJK: Final = re.compile(rf"[{CJK}]")
_CJK_EXTRA: Final = 1.5
_SOFT_BREAK: Final = re.compile(r"[\s,，、:：;)）]")


def sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of `text`, in order, without blanks at their ends.

    A sentence ends with . ! ? 。！？；… (closing quotes included) or with its line. Abbreviations,
    decimals, versions and addresses stay whole. Together the spans cover all that is not blank;
    none is empty.
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if _is_end(text, match.start(), match.end(), start):
            _append_stripped(spans, text, start, match.end())
            start = match.end()
    _append_stripped(spans, text, start, len(text))
    return spans


def _append_stripped(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = left + len(piece.strip())
    if right > left:
        spans.append((left, right))


def _is_end(text: str, at: int, after: int, start: int) -> bool:
    mark = text[at]
    if mark not in _LATIN_ENDERS:
        return True
    following = text[after : after + 1]
    if following and not following.isspace() and following.isascii():
        return mark == "…" and text[after - 1] == "…"
    if mark != "." or after - at > 1:
        return True
    if following and not following.isspace():
        # "好.的" or "ok.好的": a Latin full stop typed between Chinese ends a sentence.
        return not text[at - 1 : at].isdigit() and _CJK.match(following) is not None
    return _full_stop_ends(text, at, after, start)


def _full_stop_ends(text: str, at: int, after: int, start: int) -> bool:
    if _LIST_LINE.fullmatch(text[max(start, at - 40) : at + 1]) and at - start <= 40:
        return False
    before = _WORD_BEFORE.search(text[max(start, at - 24) : at])
    word = before.group().lower() if before else ""
    if word in _NEVER_LAST:
        # "No." is also an answer of one word.
        return word == "no" and not text[after : after + 3].strip()[:1].isdigit()
    upcoming = text[after : after + 80].lstrip()[:1]
    if len(word) == 1 and text[at - 1].isupper() and word != "i":
        return not upcoming.isupper()
    if word in _SOMETIMES_LAST:
        return not upcoming or upcoming.isupper() or not upcoming.isascii()
    return True


def parts(text: str, *, size: int = 400, overlap: float = 0.0) -> list[Span]:
    """Return spans of whole sentences that measure about `size` characters each.

    A Chinese character counts as 2.5, since it carries as much as that many Latin ones. Fenced
    code and the lines of a list stay together where they fit; a sentence longer than `size` is
    cut, at a blank or a comma if one is near. `overlap` (0 to below 1) is the share of a part
    that the next one repeats. The spans rise and cover all that is not blank.

    Raises ValueError for a `size` below 1 or an `overlap` outside [0, 1).
    """
    if size < 1 or not 0.0 <= overlap < 1.0:
        raise ValueError(f"size must be ≥ 1 and overlap in [0, 1), got {size!r} and {overlap!r}")
    units = [piece for unit in _units(text, size) for piece in _fitting(text, unit, size)]
    weights = [_weight(text, unit) for unit in units]
    spans: list[Span] = []
    first, total = 0, 0.0
    for index, weight in enumerate(weights):
        if index > first and total + weight > size:
            spans.append((units[first][0], units[index - 1][1]))
            first, total = _repeat_from(weights, first, index, overlap * size)
        total += weight
    if units:
        spans.append((units[first][0], units[-1][1]))
    return spans


def _repeat_from(
    weights: list[float], first: int, index: int, allowance: float
) -> tuple[int, float]:
    """Where the part that gains unit `index` begins, and the weight that it repeats."""
    begin, repeated = index, 0.0
    while begin - 1 > first and repeated + weights[begin - 1] <= allowance:
        begin -= 1
        repeated += weights[begin]
    return begin, repeated


def _weight(text: str, span: Span) -> float:
    piece = text[span[0] : span[1]]
    if piece.isascii():
        return float(len(piece))
    return len(piece) + _CJK_EXTRA * len(_CJK.findall(piece))


def _units(text: str, size: int) -> Iterator[Span]:
    """Sentences, with each fenced block and each list line as one unit where it fits."""
    fences = _fenced(text)
    pending: Span | None = None
    fence_index = 0
    for span in sentences(text):
        while fence_index < len(fences) and fences[fence_index][1] <= span[0]:
            fence_index += 1
        inside = fence_index < len(fences) and fences[fence_index][0] <= span[0]
        if pending is not None:
            joined = (pending[0], span[1])
            belongs = (inside and pending[0] >= fences[fence_index][0]) or (
                not inside and _same_list_line(text, pending, span)
            )
            if belongs and joined[1] - joined[0] <= size and _weight(text, joined) <= size:
                pending = joined
                continue
            yield pending
        pending = span
    if pending is not None:
        yield pending


def _same_list_line(text: str, before: Span, span: Span) -> bool:
    gap = text[before[1] : span[0]]
    return "\n" not in gap and _LIST_LINE.match(text, before[0]) is not None


def _fenced(text: str) -> list[Span]:
    marks = [match.start() for match in _FENCE.finditer(text)]
    blocks: list[Span] = []
    for opening, closing in zip(marks[::2], marks[1::2], strict=False):
        line_end = text.find("\n", closing)
        blocks.append((opening, len(text) if line_end < 0 else line_end + 1))
    return blocks


def _fitting(text: str, span: Span, size: int) -> Iterator[Span]:
    """`span`, or its pieces of at most `size` where it is longer."""
    start, end = span
    while start < end:
        window = text[start : min(end, start + size)]
        length = len(window)
        if not window.isascii():
            length = _length_within(window, size)
        if start + length >= end:
            yield start, end
            return
        cut = length
        for match in _SOFT_BREAK.finditer(window, max(1, length * 3 // 5), length):
            cut = match.end()
        yield from _stripped(text, start, start + cut)
        start += cut
        while start < end and text[start].isspace():
            start += 1


def _stripped(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    _append_stripped(spans, text, start, end)
    return spans


def _length_within(window: str, size: int) -> int:
    """How many characters of `window` weigh at most `size`; at least one."""
    weight, length = 0.0, 0
    for char in window:
        weight += 1.0 + (_CJK_EXTRA if _CJK.match(char) else 0.0)
        if weight > size:
            break
        length += 1
    return max(1, length)
