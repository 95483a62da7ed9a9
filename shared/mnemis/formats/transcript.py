"""Plain text: ``Name: what was said``, with or without dates, as messengers export it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from mnemis.formats.reading import Conversation, Problems, Reading, note_of_lines, with_ids
from mnemis.formats.stamps import Stamp, day_first, stamp_of, time_of
from mnemis.model.message import Message, MessagePart

# A colon, also the full-width one (U+FF1A); "https://" starts no message.
_HEAD = re.compile(r"^(?P<name>[^:\uff1a\n]{1,40}?)\s*[:\uff1a](?!//)\s?(?P<text>.*)$")
# A name has none of the marks of a sentence: "Ana María", "赵思远", "+49 171".
_NAME = re.compile(r"^(?!\d+$)[\w+][^,.;!?\"\uff0c\u3002\uff1b\uff01\uff1f\u201c\u201d]*$")
_LONGEST_NAME = 4  # words
# Messengers mark directions and joins with characters that nobody sees.
_INVISIBLE = str.maketrans(
    "\u202f\u00a0", "  ", "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
)
_ATTACHED = re.compile(
    r"^(?:<\s*attached:\s*(?P<ios>[^<>]+?)\s*>"
    r"|(?P<file>\S.*?\.\w{2,5}) \((?:file attached|文件附件)\))\s*(?P<rest>.*)$",
    re.DOTALL | re.IGNORECASE,
)
_OMITTED = re.compile(
    r"^<?(?:media|image|video|audio|sticker|gif|document) omitted>?$|^<?媒体文件已忽略>?$",
    re.IGNORECASE,
)
# Some messengers put name and time on a line of their own: "2025-03-01 09:00:12 张三(12345)" or
# "张三 2025/3/1 9:00"; the account in brackets is no part of the name.
_TAILED = re.compile(r"^(?P<name>\S.{0,39}?)\s+(?P<date>\d.*)$")
_ACCOUNT = re.compile(r"\s*[(<\uff08][^()<>\uff08\uff09]{1,60}[)>\uff09]\s*$")
_ASSISTANTS = frozenset(
    ("assistant", "chatgpt", "claude", "gemini", "deepseek", "copilot", "bot", "助手", "助理")
)
_IMAGES = ("jpg", "jpeg", "png", "gif", "webp", "heic")
_VIDEOS = ("mp4", "mov", "3gp")
_SOUNDS = ("opus", "mp3", "m4a", "ogg", "wav")


@dataclass(slots=True)
class _Draft:
    line: int
    name: str
    texts: list[str]
    stamp: Stamp | None


def read_transcript(text: str, *, name: str, session: str, zone: tzinfo) -> Reading:
    """One message a ``Name: text``; lines that start none continue the message above.

    A date may stand before the name ([2025-03-01 09:00], 2025-03-01 09:00 -, 12/03/2025, 9:00 PM),
    or name and date on a line of their own above the text, as QQ and WeChat write them.
    An undated line in a dated transcript takes the time of the line above. The speaker "assistant"
    (or a known one: ChatGPT, Claude, …) has the role assistant, all others user. Raises InputError
    when the first line starts no message or a date does not exist.
    """
    problems = Problems(name)
    lines = text.translate(_INVISIBLE).split("\n")
    stamps = [stamp_of(line) for line in lines]
    drafts, notices = _blocks(lines, stamps) or _drafts(lines, stamps, problems)
    dated = [draft.stamp for draft in drafts if draft.stamp is not None]
    day_is_first, proven = day_first(dated)
    messages: list[Message] = []
    omitted: list[int] = []
    last: datetime | None = None
    for draft in drafts:
        if draft.stamp is not None:
            try:
                last = time_of(draft.stamp, zone=zone, day_is_first=day_is_first)
            except ValueError as error:
                problems.add(draft.line, f"this date does not exist ({error})")
        said = "\n".join(draft.texts).strip()
        if not said or _OMITTED.match(said):
            omitted.append(draft.line)
            continue
        messages.append(_message(draft.name, said, time=last, session=session))
    problems.raise_if_any()
    notes = note_of_lines("messages without words (media left out of the export)", omitted)
    notes += note_of_lines("lines that are no messages were left out", notices)
    if not proven:
        notes += ("dates such as 3/4/25 were read as day/month; nothing in the file proves it",)
    conversations = (Conversation(labels=(), messages=with_ids(messages)),)
    return Reading(format="transcript", conversations=conversations, notes=notes)


def _blocks(
    lines: Sequence[str], stamps: Sequence[Stamp | None]
) -> tuple[list[_Draft], list[int]] | None:
    """Messages below lines of name and time; None when the file is not written like that."""
    heads = [_block_head(line, stamp) for line, stamp in zip(lines, stamps, strict=True)]
    followed = [
        head is not None and bool(after.strip()) and after_head is None
        for head, after, after_head in zip(heads, [*lines[1:], ""], [*heads[1:], None], strict=True)
    ]
    inline = sum(stamp is not None and _HEAD.match(stamp.rest) is not None for stamp in stamps)
    if sum(followed) <= inline:
        return None
    drafts: list[_Draft] = []
    preamble: list[int] = []
    for number, (line, head) in enumerate(zip(lines, heads, strict=True), start=1):
        if head is not None:
            drafts.append(_Draft(line=number, name=head[0], texts=[], stamp=head[1]))
        elif drafts:
            drafts[-1].texts.append(line)
        elif line.strip():
            preamble.append(number)
    return drafts, preamble


def _block_head(line: str, stamp: Stamp | None) -> tuple[str, Stamp] | None:
    name = stamp.rest.strip() if stamp is not None else ""
    if stamp is None and (tailed := _TAILED.match(line)) is not None:
        name, stamp = tailed["name"].strip(), stamp_of(tailed["date"])
        if stamp is not None and stamp.rest.strip():
            return None
    name = _ACCOUNT.sub("", name)
    if stamp is None or not stamp.timed or len(name) > 40 or not _NAME.match(name):
        return None
    return None if _HEAD.match(name) else (name, stamp)


def _drafts(
    lines: Sequence[str], stamps: Sequence[Stamp | None], problems: Problems
) -> tuple[list[_Draft], list[int]]:
    speakers = _speakers(lines, stamps)
    drafts: list[_Draft] = []
    notices: list[int] = []
    heading: Stamp | None = None  # a date that stands alone holds for what follows
    for number, (line, stamp) in enumerate(zip(lines, stamps, strict=True), start=1):
        head = _HEAD.match(stamp.rest if stamp is not None else line)
        name = head["name"].strip() if head is not None else ""
        starts = head is not None and (stamp is not None or name in speakers)
        if starts and head is not None:
            stamp = stamp or heading
            heading = None
            drafts.append(_Draft(line=number, name=name, texts=[head["text"]], stamp=stamp))
        elif stamp is not None and not stamp.rest.strip() and (speakers or not drafts):
            heading = stamp
        elif stamp is not None and stamp.rest.strip() and stamp.timed:
            notices.append(number)
        elif drafts:
            drafts[-1].texts.append(line)
        elif line.strip():
            problems.add(
                number, f'expected "Name: text", with or without a date, got {line.strip()!r:.60}'
            )
            break
    if not drafts:
        problems.add(None, "no line starts a message")
    return drafts, notices


def _speakers(lines: Sequence[str], stamps: Sequence[Stamp | None]) -> frozenset[str]:
    """Names that may start an undated message.

    Where messages are dated, "Note: bring milk" below one of them is its second line; but where
    a dated speaker is also seen without a date, the writer dates only some lines, and then any
    plausible name starts a message, as it does where nothing is dated.
    """
    dated: set[str] = set()
    undated: set[str] = set()
    for line, stamp in zip(lines, stamps, strict=True):
        head = _HEAD.match(stamp.rest if stamp is not None else line)
        if head is None:
            continue
        name = head["name"].strip()
        if stamp is not None:
            dated.add(name)
        elif _NAME.match(name) and len(name.split()) <= _LONGEST_NAME:
            undated.add(name)
    return frozenset(undated) if not dated or dated & undated else frozenset()


def _message(name: str, said: str, *, time: datetime | None, session: str) -> Message:
    parts: tuple[MessagePart, ...] = ()
    attached = _ATTACHED.match(said)
    if attached is not None:
        reference = attached["ios"] or attached["file"]
        said = attached["rest"].strip()
        parts = (MessagePart(kind=_kind_of(reference), reference=reference),)
    role = "assistant" if name.casefold() in _ASSISTANTS else "user"
    return Message(role=role, text=said, speaker=name, time=time, session=session, parts=parts)


def _kind_of(reference: str) -> Literal["image", "file", "audio", "video"]:
    ending = reference.rsplit(".", 1)[-1].lower()
    if ending in _IMAGES:
        return "image"
    if ending in _VIDEOS:
        return "video"
    return "audio" if ending in _SOUNDS else "file"
