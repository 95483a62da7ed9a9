"""Finding in a text what a model says it copied: letters and digits count, the rest does not."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from mnemis.text.sentences import sentences

Span = tuple[int, int]


@dataclass(slots=True)
class Searched:
    """A text prepared for searching: its folded letters, and where in the text each stands."""

    text: str
    letters: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Searched:
        """Case, width, blanks and punctuation do not matter; offsets are those of ``text``."""
        letters: list[str] = []
        places: list[int] = []
        for place, char in enumerate(text):
            for folded in _letters_of(char):
                letters.append(folded)
                places.append(place)
        return cls(text=text, letters="".join(letters), places=tuple(places))

    def find(self, phrase: str, *, whole_words: bool = True) -> Span | None:
        """Where ``phrase`` first stands, (start, end); a Latin word never inside another."""
        wanted = "".join(folded for char in phrase for folded in _letters_of(char))
        at = self.letters.find(wanted) if wanted else -1
        while at >= 0:
            start, end = self.places[at], self.places[at + len(wanted) - 1] + 1
            if not whole_words or self._stands_alone(start, end):
                return start, end
            at = self.letters.find(wanted, at + 1)
        return None

    def sentence_at(self, span: Span) -> str:
        """The sentences that a span touches, as they stand in the text."""
        touched = [
            (start, end) for start, end in sentences(self.text) if start < span[1] and span[0] < end
        ]
        if not touched:
            return self.text[span[0] : span[1]].strip()
        return self.text[touched[0][0] : touched[-1][1]].strip()

    def _stands_alone(self, start: int, end: int) -> bool:
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        return not (
            (_joins(before) and _joins(self.text[start]))
            or (_joins(after) and _joins(self.text[end - 1]))
        )


def _letters_of(char: str) -> str:
    if char.isascii():
        return char.lower() if char.isalnum() else ""
    folded = unicodedata.normalize("NFKC", char).casefold()
    return "".join(each for each in folded if each.isalnum() or _is_sign(each))


def _is_sign(char: str) -> bool:
    """Emoji and symbols tell something, unlike punctuation."""
    return unicodedata.category(char) in ("So", "Mn", "Mc", "Sc")


def _joins(char: str) -> bool:
    """Whether words are written with this character and blanks between them (not Chinese)."""
    return char.isalnum() and not ("\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff")
