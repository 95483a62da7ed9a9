"""Reading a query: its questions, its wishes, the time it names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemis import Memory, Message
from mnemis.model.query import Query
from mnemis.recall.clauses import clauses, focus
from mnemis.recall.cues import intents_of, relations_of
from mnemis.recall.parse import parse
from mnemis.recall.request import RecallRequest

NOW = datetime(2025, 5, 14, 12, tzinfo=UTC)


def read(memory: Memory, text: str, **more: object) -> Query:
    fields = {"k": 5, "as_of": None, "asked_at": None, "recent": (), "where": None, "budget": None,
              "min_score": 0.0, "include_archived": False, "zone": UTC, **more}  # fmt: skip
    request = RecallRequest.checked(text, **fields)  # type: ignore[arg-type]
    with memory.mnemis.store.view(memory.scope) as view:
        return parse(
            request, view, speakers=("Ana Keller", "林若曦", "user"), asked_at=NOW, max_chars=500
        )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Where does Ana live?", 1),
        ("Where does Ana live? Also, what does she drink?", 2),
        ("上司是做什么工作的呢？另外，论坛的地点是什么？", 2),
        ("若曦住在哪里？", 1),
    ],
)
def test_a_compound_question_is_several(text: str, count: int) -> None:
    assert len(clauses(text)) == count


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Lovely day. I slept badly. The cat was loud. What I really want to ask is: where is the key?",
         "where is the key?"),
        ("今天天气真好。我还没吃饭。我真正想问的是：钥匙放在哪里？", "钥匙放在哪里？"),
        ("Where is the key?", "Where is the key?"),
    ],
)  # fmt: skip
def test_small_talk_before_the_question_is_left_out(text: str, asked: str) -> None:
    assert focus(text) == asked


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("When is the launch?", "when"), ("什么时候发布？", "when"),
        ("Why did we move it?", "why"), ("为什么推迟了？", "why"),
        ("Everything we decided about pricing", "all"), ("关于价格我们都说过什么", "all"),
        ("It was something about the cloud, I think", "vague"), ("好像是说云存储来着", "vague"),
        ("Where does she live now?", "now"), ("她现在住哪？", "now"),
        ("Where did she live before?", "before"), ("她以前住哪？", "before"),
    ],
)  # fmt: skip
def test_intents_in_both_languages(text: str, intent: str) -> None:
    assert intent in intents_of(text)


def test_a_plain_question_wants_nothing_special() -> None:
    assert intents_of("Ana's flat in Lisbon") == intents_of("若曦的房子") == frozenset()


@pytest.mark.parametrize(
    ("text", "relation"),
    [("Who is her boss?", "reports_to"), ("她的上司是谁？", "reports_to"),
     ("What does the casing cost?", "costs"), ("外壳多少钱？", "costs")],
)  # fmt: skip
def test_words_ask_along_relations(text: str, relation: str) -> None:
    assert relation in relations_of(text)


def test_speakers_are_recognised_and_left_out_of_the_meaning(memory: Memory) -> None:
    english = read(memory, "What does Ana drink in the morning?")
    chinese = read(memory, "若曦早上喝什么？")
    assert english.speakers == ("Ana Keller",)
    assert chinese.speakers == ("林若曦",)
    assert "Ana" not in english.parts[0].text
    assert "ana" not in english.parts[0].tokens


@pytest.mark.parametrize("text", ["What happened last Friday?", "上周五发生了什么？"])
def test_a_relative_date_counts_from_when_it_is_asked(memory: Memory, text: str) -> None:
    start, end = read(memory, text).ranges[0]
    assert (start.date().isoformat(), end.date().isoformat()) == ("2025-05-09", "2025-05-10")


def test_recent_turns_matter_only_to_a_query_that_points(memory: Memory) -> None:
    recent = (Message(role="user", text="the blue teapot"),)
    assert read(memory, "Where is it?", recent=recent).resolved == "the blue teapot"
    assert read(memory, "Where is the key?", recent=recent).resolved == ""


def test_specificity_grows_with_names_and_dates(memory: Memory) -> None:
    vague = read(memory, "that thing")
    named = read(memory, "What did Ana order last Friday?")
    assert vague.specificity < named.specificity <= 1


@pytest.mark.parametrize(
    ("text", "past", "now"),
    [
        ("Where did Ana first live?", True, False),
        ("Ana最早住在哪儿?", True, False),
        ("What was the band's first name?", False, False),
        ("What did we use before the current supplier?", True, False),
        ("现在这家之前用的是哪家?", True, False),
        ("I used to call the café Copper Kettle, what is it called now?", False, True),
        ("以前那家小店,现在叫什么?", False, True),
    ],
)
def test_past_and_present_are_told_apart(text: str, past: bool, now: bool) -> None:
    found = intents_of(text)
    assert ("before" in found, "now" in found) == (past, now)
