"""What is ruled out, preferred or settled in so many words is noted; a joke or a memory is not."""

from __future__ import annotations

import pytest

from mnemis import Memory
from tests.unit.care.conftest import said


def noted(memory: Memory) -> list[tuple[str, str]]:
    return [(note.kind, note.text.removeprefix("Ana: ")) for note in memory.working().notes]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("No fireworks, the council ruled them out.", "avoids"),
        ("Please don't call me before ten.", "avoids"),
        ("Balloons are off the table.", "avoids"),
        ("Let's go with the red tiles.", "decided"),
        ("I'd rather have an aisle seat.", "prefers"),
        ("I don't want to fly.", "avoids"),
        ("That's settled, see you on Saturday.", "decided"),
        ("不要放烟花，居委会不让。", "avoids"),
        ("请不要在十点前给我打电话。", "avoids"),
        ("我不想坐飞机", "avoids"),
        ("不要香菜", "avoids"),
        ("那就用红色的瓷砖吧。", "decided"),
        ("就这么定了，周六见", "decided"),
        ("我宁愿坐靠过道的座位。", "prefers"),
    ],
)
@pytest.mark.parametrize("consolidated", [False, True])
def test_what_is_said_in_so_many_words_is_noted(
    memory: Memory, text: str, kind: str, consolidated: bool
) -> None:
    memory.remember([said(1, text)])
    if consolidated:
        memory.consolidate()
    assert noted(memory) == [(kind, text)]
    (note,) = memory.working().notes
    assert (note.sources, note.time) == (("m1",), memory.working().turns[0].time)
    memory.forget(message_ids=["m1"])
    assert noted(memory) == []


@pytest.mark.parametrize(
    "text",
    [
        "No problem, see you.", "No rain today, the garden is dry.", "Please don't worry about it.",
        "Don't forget the bread.", "I'd rather not say.", "Let's go with it.", "Shall we say no?",
        "Maybe let's go with the red tiles.", "If it rains, please don't call me.",
        "不要紧，没关系。", "别担心我。", "请不要客气。", "我不想打扰你。", "就这么定了。", "要不就用红色的瓷砖？",
        "I'll go with you.", "Don't call me crazy.", "I don't want to interrupt you.",
        "不要钱的东西最贵。", "我不愿意承认这一点。", "别用这种语气跟我说话。", "不要以为我不知道。", "我不想要靠窗的了。", "别人都去了。",
    ],
)  # fmt: skip
def test_a_phrase_or_a_doubt_binds_nothing(memory: Memory, text: str) -> None:
    memory.remember([said(1, text)])
    assert noted(memory) == []


def test_what_an_assistant_says_is_no_note(memory: Memory) -> None:
    memory.remember([said(1, "Let's go with the red tiles.", role="assistant")])
    memory.remember([said(2, "不要香菜", role="assistant")])
    assert noted(memory) == []


@pytest.mark.parametrize(
    "text",
    [
        "In 1999 we decided to emigrate.", "Ten years ago we decided to sell the car.",
        "He joked: I want a dragon.", "Dad said: I want a dog.",
        "1999年我们决定移民。", "十年前我们决定卖掉车子。", "他开玩笑说：我想要一条龙。", "爸爸说：我想要一条狗。",
    ],
)  # fmt: skip
@pytest.mark.parametrize("consolidated", [False, True])
def test_another_time_a_joke_and_anothers_words_are_no_notes(
    memory: Memory, text: str, consolidated: bool
) -> None:
    memory.remember([said(1, text)])
    if consolidated:
        memory.consolidate()
    assert noted(memory) == []


@pytest.mark.parametrize(
    "text", ["Last week we decided on the blue logo.", "上周我们决定用蓝色的标志。"]
)
def test_what_was_decided_lately_is_noted(memory: Memory, text: str) -> None:
    memory.remember([said(1, text)])
    assert noted(memory) == [("decided", text)]


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        (
            "We decided on Saturday the 14th of June.",
            "Actually the party moved to Sunday the 15th.", True,
        ),
        ("I want a window seat.", "Actually I'd rather have an aisle seat.", True),
        ("Let's go with the red tiles.", "Actually let's go with the blue tiles.", True),
        ("No fireworks, the council ruled them out.", "The fireworks are allowed again.", False),
        ("我们决定定在六月十四日。", "聚会改到六月十五日了。", True),
        ("我想要靠窗的座位。", "其实我更想要靠过道的座位。", True),
        ("那就用红色的瓷砖吧。", "算了，那瓷砖不要了。", False),
        ("不要放烟花。", "居委会又允许放烟花了。", False),
        ("不要香菜。", "香菜还是放吧。", False),
        ("Don't put cilantro in my food.", "Cilantro is fine after all.", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("consolidated", [False, True])
def test_what_is_over_is_no_note(
    memory: Memory, old: str, new: str, holds: bool, consolidated: bool
) -> None:
    memory.remember([said(1, old)])
    assert [text for _, text in noted(memory)] == [old]
    memory.remember([said(2, new)])
    if consolidated:
        memory.consolidate()
    assert [text for _, text in noted(memory)] == ([new] if holds else [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We decided on Saturday the 14th of June.", "I moved to Lisbon on 3 May."),
        ("We decided on the blue logo.", "The party moved to Sunday the 15th."),
        ("我们决定用蓝色的标志。", "聚会改到六月十五日了。"),
    ],
)
def test_a_move_of_something_else_ends_nothing(memory: Memory, old: str, new: str) -> None:
    memory.remember([said(1, old), said(2, new)])
    assert old in [text for _, text in noted(memory)]
