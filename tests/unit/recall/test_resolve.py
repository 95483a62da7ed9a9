"""What a follow-up leaves unsaid is taken from the turns before it, and from nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemis import Memory, Message
from mnemis.recall.resolve import lean, listed


def said(*texts: str) -> tuple[Message, ...]:
    roles = ("user", "assistant")
    return tuple(
        Message(role=roles[place % 2], text=text)  # type: ignore[arg-type]
        for place, text in enumerate(texts)
    )


VENDORS = said("Which vendors did we compare?", "1. Nimbus Vault\n2. Brightbucket\n3. Coldshelf")
厂家 = said("我们比较过哪几家？", "浩然、宏达和力信。")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Why did we leave the first one?", "Nimbus Vault"),
        ("What does the second one cost?", "Brightbucket"), ("And the third?", "Coldshelf"),
        ("Tell me about the last option.", "Coldshelf"), ("Who runs the former?", "Nimbus Vault"),
        ("Is the latter in Europe?", "Coldshelf"),
    ],
)  # fmt: skip
def test_a_choice_is_taken_from_the_list(text: str, meant: str) -> None:
    assert lean(text, VENDORS, names=False).words == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("第一个为什么不用了？", "浩然"), ("第二家多少钱？", "宏达"), ("那第3家呢？", "力信"),
        ("最后一个在哪里？", "力信"), ("前者的老板是谁？", "浩然"), ("后者什么时候放假？", "力信"),
    ],
)  # fmt: skip
def test_a_choice_is_taken_from_a_chinese_list(text: str, meant: str) -> None:
    assert lean(text, 厂家, names=False).words == meant


@pytest.mark.parametrize(
    ("recent", "text", "meant"),
    [
        (VENDORS, "And the second one?", "Brightbucket"), (VENDORS, "Why?", "Coldshelf"),
        (厂家, "那第二家呢？", "宏达"), (厂家, "为什么？", "力信"),
    ],
)  # fmt: skip
def test_the_last_turn_may_be_the_question_itself(
    recent: tuple[Message, ...], text: str, meant: str
) -> None:
    asked = lean(text, (*recent, Message(role="user", text=f" {text}\n")), names=False)
    assert meant in asked.words
    assert asked == lean(text, recent, names=False)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- tea\n- coffee", ("tea", "coffee")),
        ("We have three: red, green and blue.", ("red", "green", "blue")),
        ("First MongoDB, then PostgreSQL.", ("MongoDB", "PostgreSQL")),
        ("先是浩然，后来是宏达。", ("浩然", "宏达")), ("有两种：茶和咖啡。", ("茶", "咖啡")),
        ("The key is in the drawer.", ()), ("钥匙在抽屉里。", ()),
    ],
)  # fmt: skip
def test_what_a_text_lists(text: str, items: tuple[str, ...]) -> None:
    assert listed(text) == items


@pytest.mark.parametrize(
    "text",
    [
        "What did she say?", "Where does he live now?", "What happened to him?", "Is that one free?",
        "How much is it?", "What are their names?", "她后来怎么样了？", "他住在哪里？",
        "那个多少钱？", "那家店什么时候开门？", "这位是做什么工作的？", "它们放在哪里了？",
    ],
)  # fmt: skip
def test_a_pointing_word_brings_the_last_turns(text: str) -> None:
    recent = said("Who fixed the boiler?", "Mr Okafor from Leeds.")
    assert "Okafor" in lean(text, recent, names=False).words


@pytest.mark.parametrize(
    ("text", "asked", "brings_answer"),
    [
        ("Why?", True, True), ("And then?", True, True), ("When exactly?", True, True),
        ("And in China?", True, False), ("What about Priya?", True, False),
        ("为什么？", True, True), ("后来呢？", True, True), ("那国内呢？", True, False),
        ("Where is the key?", False, False), ("Buy milk", False, False),
        ("钥匙在哪？", False, False), ("公司网站托管在哪里？", False, False),
    ],
)  # fmt: skip
def test_what_is_left_out_is_asked_as_before(text: str, asked: bool, brings_answer: bool) -> None:
    recent = said("What does Leaflet cost?", "It is 55 euros.")
    leaning = lean(text, recent, names=False)
    assert (leaning.asked == "What does Leaflet cost?") is asked
    assert ("55 euros" in leaning.words) is brings_answer


@pytest.mark.parametrize("text", ["What did Ana tell her sister?", "若曦什么时候去看她妹妹？"])
def test_a_name_in_the_question_takes_its_own_pronouns(text: str) -> None:
    recent = said("Who fixed the boiler?", "Mr Okafor from Leeds.")
    assert lean(text, recent, names=True).words == ""
    assert lean(text, recent, names=False).words != ""


@pytest.mark.parametrize(("thanks", "welcome"), [("Thanks!", "You're welcome!"), ("谢谢", "好的")])
def test_thanks_between_are_passed_over(thanks: str, welcome: str) -> None:
    recent = said("Who fixed the boiler?", "Mr Okafor from Leeds.", thanks, welcome)
    assert "Okafor" in lean("Where does he live?", recent, names=False).words


@pytest.mark.parametrize("text", ["Where is it?", "Why?", "the second one", "后来呢？", "那个呢？"])
def test_without_recent_turns_nothing_is_added(text: str) -> None:
    leaning = lean(text, (), names=False)
    assert (leaning.words, leaning.asked) == ("", "")


def test_long_turns_are_cut_at_a_word() -> None:
    recent = said("Tell me.", "word " * 300 + "teapot")
    words = lean("Where is it?", recent, names=False).words
    assert len(words) <= 400
    assert words.startswith("word") and words.endswith("teapot")


@pytest.mark.parametrize(
    ("told", "before", "question"),
    [
        ("The blue teapot is chipped.", "I saw the blue teapot.", "What is wrong with that one?"),
        ("蓝色的茶壶有个缺口。", "我看到那把蓝色茶壶了。", "那个有什么毛病？"),
    ],
)
def test_what_was_just_said_is_at_hand_without_consolidation(
    memory: Memory, told: str, before: str, question: str
) -> None:
    memory.remember([Message(role="user", text=text) for text in (told, "The red kite is new.",
                     "风筝是新的。", "We ate late.")])  # fmt: skip
    hits = memory.recall(question, k=1, recent=said(before)).hits
    assert hits[0].text == told


def test_follow_ups_find_more_with_the_turns_before_them(data: Path, shipped: Memory) -> None:
    asked = [json.loads(line) for line in (data / "followups.jsonl").open(encoding="utf-8")]
    assert len(asked) >= 20
    found = {True: 0.0, False: 0.0}
    for each in asked:
        turns = [Message(**turn) for turn in each["recent"]]
        for leaning in found:
            recall = shipped.recall(each["question"], k=10, recent=turns if leaning else ())
            ids = {source for hit in recall.hits for source in hit.sources}
            found[leaning] += len(ids & set(each["evidence"])) / len(each["evidence"]) / len(asked)
    assert found[True] > found[False] + 0.2
