"""Reversals that are plainly said: what they end, and what they leave alone."""

from __future__ import annotations

import pytest

from mnemis.consolidate.rules.attributed import unasserted
from tests.unit.consolidate.test_changes import FIRST, statuses, successors, told


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        (
            ("We decided to launch the app on 12 March.", "We moved the launch to 3 May."),
            "12 March",
            "3 May",
        ),
        (("我们决定3月12号上线应用。", "上线改到5月3号了。"), "3月12号", "5月3号"),
        (
            (
                "We moved the launch of the tea shop to May 3rd.",
                "The permit is late, so the launch moves to June 14th.",
            ),
            "May 3rd",
            "June 14th",
        ),
        (("The launch is on 12 March.", "The launch is cancelled."), "12 March", "any day"),
        (("The meeting is on Tuesday.", "The meeting was called off."), "Tuesday", "any day"),
        (("发布会定在3月12号。", "发布会取消了。"), "3月12号", "任何一天"),
        (
            ("会议定在每周二上午十点。", "会议改到每周四下午三点。", "会议取消了。"),
            "每周四下午三点",
            "任何一天",
        ),
        (
            ("会议定在每周二上午十点。", "会议改到每周四下午三点。"),
            "每周二上午十点",
            "每周四下午三点",
        ),
        (
            ("The budget is 20,000 euros.", "The budget was raised to 35,000 euros."),
            "20,000 euros",
            "35,000 euros",
        ),
        (("预算是20000元。", "预算提高到35000元了。"), "20000元", "35000元"),
        (
            ("For the database we use MySQL.", "We switched the database to PostgreSQL."),
            "MySQL",
            "PostgreSQL",
        ),
        (("数据库我们用MySQL。", "数据库改用PostgreSQL了。"), "MySQL", "PostgreSQL"),
        (("My girlfriend is called Emma.", "Emma and I broke up."), "Emma", "Emma"),
        (("My girlfriend is called Emma.", "I broke up with my girlfriend."), "Emma", "girlfriend"),
        (("我女朋友叫小红。", "我和小红分手了。"), "小红", "小红"),
        (("我老婆叫王芳。", "我和王芳离婚了。"), "王芳", "王芳"),
    ],
)
def test_a_plain_reversal_ends_what_was_said(lines: tuple[str, ...], old: str, new: str) -> None:
    outcome = told(*lines)
    facts = {fact.id: fact for fact in outcome.facts}
    ended = [
        (facts[edge.target].object, facts[edge.target].status, facts[edge.source].object)
        for edge in outcome.edges
        if edge.type == "supersedes"
    ]
    assert (old, "superseded", new) in ended


@pytest.mark.parametrize(
    "lines",
    [
        ("The launch is on 12 March.", "Today's launch rehearsal is cancelled."),
        ("The launch is on 12 March.", "If the launch is cancelled we lose the client."),
        ("The launch is on 12 March.", "The launch party is cancelled."),
        ("The meeting is on Tuesday.", "The meeting on Friday is cancelled."),
        ("会议定在每周二上午十点。", "今天的会议取消了。"),
        ("会议定在每周二上午十点。", "如果会议取消了就告诉我。"),
        ("会议定在每周二上午十点。", "发布会取消了。"),
        ("The budget is 20,000 euros.", "The budget might be raised to 35,000 euros."),
        ("The budget is 20,000 euros.", "The marketing budget was raised to 35,000 euros."),
        ("预算是20000元。", "预算可能提高到35000元。"),
        ("数据库我们用MySQL。", "缓存改用Redis了。"),
        ("数据库我们用MySQL。", "我同事的数据库改用PostgreSQL了。"),
        ("My girlfriend is called Emma.", "Tom broke up with Emma."),
        ("我女朋友叫小红。", "小明和小红分手了。"),
        ("我女朋友叫小红。", "我差点和小红分手了。"),
        ("我女朋友叫小红。", "我和小丽分手了。"),
        ("We launch the app on 12 March.", "We moved the party to 3 May."),
    ],
)
def test_what_only_looks_like_a_reversal_ends_nothing(lines: tuple[str, ...]) -> None:
    assert [fact.text for fact in told(*lines).facts if fact.status != "current"] == []


@pytest.mark.parametrize(
    ("lines", "gone", "stays"),
    [
        (
            ("I live in Berlin and work at Siemens.", "I moved to Lisbon."),
            ("Berlin", "Ana: I live in Berlin"),
            ("Siemens", "Ana: I work at Siemens"),
        ),
        (
            ("I live in Berlin and work at Siemens.", "I work at Bosch now."),
            ("Siemens", "Ana: I work at Siemens"),
            ("Berlin", "Ana: I live in Berlin"),
        ),
        (
            ("我住在上海,最喜欢喝咖啡。", "我搬到杭州了。"),
            ("上海", "Ana: 我住在上海"),
            ("咖啡", "Ana: 最喜欢喝咖啡"),
        ),
        (
            ("我住在上海,最喜欢喝咖啡。", "医生说我不能喝咖啡了,现在改喝茶。"),
            ("咖啡", "Ana: 最喜欢喝咖啡"),
            ("上海", "Ana: 我住在上海"),
        ),
    ],
)
def test_each_clause_is_told_and_ended_by_itself(
    lines: tuple[str, ...], gone: tuple[str, str], stays: tuple[str, str]
) -> None:
    facts = told(*lines).facts
    assert gone in {(f.object, f.text) for f in facts if f.status == "superseded"}
    assert stays in {(f.object, f.text) for f in facts if f.status == "current"}


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        (("I live in Berlin.", "I don't live in Lisbon."), "Berlin"),
        (("我住在杭州。", "我不住在苏州。"), "杭州"),
        (("I live in Berlin.", "I never moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "我从来没搬到苏州。"), "杭州"),
        (("I live in Berlin.", "I haven't moved to Lisbon yet."), "Berlin"),
        (("我住在杭州。", "我还没搬到苏州。"), "杭州"),
        (("I work at Siemens.", "I don't work at Bosch."), "Siemens"),
        (("我在腾讯上班。", "我不在华为上班。"), "腾讯"),
        (("My car is a Fiat.", "My car isn't a Tesla."), "Fiat"),
        (("会议定在周一。", "会议没有改到周五。"), "周一"),
        (("The rent is 900 euros.", "The rent isn't 1000 euros."), "900 euros"),
        (("房租是3000元。", "房租没涨到3500元。"), "3000元"),
        (
            ("The wedding is on June 3rd.", "The wedding of my cousin is now on June 9th."),
            "June 3rd",
        ),
        (("婚礼定在6月3号。", "我表妹的婚礼改到6月9号了。"), "6月3号"),
        (
            ("The rent is 900 euros.", "In Munich the rent went up to 1500 euros on average."),
            "900 euros",
        ),
        (("房租是3000元。", "我们这里房租平均涨到4000元了。"), "3000元"),
    ],
)
def test_what_is_denied_or_told_of_another_leaves_the_value(
    lines: tuple[str, str], held: str
) -> None:
    outcome = told(*lines)
    assert statuses(outcome)[held] == "current"
    assert not [edge for edge in outcome.edges if edge.type == "supersedes"]


@pytest.mark.parametrize(
    ("lines", "old"),
    [
        (("I live in Berlin.", "I don't live in Berlin any more."), "Berlin"),
        (("我住在杭州。", "我不住在杭州了。"), "杭州"),
        (("I work at Siemens.", "I no longer work at Siemens."), "Siemens"),
        (("我在腾讯上班。", "我不在腾讯上班了。"), "腾讯"),
        (("I'm a nurse.", "I'm not a nurse any more."), "nurse"),
        (("我是护士。", "我不是护士了。"), "护士"),
        (("I live in Berlin Mitte.", "I don't live in Berlin any more."), "Berlin Mitte"),
        (("我住在杭州西湖区。", "我不住在杭州了。"), "杭州西湖区"),
    ],
)
def test_that_a_value_itself_is_denied_ends_it(lines: tuple[str, str], old: str) -> None:
    assert statuses(told(*lines)) == {old: "superseded"}


def test_what_was_denied_may_come_to_hold() -> None:
    outcome = told("I live in Berlin.", "I don't live in Lisbon.", "I moved to Lisbon.")
    assert statuses(outcome) == {"Berlin": "superseded", "Lisbon": "current"}
    outcome = told("我住在杭州。", "我不住在苏州。", "我搬到苏州了。")
    assert statuses(outcome) == {"杭州": "superseded", "苏州": "current"}


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        (("I live in Berlin.", "Last week Tom wrote: I moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "小王写道：我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "Translate this into French: I live in Lisbon."), "Berlin"),
        (("我住在杭州。", "请翻译：我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "Translate this:\n\nI ate. I live in Lisbon."), "Berlin"),
        (("我住在杭州。", "请翻译：\n我吃了。我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "Repeat after me: I moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "跟我念：我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "The song goes: I moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "歌里唱：我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "In my novel the heroine says: I moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "小说里的主角说：我搬到苏州了。"), "杭州"),
        (("I live in Berlin.", "I dreamt that I moved to Lisbon."), "Berlin"),
        (("我住在杭州。", "我梦见我搬到苏州了。"), "杭州"),
    ],
)
def test_what_is_only_quoted_or_told_asserts_nothing(lines: tuple[str, str], held: str) -> None:
    assert statuses(told(*lines)) == {held: "current"}


@pytest.mark.parametrize(
    ("lines", "old", "new"),
    [
        (("I live in Berlin.", "Yesterday I said: I moved to Lisbon."), "Berlin", "Lisbon"),
        (("我住在杭州。", "我说过：我搬到苏州了。"), "杭州", "苏州"),
        (("I live in Berlin.", "Good news for all: I moved to Lisbon."), "Berlin", "Lisbon"),
        (("我住在杭州。", "最新消息：我搬到苏州了。"), "杭州", "苏州"),
        (("I live in Berlin.", "In 2025 I moved to Lisbon."), "Berlin", "Lisbon"),
        (("In 2010 I moved to Lisbon.", "I live in Berlin."), "Lisbon", "Berlin"),
        (("I live in Berlin.", "In 2010 I moved to Lisbon."), "Lisbon", "Berlin"),
        (("I live in Berlin.", "I moved to Lisbon in 2010 for my studies."), "Lisbon", "Berlin"),
        (("我住在杭州。", "2010年我搬到了苏州。"), "苏州", "杭州"),
        (("我住在杭州。", "我2010年搬到了苏州。"), "苏州", "杭州"),
        (
            ("My rent is 900 euros.", "In 2015 my rent went up to 600 euros."),
            "600 euros",
            "900 euros",
        ),
    ],
)
def test_who_speaks_and_of_which_year_say_what_holds(
    lines: tuple[str, str], old: str, new: str
) -> None:
    outcome = told(*lines)
    assert statuses(outcome) == {old: "superseded", new: "current"}
    assert successors(outcome, old) == {new}


def test_the_last_statement_of_a_value_that_holds_again_is_current() -> None:
    for lines in (
        ("I live in Berlin.", "I moved to Lisbon.", "I moved back to Berlin."),
        ("我住在杭州。", "我搬到苏州了。", "我搬回杭州了。"),
    ):
        facts = sorted(told(*lines).facts, key=lambda fact: fact.time or FIRST)
        assert [fact.status for fact in facts] == ["superseded", "superseded", "current"]
        assert facts[0].object == facts[2].object


@pytest.mark.parametrize(
    "text",
    [
        "He said the story of the song and the book and the film " * 300 + ": I moved to Lisbon.",
        "他说小说里的故事和歌和电影" * 300 + "：我搬到苏州了。",
    ],
)
def test_a_page_before_a_colon_leads_to_no_quotation(text: str) -> None:
    assert unasserted(text) == ()
