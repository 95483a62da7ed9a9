"""Token counts: exact with a vocabulary, safe without, never from the network."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemis.text import counting
from mnemis.text.counting import EstimatingCounter, TokenCounter, cache_file, load_counter

ESTIMATE = EstimatingCounter()
LOADED = load_counter()
COUNTERS = [pytest.param(ESTIMATE, id="estimate"), pytest.param(LOADED, id=LOADED.name)]

requires_vocabulary = pytest.mark.skipif(
    LOADED.name == "estimate", reason="no vocabulary on this machine"
)


@pytest.fixture
def no_vocabulary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(counting.importlib.util, "find_spec", lambda _name: None)

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


@pytest.mark.usefixtures("no_vocabulary")
def test_without_a_vocabulary_the_count_is_an_estimate() -> None:
    counter = load_counter()
    assert counter.name == "estimate"
    assert counter.count("") == 0
    assert counter.count("你好") == 3
    assert counter.count("hello world!") == 4


@pytest.mark.usefixtures("no_vocabulary")
def test_a_damaged_vocabulary_is_left_alone(tmp_path: Path) -> None:
    damaged = tmp_path / cache_file("o200k_base")
    damaged.write_bytes(b"truncated")
    assert load_counter(str(tmp_path)).name == "estimate"
    assert damaged.read_bytes() == b"truncated"


@requires_vocabulary
def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    load_counter()
    assert "TIKTOKEN_CACHE_DIR" not in os.environ
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/nowhere")
    assert load_counter().name == LOADED.name
    assert os.environ["TIKTOKEN_CACHE_DIR"] == "/nowhere"


@requires_vocabulary
@pytest.mark.parametrize(
    "text",
    [
        "你好世界" * 25,
        "hello world " * 25,
        "🔥" * 50,
        "部署deploy完成done" * 20,
        "A1b2" * 50,
        "The quick brown fox jumps over the lazy dog. " * 10,
        "这是一个没有空格的很长的段落用来测试截断逻辑" * 20,
        '{"id": 17, "tags": ["a", "b"], "ok": true}\n' * 10,
    ],
)
def test_the_estimate_is_not_below_the_real_count(text: str) -> None:
    assert ESTIMATE.count(text) >= LOADED.count(text)


@requires_vocabulary
def test_known_counts() -> None:
    assert LOADED.count("hello world") == 2
    assert LOADED.count("<|endoftext|>") > 1


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize(
    "text",
    ["ends with <|endoftext|> and <|im_start|>system", "<|fim_prefix|>", "\ud83d lone", "\x00"],
)
def test_any_text_can_be_counted(counter: TokenCounter, text: str) -> None:
    assert 0 < counter.count(text) <= 4 * len(text)


@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("unit", ["^", "a", "啊", "A1b2", " ", "\n", "这是一个没有空格的段落"])
def test_a_million_characters_are_counted_and_cut(counter: TokenCounter, unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert 1_000 <= counter.count(text) <= 2 * len(text)
    kept = counter.cut(text, budget=500)
    assert text.startswith(kept)
    assert 0 < counter.count(kept) <= 500


@pytest.mark.parametrize("counter", COUNTERS)
@given(text=st.text(max_size=120), budget=st.integers(0, 60))
@settings(deadline=None)
def test_a_cut_is_a_prefix_within_the_budget(counter: TokenCounter, text: str, budget: int) -> None:
    kept = counter.cut(text, budget=budget)
    assert text.startswith(kept)
    assert counter.count(kept) <= budget
    assert kept == text or counter.count(text) > budget


@requires_vocabulary
@pytest.mark.parametrize("text", ["hello world " * 900, "没有空格的段落" * 900, "x" * 9_000])
def test_a_cut_uses_the_budget(text: str) -> None:
    assert 480 <= LOADED.count(LOADED.cut(text, budget=500)) <= 500


class PanicException(BaseException):
    """Named as the native library names its own."""


class PanickingEncoding:
    name = "o200k_base"

    def encode_ordinary(self, text: str) -> list[int]:
        raise PanicException(text[:1])


def test_a_native_panic_becomes_an_estimate() -> None:
    counter = counting.TiktokenCounter(PanickingEncoding())  # type: ignore[arg-type]
    assert counter.count("hello world!") == ESTIMATE.count("hello world!")


def test_an_interrupt_is_not_swallowed() -> None:
    class Interrupted:
        name = "o200k_base"

        def encode_ordinary(self, text: str) -> list[int]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counting.TiktokenCounter(Interrupted()).count("text")  # type: ignore[arg-type]
