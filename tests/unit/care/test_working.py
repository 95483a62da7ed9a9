"""The working memory of a session: its latest turns, what came before them, what holds."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest

from mnemis import Document, InputError, Memory, Message, Mnemis, MnemisError
from mnemis.model.graph import Episode
from mnemis.model.working import Working
from tests.unit.care.conftest import START, everything, said

TRIP = (
    "Let's plan the trip to Lisbon. I want a window seat on the train.",
    "The cheapest train leaves Madrid at nine and arrives at five.",
    "My budget is 800 euros, hotel included.",
    "We decided on the hotel near the river, Casa Azul.",
    "I'm allergic to peanuts, tell the kitchen.",
    "The hotel has two rooms left for June.",
    "The museum of tiles is closed on Mondays.",
    "Pack the green umbrella, it rains in June.",
    "The tram number 28 is always crowded.",
    "The bakery in Belém sells custard tarts.",
)
行程 = (
    "我们来安排去成都的旅行。我想要靠窗的座位。",
    "最便宜的火车九点从西安出发，下午一点到。",
    "我的预算是八百元，包括酒店。",
    "我们决定住河边的那家酒店，叫蓝屋。",
    "我对花生过敏，请告诉厨房。",
    "酒店六月只剩两间房了。",
    "杜甫草堂星期一闭馆。",
    "带上绿色的雨伞，六月爱下雨。",
    "二十八路公交车总是很挤。",
    "宽窄巷子的小吃店卖糖油果子。",
)
BOTH = pytest.mark.parametrize(("texts", "speaker"), [(TRIP, "Ana"), (行程, "王芳")])


def talk(memory: Memory, texts: tuple[str, ...], speaker: str = "Ana", session: str = "s1") -> None:
    memory.remember(
        [said(n, text, speaker=speaker, session=session) for n, text in enumerate(texts, 1)]
    )


def kinds(working: Working) -> dict[str, tuple[str, ...]]:
    return {note.kind: note.sources for note in working.notes}


@BOTH
def test_the_latest_turns_are_verbatim_and_in_order(
    memory: Memory, texts: tuple[str, ...], speaker: str
) -> None:
    given = [said(n, text, speaker=speaker) for n, text in enumerate(texts, 1)]
    memory.remember(given)
    working = memory.working(turns=3)
    assert working.session == "s1"
    assert list(working.turns) == given[-3:]
    assert all(text in working.text for text in texts[-3:])
    assert list(memory.working(turns=99).turns) == given
    assert memory.working(turns=0).turns == ()


def test_a_message_keeps_what_it_was_given_with(memory: Memory) -> None:
    message = Message(
        id="m1", role="assistant", text="The ferry, 轮渡\n\nleaves  at six.", speaker="Bot",
        time=START, session="s1", metadata={"page": 4},
    )  # fmt: skip
    memory.remember([message])
    memory.pin("m1")
    assert memory.working().turns == (message,)
    memory.remember(memory.working().turns)
    assert len(memory.working().turns) == 1


@BOTH
@pytest.mark.parametrize("consolidated", [False, True])
def test_the_summary_says_what_came_before_the_latest_turns(
    memory: Memory, texts: tuple[str, ...], speaker: str, consolidated: bool
) -> None:
    talk(memory, texts, speaker)
    if consolidated:
        memory.consolidate()
    summary = memory.working(turns=2).summary
    before = re.split(r"(?<=[.])\s|(?<=。)", " ".join(texts[:-2]))
    told = [sentence.strip() for sentence in before if sentence.strip() in summary]
    assert len(told) > 2
    for sentence in told:
        summary = summary.replace(sentence, "")
    assert not summary.strip(), f"nobody said {summary!r}"
    assert memory.working(turns=len(texts)).summary == ""


@pytest.mark.parametrize(("texts", "turns"), [(TRIP, 4), (行程, 5)], ids=["en", "zh"])
def test_the_part_of_an_episode_is_told_as_if_it_still_waited(
    memory: Memory, texts: tuple[str, ...], turns: int
) -> None:
    talk(memory, texts)
    waiting = memory.working(turns=turns).summary
    memory.consolidate()
    border = {f"turn:m{len(texts) - turns}", f"turn:m{len(texts) - turns + 1}"}
    episodes = [each for each in everything(memory) if isinstance(each, Episode)]
    assert any(border <= set(each.turns) for each in episodes)
    assert memory.working(turns=turns).summary == waiting


@BOTH
def test_whole_episodes_are_told_by_their_summaries(
    memory: Memory, texts: tuple[str, ...], speaker: str
) -> None:
    talk(memory, texts, speaker)
    later = [
        said(20 + n, f"{n} {text}", speaker=speaker, days=1) for n, text in enumerate(texts[:3])
    ]
    memory.remember(later)
    memory.consolidate()
    episodes = [each for each in everything(memory) if isinstance(each, Episode)]
    whole = [each.text for each in episodes if "turn:m21" not in each.turns]
    assert whole and len(whole) < len(episodes)
    assert sorted(memory.working(turns=3).summary.split("\n")) == sorted(whole)


@pytest.mark.parametrize(
    ("texts", "lead"), [(TRIP, "Earlier: "), (行程, "更早谈到：")], ids=["en", "zh"]
)
@pytest.mark.parametrize("consolidated", [False, True])
def test_a_long_session_is_told_in_few_words(
    memory: Memory, texts: tuple[str, ...], lead: str, consolidated: bool
) -> None:
    many = [
        said(n, texts[n % len(texts)], days=n // len(texts)) for n in range(6 * len(texts))
    ]  # a stretch a day
    memory.remember(many)
    if consolidated:
        memory.consolidate()
    lines = memory.working(turns=4).summary.split("\n")
    assert lines[0].startswith(lead)
    assert 2 <= len(lines) <= 5
    assert sum(map(len, lines)) < 0.7 * sum(len(each.text) for each in many)


@BOTH
@pytest.mark.parametrize("consolidated", [False, True])
def test_notes_are_what_the_session_settled(
    memory: Memory, texts: tuple[str, ...], speaker: str, consolidated: bool
) -> None:
    talk(memory, texts, speaker)
    if consolidated:
        memory.consolidate()
    working = memory.working(turns=2)
    assert [note.sources for note in working.notes] == [("m1",), ("m3",), ("m4",), ("m5",)]
    assert {"wants", "decided", "allergic_to"} < set(kinds(working))
    assert [note.time for note in working.notes] == [
        START + timedelta(minutes=minute) for minute in (1, 3, 4, 5)
    ]
    for note, text in zip(working.notes, (texts[0], *texts[2:5]), strict=True):
        assert note.text.removeprefix(f"{speaker}: ") in text
        assert note.text in working.text


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("The kickoff is on 12 May.", "The kickoff moved to 14 May.", "[no longer holds]"),
        ("启动会定在5月12日。", "启动会改到5月14日了。", "〔已失效〕"),
    ],
)
@pytest.mark.parametrize("consolidated", [False, True])
def test_the_summary_says_what_no_longer_holds(
    memory: Memory, old: str, new: str, mark: str, consolidated: bool
) -> None:
    talk(memory, (old, new, *(("Hello.", "Hi there.") if new.isascii() else ("你好。", "您好。"))))
    if consolidated:
        memory.consolidate()
    summary = memory.working(turns=2).summary
    assert summary.count(mark) == 1
    assert summary.index(old) < summary.index(mark) < summary.index(new)


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("The kickoff is on 12 May.", "The kickoff moved to 14 May.", "[no longer holds]"),
        ("启动会定在5月12日。", "启动会改到5月14日了。", "〔已失效〕"),
    ],
)
def test_what_holds_again_is_not_marked(memory: Memory, old: str, new: str, mark: str) -> None:
    talk(memory, (old, new, old))
    summary = memory.working(turns=1).summary
    assert summary.count(mark) == 1
    assert summary.index(old) < summary.index(new) < summary.index(mark)


def test_notes_are_those_of_the_session(memory: Memory) -> None:
    memory.remember([said(1, "I'm allergic to peanuts.", session="s1")])
    memory.remember([said(2, "我想要靠窗的座位。", session="s2")])
    assert kinds(memory.working("s1")) == {"allergic_to": ("m1",)}
    assert kinds(memory.working("s2")) == {"wants": ("m2",)}


@BOTH
@pytest.mark.parametrize("consolidated", [False, True])
def test_what_is_forgotten_is_gone_from_all_three(
    memory: Memory, texts: tuple[str, ...], speaker: str, consolidated: bool
) -> None:
    talk(memory, texts, speaker)
    if consolidated:
        memory.consolidate()
    held = memory.working(turns=2)
    assert texts[4] in held.text and texts[9] in held.text and texts[3][:9] in held.summary
    memory.forget(message_ids=["m4", "m5", "m10"])
    working = memory.working(turns=2)
    assert [turn.id for turn in working.turns] == ["m8", "m9"]
    assert {"allergic_to", "decided"}.isdisjoint(kinds(working))
    for gone in (texts[3], texts[4], texts[9]):
        assert gone[:9] not in str(working)
    memory.forget(session="s1")
    assert memory.working("s1") == Working(session="s1")
    assert memory.working() == Working(session="")


@BOTH
def test_an_edited_turn_is_read_anew_at_once(
    memory: Memory, texts: tuple[str, ...], speaker: str
) -> None:
    talk(memory, texts, speaker)
    memory.consolidate()
    new = "I'm allergic to strawberries." if speaker == "Ana" else "我对草莓过敏。"
    memory.edit("m5", text=new)
    working = memory.working(turns=2)
    noted = {note.kind: note.text for note in working.notes}
    assert noted["allergic_to"] == f"{speaker}: {new}"
    assert texts[4] not in str(working)


def test_the_session_at_hand_is_that_of_the_turn_stored_last(memory: Memory) -> None:
    memory.remember([said(1, "The key is under the mat.", session="s1")])
    memory.remember([said(2, "钥匙在垫子下面。", session="s2")])
    assert memory.working().session == "s2"
    memory.remember([said(3, "And the gate is open.", session="s1")])
    assert [turn.id for turn in memory.working().turns] == ["m1", "m3"]
    memory.add_documents([Document(id="d1", text="House rules: no smoking. 禁止吸烟。")])
    assert memory.working().session == "s1"
    assert memory.working("d1").turns[0].role == "document"
    memory.remember([said(5, "那时候钥匙在花盆里。", session="old", days=-300)])
    assert memory.working().session == "old"
    memory.remember([Message(role="user", text="Without a session.", id="m4")])
    assert memory.working().session == ""
    assert memory.working().turns == memory.working("").turns
    assert memory.working().turns[0].session is None


def test_where_only_documents_are_the_last_of_them_is_at_hand(memory: Memory) -> None:
    memory.add_documents([Document(id="d1", text="Rules."), Document(id="d2", text="规则。")])
    assert [turn.text for turn in memory.working().turns] == ["规则。"]


@pytest.mark.parametrize("session", [None, "nowhere", ""])
def test_an_empty_scope_and_an_unknown_session_are_empty(
    memory: Memory, session: str | None
) -> None:
    assert memory.working(session) == Working(session=session or "")
    memory.remember([said(1, "你好。", session="s1")])
    assert memory.working("nowhere") == Working(session="nowhere")
    assert memory.recall("你好", where={"session": "nowhere"}).hits == ()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"turns": -1}, "turns"), ({"turns": True}, "turns"), ({"turns": 2.0}, "turns"),
        ({"budget": -1}, "budget"), ({"budget": "9"}, "budget"), ({"session": 7}, "session"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(
    memory: Memory, arguments: dict[str, object], named: str
) -> None:
    with pytest.raises(InputError, match=named) as caught:
        memory.working(**arguments)  # type: ignore[arg-type]
    assert isinstance(caught.value, MnemisError)


@pytest.mark.parametrize(
    ("asked", "listed", "question", "others"),
    [
        (
            "Which vendors did we compare?", "1. Nimbus Vault\n2. Brightbucket",
            "And the second one?", "What does Brightbucket cost? Six cents a gigabyte.",
        ),
        ("我们比较过哪几家？", "1. 浩然\n2. 宏达", "那第二家呢？", "宏达的报价是每件九块二。"),
    ],
)  # fmt: skip
def test_its_turns_resolve_a_follow_up(
    memory: Memory, asked: str, listed: str, question: str, others: str
) -> None:
    memory.remember([said(n, f"{n} {text}", session="old") for n, text in enumerate(TRIP, 30)])
    memory.remember([said(1, others, session="old")])
    memory.remember([said(2, asked), said(3, listed, speaker="assistant", role="assistant")])
    turns = memory.working().turns
    elsewhere = {"session": "old"}
    assert memory.recall(question, k=1, where=elsewhere).hits[0].sources != ("m1",)
    recall = memory.recall(question, recent=turns, k=1, where=elsewhere)
    assert recall.hits[0].sources == ("m1",)
    memory.remember([said(4, question)])
    with_question = memory.working().turns
    assert [turn.id for turn in with_question] == ["m2", "m3", "m4"]
    hits = memory.recall(question, recent=turns, where=elsewhere).hits
    assert memory.recall(question, recent=with_question, where=elsewhere).hits == hits


@BOTH
def test_it_writes_nothing_and_says_the_same_again(
    mnemis: Mnemis, memory: Memory, texts: tuple[str, ...], speaker: str
) -> None:
    talk(memory, texts, speaker)
    before = everything(memory)
    first = memory.working(turns=3)
    with mnemis.store.view(memory.scope) as view:
        seq = view.seq
    assert memory.working(turns=3) == first
    assert everything(memory) == before
    with mnemis.store.view(memory.scope) as view:
        assert view.seq == seq
    assert asyncio.run(memory.aworking(turns=3)) == first


def test_scopes_are_walls(mnemis: Mnemis) -> None:
    talk(mnemis.scope("a"), TRIP)
    talk(mnemis.scope("b"), 行程, "王芳")
    assert "Lisbon" not in str(mnemis.scope("b").working())
    assert "成都" not in str(mnemis.scope("a").working())
    assert mnemis.scope("c").working() == Working(session="")
