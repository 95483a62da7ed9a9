"""How people state a value and overturn it, in sequences of turns: what holds, what held."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from mnemis import Memory, Message, Mnemis
from mnemis.config import Config
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.model.graph import Fact
from mnemis.stores.oracle import OracleStore
from mnemis.testing.clock import FakeClock
from tests.unit.consolidate.conversations import Outcome, outcome_of

FIRST = datetime(2025, 3, 3, 9, tzinfo=UTC)


def told(*lines: str, speaker: str = "Ana") -> Outcome:
    """Lines a week apart, each a session; "Bob: text" is Bob's, a minute after the line before."""
    messages: list[Message] = []
    time, session = FIRST, 0
    for number, line in enumerate(lines):
        who, mark, text = line.partition(": ")
        reply = bool(mark) and len(who) < 8
        if number and not reply:
            time, session = time + timedelta(days=7), session + 1
        time += timedelta(minutes=1)
        messages.append(
            Message(
                role="user",
                speaker=who if reply else speaker,
                text=text if reply else line,
                time=time,
                session=f"s{session}",
                id=f"m{number}",
            )
        )
    return outcome_of(messages)


def statuses(outcome: Outcome) -> dict[str, str]:
    """Of every value the status that it has at last."""
    facts = sorted(outcome.facts, key=lambda fact: (fact.time or FIRST, fact.version))
    return {fact.object: fact.status for fact in facts if fact.polarity}


def successors(outcome: Outcome, old: str) -> set[str]:
    """Objects of the facts that overturned the (first) fact with this object."""
    facts: dict[str, Fact] = {fact.id: fact for fact in outcome.facts}
    return {
        facts[edge.source].object
        for edge in outcome.edges
        if edge.type == "supersedes" and facts[edge.target].object == old
    }


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        (("Let's go with Hetzner.", "We switch from Hetzner to Scaleway."), "Hetzner", "Scaleway"),
        (("我们就用阿里云吧。", "我们不用阿里云了，改用腾讯云。"), "阿里云", "腾讯云"),
        (("We use MySQL for the shop.", "We replaced MySQL with SQLite."), "MySQL", "SQLite"),
        (("那就定海鸥酒店吧。", "海鸥酒店取消了，改订青山酒店。"), "海鸥酒店", "青山酒店"),
        (("Go with Vega.", "Vega is out, we go with Optima instead."), "Vega", "Optima"),
        (("那就选顺丰吧。", "退掉顺丰，签京东。"), "顺丰", "京东"),
        (("The rent is 900 euros.", "The rent has become 950 euros."), "900 euros", "950 euros"),
        (("房租是3000元。", "房租涨到3200元了。"), "3000元", "3200元"),
        (
            ("The workshop is on May 3rd.", "The workshop was brought forward to April 28."),
            "May 3rd",
            "April 28",
        ),
        (("面试定在5月3号。", "面试提前到4月28号。"), "5月3号", "4月28号"),
        (
            ("The course is 59 euros.", "We settled: 49 euros instead of 59."),
            "59 euros",
            "49 euros",
        ),
        (("门票是59元。", "门票不是59元，是49元。"), "59元", "49元"),
        (
            ("I drink coffee every morning.", "These days I drink matcha instead."),
            "coffee",
            "matcha",
        ),
        (("我每天早上喝咖啡。", "现在改喝绿茶了。"), "咖啡", "绿茶"),
        (("I play tennis on Sundays.", "I've switched to padel."), "tennis", "padel"),
        (("我周末打羽毛球。", "我现在改练游泳了。"), "羽毛球", "游泳"),
        (("My phone is a Pixel.", "I swapped my Pixel for a Fairphone."), "Pixel", "Fairphone"),
        (("我的手机是华为。", "我把华为换成小米了。"), "华为", "小米"),
        (("3.80 for the big white loaf.", "The white loaf went up to 4.20."), "3.80", "4.20"),
        (("年票的价格是300元。", "年票涨到350元了。"), "300元", "350元"),
        (("教练姓卢。", "我换教练了，现在跟一个姓方的。"), "姓卢", "姓方"),
        (("I live in Berlin.", "We moved to Lisbon."), "Berlin", "Lisbon"),
        (("我住在深圳。", "帮我更新一下，新家在杭州。"), "深圳", "杭州"),
    ],
)
def test_the_new_value_overturns_the_old(lines: tuple[str, str], old: str, new: str) -> None:
    outcome = told(*lines)
    found = statuses(outcome)
    assert (found.get(old), found.get(new)) == ("superseded", "current")
    assert new in successors(outcome, old)


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        (
            (
                "Bob: What does the ticket cost?",
                "Ana: 55 euros.",
                "I looked again.",
                "Bob: What does the ticket cost now?",
                "Ana: 60 euros.",
            ),
            "55 euros",
            "60 euros",
        ),
        (
            (
                "小美: 课程多少钱？",
                "阿强: 500元。",
                "又问了一次。",
                "小美: 课程现在多少钱？",
                "阿强: 450元。",
            ),
            "500元",
            "450元",
        ),
        (
            (
                "Bob: How about 30 euros for the course?",
                "Ana: Agreed, 30 euros.",
                "Some weeks went by.",
                "Bob: How about 35 euros for the course?",
                "Ana: OK, 35 euros.",
            ),
            "30 euros",
            "35 euros",
        ),
        (
            (
                "小美: 国内太贵没人买，我建议399元。",
                "阿强: 好，399元。",
                "过了几周。",
                "小美: 国内也得动，429元吧。",
                "阿强: 同意，429元。",
            ),
            "399元",
            "429元",
        ),
        (
            (
                "Bob: When is the exam?",
                "Ana: June 9.",
                "The exam, again.",
                "Ana: It's June 24 now.",
            ),
            "June 9",
            "June 24",
        ),
        (
            (
                "阿强: 补考定在六月九号。",
                "过了几天。",
                "小美: 补考怎么样了？",
                "阿强: 改到六月二十四号了。",
            ),
            "六月九号",
            "六月二十四号",
        ),
    ],
)
def test_question_and_answer_state_a_value_together(
    lines: tuple[str, ...], old: str, new: str
) -> None:
    found = statuses(told(*lines))
    assert (found.get(old), found.get(new)) == ("superseded", "current")


@pytest.mark.parametrize(
    ("lines", "thing", "status"),
    [
        (("I drink beer.", "I've given up beer."), "beer", "superseded"),
        (("I drink beer.", "I've given up beer.", "I'm back to beer."), "beer", "current"),
        (("我喝啤酒。", "我戒了啤酒。"), "啤酒", "superseded"),
        (("我喝啤酒。", "我戒了啤酒。", "我又喝上啤酒了。"), "啤酒", "current"),
        (("鱼和肉我不吃了。", "这个月开始我吃鱼了。"), "鱼", "current"),
        (("I run every morning.", "My physio has banned running."), "running", "superseded"),
    ],
)
def test_given_up_and_taken_up_again(lines: tuple[str, ...], thing: str, status: str) -> None:
    facts = [
        fact
        for fact in told(*lines).facts
        if fact.object == thing and fact.relation == "uses" and fact.polarity
    ]
    assert max(facts, key=lambda fact: fact.version).status == status


def test_what_is_allowed_again_ends_what_was_forbidden_and_nothing_else() -> None:
    outcome = told("鱼和肉我不吃了。", "这个月开始我吃鱼了，肉还是不碰。")
    avoided = {f.object: f.status for f in outcome.fact("avoids")}
    assert avoided == {"鱼": "superseded", "肉": "current"}


def test_going_back_overturns_what_had_taken_the_place() -> None:
    outcome = told(
        "Go with Haoran.",
        "We leave Haoran and have the casings made by Portomold.",
        "The second batch goes back to Haoran.",
    )
    assert statuses(outcome) == {"Portomold": "superseded", "Haoran": "current"}


def test_a_successor_in_office_ends_the_predecessor() -> None:
    outcome = told(
        "Karl is our account manager.", "Nadia takes over from Karl as our account manager."
    )
    (karl,) = outcome.fact("works_as", subject="Karl")
    assert karl.status == "superseded"


def test_what_is_given_up_is_succeeded_by_what_is_taken_up() -> None:
    outcome = told("I drink black coffee.", "No more coffee.", "I've switched to green tea.")
    assert successors(outcome, "black coffee") == {"coffee", "green tea"}


@pytest.mark.parametrize(
    "lines",
    [
        ("Go with Vega.", "If we switch from Vega to Optima we lose a month."),
        ("Go with Vega.", "Should we switch from Vega to Optima?"),
        ("Go with Vega.", "Maybe we should drop Vega."),
        ("Go with Vega.", "We won't switch from Vega to Optima."),
        ("Go with Vega.", "Bob: I heard they switched from Vega to Optima."),
        ("Go with Vega.", "My neighbour switched from Vega to Optima."),
        ("Go with Vega.", "We almost moved from Vega to Optima, just kidding."),
        ("那就定海鸥酒店吧。", "如果海鸥酒店取消了，就改订青山酒店。"),
        ("那就定海鸥酒店吧。", "听说他们不用海鸥酒店了。"),
        ("那就定海鸥酒店吧。", "要不要把海鸥酒店换成青山酒店？"),
        ("那就定海鸥酒店吧。", "我们考虑把海鸥酒店换成青山酒店。"),
        ("那就定海鸥酒店吧。", "我们没有换成青山酒店。"),
        ("I drink coffee.", "I drink tea."),
        ("我早上喝咖啡。", "我早上喝茶。"),
        ("The rye loaf costs 4.20 euros.", "The white loaf costs 4.50 euros now."),
        ("年票的价格是300元。", "月票涨到50元了。"),
        ("Leaflet costs 59 euros.", "Sprout costs 45 euros instead of 59."),
        ("The exam is on June 9.", "The wedding was moved from June 9 to June 20."),
        ("I play tennis on Sundays.", "My brother has given up tennis."),
        ("I live in Berlin.", "I am thinking of moving from Berlin to Lisbon."),
        ("我住在深圳。", "我们在商量要不要搬到杭州。"),
        ("I'm a nurse.", "I'm a teacher at the evening school."),
        ("我是一名护士。", "我是一名老师。"),
    ],
)
def test_nothing_is_overturned(lines: tuple[str, str]) -> None:
    outcome = told(*lines)
    assert [fact.object for fact in outcome.facts if fact.status != "current"] == []


@pytest.mark.parametrize(
    "text",
    [
        "If it rains, let's go with Plan B.",
        "Would you go with Vega?",
        "Tom said we switch from Vega to Optima.",
        "He asked whether Vega is out.",
        "I'm trying to bring errors down from 15 to 1%.",
        "如果便宜就定浩然吧。",
        "她说他们改用明达了。",
        "用户会放在窗台上。",
        "签证已经在办了。",
        "纽扣电池不行。",
    ],
)
def test_what_is_not_settled_is_no_fact(text: str) -> None:
    assert told(text).facts == ()


@pytest.mark.parametrize(
    ("text", "subject", "object"),
    [
        ("My sister Nina visited. She lives in Porto.", "Nina", "Porto"),
        ("林若晨来了。她住在成都。", "林若晨", "成都"),
    ],
)
def test_a_pronoun_means_the_only_person_named(text: str, subject: str, object: str) -> None:
    assert (subject, "lives_in", object) in told(text).triples()


def test_a_pronoun_that_could_mean_two_means_nobody() -> None:
    assert told("Nina Petrova met Carla Mendes. She lives in Porto.").fact("lives_in") == []


@pytest.mark.parametrize(
    ("lines", "subject", "object"),
    [
        (
            ("Bob: The workshop costs 40 euros.", "Bob: It costs 49 euros now."),
            "workshop",
            "49 euros",
        ),
    ],
)
def test_it_means_the_only_matter(lines: tuple[str, ...], subject: str, object: str) -> None:
    assert (subject, "costs", object) in told(*lines).triples()


def test_a_repeat_changes_nothing() -> None:
    once = told("Go with Vega.", "We switch from Vega to Optima.")
    twice = told(
        "Go with Vega.", "We switch from Vega to Optima.", "We switch from Vega to Optima."
    )
    assert statuses(once) == statuses(twice) == {"Vega": "superseded", "Optima": "current"}


SAYINGS = (
    "Go with Vega.",
    "We switch from Vega to Optima.",
    "We leave Optima and go with Lumen.",
    "I drink coffee.",
    "No more coffee.",
    "These days I drink tea.",
    "The white loaf costs 4.20 euros.",
    "The white costs 4.50 euros now.",
    "那就定海鸥酒店吧。",
    "海鸥酒店取消了，改订青山酒店。",
    "我每天早上喝豆浆。",
    "我戒了豆浆。",
    "考试定在六月九号。",
    "考试改到六月二十号了。",
)


@pytest.mark.parametrize("seed", range(16))
def test_without_what_overturned_it_a_value_holds_again(seed: int) -> None:
    random = Random(seed)
    messages = [
        Message(
            role="user",
            speaker="Ana",
            text=text,
            time=FIRST + timedelta(days=number),
            session=f"s{number}",
            id=f"m{number}",
        )
        for number, text in enumerate(random.sample(SAYINGS, 7))
    ]
    gone = f"m{random.randint(3, 6)}"
    memory = heard(messages)
    memory.forget(message_ids=[gone])
    memory.consolidate()
    left = heard([each for each in messages if each.id != gone])
    assert held(memory) == held(left)


def heard(messages: list[Message]) -> Memory:
    clock = FakeClock(FIRST)
    config = Config(consolidate="manual")
    store = OracleStore(clock=clock)
    memory = Mnemis(store, embedder=HashingEmbedder(), config=config, clock=clock).scope("u1")
    memory.remember(messages)
    memory.consolidate()
    return memory


def held(memory: Memory) -> set[tuple[object, ...]]:
    keys = ("subject", "relation", "object", "polarity", "status", "valid_to")
    nodes = memory.graph().nodes(data=True)
    return {tuple(data[key] for key in keys) for _, data in nodes if data["kind"] == "fact"}
