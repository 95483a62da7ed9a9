"""The tokeniser that index, query and density share.

English words are stemmed; Chinese (and other scripts without spaces) becomes single characters
and pairs; an identifier gives itself and its parts. The token order is the text's.
"""

import re
import threading
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Final, Protocol, cast

from mnemis.text.scripts import CJK, EMOJI, MARKS, UNSPACED
from mnemis.text.stopwords import CHINESE_CHARACTERS, STOPWORDS

LONGEST: Final = 64
"""Characters of the longest token, and the number of pieces that one endless word may give."""

_RUN: Final = f"{CJK}{UNSPACED}"
_LETTERS: Final = rf"(?:[A-Za-z0-9_]++|[^\W{_RUN}]|[{MARKS}])++"
_IN_NUMBER: Final = r"(?<=[0-9]):(?=[0-9])|(?<=[0-9]),(?=[0-9]{3}(?![0-9]))"
# Possessive quantifiers: a million of one character must not be tried a million times over.
_ASCII_WORD: Final = re.compile(
    rf"[A-Za-z0-9_]++(?:(?:[-.'@&]|{_IN_NUMBER})(?=[A-Za-z0-9_])[A-Za-z0-9_]++)*+"
    r"(?:\+\+(?!\+)|#(?![A-Za-z0-9_#]))?"
)
_TOKEN: Final = re.compile(
    rf"(?P<run>[{_RUN}]++)"
    rf"|(?P<emoji>[{EMOJI}](?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]|\u200d[{EMOJI}])*+)"
    rf"|(?P<word>{_LETTERS}(?:(?:[-.'’ʼ@&·\u200c\u200d]|{_IN_NUMBER})(?=[^\W{_RUN}]){_LETTERS})*+"
    rf"(?:\+\+(?!\+)|#(?![A-Za-z0-9_#]))?)"
)
_JOINER: Final = re.compile(r"[-.'@:&,_·\u200c\u200d]+")
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_PIECES: Final = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CONTRACTION: Final = re.compile(r"(.+)'(?:s|ll|re|ve|d|m)?")
_GLUED: Final = 16

_stem_lock = threading.Lock()


def tokenise(text: str) -> list[str]:
    """Return the tokens of `text` in order, repeats included.

    Width and case do not matter, except that a capital inside a word ("userId") marks a part.
    Punctuation alone gives nothing.
    """
    if text.isascii():
        tokens: list[str] = []
        for word in _ASCII_WORD.findall(text):
            tokens.extend(_word(word) if len(word) <= LONGEST else _long_word(word))
        return tokens
    return _mixed(unicodedata.normalize("NFKC", text))


def content_tokens(text: str) -> list[str]:
    """Return the tokens of `text` in order without function words and question words."""
    return [token for token in tokenise(text) if not _is_function(token)]


def _is_function(token: str) -> bool:
    if token in STOPWORDS:
        return True
    return len(token) == 2 and token[0] in CHINESE_CHARACTERS and token[1] in CHINESE_CHARACTERS


def _mixed(text: str) -> list[str]:
    tokens: list[str] = []
    before, before_end = "", -1  # the last character or short word, to pair across scripts
    for match in _TOKEN.finditer(text):
        kind, found = match.lastgroup, match.group()
        glued = before if match.start() == before_end else ""
        before, before_end = "", match.end()
        if kind == "run":
            run = found.casefold()
            if glued:
                tokens.append(glued + run[0])
            tokens.extend(_pairs(run))
            before = run[-1]
        elif kind == "emoji":
            tokens.append(found.replace("\ufe0f", "")[:LONGEST])
        else:
            tokens.extend(_word(found) if len(found) <= LONGEST else _long_word(found))
            if len(found) <= _GLUED:
                before = found.casefold()
                if glued and not glued.isascii():
                    tokens.append(glued + before)
    return tokens


def _pairs(run: str) -> list[str]:
    tokens = [run[0]]
    for left, right in zip(run, islice(run, 1, None), strict=False):
        tokens.append(left + right)
        tokens.append(right)
    return tokens


@lru_cache(maxsize=65_536)
def _word(word: str) -> tuple[str, ...]:
    """Tokens of one word or joined expression of at most 64 characters."""
    word = word.replace("’", "'").replace("ʼ", "'").strip("_")
    if not word:
        return ()
    if word.endswith(("++", "#")):
        plain = word.rstrip("+#")
        # "C" and "C++" are different things; "notepad++" is also looked for as "notepad".
        return (word.casefold(), *(_word(plain) if len(plain) > 2 else ()))
    if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
        return (_stem(_plain(word)),)
    if _GROUPED.fullmatch(word):
        return (word.replace(",", ""),)
    parts = [part for part in _JOINER.split(word) if part]
    if len(parts) == 1:
        return (_stem(_plain(word)), *_pieces(word))
    if "'" in word and (short := _contraction(word)):
        return short
    return (_plain(word), *_parts(parts))


def _contraction(word: str) -> tuple[str, ...]:
    """ "we'll" counts as "we" and "Ana's" as "Ana"; a negation stays whole."""
    folded = _plain(word)
    if folded.endswith("n't"):
        return (_stem(folded),)
    match = _CONTRACTION.fullmatch(word)
    return _word(match.group(1)) if match else ()


def _parts(parts: list[str]) -> list[str]:
    tokens: list[str] = []
    for part in parts:
        tokens.append(_stem(_plain(part)))
        tokens.extend(_pieces(part))
    return tokens


def _pieces(word: str) -> list[str]:
    """Parts of a word that has capitals or digits inside: userId, GPT4, 3pm."""
    if ordinal := _ORDINAL.fullmatch(word):
        return [ordinal.group(1)]
    pieces = _PIECES.findall(word)
    if len(pieces) < 2:
        return []
    return [_stem(piece.casefold()) for piece in pieces if len(piece) > 1 or piece.isdigit()]


def _long_word(word: str) -> list[str]:
    """A word over 64 characters: its joined parts, or slices, but never more than 64 of them."""
    parts = [part for part in islice(_JOINER.split(word), LONGEST) if part]
    tokens: list[str] = []
    for part in parts:
        if len(part) <= LONGEST:
            tokens.extend(_word(part))
        else:
            stop = LONGEST * LONGEST
            folded = part[:stop].casefold()
            tokens.extend(
                folded[i : i + LONGEST] for i in range(0, min(len(folded), stop), LONGEST)
            )
        if len(tokens) >= LONGEST:
            break
    return tokens


def _plain(word: str) -> str:
    """Case-folded, and Latin letters without their accents ("café" is found as "cafe")."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    decomposed = unicodedata.normalize("NFD", folded)
    bare = "".join(char for char in decomposed if not "\u0300" <= char <= "\u036f")
    return bare if bare and bare.isascii() else unicodedata.normalize("NFKC", folded)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if not word.isascii() or len(word) < 3:
        return word
    # The stemmer keeps the word it works on in itself, so only one thread may use it.
    with _stem_lock:
        return _stemmer().stemWord(word)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    import snowballstemmer

    return cast("_Stemmer", snowballstemmer.stemmer("english"))  # pyright: ignore[reportUnknownMemberType] - untyped library
