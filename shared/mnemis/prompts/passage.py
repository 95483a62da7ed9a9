"""What of a turn a model is shown, and against which its answers are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from mnemis.model.graph import Turn
from mnemis.text.normalise import clean, language

_FENCED: Final = re.compile(r"(```+|~~~+).*?(?:\1|\Z)", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_LONGEST: Final = {"user": 2_000, "document": 3_000}
_LONGEST_MACHINE: Final = 600
_LONGEST_NAME: Final = 60


def shown_text(turn: Turn) -> str:
    """A turn without fenced code and quoted lines, with its captions; offsets into its text hold.

    A tool's and a system's text is not shown; of a page, the beginning is.
    """
    if turn.role in ("tool", "system"):
        return ""
    text = turn.text[: longest(turn)]
    if "`" in text or "~" in text:
        text = _FENCED.sub(_blank, text)
    if ">" in text:
        text = _QUOTED_LINE.sub(_blank, text)
    captions = [f"[{part.kind}: {part.caption}]" for part in turn.parts if part.caption.strip()]
    return "\n".join([text, *captions])


def longest(turn: Turn) -> int:
    """How many characters of a turn are shown at most."""
    return _LONGEST.get(turn.role, _LONGEST_MACHINE)


def is_asserting(turn: Turn) -> bool:
    """Whether what the turn says may become a fact: a person's or a document's words."""
    return turn.role in ("user", "document")


def passage_lines(turns: Sequence[Turn]) -> str:
    """One line a turn: number, role, speaker, and its text as a JSON string, so that no text can
    pass for another line. Valid UTF-8.
    """
    return "\n".join(_line(number, turn) for number, turn in enumerate(turns, start=1))


def passage_language(turns: Sequence[Turn]) -> str:
    """ "zh" when most of the people's words are Chinese, else "en"."""
    said = "\n".join(turn.text for turn in turns if is_asserting(turn))
    return "zh" if language(said) == "zh" else "en"


def _line(number: int, turn: Turn) -> str:
    speaker = clean(" ".join(turn.speaker.split()))[:_LONGEST_NAME]
    text = " ".join(clean(shown_text(turn)).split())
    return f"[{number}] {turn.role} {json.dumps(speaker, ensure_ascii=False)}: " + (
        json.dumps(text, ensure_ascii=False) if text else "(not shown)"
    )


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
