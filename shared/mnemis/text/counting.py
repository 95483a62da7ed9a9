"""Counting tokens without a network: tiktoken where its vocabulary is at hand, else an estimate."""

import hashlib
import importlib.util
import math
import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from mnemis.text.normalise import clean
from mnemis.text.scripts import EMOJI

if TYPE_CHECKING:
    import tiktoken

_URL: Final = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
_ENCODINGS: Final = ("o200k_base", "cl100k_base")
_CACHE_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"
# tiktoken's pattern backtracks and its merge is quadratic in the length of one word, so what it is
# given at once stays short.
_SLICE: Final = 20_000
_LONG_RUN: Final = re.compile(r"[^\s]{400}")
_RUN_SLICE: Final = 400
_MARGIN: Final = 1.25
_EMOJI: Final = re.compile(f"[{EMOJI}\U000e0020-\U000e007f\ufe0f\u200d]")
_ASCII_PIECE: Final = re.compile(r"[A-Za-z]+|[0-9]{1,3}|[!-/:-@\[-`{-~]{1,4}")

_environment_lock = threading.Lock()


class TokenCounter(Protocol):
    """Counts the tokens of a text; `name` says by which vocabulary."""

    @property
    def name(self) -> str:
        """ "o200k_base", "cl100k_base" or "estimate"."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens `text` has. Control tokens in it count as plain text."""
        ...

    def cut(self, text: str, *, budget: int) -> str:
        """Return the longest prefix of at most `budget` tokens, whole characters only."""
        ...


class EstimatingCounter:
    """Counts without a vocabulary: a quarter of a token for an ASCII character, one for another.

    A word or figure counts at least one and an emoji three; a quarter is added as margin, so that
    the estimate errs upwards.
    """

    @property
    def name(self) -> str:
        """Always "estimate"."""
        return "estimate"

    def count(self, text: str) -> int:
        """Return the estimated number of tokens, rounded up."""
        return math.ceil(_estimate_quarters(text) * _MARGIN / 4)

    def cut(self, text: str, *, budget: int) -> str:
        """Return the longest prefix whose estimate is at most `budget`."""
        return _longest_prefix(text, budget, self.count)


def _estimate_quarters(text: str) -> int:
    # Codes such as "A1b2" have a token for each change of kind, far above a quarter of a character.
    ascii_count = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    quarters = max(ascii_count, 4 * len(_ASCII_PIECE.findall(text)))
    if ascii_count < len(text):
        quarters += 4 * (len(text) - ascii_count) + 8 * len(_EMOJI.findall(text))
    return quarters


class TiktokenCounter:
    """Counts with a tiktoken vocabulary that is already on this machine."""

    def __init__(self, encoding: "tiktoken.Encoding") -> None:
        self._encoding = encoding
        self._estimate = EstimatingCounter()

    @property
    def name(self) -> str:
        """The vocabulary's name."""
        return self._encoding.name

    def count(self, text: str) -> int:
        """Return the number of tokens; long texts are counted in slices, which may add a few."""
        return sum(self._count_slice(piece) for piece in _slices(text))

    def cut(self, text: str, *, budget: int) -> str:
        """Return the longest prefix with at most `budget` tokens, to within a slice's rounding."""
        spent, length = 0, 0
        for piece in _slices(text):
            cost = self._count_slice(piece)
            if spent + cost > budget:
                kept = _longest_prefix(piece, budget - spent, self._count_slice)
                return self._shrunk(text[: length + len(kept)], budget)
            spent, length = spent + cost, length + len(piece)
        return text

    def _shrunk(self, prefix: str, budget: int) -> str:
        """Cutting moves the borders of the last slices; make sure that the promise still holds."""
        while prefix and (over := self.count(prefix) - budget) > 0:
            prefix = prefix[:-over]
        return prefix

    def _count_slice(self, piece: str) -> int:
        try:
            return len(self._encoding.encode_ordinary(piece))
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except UnicodeEncodeError:
            return len(self._encoding.encode_ordinary(clean(piece)))
        except BaseException as error:
            # A panic in the native code derives from BaseException alone.
            if type(error).__name__ != "PanicException" and not isinstance(error, Exception):
                raise
            return self._estimate.count(piece)


def _slices(text: str) -> Iterator[str]:
    """Cut `text` where that adds few tokens: into 20,000 characters, unbroken runs into 400."""
    for start in range(0, len(text), _SLICE):
        piece = text[start : start + _SLICE]
        position = 0
        for run in _LONG_RUN.finditer(piece):
            if run.start() > position:
                yield piece[position : run.start()]
            yield run.group()
            position = run.end()
        if position < len(piece):
            yield piece[position:]


def _longest_prefix(text: str, budget: int, count: "_Count") -> str:
    """Bisect for the longest prefix that `count` puts at `budget` or less."""
    if count(text) <= budget:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        if count(text[:middle]) <= budget:
            low = middle
        else:
            high = middle
    return text[:low]


class _Count(Protocol):
    def __call__(self, text: str, /) -> int: ...


def load_counter(cache_dir: str | None = None) -> TokenCounter:
    """Return the best counter that needs no download.

    The vocabulary's file is looked for in `cache_dir`, in TIKTOKEN_CACHE_DIR, and in the copy that
    LlamaIndex carries. Where none of them has it, the answer is an `EstimatingCounter`. The
    process environment is as before afterwards.
    """
    for name in _ENCODINGS:
        for folder in _folders(cache_dir):
            if (folder / cache_file(name)).is_file():
                encoding = _load(name, folder)
                if encoding is not None:
                    return TiktokenCounter(encoding)
    return EstimatingCounter()


def cache_file(name: str) -> str:
    """Return the name of the file under which tiktoken caches the vocabulary `name`."""
    return hashlib.sha1(_URL.format(name=name).encode(), usedforsecurity=False).hexdigest()


def _folders(cache_dir: str | None) -> Iterator[Path]:
    for folder in (cache_dir, os.environ.get(_CACHE_VARIABLE)):
        if folder:
            yield Path(folder)
    # Looking `llama_index.core` up would import its parent; the parent's place is enough.
    spec = importlib.util.find_spec("llama_index")
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        yield Path(place) / "core" / "_static" / "tiktoken_cache"


def _load(name: str, folder: Path) -> "tiktoken.Encoding | None":
    """Load a vocabulary from `folder`, or None where the file does not hold what it should."""
    try:
        import tiktoken
    except ImportError:
        return None
    with _environment_lock:
        before = os.environ.get(_CACHE_VARIABLE)
        os.environ[_CACHE_VARIABLE] = str(folder)
        try:
            return tiktoken.get_encoding(name) if _is_whole(name, folder) else None
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before


_SHA256: Final = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


def _is_whole(name: str, folder: Path) -> bool:
    """tiktoken deletes a damaged file and downloads it anew, which must not happen here."""
    data = (folder / cache_file(name)).read_bytes()
    return hashlib.sha256(data).hexdigest() == _SHA256[name]
