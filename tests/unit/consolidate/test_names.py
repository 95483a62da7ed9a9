"""What is a name in running text, and what only looks like one."""

from __future__ import annotations

import pytest

from mnemis.consolidate.resolve import key_of
from mnemis.consolidate.rules import names_en, names_zh
from mnemis.text.normalise import name_key


def english(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    return [each.name for each in names_en.find_names(text, known=known)]


def chinese(text: str, known: frozenset[str] = frozenset()) -> list[str]:
    return [each.name for each in names_zh.find_names(text, known=known)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("王小明说李雷搬到了成都。", ["王小明", "李雷", "成都"]),
        ("林若曦 提交了预算。林若曦 支持 Daniel 的建议。", ["林若曦", "林若曦"]),
        ("张伟喜欢象棋。", ["张伟"]),
        ("張偉昨天來了。", ["張偉"]),
        ("我上司的单位是深圳华银金融服务中心。", ["深圳华银金融服务中心"]),
        ("我在读《三体》。", ["三体"]),
    ],
)
def test_chinese_names_end_where_the_verb_begins(text: str, names: list[str]) -> None:
    assert chinese(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "我周末去超市，高兴极了。",
        "这个项目的时间安排很方便。",
        "于是大家马上安静了。",
        "他离开公司了。",
    ],
)
def test_chinese_words_that_begin_like_surnames_are_no_names(text: str) -> None:
    assert chinese(text) == []


def test_a_known_given_name_is_found() -> None:
    assert chinese("若曦你那边怎么样", frozenset({"若曦"})) == ["若曦"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Margaret Holloway joined our team.", ["Margaret Holloway"]),
        ("QRTX published a report.", ["QRTX"]),
        (
            "Task 5 is done. Room 101 is free, room 107 is booked.",
            ["Task 5", "Room 101", "Room 107"],
        ),
        ("Version 3.1 works, version 3.2 crashes.", ["Version 3.1", "Version 3.2"]),
        ("I write C at work and C++ at home; C# I never touched.", ["C", "C++", "C#"]),
        ("The API speaks HTTP, the portal HTTPS.", ["HTTP", "HTTPS"]),
        ("Tom admires Priya. She admires Omar.", ["Tom", "Priya", "Omar"]),
        (
            'I\'m reading "The Left Hand of Darkness" on Holloway Street.',
            ["The Left Hand of Darkness", "Holloway Street"],
        ),
        ("Then we leave Haoran and go to Portomold.", ["Haoran", "Portomold"]),
    ],
)
def test_english_names(text: str, names: list[str]) -> None:
    assert english(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Everything went well. Dinner was great. Works fine.",
        "She told him on Monday in March.",
        "THIS IS REALLY IMPORTANT PLEASE READ",
        "Keeping it is cheap.",
        "Unfortunately nobody came.",
    ],
)
def test_capitals_alone_make_no_names(text: str) -> None:
    assert english(text) == []


def test_a_known_name_is_found_in_another_spelling() -> None:
    assert english("the nodejs service", frozenset({"nodejs"})) == ["nodejs"]
    assert english("Holloway moved away", frozenset()) == []
    assert english("Holloway moved away", frozenset({"holloway"})) == ["Holloway"]


@pytest.mark.parametrize(
    "name",
    [
        "Ana",
        "New York 2",
        "Mr Smith",
        "mr smith",
        "Miss",
        "Sir Ken",
        "Mister X",
        "1990",
        "ANA KELLER",
    ],
)
def test_the_key_of_a_plain_name_is_its_name_key(name: str) -> None:
    assert key_of(name) == name_key(name)
