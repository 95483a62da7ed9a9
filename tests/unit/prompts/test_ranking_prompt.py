"""The prompt of the reranker, and what its reply is read as."""

from __future__ import annotations

import pytest

from mnemis.errors import UnusableReply
from mnemis.prompts import ranking


def test_question_and_texts_are_numbered_data_in_the_questions_language() -> None:
    prompt = ranking.render("Where is {it}?", ["the {shed}", "line\nbreak"], most=3)
    assert 'QUESTION\n"Where is {it}?"' in prompt
    assert '[1] "the {shed}"\n[2] "line break"' in prompt
    assert "at most 3" in prompt
    chinese = ranking.render("它在哪里？", ["在棚子里"], most=2)
    assert "最多 2 个" in chinese
    assert '[1] "在棚子里"' in chinese
    ranking.render("half \ud83c", ["半 \ud83c"], most=1).encode()


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("[3, 1]", (3, 1)),
        ('```json\n["3", "[1]"]\n```', (3, 1)),
        ("<think>[2]?</think>[3, 1]", (3, 1)),
        ('{"best": [3, 1]}', (3, 1)),
        ("The best are 3 and 1.", (3, 1)),
        ("3, 1", (3, 1)),
        ("最好的是 3 和 1。", (3, 1)),
        ("[3, 99, 3, 1]", (3, 1)),
        ("[3, 1", (3,)),
        ("[]", ()),
    ],
)
def test_numbers_are_read(reply: str, chosen: tuple[int, ...]) -> None:
    assert ranking.parse(reply, count=5) == chosen


@pytest.mark.parametrize(
    "reply",
    ['[1] "the shed"\n[2] "在棚子里"', None, "", "None of them.", "没有", "[99]", '{"a": "b"}'],
)
def test_no_usable_number_is_told(reply: str | None) -> None:
    with pytest.raises(UnusableReply):
        ranking.parse(reply, count=5)
