"""What is only quoted, set as a task or told as fiction, without quotation marks around it.

"Tom wrote: I moved", "Translate this: I live in Lisbon", 歌里唱:…: what follows the colon asserts
nothing of the speaker. "I said: I moved" and "Update: we moved the launch" do assert.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LEAD: Final = 120
"""Characters of the longest sentence before a colon that is taken for what leads to a quotation."""
_COLON: Final = re.compile(r"[:：]")
_TOLD: Final = re.compile(r"\S")
_ENDS_ZH: Final = frozenset("!?;\n。！？；")
_ENDS: Final = _ENDS_ZH | {"."}
_BEFORE: Final = r"(?:^|(?<=[.!?;\n。！？；]))[ \t]*"
_SAYING: Final = re.compile(
    rf"{_BEFORE}(?P<who>[^.!?;:\n]{{1,80}}?)\s+(?:said|says|saying|writes|wrote|written|texts|texted|messaged|e-?mailed|"
    r"posted|tweeted|tells|told|replied|replies|answered|answers|shouted|shouts|whispers|whispered|claims|claimed|"
    r"announced|announces|asks|asked|goes|sings|sang|singing|sing|reads|runs)\b(?P<whom>[^.!?;:\n]{0,40}):(?=\s)"
    r"\s*(?P<said>[^.!?\n]*)",
    re.IGNORECASE,
)
_SELF: Final = re.compile(
    r"(?:^|\s)(?:I|we|let\s+(?:me|us))(?:['’](?:ve|d|m|re)|\s+(?:have|had|just|already|also|always|once|only|am|are|was))*$",
    re.IGNORECASE,
)
_TASK: Final = re.compile(
    rf"{_BEFORE}(?:(?:please|now|and|then|ok(?:ay)?|(?:can|could|would|will)\s+you(?:\s+please)?|help\s+me(?:\s+to)?)[\s,]+)*"
    r"(?:(?:translate|repeat|recite|paraphrase|rephrase|transcribe|proofread)\b[^.!?;:\n]{0,60}|"
    r"(?:say|write|read|type|copy|spell|correct|edit|improve|rewrite|summari[sz]e|shorten|analy[sz]e|parse|continue)\s+"
    r"(?:this|these|the\s+following|the\s+(?:sentence|text|phrase|line|story|words)|after\s+me|my\s+(?:text|story|essay|draft|sentence)|out\s+loud|aloud)\b[^.!?;:\n]{0,60}|"
    r"(?:an?\s+|the\s+|my\s+|here\s+(?:is|are)\s+)?(?:example|sample|practice)\s+(?:sentence|text|dialogue)s?|"
    r"(?:the\s+)?(?:sentence|text|phrase|line|passage)s?\s+(?:to|for)\s+(?:translat\w+|repeat|practi[cs]e|learn)\b[^.!?;:\n]{0,20}|"
    r"as\s+the\s+(?:poem|song|story|novel|book|film|saying)\s+(?:has|puts)\s+it|(?:the\s+)?(?:chorus|refrain)\b[^.!?;:\n]{0,30}|"
    r"(?:the\s+|song\s+)?lyrics|(?:the\s+|my\s+|a\s+)?(?:poem|screenplay|dictation))"
    r":(?=\s)\s*(?P<said>[^\n]*)",
    re.IGNORECASE,
)
_STORY: Final = re.compile(
    rf"{_BEFORE}(?P<who>[^.!?;:\n]*\b(?:novel|story|song|film|movie|book|play|poem|dream|game|character|hero|heroine|"
    r"narrator|chorus|episode|script|lyrics|textbook)\b[^.!?;:\n]*):(?=\s)\s*(?P<said>[^\n]*)",
    re.IGNORECASE,
)
_STORY_VERB: Final = re.compile(
    r"\b(?:says?|said|goes|sings?|sang|reads|writes|wrote|tells|told|begins|starts|opens|ends)\b",
    re.IGNORECASE,
)
_BEFORE_ZH: Final = r"(?:^|(?<=[。！？；!?;\n]))\s*"
_SAYING_ZH: Final = re.compile(
    rf"{_BEFORE_ZH}(?P<who>[^。！？；!?;:：\n]{{1,30}}?)(?:写信说|写道|写着|写的?|说道|说过?|唱道|唱着?|唱的|喊道?|问道?|"
    r"念道|回复|回答|答道|发微信|发消息|发短信|告诉[^。！？；!?;:：\n]{1,4})(?P<whom>[^。！？；!?;:：\n]{0,6})[:：]\s*(?P<said>[^。！？!?\n]*)"
)
_SELF_ZH: Final = re.compile(
    r"我们?(?:也|就|都|刚|刚才|曾|曾经|之前|上次|早就|早|已经|再|跟[^，,]{1,4}|和[^，,]{1,4}|对[^，,]{1,4}|给[^，,]{1,4})*$"
)
_IDIOM_ZH: Final = re.compile(
    r"(?:就是|换句话|换言之|比如|例如|老实|坦白|认真|来|话|再|可以|怎么|按理|一般|应该|顺便|据)$"
)
_TASK_ZH: Final = re.compile(
    rf"{_BEFORE_ZH}(?:(?:请|帮我|帮忙|麻烦你?|你|能不能|可以|再)[，,]?)*(?:[把将用][^。！？；!?;:：\n]{{1,12}}?)?"
    r"(?:翻译|翻成|译成|跟[我着]+[念读说]|重复|复述|朗读|润色|改写|造句|续写|抄写|默写|校对|听写|[^。！？；!?;:：\n]{0,12}(?:例句|歌词|台词))"
    r"[^。！？；!?;:：\n]{0,14}[:：]\s*(?P<said>[^\n]*)"
)
_STORY_ZH: Final = re.compile(
    rf"{_BEFORE_ZH}[^。！？；!?;:：\n]*(?:小说|故事|歌|电影|剧|主角|主人公|课文|诗|梦)[^。！？；!?;:：\n]*"
    r"(?:说道?|写道?|唱道?|唱着?|念道?|是这样的|开头是)[:：]\s*(?P<said>[^\n]*)"
)


def unasserted(text: str) -> tuple[tuple[int, int], ...]:
    """The stretches (start, end) of ``text`` that only quote, in order of their kinds."""
    if ":" not in text and "：" not in text:
        return ()
    return tuple(span for span in _spans(text) if span[0] < span[1])


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Each colon is looked at with the sentence before it and the next line behind it alone, so that the
    time grows with the text and not with the square of a line.
    """
    for colon in _COLON.finditer(text):
        at = colon.start()
        told = _TOLD.search(text, at + 1)
        line = text.find("\n", told.start()) if told else -1
        stop = len(text) if line < 0 else line
        begin = _begin_of(text, at, _ENDS)
        if begin is not None:
            yield from _moved(begin, _english(text[begin:stop]))
        begin = _begin_of(text, at, _ENDS_ZH)
        if begin is not None:
            yield from _moved(begin, _chinese(text[begin:stop]))


def _begin_of(text: str, at: int, ends: frozenset[str]) -> int | None:
    """Where the sentence begins that leads to a colon; None when it is too long to be a lead."""
    for begin in range(at, max(0, at - _LEAD) - 1, -1):
        if begin == 0 or text[begin - 1] in ends:
            return begin
    return None


def _moved(begin: int, spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return ((begin + start, begin + end) for start, end in spans)


def _english(lead: str) -> Iterator[tuple[int, int]]:
    said = _SAYING.match(lead)
    if said is not None and not _SELF.search(said.group("who")):
        yield said.span("said")
    story = _STORY.match(lead)
    if story is not None and _STORY_VERB.search(story.group("who")):
        yield story.span("said")
    task = _TASK.match(lead)
    if task is not None:
        yield task.span("said")


def _chinese(lead: str) -> Iterator[tuple[int, int]]:
    said = _SAYING_ZH.match(lead)
    if said is not None:
        who = said.group("who")
        if not _SELF_ZH.search(who) and not _IDIOM_ZH.search(who):
            yield said.span("said")
    for pattern in (_TASK_ZH, _STORY_ZH):
        match = pattern.match(lead)
        if match is not None:
            yield match.span("said")


def without_attributed(text: str) -> str:
    """``text`` with what only quotes blanked; offsets hold."""
    for start, end in unasserted(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
