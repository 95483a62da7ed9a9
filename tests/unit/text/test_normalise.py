"""Cleaning, folding, names and languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.normalise import clean, fold, language, name_key

# Every code point, surrogates included: what JSON escapes and broken clients deliver.
any_text = st.text(alphabet=st.characters(exclude_categories=()), max_size=80)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("plain", "plain"),
        ("你好，世界", "你好，世界"),
        ("a\x00b\x07c\x1b", "abc"),
        ("一\x00二", "一二"),
        ("tab\tline\n", "tab\tline\n"),
        ("line\r\nline", "line\nline"),
        ("lone \ud83d high", "lone \ufffd high"),
        ("lone \ude00", "lone \ufffd"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("\u3000Ａ", "\u3000Ａ"),
    ],
)
def test_clean_mends_what_cannot_be_stored_and_nothing_else(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


@given(any_text)
def test_cleaned_text_is_utf8_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert clean(cleaned) == cleaned
    assert not any(ord(char) < 32 and char not in "\n\t" for char in cleaned)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  ＩＢＭ\u3000 Cloud\n", "ibm cloud"),
        ("Straße", "strasse"),
        ("Ａ１２３４号", "a1234号"),
        ("", ""),
    ],
)
def test_fold_levels_width_case_and_blanks(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(any_text)
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    "names",
    [
        ["Node.js", "nodejs", "NodeJS", "Ｎｏｄｅ．ｊｓ"],
        ["IBM", "ＩＢＭ", "ibm", "“IBM”", "I.B.M."],
        ["Dr. Smith", "dr smith", "Smith", "Smith's", "Smith’s", "(Smith)"],
        ["三体", "《三体》", "「三体」", " 三 体 "],
        ["王小明", "王小明先生", "王小明老师", "王小明女士"],
        ["Java (language)", "java (Language)"],
    ],
)
def test_spellings_of_one_name_share_a_key(names: list[str]) -> None:
    assert len({name_key(name) for name in names}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ["C", "C++", "C#"],
        ["HTTP", "HTTPS"],
        ["清华大学", "北京大学"],
        ["Java (language)", "Java (island)", "Java"],
        ["3.1", "31"],
        ["iPhone 14", "iPhone 15"],
        ["Дом", "Том"],
        ["تونس", "يونس"],
    ],
)
def test_different_names_have_different_keys(names: list[str]) -> None:
    assert len({name_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("title", ["Dr.", "Mr", "老师", "先生"])
def test_a_title_alone_is_a_name(title: str) -> None:
    assert name_key(title).strip(".") == title.lower().strip(".")


@given(any_text)
def test_a_key_is_never_empty_unless_the_name_is_blank(text: str) -> None:
    assert bool(name_key(text)) == bool(fold(text))


@given(st.text(alphabet="abcxyz王明ทдעف", min_size=1, max_size=12))
def test_letters_without_titles_survive_in_the_key(name: str) -> None:
    assert name_key(name) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We moved the launch.", "en"),
        ("Überraschung", "en"),
        ("我们改了发布日期", "zh"),
        ("我用 Python 写 API", "zh"),
        ("The word 你 means you, as everybody who learns the language knows", "en"),
        ("Привет, мир", "und"),
        ("これはペンです", "und"),
        ("12345 !!! 😀", "und"),
        ("", "und"),
    ],
)
def test_language_follows_the_scripts(text: str, expected: str) -> None:
    assert language(text) == expected
