"""Summaries, keywords and titles are taken from what was said, in its language."""

from __future__ import annotations

from tests.unit.consolidate.conversations import dialogue, outcome_of

ENGLISH = dialogue(
    ("Ana", "The supplier sent a quote for the sensor casings: 9.20 a piece from NordBox."),
    ("Ben", "Is that with shipping?"),
    ("Ana", "No, shipping is extra, about 300 euros for the whole order of casings."),
    ("Ben", "Fine. I love that the casings are recyclable."),
    ("Ana", "Then we decided to go with NordBox for the casings."),
    ("Ben", "ok"),
)
CHINESE = dialogue(
    ("林若曦", "供应商给外壳报价了：浩然塑胶，一个九块二，两千个起做。"),
    ("王小明", "包括运费吗？"),
    ("林若曦", "不包括，运费另算，大概300元。"),
    ("王小明", "我喜欢可回收的外壳。"),
    ("林若曦", "那我们决定用浩然塑胶做外壳。"),
    ("王小明", "好的"),
)


def test_summary_holds_only_what_was_said() -> None:
    for messages in (ENGLISH, CHINESE):
        (episode,) = outcome_of(messages).episodes
        said = " ".join(message.text for message in messages)
        names = {message.speaker for message in messages}
        rest = episode.text
        for name in names:
            rest = rest.replace(f"{name}: ", "")
        assert 20 < len(episode.text) <= 420
        for piece in (
            rest.replace("？", "。").replace("! ", ". ").split("。" if "。" in rest else ". ")
        ):
            assert piece.strip(" .") in said


def test_language_and_keywords_are_the_sources() -> None:
    (english,) = outcome_of(ENGLISH).episodes
    (chinese,) = outcome_of(CHINESE).episodes
    assert (english.language, chinese.language) == ("en", "zh")
    assert {"casings", "NordBox"} <= set(english.keywords)
    assert {"外壳", "供应商", "运费"} <= set(chinese.keywords)
    assert "casings" in english.title.lower() and "外壳" in chinese.title
    for keyword in (*english.keywords, *chinese.keywords):
        assert keyword.lower() not in {
            "ana",
            "ben",
            "ok",
            "then",
            "林若曦",
            "王小明",
            "好的",
            "我们",
        }


def test_lost_numbers_are_reported() -> None:
    lines = [
        ("Ana", f"Part number {n} weighs {n * 7} grams and costs {n * 3} euros.")
        for n in range(101, 110)
    ]
    outcome = outcome_of(dialogue(*lines))
    (episode,) = outcome.episodes
    missing = [str(n * 7) for n in range(101, 110) if str(n * 7) not in episode.text]
    assert missing and all(number in episode.note for number in missing[:3])
    assert any(missing[0] in each for each in outcome.report.lost)


def test_chinese_losses_are_reported_too() -> None:
    lines = [("林若曦", f"零件{n}重{n * 7}克，价格是{n * 3}元。") for n in range(101, 112)]
    (episode,) = outcome_of(dialogue(*lines)).episodes
    missing = [str(n * 7) for n in range(101, 112) if str(n * 7) not in episode.text]
    assert missing and missing[0] in episode.note
