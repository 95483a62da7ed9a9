"""Requests for everything about a matter are recognised and reduced to the matter."""

from __future__ import annotations

import pytest

from mnemis import Memory, Message
from mnemis.recall.cues import intents_of
from mnemis.recall.wide import topic_of


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Everything we decided about pricing", "about pricing"),
        ("Tell me everything about Ming", "about Ming"),
        ("What do you know about Ming?", "about Ming"),
        ("What have I told you about my allergies so far?", "about my allergies"),
        ("Summarise what we said on pricing", "what on pricing"),
        ("Can you fill me in on the boiler?", "on the boiler"),
        ("The whole business of the garage roof", "of the garage roof"),
        ("All mentions of the ferry", "of the ferry"),
        ("定价方面我们一共做过哪些决定？", "定价 决定"),
        ("把关于小明的都告诉我", "小明"),
        ("关于小明你都知道些什么？", "小明"),
        ("跟我讲讲小明", "小明"),
        ("小明有什么消息？", "小明"),
        ("请把我们讨论过的关于定价的内容都总结一下", "定价"),
        ("把做菜的事都列出来", "做菜"),
    ],
)
def test_the_topic_of_a_request_for_everything(text: str, topic: str) -> None:
    assert "all" in intents_of(text)
    assert topic_of(text) == topic


@pytest.mark.parametrize(
    "text",
    [
        "The lease, from start to finish",
        "车库屋顶的事,从头到尾讲一遍",
        "租约的来龙去脉",
        "渡轮前前后后的经过",
    ],
)
def test_a_request_for_everything_is_recognised(text: str) -> None:
    assert "all" in intents_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which bus goes to the harbour?",
        "What did Caroline say about painting?",
        "去港口坐几路车?",
        "若曦说她是做什么的人？",
    ],
)
def test_a_plain_question_asks_for_one_thing(text: str) -> None:
    assert not intents_of(text) & {"all", "vague"}


@pytest.mark.parametrize("text", ["Everything", "全部"])
def test_a_request_without_a_matter_stays_as_it_is(text: str) -> None:
    assert topic_of(text) == text


@pytest.mark.parametrize(
    ("told", "other", "asked"),
    [
        (
            ["Ming came for dinner yesterday.", "Ming works at the harbour office.",
             "Next month Ming moves to Hull."],
            ["The weather was fine.", "I bought new shoes.", "My mother likes to garden."],
            "What do you know about Ming?",
        ),
        (
            ["小明昨天来我家吃饭。", "小明在港务局上班。", "小明下个月搬去杭州。"],
            ["天气真好啊。", "我买了一双新鞋。", "我妈妈喜欢种花。"],
            "把关于小明的都告诉我",
        ),
    ],
)  # fmt: skip
def test_everything_about_somebody_comes_first(
    memory: Memory, told: list[str], other: list[str], asked: str
) -> None:
    mixed = [text for pair in zip(told, other, strict=True) for text in pair]
    memory.remember([Message(role="user", text=text) for text in mixed])
    memory.consolidate()
    recall = memory.recall(asked)
    assert {hit.text for hit in recall.hits[:3]} == set(told)
    assert recall.confident


@pytest.mark.parametrize(
    ("topic", "other", "asked"),
    [
        (
            "The orchard news of the day is number {}.",
            "Tram {} was late.",
            "Everything about the orchard",
        ),
        ("果园今天的消息是第{}条。", "{}路电车晚点了。", "关于果园的一切"),
    ],
)
def test_the_context_holds_the_rest_of_the_topic_beyond_the_hits_and_not_everything_else(
    memory: Memory, topic: str, other: str, asked: str
) -> None:
    told = [topic.format(number) for number in range(12)]
    noise = [other.format(number) for number in range(60)]
    mixed = [
        text for place in range(12) for text in (told[place], *noise[place * 5 : place * 5 + 5])
    ]
    memory.remember(
        [Message(role="user", text=text, session=f"s{number}") for number, text in enumerate(mixed)]
    )
    memory.consolidate()

    context = memory.recall(asked, k=3, budget=2_000).context

    assert all(text in context for text in told)
    assert sum(text in context for text in noise) < len(noise) / 2
