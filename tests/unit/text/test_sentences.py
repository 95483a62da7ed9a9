"""Sentences and parts as spans."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.sentences import parts, sentences

prose = st.text(alphabet='abA1 .!?…。！？；\n"”`-好说,，', max_size=120)


def shown(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Smith paid $3.50.", "He left!"],
        ["See e.g. the U.S. office, v2.3.1, at https://a.example/b?c=d.e first.", "Then go."],
        ["It was 5 p.m.", "We left."],
        ["Really?!", "Yes...", "No."],
        ['He said "stop."', "I did."],
        ["J. R. Tolkien wrote it.", "Good."],
        ["No. 5 is mine.", "No.", "Never."],
        ["1. Open it.", "2. Close it."],
    ],
)
def test_english_sentences(expected: list[str]) -> None:
    assert shown(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["你好。", "今天天气不错！", "去吗？", "去；", "好……", "走"],
        ["会议在１０：３０开始（三号楼）！", "请准时。"],
        ["他说：“走吧。”", "我走了。"],
        ["版本是v2.3.1。", "圆周率是3.14。"],
        ["用ok.", "好的。"],
    ],
)
def test_chinese_sentences(expected: list[str]) -> None:
    assert shown("".join(expected)) == expected


def test_a_line_ends_a_sentence() -> None:
    assert shown("first\n\n  second  \r\n第三") == ["first", "second", "第三"]


@given(prose)
def test_sentences_are_ordered_and_lose_nothing(text: str) -> None:
    spans = sentences(text)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(prose, st.integers(1, 60), st.sampled_from([0.0, 0.2, 0.5]))
def test_parts_rise_and_cover_everything(text: str, size: int, overlap: float) -> None:
    spans = parts(text, size=size, overlap=overlap)
    covered = {index for start, end in spans for index in range(start, end)}
    assert all(text[index].isspace() for index in range(len(text)) if index not in covered)
    assert all(start < end <= len(text) for start, end in spans)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(spans))


def test_parts_are_whole_sentences_of_about_the_size() -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(60))
    spans = parts(text, size=200)
    assert len(spans) > 5
    assert all(150 <= end - start <= 200 for start, end in spans[:-1])
    assert all(text[end - 1] == "." for _, end in spans)


def test_a_chinese_character_weighs_two_and_a_half() -> None:
    text = "这是一个没有空格的很长的段落用来测试截断逻辑。" * 20
    spans = parts(text, size=200)
    assert all(40 <= end - start <= 80 for start, end in spans[:-1])
    assert all(text[end - 1] == "。" for _, end in spans)


@pytest.mark.parametrize("text", ["word " * 500, "x" * 3_000, "截断逻辑" * 300])
def test_an_endless_sentence_is_cut(text: str) -> None:
    spans = parts(text, size=100)
    assert len(spans) > 10
    assert all(end - start <= 100 for start, end in spans)


def test_overlap_repeats_whole_sentences() -> None:
    text = " ".join(f"Step {n} turns the valve." for n in range(40))
    spans = parts(text, size=250, overlap=0.2)
    repeated = [before[1] - after[0] for before, after in pairwise(spans)]
    assert repeated
    assert all(0 < shared <= 60 for shared in repeated)


def test_code_and_list_lines_stay_together() -> None:
    code = "```\nfirst()\nsecond()\n```"
    item = "- Ask Ana. Then ask Bo."
    text = f"{'Words before. ' * 6}\n{code}\n{'Words after. ' * 6}\n{item}\n{'The end. ' * 9}"
    pieces = [text[start:end] for start, end in parts(text, size=100)]
    assert any(code in piece for piece in pieces)
    assert any(item in piece for piece in pieces)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0.0), (10, 1.0), (10, -0.1)])
def test_sizes_that_make_no_sense_are_refused(size: int, overlap: float) -> None:
    with pytest.raises(ValueError, match="size must be"):
        parts("text", size=size, overlap=overlap)


@pytest.mark.parametrize("unit", ["^", ".", "a. ", "。", "\n", "```\n", "- a\n", "啊"])
def test_long_inputs_stay_linear(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert len(sentences(text)) <= len(text)
    assert len(parts(text)) <= len(text) * 2.5 / 200 + 1
