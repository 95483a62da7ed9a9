"""Reversals that are plainly said: what they end, and what they leave alone."""

from __future__ import annotations

import pytest

from tests.unit.consolidate.test_changes import told


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
