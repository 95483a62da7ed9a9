"""What a claim is about: the speaker, the thing that was founded, no connective, no common noun."""

from __future__ import annotations

import pytest

from tests.unit.consolidate.conversations import outcome_of, said


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("我的直接 leader 是梁骏。", ("Ana", "has_value", "梁骏")),
        ("他辞职了，开了个工作室叫「晚渡」。", ("工作室", "named", "晚渡")),
    ],
)
def test_a_chinese_claim_is_about_whom_or_what_it_is_told_of(
    text: str, claim: tuple[str, str, str]
) -> None:
    outcome = outcome_of(said(text))
    assert claim in outcome.triples()
    assert not {"我", "开了个工作室"} & outcome.names()


def test_a_connective_is_no_matter() -> None:
    outcome = outcome_of(said("今天本来该是演出的日子，结果变成你的生日宴。"))
    assert "结果" not in outcome.names()


def test_the_word_for_a_name_is_not_what_is_called_so() -> None:
    outcome = outcome_of(said("公司不大，名字叫「潮声科技」，做助听器的。"))
    assert "名字" not in outcome.names()
    assert outcome.named("潮声科技")


def test_in_english_too_the_word_for_a_name_is_not_what_is_called_so() -> None:
    outcome = outcome_of(said("The company is small, its name is Tidesound, I work at Tidesound."))
    assert "name" not in {each.casefold() for each in outcome.names()}
    assert outcome.named("Tidesound")
