"""Names that several turns give away together, and words that recur and name nobody."""

from __future__ import annotations

import pytest

from mnemis.consolidate.rules.names_en import find_names
from mnemis.consolidate.rules.recurring_en import words_of
from mnemis.consolidate.rules.recurring_zh import recurring_names
from tests.unit.consolidate.conversations import Outcome, outcome_of, said


def turns_naming(outcome: Outcome, name: str) -> int:
    (entity,) = outcome.named(name)
    return sum(
        edge.type == "mentions" and edge.target == entity.id and edge.source.startswith("turn:")
        for edge in outcome.edges
    )


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["Brisko told me he sold the boat.", "Is it true? Brisko loved it."], "Brisko"),
        (["I saw Wendeline at the fair.", "Wendeline bought a goat."], "Wendeline"),
        (["so Yarrick is late again", "Yarrick's bus broke down"], "Yarrick"),
    ],
)
def test_a_name_that_recurs_is_found_where_a_sentence_opens(texts: list[str], name: str) -> None:
    assert name in words_of(texts).names


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["老孔说明天不来。", "那就等老孔回来再定。"], "老孔"),
        (["小佘借了我的伞。", "你问问小佘什么时候还。"], "小佘"),
        (["摊子是阿棠在管。", "阿棠不收现金。"], "阿棠"),
        (["昨晚和褚峻吃饭。", "褚峻要去支教了。"], "褚峻"),
        (["票是翁一鸣抢到的。", "翁一鸣说请客。"], "翁一鸣"),
        (["瞿院长批了。", "明天去谢谢瞿院长。"], "瞿院长"),
        (["傅婶送来一篮枣。", "枣是傅婶自己种的。"], "傅婶"),
    ],
)
def test_a_chinese_name_that_recurs_is_found(texts: list[str], name: str) -> None:
    assert recurring_names(texts).names.get(name) == "person"


def test_words_that_open_sentences_again_and_again_are_no_names() -> None:
    texts = ["Traffic is mad today.", "Traffic was fine.", "Laundry is done.", "Laundry again!"]
    assert words_of(texts).names == {}


@pytest.mark.parametrize(
    "texts",
    [
        ["方案还没定。", "方案改了三次。"],
        ["小程序打不开。", "小程序更新了。"],
        ["老方法不行。", "换个办法，老方法太慢。"],
        ["对方律师很凶。", "对方律师又来了。"],
        ["保安师傅不让停。", "保安师傅说满了。"],
        ["温哥华下雨。", "温哥华真冷。"],
        ["阿姨在做饭。", "阿姨说快好了。"],
        ["高工资谁不想要。", "高工资都给别人了。"],
    ],
)
def test_chinese_words_that_recur_are_no_names(texts: list[str]) -> None:
    assert recurring_names(texts).names == {}


def test_a_name_in_lower_case_is_the_one_that_others_capitalise() -> None:
    texts = ["We met Corwyn at the pier.", "is corwyn still mad at us", "Corwyn called twice."]
    outcome = outcome_of(said(*texts))
    assert turns_naming(outcome, "Corwyn") == 3


def test_a_word_of_the_language_is_no_name_in_lower_case() -> None:
    words = words_of(["I met Basil and Marsh at noon.", "the marsh is cold", "put basil on it"])
    assert words.casual == frozenset()


def test_the_owner_and_the_owned_are_two_names() -> None:
    words = words_of(["I like Tilda.", "We met Ruben there.", "Tilda's Ruben fixed it."])
    names = [
        each.name for each in find_names("Tilda's Ruben fixed it.", known=frozenset(), words=words)
    ]
    assert names == ["Tilda", "Ruben"]


def test_capitals_that_stress_a_word_name_nothing() -> None:
    outcome = outcome_of(said("I swam two miles yesterday, alone.", "We SWAM! In March!"))
    assert "SWAM" not in outcome.names()


def test_weekdays_in_the_plural_are_no_names() -> None:
    outcome = outcome_of(said("The choir meets on Tuesdays, never on Thursdays."))
    assert not {"Tuesdays", "Thursdays"} & outcome.names()


def test_a_name_in_quotation_marks_is_found_without_them_later() -> None:
    names = recurring_names(["书吧叫「晚渡」，在河边。", "晚渡下月装修。"]).names
    assert names == {"晚渡": "other"}


def test_a_stressed_chinese_word_in_quotation_marks_is_no_name() -> None:
    assert recurring_names(["他说「方便」就好。", "这样最方便。"]).names == {}


def test_who_is_told_by_surname_alone_is_the_one_addressed_by_it() -> None:
    outcome = outcome_of(said("教练姓屈，嗓门很大。", "屈教练今天没来上课。", "屈教练说下周补课。"))
    assert turns_naming(outcome, "屈教练") == 3


def test_a_surname_that_two_people_have_means_neither() -> None:
    outcome = outcome_of(
        said("新来的同事姓孔，刚毕业。", "老孔说明天不来上班。", "小孔借了我的伞，老孔还了。")
    )
    assert turns_naming(outcome, "老孔") == 2


def test_a_lawyer_called_by_surname_is_the_one_whose_full_name_was_told() -> None:
    outcome = outcome_of(
        said(
            "我请的律师叫邬一帆，很有经验。",
            "邬一帆说合同没有问题。",
            "下午把材料交给邬律师。",
        )
    )
    (person,) = outcome.named("邬律师")
    assert "邬一帆" in (person.name, *person.aliases)


def test_a_title_never_stands_for_everyone_who_has_it() -> None:
    outcome = outcome_of(said("柏医生说可以跑步了。", "柏医生给我开了药。", "我妈也是医生。"))
    (person,) = outcome.named("柏医生")
    assert "医生" not in person.aliases


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["Osmund told me he found a leak.", "It rained a lot.", "Osmund is away."], "Osmund"),
        (["老孔说明天不来上班。", "我请他带点药。", "药给老孔送去了。"], "老孔"),
    ],
)
def test_a_name_recurs_over_what_was_read_one_by_one(texts: list[str], name: str) -> None:
    assert turns_naming(outcome_of(said(*texts), slices=3), name) == 2
