"""A reader of almost-JSON that says where it ended and whether the value was whole."""

from __future__ import annotations

import re
from typing import Final

_BLANK: Final = re.compile(r"\s*")
_COMMA: Final = re.compile(r"\s*[,，、]")
_COLON: Final = re.compile(r"\s*[:：=]")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD: Final = re.compile(r"[A-Za-z_\u4e00-\u9fff][\w\u4e00-\u9fff-]*")
_FOLLOWS: Final = re.compile(r"\s*(?:[,，、:：\]}]|\Z)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}
_CLOSING: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_WORDS: Final[dict[str, object]] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
    "undefined": None,
    "nan": None,
}
_DEEPEST: Final = 40


class Broken(ValueError):
    """What stands here is no value, not even a sloppy one."""


class LenientReader:
    """Reads one value from a place in a text; ``at`` is where it stopped."""

    def __init__(self, text: str, at: int = 0) -> None:
        self._text = text
        self.at = at
        self._depth = 0

    def value(self) -> tuple[object, bool]:
        """(value, whether it is whole). Raises Broken.

        >>> LenientReader("{'a': [1, 2,], 'b': {'c': 'cut of").value()
        ({'a': [1, 2], 'b': {}}, False)
        """
        self._skip(_BLANK)
        opener = self._peek()
        if opener in ("{", "["):
            if self._depth >= _DEEPEST:
                raise Broken("nested too deeply")
            self._depth += 1
            read = self._object() if opener == "{" else self._array()
            self._depth -= 1
            return read
        if opener == "\\" and self._text[self.at + 1 : self.at + 2] in ('"', "'"):
            self.at += 1  # a quote that was escaped once too often
            opener = self._peek()
        if opener in _CLOSING:
            return self._string(_CLOSING[opener])
        return self._bare()

    def _object(self) -> tuple[dict[str, object], bool]:
        """Members that are whole; of a member that breaks off, the items of a list that are."""
        members: dict[str, object] = {}
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self._ended():
                return members, False
            if self._take("}"):
                return members, True
            key, whole = self.value()
            if not whole or self._ended():
                return members, False
            if not isinstance(key, str) or not self._skip(_COLON):
                raise Broken("a key and a colon are wanted")
            if self._skip(_BLANK) and self._ended():
                return members, False
            value, whole = self.value()
            if whole or isinstance(value, list | dict):
                members[key] = value
            if not whole:
                return members, False
            if not self._skip(_COMMA) and not self._at_end_of("}"):
                raise Broken("a comma or } is wanted")

    def _array(self) -> tuple[list[object], bool]:
        """Items that are whole: one that breaks off might say something else."""
        items: list[object] = []
        self.at += 1
        while True:
            self._skip(_BLANK)
            if self._ended():
                return items, False
            if self._take("]"):
                return items, True
            value, whole = self.value()
            if not whole:
                return items, False
            items.append(value)
            if not self._skip(_COMMA) and not self._at_end_of("]"):
                raise Broken("a comma or ] is wanted")

    def _string(self, closing: str) -> tuple[str, bool]:
        """A quote closes a string only where something may follow: others belong to the text."""
        pieces: list[str] = []
        self.at += 1
        while not self._ended():
            char = self._text[self.at]
            if char == "\\":
                if self._is_escaped_end(closing):
                    self.at += 2
                    return "".join(pieces), True
                pieces.append(self._escape())
                continue
            self.at += 1
            if char == closing and _FOLLOWS.match(self._text, self.at):
                return "".join(pieces), True
            pieces.append(char)
        return "".join(pieces), False

    def _is_escaped_end(self, closing: str) -> bool:
        """``\\'`` before a bracket or comma ends a string that began with ``\\'``."""
        follows = re.compile(r"\s*[,\]}]")
        return (
            closing == "'"
            and self._text[self.at + 1 : self.at + 2] == closing
            and follows.match(self._text, self.at + 2) is not None
        )

    def _escape(self) -> str:
        code = self._text[self.at + 1 : self.at + 2]
        if code == "u":
            digits = self._text[self.at + 2 : self.at + 6]
            if re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
                self.at += 6
                return chr(int(digits, 16))
        self.at += 2
        return _ESCAPES.get(code, code)

    def _bare(self) -> tuple[object, bool]:
        number = _NUMBER.match(self._text, self.at)
        if number:
            self.at = number.end()
            written = number.group()
            value = float(written) if re.search(r"[.eE]", written) else int(written[:20])
            return value, not self._ended()  # a number at the very end may lack digits
        word = _WORD.match(self._text, self.at)
        if word is None:
            raise Broken(f"nothing to read at {self.at}")
        self.at = word.end()
        if self._ended():
            return None, False
        held = word.group()
        return _WORDS.get(held.lower(), held), True

    def _at_end_of(self, closing: str) -> bool:
        self._skip(_BLANK)
        return self._ended() or self._peek() == closing

    def _peek(self) -> str:
        return self._text[self.at : self.at + 1]

    def _ended(self) -> bool:
        return self.at >= len(self._text)

    def _take(self, char: str) -> bool:
        if self._peek() != char:
            return False
        self.at += 1
        return True

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self._text, self.at)
        if match is None:
            return False
        self.at = match.end()
        return True
