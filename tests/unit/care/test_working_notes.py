"""A note holds: what was superseded, taken back, or has passed is none; what is pinned stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mnemis import Memory, Mnemis
from mnemis.model.graph import Fact, Turn
from mnemis.ports.extractor import Extraction
from tests.unit.care.conftest import everything, said


def noted(memory: Memory, session: str | None = None) -> list[str]:
    return [note.text.removeprefix("Ana: ") for note in memory.working(session).notes]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The kickoff is on 12 May.", "The kickoff moved to 14 May."),
        ("My budget is 800 euros.", "My budget is now 900 euros."),
        ("启动会定在5月12日。", "启动会改到5月14日了。"),
        ("截止日期是6月14日。", "截止日期改到6月20日了。"),
    ],
)
@pytest.mark.parametrize("place", ["same session", "another session"])
@pytest.mark.parametrize("consolidated", [False, True])
def test_a_superseded_fact_is_no_note(
    memory: Memory, old: str, new: str, place: str, consolidated: bool
) -> None:
    memory.remember([said(1, old)])
    if consolidated:
        memory.consolidate()
    assert noted(memory) == [old]
    session = "s1" if place == "same session" else "s2"
    memory.remember([said(2, new, session=session)])
    if consolidated or session == "s2":
        memory.consolidate()
    assert old not in noted(memory, "s1")
    assert memory.working("s1").turns[0].text == old


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("We decided on the blue logo.", "Scrap the logo, we have no time.", []),
        (
            "I want a window seat on the train.", "Actually I want an aisle seat instead.",
            ["Actually I want an aisle seat instead."],
        ),
        ("我们决定用蓝色的标志。", "标志的事算了，没时间做。", []),
        (
            "我想要靠窗的座位。", "我不想要靠窗的座位了，想要靠过道的。",
            ["我不想要靠窗的座位了，想要靠过道的。"],
        ),
        ("我的预算是八百欧元。", "预算现在是九百欧元。", ["预算现在是九百欧元。"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("consolidated", [False, True])
def test_what_was_taken_back_is_no_note(
    memory: Memory, old: str, new: str, holds: list[str], consolidated: bool
) -> None:
    memory.remember([said(1, old)])
    assert noted(memory) == [old]
    memory.remember([said(2, new)])
    if consolidated:
        memory.consolidate()
    assert noted(memory) == holds


@pytest.mark.parametrize(
    ("old", "other"),
    [
        ("We decided on the blue logo.", "Never mind the rain, we take the umbrella instead."),
        ("We decided on the blue logo.", "Did you want to cancel the logo?"),
        ("我们决定用蓝色的标志。", "雨伞不带了，取消吧。"),
        ("我们决定用蓝色的标志。", "标志要不要取消？"),
    ],
)
def test_a_change_of_another_matter_or_a_question_takes_nothing_back(
    memory: Memory, old: str, other: str
) -> None:
    memory.remember([said(1, old), said(2, other)])
    assert old in noted(memory)


def test_an_assistant_takes_nothing_back(memory: Memory) -> None:
    old = "We decided on the blue logo."
    memory.remember([said(1, old), said(2, "The logo is cancelled.", role="assistant")])
    assert noted(memory) == [old]
    memory.remember([said(3, "我们决定用蓝色的标志。", session="s2")])
    memory.remember([said(4, "标志取消了。", role="assistant", session="s2")])
    assert noted(memory, "s2") == ["我们决定用蓝色的标志。"]


@pytest.mark.parametrize(
    "text",
    [
        "My sister likes early trains.", "My locker code is 4417.", "The room costs 90 euros.",
        "I live in Leeds.", "我同事喜欢坐早班车。", "我的储物柜密码是4417。", "房间的价格是九十元。", "我住在上海。",
    ],
)  # fmt: skip
def test_a_fact_that_binds_nothing_is_no_note(memory: Memory, text: str) -> None:
    memory.remember([said(1, text)])
    memory.consolidate()
    assert any(isinstance(node, Fact) and node.status == "current" for node in everything(memory))
    assert noted(memory) == []


@pytest.mark.parametrize(
    ("plan", "later"),
    [
        ("I'm planning to visit Lisbon on 20 March.", "The tram is crowded."),
        ("启动会定在3月20日。", "公交车很挤。"),
    ],
)
def test_a_plan_is_a_note_until_its_day_is_over(memory: Memory, plan: str, later: str) -> None:
    memory.remember([said(1, plan)])
    assert noted(memory) == [plan]
    memory.remember([said(2, later, session="s2", days=10)])
    assert noted(memory, "s1") == [plan]
    memory.remember([said(3, later, session="s2", days=30)])
    assert noted(memory, "s1") == []


@pytest.mark.parametrize(
    ("plan", "later"),
    [
        ("I plan to repeat the test of 1 March 2025.", "Hm."),
        ("我计划重做2025年3月1日的测试。", "嗯。"),
    ],
)
def test_a_day_that_was_over_when_the_plan_was_told_does_not_end_it(
    memory: Memory, plan: str, later: str
) -> None:
    memory.remember([said(1, plan), said(2, later, days=60)])
    assert noted(memory) == [plan]


@pytest.mark.parametrize(
    ("question", "answer", "note"),
    [
        ("When is the kickoff?", "On 14 May.", "Ben: On 14 May. (kickoff)"),
        ("启动会定在什么时候？", "5月14日。", "Ben: 5月14日。（启动会）"),
    ],
)
@pytest.mark.parametrize("consolidated", [0, 1, 2])
def test_an_answer_is_noted_with_what_was_asked(
    memory: Memory, question: str, answer: str, note: str, consolidated: int
) -> None:
    """Also where the question was consolidated before the answer came."""
    memory.remember([said(1, question)])
    if consolidated:
        memory.consolidate()
    memory.remember([said(2, answer, speaker="Ben")])
    if consolidated == 2:
        memory.consolidate()
    assert noted(memory) == [note]


@pytest.mark.parametrize(
    "text",
    ["My sister is allergic to peanuts.", "The kickoff is on 12 May.", "我妹妹对花生过敏。", "启动会定在5月12日。"],
)  # fmt: skip
def test_what_a_note_is_about_is_said_once(memory: Memory, text: str) -> None:
    memory.remember([said(1, text)])
    assert noted(memory) == [text]


@pytest.mark.parametrize("text", ["The tram is always crowded.", "公交车总是很挤。"])
def test_a_pinned_turn_is_a_note(memory: Memory, text: str) -> None:
    memory.remember([said(1, text), said(2, "Hello."), said(3, "你好。")])
    memory.pin("m1")
    (note,) = memory.working(turns=2).notes
    assert (note.kind, note.text, note.sources) == ("pinned", f"Ana: {text}", ("m1",))
    assert "[pinned]" in memory.working(turns=2).text or "[置顶]" in memory.working(turns=2).text
    memory.pin("m1", pinned=False)
    assert memory.working().notes == ()


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("The kickoff is on 12 May.", "The kickoff moved to 14 May.", " [no longer holds]"),
        ("启动会定在5月12日。", "启动会改到5月14日了。", "〔已失效〕"),
    ],
)
def test_a_pinned_turn_that_was_overturned_says_so(
    memory: Memory, old: str, new: str, mark: str
) -> None:
    memory.remember([said(1, old)])
    memory.pin("m1")
    assert noted(memory) == [old]
    memory.remember([said(2, new)])
    assert noted(memory) == [old + mark, new]


@pytest.mark.parametrize("text", ["I'm allergic to peanuts.", "我对花生过敏。"])
def test_a_pinned_turn_is_noted_once(memory: Memory, text: str) -> None:
    memory.remember([said(1, text)])
    memory.pin("m1")
    assert [note.kind for note in memory.working().notes] == ["pinned"]


@pytest.mark.parametrize("text", ["The tram is always crowded.", "公交车总是很挤。"])
def test_it_looks_back_over_120_turns_and_no_more(memory: Memory, text: str) -> None:
    memory.remember([said(n, f"{n} {text}") for n in range(1, 131)])
    memory.pin("m1")
    memory.pin("m9")
    assert [note.sources for note in memory.working(turns=2).notes] == [("m9",)]
    assert [note.sources for note in memory.working(turns=10).notes] == [("m1",), ("m9",)]


class Reader:
    """An extractor that finds nothing, as a model may where the rules see something."""

    name = "nothing"

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        return Extraction()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm allergic to peanuts.", "I want a window seat."),
        ("我对花生过敏。", "我想要靠窗的座位。"),
    ],
)
def test_what_a_model_read_is_not_read_again_by_rules(
    mnemis: Mnemis, memory: Memory, old: str, new: str
) -> None:
    reading = Mnemis(
        mnemis.store, embedder=mnemis.embedder, extractor=Reader(), config=mnemis.config
    ).scope(*memory.scope)
    reading.remember([said(1, old)])
    reading.consolidate()
    reading.remember([said(2, new)])
    assert noted(reading) == [new]
    reading.consolidate()
    assert noted(reading) == []
