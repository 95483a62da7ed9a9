"""Values overturned by turns that do not name their matter as the older turn did."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mnemis.model.message import Message
from tests.unit.consolidate.conversations import START, Outcome, outcome_of

Line = tuple[str, str]


def heard(*lines: Line) -> Outcome:
    """(speaker, text) a day apart; the speaker "assistant" is one."""
    return outcome_of(
        [
            Message(
                role="assistant" if speaker == "assistant" else "user",
                speaker=speaker,
                text=text,
                session="s1",
                time=START + timedelta(days=number),
                id=f"m{number}",
            )
            for number, (speaker, text) in enumerate(lines)
        ]
    )


def overturned(outcome: Outcome) -> set[tuple[str, str]]:
    """(old value, what took its place), of facts that no longer hold."""
    facts = {fact.id: fact for fact in outcome.facts}
    return {
        (facts[edge.target].object, facts[edge.source].object)
        for edge in outcome.edges
        if edge.type == "supersedes" and facts[edge.target].status == "superseded"
    }


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        (
            (
                ("Bo", "The piano recital is all booked. 4 May, in the town hall."),
                ("assistant", "Lovely. Shall I plan the train for 4 May?"),
                ("Bo", "No, it's 11 May now. The hall has a leak."),
            ),
            "4 May",
            "11 May",
        ),
        (
            (
                ("林岚", "钢琴比赛报上了,五月四号,在市民中心。"),
                ("assistant", "好的,五月四日之前还练吗?"),
                ("林岚", "改到五月十一号了,场馆漏水。"),
            ),
            "五月四号",
            "五月十一号",
        ),
        (
            (
                ("Bo", "Joined the pottery circle, they meet Mondays in the old dairy."),
                ("Ida", "Sounds messy."),
                ("Bo", "By the way, pottery moved to Wednesdays, the dairy has a new tenant."),
            ),
            "Mondays",
            "Wednesdays",
        ),
        (
            (
                ("林岚", "我报了陶艺班,周一晚上上课。"),
                ("陈一", "听着就累。"),
                ("林岚", "对了,陶艺班挪到周三了,老师有事。"),
            ),
            "周一晚上",
            "周三",
        ),
        (
            (
                ("Ida", "what's the café going to be called"),
                ("Bo", "Copper Kettle."),
                ("Ida", "nice"),
                ("Bo", "Somebody in town is already called Copper Kettle, sadly."),
                ("Bo", "So it's Blue Door now."),
            ),
            "Copper Kettle",
            "Blue Door",
        ),
        (
            (
                ("林岚", "店名叫「铜壶」,下个月开门。"),
                ("陈一", "好听。"),
                ("林岚", "名字得改,「铜壶」被人注册了。"),
                ("陈一", "那叫什么?"),
                ("林岚", "我爸取的,「蓝门」。"),
            ),
            "铜壶",
            "蓝门",
        ),
        (
            (
                ("Bo", "The nurse for Dad came by, Greta Holm."),
                ("Ida", "Is she kind?"),
                ("Bo", "Greta's retiring, so there's a new nurse from May, Pavel Novak."),
            ),
            "Greta Holm",
            "Pavel Novak",
        ),
        (
            (
                ("林岚", "物业给了我一个车位,编号 A12,十平米。"),
                ("陈一", "不错。"),
                ("林岚", "车位也变了,物业把我挪到 C07,十四平米。"),
            ),
            "A12",
            "C07",
        ),
    ],
)
def test_a_value_is_overturned_where_its_matter_is_only_understood(
    lines: tuple[Line, ...], old: str, new: str
) -> None:
    assert (old, new) in overturned(heard(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        (  # another's matter
            ("Bo", "My pottery circle meets Mondays in the old dairy."),
            ("Ida", "Mine moved to Wednesdays, pottery in the crypt."),
        ),
        (
            ("林岚", "我的陶艺班周一晚上上课。"),
            ("陈一", "我的陶艺班挪到周三晚上了。"),
        ),
        (  # supposed
            ("Bo", "The pottery circle meets Mondays in the old dairy."),
            ("Bo", "If pottery moved to Wednesdays I could come."),
        ),
        (
            ("林岚", "我的陶艺班周一晚上上课。"),
            ("林岚", "要是陶艺班挪到周三晚上就好了。"),
        ),
        (  # asked
            ("Bo", "The pottery circle meets Mondays in the old dairy."),
            ("Bo", "Has pottery moved to Wednesdays?"),
        ),
        (
            ("林岚", "我的陶艺班周一晚上上课。"),
            ("林岚", "陶艺班挪到周三晚上行不行?"),
        ),
        (  # added, not replaced
            ("Bo", "The pottery circle meets Mondays in the old dairy."),
            ("Bo", "Pottery meets on Wednesdays too now."),
        ),
        (
            ("林岚", "我的陶艺班周一晚上上课。"),
            ("林岚", "陶艺班现在周三晚上也有课。"),
        ),
        (  # another matter
            ("Bo", "The wedding is on 4 May, in the town hall."),
            ("Ida", "And the exam?"),
            ("Bo", "The exam was moved to 11 May."),
        ),
        (
            ("林岚", "婚礼定在五月四号,在市民中心。"),
            ("陈一", "考试呢?"),
            ("林岚", "考试改到五月十一号了。"),
        ),
        (  # another kind of value
            ("Bo", "The pottery circle costs 40 euros."),
            ("Bo", "Pottery moved to Wednesdays."),
        ),
        (
            ("林岚", "我的陶艺班一节课40块。"),
            ("林岚", "陶艺班挪到周三晚上了。"),
        ),
    ],
)
def test_what_is_another_matter_or_only_supposed_overturns_nothing(lines: tuple[Line, ...]) -> None:
    assert overturned(heard(*lines)) == set()


def test_both_values_stand_in_one_slot() -> None:
    outcome = heard(
        ("Bo", "Joined the pottery circle, they meet Mondays in the old dairy."),
        ("Bo", "Pottery moved to Wednesdays, the dairy has a new tenant."),
    )
    facts = {fact.object: fact for fact in outcome.facts}
    old, new = facts["Mondays"], facts["Wednesdays"]
    assert (old.status, new.status) == ("superseded", "current")
    assert (old.subject_id, old.relation) == (new.subject_id, new.relation)
    assert (old.valid_to, old.sources, new.sources) == (new.valid_from, ("m0",), ("m1",))


@pytest.mark.parametrize(
    "lines",
    [
        (("Bo", "The exam is on 3 March."), ("Bo", "The exam moved to Monday, 10 March.")),
        (("Bo", "The review is on Tuesday."), ("Bo", "The review moved to Wednesday at 4 pm.")),
        (("Bo", "The fair is on Friday, March 14th."), ("Bo", "The fair is now on Thursday, March 20th.")),
        (("林岚", "评审会定在5月5号周一。"), ("林岚", "评审会改到5月7号周三了。")),
    ],
)  # fmt: skip
def test_a_day_with_its_weekday_is_one_value(lines: tuple[Line, ...]) -> None:
    current = [fact for fact in heard(*lines).facts if fact.status == "current"]
    assert any("m1" in fact.sources for fact in current)
    assert not any("m0" in fact.sources for fact in current)


@pytest.mark.parametrize(
    "lines",
    [
        (("Bo", "Dinner with Tom is on Friday."), ("Bo", "Dinner with Lea is moved to Saturday.")),
        (("林岚", "和小张的晚饭在周五。"), ("林岚", "和小李的晚饭改到周六了。")),
    ],
)
def test_what_is_planned_with_another_person_stays(lines: tuple[Line, ...]) -> None:
    assert overturned(heard(*lines)) == set()
