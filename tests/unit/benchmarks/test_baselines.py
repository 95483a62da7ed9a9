from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from mnemis import Message
from mnemis.embedders.hashing import HashingEmbedder
from tests.benchmarks.baselines import (
    BothFused,
    Memoised,
    VectorsAlone,
    WordsAlone,
    dated,
    shown,
    words,
)
from tests.benchmarks.frameworks import framework_baselines

MESSAGES = [
    Message(role="user", speaker="Ana", text="The kite is red", id="kite",
            time=datetime(2025, 3, 1, tzinfo=UTC)),
    Message(role="user", speaker="Bo", text="Rain all day, rain again", id="rain",
            time=datetime(2025, 4, 2, tzinfo=UTC)),
    Message(role="user", speaker="阿明", text="我养了一只小狗", id="dog",
            time=datetime(2025, 5, 3, tzinfo=UTC)),
    Message(role="user", text="Nothing of note", id="none"),
]  # fmt: skip


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder(dimension=512)


def test_messages_are_indexed_with_speaker_and_for_words_with_date() -> None:
    assert shown(MESSAGES[0]) == "Ana: The kite is red"
    assert shown(MESSAGES[3]) == "Nothing of note"
    assert dated(MESSAGES[0], language="en") == "1 March 2025 Ana: The kite is red"
    assert dated(MESSAGES[2], language="zh") == "2025-05-03 阿明: 我养了一只小狗"


def test_english_words_are_stemmed_and_chinese_becomes_characters_and_pairs() -> None:
    assert words("Kites, flying") == ["kite", "fli"]
    assert words("小狗 3") == ["小", "狗", "小狗", "3"]


@pytest.mark.parametrize(
    ("query", "language", "best"),
    [
        ("which kites", "en", "kite"),
        ("April", "en", "rain"),
        ("谁有小狗", "zh", "dog"),
    ],
)
def test_word_search_finds_words_and_dates(query: str, language: str, best: str) -> None:
    assert WordsAlone(MESSAGES, language=language).ask(query, k=4)[0] == best


def test_word_search_leaves_out_what_shares_no_word() -> None:
    assert WordsAlone(MESSAGES, language="en").ask("kite", k=4) == ["kite"]
    assert WordsAlone(MESSAGES, language="en").ask("?!", k=4) == []


def test_a_rarer_word_weighs_more_than_a_common_one_said_twice() -> None:
    texts = ["tea tea", "quokka pot", "tea", "tea pot"]
    some = [Message(role="user", text=text, id=str(at)) for at, text in enumerate(texts)]
    assert WordsAlone(some, language="en").ask("tea quokka", k=1) == ["1"]


def test_repetition_saturates() -> None:
    texts = ["tea " * 8, "tea pot", "pot"]
    some = [Message(role="user", text=text, id=str(at)) for at, text in enumerate(texts)]
    assert WordsAlone(some, language="en").ask("tea pot", k=1) == ["1"]


def test_vector_search_is_exact_and_bounded(embedder: HashingEmbedder) -> None:
    vectors = VectorsAlone(MESSAGES, embedder=embedder)
    assert vectors.ask("red kite", k=2)[0] == "kite"
    assert len(vectors.ask("red kite", k=2)) == 2
    assert len(vectors.ask("red kite", k=60)) == 4


def test_memoised_embedding_is_the_same_and_asks_once(embedder: HashingEmbedder) -> None:
    asked: list[str] = []

    class Counting(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            asked.extend(texts)
            return super().embed(texts)

    memoised = Memoised(Counting(dimension=512))
    texts = ["kite", "rain", "kite"]
    for _ in range(2):
        assert np.array_equal(memoised.embed(texts), embedder.embed(texts))
    assert asked == ["kite", "rain"]
    assert memoised.embed([]).shape == (0, 512)


def test_fusion_takes_from_both(embedder: HashingEmbedder) -> None:
    lexical = WordsAlone(MESSAGES, language="en")
    both = BothFused(lexical, VectorsAlone(MESSAGES, embedder=embedder))
    assert both.ask("kite", k=1) == ["kite"]
    assert len(both.ask("kite", k=60)) == 4


def test_frameworks_agree_with_exact_search_or_say_what_is_missing(
    embedder: HashingEmbedder, tmp_path: Path
) -> None:
    found, missing = framework_baselines(MESSAGES, embedder=embedder, folder=tmp_path)
    assert len(found) + len(missing) == 2
    assert all("pip install" in each for each in missing)
    exact = VectorsAlone(MESSAGES, embedder=embedder).ask("red kite", k=1)
    assert all(each.ask("red kite", k=1) == exact for each in found)
