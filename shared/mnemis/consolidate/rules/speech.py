"""What of a turn its speaker says in person: without code, links, data and quoted lines.

Masked characters become blanks (code and data) or stay out of facts (quotations), so offsets hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mnemis.consolidate.rules.attributed import unasserted, without_attributed
from mnemis.model.graph import Turn
from mnemis.text.sentences import question_share, sentences

_FENCED: Final = re.compile(r"(```+|~~~+).*?(?:\1|\Z)", re.DOTALL)
_INLINE: Final = re.compile(r"`[^`\n]{1,200}`")
_ADDRESS: Final = re.compile(r"\b(?:https?://|www\.)[^\s，。）)]+|\b[\w.+-]+@[\w-]+\.[\w.]+")
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_DATA: Final = re.compile(r"\{[^{}\n]{0,400}[\":][^{}\n]{0,400}\}")
_HEADING: Final = re.compile(r"^[ \t]*#{1,6}[^\n]*$|\*\*|__", re.MULTILINE)
_QUOTATION: Final = re.compile(r"[“\"]([^”\"\n]{2,300})[”\"]|「([^」\n]{2,300})」")
_PERSONAL: Final = frozenset({"user", "document"})
_LONGEST: Final = 6_000
_LONGEST_MACHINE: Final = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of a turn; ``start`` is its offset; ``asks``: it asserts nothing, being asked or
    wholly quoted; ``opens``: it is the first.
    """

    turn: str
    text: str
    start: int
    asks: bool
    opens: bool


def is_personal(turn: Turn) -> bool:
    """Whether the speaker is someone whose statements may become facts (not a machine)."""
    return turn.role in _PERSONAL


def visible(text: str, *, personal: bool = True) -> str:
    """``text`` with code, links, data and quoted lines blanked; offsets hold. Of a page, only its
    beginning; of a machine's page less, since it repeats what it was asked.
    """
    shown = text[: _LONGEST if personal else _LONGEST_MACHINE]
    if "`" in shown or "~~~" in shown:
        shown = _INLINE.sub(_blank, _FENCED.sub(_blank, shown))
    if "@" in shown or "://" in shown or "www." in shown:
        shown = _ADDRESS.sub(_blank, shown)
    if "{" in shown:
        shown = _DATA.sub(_blank, shown)
    if ">" in shown:
        shown = _QUOTED_LINE.sub(_blank, shown)
    if "#" in shown or "*" in shown or "__" in shown:
        shown = _HEADING.sub(_blank, shown)
    return shown


def without_quotations(text: str) -> str:
    """``text`` with what stands in quotation marks blanked when it is a clause, not a name, and
    what is quoted, set as a task or told as fiction without them.
    """
    return without_attributed(_QUOTATION.sub(_blank_clause, text))


def sentences_of(turn: Turn) -> tuple[Sentence, ...]:
    """The visible sentences of a turn, in order."""
    return _sentences_of(turn.id, turn.text, is_personal(turn))


@lru_cache(maxsize=64)  # the rules ask for the same turn half a dozen times
def _sentences_of(turn: str, text: str, personal: bool) -> tuple[Sentence, ...]:
    shown = visible(text, personal=personal)
    found: list[Sentence] = []
    quoted = unasserted(shown)
    for start, end in sentences(shown):
        piece = shown[start:end]
        asks = piece.rstrip("\"'”’) ").endswith(("?", "？")) or question_share(piece) > 0.5
        asks = asks or any(opens <= start and end <= closes for opens, closes in quoted)
        found.append(Sentence(turn=turn, text=piece, start=start, asks=asks, opens=not found))
    return tuple(found)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _blank_clause(match: re.Match[str]) -> str:
    inside = match.group(1) or match.group(2) or ""
    is_name = len(inside.split()) <= 3 if inside.isascii() else len(inside) <= 8
    return match.group() if is_name else " " * len(match.group())
