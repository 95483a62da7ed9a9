"""The embedder port as an executable contract.

Subclass ``EmbedderSuite`` in a test module and say how an embedder is made::

    class TestMyEmbedder(EmbedderSuite):
        def make_embedder(self):
            return MyEmbedder()

``check_embedder`` runs the same tests without pytest and says how many it ran.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mnemis.ports.embedder import Embedder, QueryEmbedder, embed_queries
from mnemis.testing.suites import SuiteResult, run_suite

_TEXTS = ("We moved the launch to May 3rd.", "发布会改到了五月三日。", "The cello is in the shed.")
_ODD = (
    "a\0b",
    "half \ud83c pair",
    "👨‍👩‍👧 🍸",
    "word " * 4_000,
    "字" * 6_000,
    "{0.__class__} {} %s",
    "e\u0301",
)
_BLANK = ("", "   \n\t")
_CLOSE = 1e-4


class EmbedderSuite:
    """Every sentence of ``mnemis.ports.embedder`` as a test."""

    def make_embedder(self) -> Embedder:
        """An embedder; the same one may be returned each time."""
        raise NotImplementedError("say how your embedder is made")

    @pytest.fixture
    def embedder(self) -> Embedder:
        """One embedder."""
        return self.make_embedder()

    def test_one_row_a_text_of_the_told_dimension(self, embedder: Embedder) -> None:
        """Shape (texts, dimension), float32."""
        rows = embedder.embed(_TEXTS)
        assert rows.shape == (len(_TEXTS), embedder.fingerprint.dimension)
        assert rows.dtype == np.float32

    def test_rows_have_length_one(self, embedder: Embedder) -> None:
        """Unit rows."""
        assert np.allclose(np.linalg.norm(embedder.embed(_TEXTS), axis=1), 1.0, atol=_CLOSE)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        """Shape (0, dimension)."""
        assert embedder.embed([]).shape == (0, embedder.fingerprint.dimension)

    def test_texts_without_content_give_zero_rows(self, embedder: Embedder) -> None:
        """Blank texts are zero, and the rows beside them as ever."""
        rows = embedder.embed([_TEXTS[0], *_BLANK, _TEXTS[1]])
        assert not rows[1:3].any()
        assert np.allclose(rows[[0, 3]], embedder.embed(_TEXTS[:2]), atol=_CLOSE)

    def test_odd_texts_give_finite_rows(self, embedder: Embedder) -> None:
        """NUL, half surrogates, emoji, pages and braces are texts too."""
        norms = np.linalg.norm(embedder.embed(_ODD), axis=1)
        assert all(abs(norm - 1.0) < _CLOSE or norm == 0.0 for norm in norms)

    def test_the_same_text_has_the_same_vector(self, embedder: Embedder) -> None:
        """Bit by bit, call after call."""
        assert np.array_equal(embedder.embed(_TEXTS), embedder.embed(_TEXTS))

    def test_neighbours_in_a_batch_do_not_matter(self, embedder: Embedder) -> None:
        """A text has one vector, alone or among others."""
        alone = np.vstack([embedder.embed([text]) for text in _TEXTS])
        assert np.allclose(alone, embedder.embed([*_TEXTS, *_ODD])[: len(_TEXTS)], atol=_CLOSE)

    def test_order_is_kept(self, embedder: Embedder) -> None:
        """Row n belongs to text n."""
        backwards = embedder.embed(_TEXTS[::-1])[::-1]
        assert np.allclose(backwards, embedder.embed(_TEXTS), atol=_CLOSE)

    def test_different_texts_differ_in_both_languages(self, embedder: Embedder) -> None:
        """No two texts of the suite share a vector."""
        rows = embedder.embed([*_TEXTS, "大提琴在棚子里。"])
        near = rows @ rows.T - 2.0 * np.eye(len(rows), dtype=np.float32)
        assert near.max() < 1.0 - _CLOSE

    def test_many_texts_at_once(self, embedder: Embedder) -> None:
        """More texts than a batch holds."""
        texts = [f"Line {number} of the list. 第{number}行" for number in range(70)]
        rows = embedder.embed(texts)
        assert rows.shape[0] == len(texts)
        assert np.allclose(rows[-1], embedder.embed(texts[-1:])[0], atol=_CLOSE)

    def test_the_input_is_left_alone(self, embedder: Embedder) -> None:
        """A list that was handed in is not changed."""
        texts = ["  blank at both ends  ", "A", ""]
        embedder.embed(texts)
        assert texts == ["  blank at both ends  ", "A", ""]

    def test_threads_get_what_one_gets(self, embedder: Embedder) -> None:
        """Several threads at once get what one alone gets."""
        expected = embedder.embed(_TEXTS)
        with ThreadPoolExecutor(4) as pool:
            for rows in pool.map(embedder.embed, [_TEXTS] * 8):
                assert np.allclose(rows, expected, atol=_CLOSE)

    def test_the_fingerprint_names_model_and_dimension(self, embedder: Embedder) -> None:
        """And is the same for every embedder of the make."""
        told = embedder.fingerprint
        assert told.model.strip() and told.dimension > 0
        assert told == embedder.fingerprint == self_made(self.make_embedder)

    def test_questions_have_vectors_of_the_same_space(self, embedder: Embedder) -> None:
        """A text asked is nearest to itself stored."""
        asked = embed_queries(embedder, [*_TEXTS, *_BLANK])
        assert asked.shape == (5, embedder.fingerprint.dimension)
        assert np.allclose(np.linalg.norm(asked[:3], axis=1), 1.0, atol=_CLOSE)
        assert not asked[3:].any()
        if not isinstance(embedder, QueryEmbedder):
            assert np.array_equal(asked[:3], embedder.embed(_TEXTS))
        near = asked[:3] @ embedder.embed(_TEXTS).T
        assert list(near.argmax(axis=1)) == [0, 1, 2]


def self_made(make: Callable[[], Embedder]) -> object:
    """The fingerprint of another embedder of the same make."""
    return make().fingerprint


def check_embedder(make: Callable[[], Embedder]) -> SuiteResult:
    """Run the suite on embedders that ``make`` returns."""

    class Suite(EmbedderSuite):
        def make_embedder(self) -> Embedder:
            return make()

    return run_suite(Suite(), lambda suite: [suite.make_embedder()])


def texts_of_suite() -> Sequence[str]:
    """What the suite embeds, for fakes that must know it."""
    return (*_TEXTS, *_ODD, *_BLANK)
