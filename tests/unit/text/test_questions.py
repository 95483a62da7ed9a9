"""Questions and compound questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.sentences import question_share, split_compound


@pytest.mark.parametrize(
    "text",
    [
        "What is it?",
        "when is the launch",
        "is the launch on May 3rd",
        "Did you go?!",
        "do you like tea",
        "Ok, how does it work",
        "你去吗",
        "你呢",
        "这是什么",
        "哪天发布",
        "我们什么时候开会",
        "预算是多少？",
        "他来吗。",
        "为什么不去",
    ],
)
def test_a_question_is_all_question(text: str) -> None:
    assert question_share(text) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "I like it.",
        "what a day",
        "do it now",
        "When I was young I lived here",
        "Is it.",
        "没什么",
        "我不知道他是谁",
        "什么都可以。",
        "那么就这样",
        "好的",
        "",
        "  ",
    ],
)
def test_a_statement_asks_nothing(text: str) -> None:
    assert question_share(text) == 0.0


def test_the_share_counts_characters() -> None:
    assert question_share("I left. Why?") == pytest.approx(4 / 10)
    assert question_share("我走了。好吗？") == pytest.approx(3 / 7)


@given(st.text(max_size=80))
def test_the_share_is_a_share(text: str) -> None:
    assert 0.0 <= question_share(text) <= 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "When is the launch and also what does it cost?",
            ["When is the launch", "what does it cost?"],
        ),
        ("What's the plan; also who leads it?", ["What's the plan", "who leads it?"]),
        ("Who leads it. Also, when do we start?", ["Who leads it", "when do we start?"]),
        ("Where does Ana live, also what is her job?", ["Where does Ana live", "what is her job?"]),
        ("what's her name, and where does she live", ["what's her name", "where does she live"]),
        ("When is X? And where is Y?", ["When is X?", "where is Y?"]),
        ("发布是哪天？另外，预算是多少？", ["发布是哪天？", "预算是多少？"]),
        ("你住在哪里，还有，你喜欢吃什么", ["你住在哪里", "你喜欢吃什么"]),
        ("他什么时候来，以及他住哪儿呢", ["他什么时候来", "他住哪儿呢"]),
        ("谁负责？什么时候开始？", ["谁负责？", "什么时候开始？"]),
    ],
)
def test_a_compound_question_comes_apart_without_connectives(
    text: str, expected: list[str]
) -> None:
    assert split_compound(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "When is the launch?",
        "Who are Ana and Bo?",
        "Where is it? I forgot.",
        "Did she also call?",
        "发布是哪天？",
        "北京以及上海的天气怎么样",
        "你还有钱吗",
        "",
        "你知道吗？我忘了。",
    ],
)
def test_one_question_stays_as_it_is(text: str) -> None:
    assert split_compound(text) == [text]


@given(st.text(alphabet="ab ?？,，;.also and另外还有以及呢", max_size=60))
def test_no_part_is_empty(text: str) -> None:
    pieces = split_compound(text)
    assert pieces == [text] or all(piece.strip() for piece in pieces)


@pytest.mark.parametrize(
    ("heading", "text"), [("how does it work", "It works."), ("为什么不去", "我累了。")]
)
def test_where_final_marks_are_set_an_opening_alone_asks_nothing(heading: str, text: str) -> None:
    assert question_share(heading) == 1.0
    assert question_share(f"{heading}\n{text}") == 0.0
