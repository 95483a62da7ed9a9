"""The tokeniser: one set of cases for what is written and for what is looked for."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.tokenise import LONGEST, content_tokens, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Deciding decisions", ["decid", "decis"]),
        ("don't Ana's Ana’s", ["don't", "ana", "ana"]),
        ("C++ C# C", ["c++", "c#", "c"]),
        ("copper-fox-42", ["copper-fox-42", "copper", "fox", "42"]),
        ("KX-550912", ["kx-550912", "kx", "550912"]),
        ("user_id userId", ["user_id", "user", "id", "userid", "user", "id"]),
        ("sync-idx", ["sync-idx", "sync", "idx"]),
        ("1,000 at 10:30", ["1000", "at", "10:30", "10", "30"]),
        ("the end.", ["the", "end"]),
        ("阿里云", ["阿", "阿里", "里", "里云", "云"]),
        ("早报，周报", ["早", "早报", "报", "周", "周报", "报"]),
        ("C盘", ["c", "c盘", "盘"]),
        ("第3步", ["第", "3", "第3", "3步", "步"]),
        ("🔥🔥 ❤️", ["🔥", "🔥", "❤"]),
        ("👩‍👩‍👧", ["👩‍👩‍👧"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("Привет мир", ["привет", "мир"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("กข", ["ก", "กข", "ข"]),
        ("café", ["cafe"]),
        ("?! …—《》", []),
        ("", []),
    ],
)
def test_tokens_in_order(text: str, tokens: list[str]) -> None:
    assert tokenise(text) == tokens


@pytest.mark.parametrize(
    ("written", "query"),
    [
        ("公司网站托管在阿里云华东机房", "阿里云"),
        ("周末大家一起玩了狼人杀桌游", "狼人杀"),
        ("公司网站托管在阿里云华东机房", "托管"),
        ("每天七点看早报", "早报"),
        ("C盘快满了，API配置在D盘", "C盘"),
        ("C盘快满了，API配置在D盘", "API配置"),
        ("用GPT-4写周报", "gpt-4"),
        ("用GPT-4写周报", "GPT4"),
        ("第3步 重跑sync-idx后20条坏链接清零", "sync-idx"),
        ("第3步 重跑sync-idx后20条坏链接清零", "idx"),
        ("把user_id改成userId再发版v2.3.1给QA", "userId"),
        ("把user_id改成userId再发版v2.3.1给QA", "v2.3.1"),
        ("把user_id改成userId再发版v2.3.1给QA", "userid"),
        ("我的工号是Ａ１２３４", "A1234"),
        ("会议在１０：３０开始（三号楼）！", "10:30"),
        ("ＩＢＭ 和别的公司", "ibm"),
        ("I write C++ at work", "c++"),
        ("The vendors’ deliveries", "vendor delivery"),
        ("I met O’Brien", "O'Brien"),
    ],
)
def test_what_is_written_is_found(written: str, query: str) -> None:
    index = set(tokenise(written))
    whole = [token for token in tokenise(query) if len(token) > 1 or token.isdigit()]
    matched = [token for token in whole if token in index]
    assert whole
    # "GPT4" and "GPT-4" differ as wholes and meet in their parts.
    assert len(matched) == len(whole) or len(matched) >= 2


@given(st.text(max_size=60))
def test_width_does_not_matter(text: str) -> None:
    assert tokenise(text) == tokenise(unicodedata.normalize("NFKC", text))


@given(st.text(alphabet="abc XYZ019-_.'@:", max_size=40))
def test_full_width_and_half_width_give_the_same(text: str) -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if char > " " else char for char in text)
    assert tokenise(wide) == tokenise(text)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_tokens_are_short_and_not_empty(text: str) -> None:
    assert all(token and len(token) <= LONGEST * 3 for token in tokenise(text))


@given(st.text(alphabet=st.characters(categories=["L"]), min_size=1, max_size=30))
def test_letters_of_every_script_give_tokens(text: str) -> None:
    assert tokenise(text)


@pytest.mark.parametrize("unit", ["^", "a", "A1b2", "a-", "a'", "_", "é", "a.", "😀\u200d"])
def test_an_endless_word_gives_few_tokens(unit: str) -> None:
    count = 1_000_000 // len(unit)
    tokens = tokenise(unit * count + " umbrellas")
    assert len(tokens) <= LONGEST * 2
    assert tokens[-1] == "umbrella"


def test_a_long_chinese_run_costs_two_tokens_a_character() -> None:
    assert len(tokenise("啊" * 100_000)) == 2 * 100_000 - 1


def test_what_follows_an_endless_word_is_still_found() -> None:
    assert tokenise("a" * 200_000 + " umbrella")[-1] == "umbrella"
    assert tokenise("^" * 200_000 + " 雨伞")[-2:] == ["雨伞", "伞"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("What did we decide about the pricing?", ["decid", "price"]),
        ("When is the launch in May?", ["launch", "may"]),
        ("who was it", []),
        ("我的是什么呢", []),
        ("预算是多少", ["预", "预算", "算", "算是", "是多", "多", "少"]),
    ],
)
def test_content_tokens_leave_function_words_out(text: str, content: list[str]) -> None:
    assert content_tokens(text) == content


def test_negations_are_content() -> None:
    assert "not" in content_tokens("I do not like it")
    assert "不" in content_tokens("我不喜欢")
