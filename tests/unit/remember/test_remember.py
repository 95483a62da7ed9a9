"""What a call stores: turns, edges, entries; what a second call changes: nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread

import numpy as np
import pytest

from mnemis import Config, Document, InputError, Memory, Message, MessagePart, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError, MessageConflict
from mnemis.model.graph import Turn
from mnemis.stores.oracle import OracleStore

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)


def turns_of(memory: Memory) -> list[Turn]:
    with memory.mnemis.store.view(memory.scope) as view:
        return [turn for turn in view.scan("turn") if isinstance(turn, Turn)]


def edges_of(memory: Memory, kind: str) -> set[tuple[str, str]]:
    return {(a, b) for a, b, key in memory.graph().edges(keys=True) if key == kind}


def dialogue(*lines: tuple[str, str], session: str = "s") -> list[Message]:
    return [
        Message(role="user", speaker=who, text=text, session=session, id=f"{session}{place}")
        for place, (who, text) in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When is the launch?", "On May 3rd."), ("什么时候发布？", "五月三号。")],
)
def test_a_reply_answers_the_question_before_it(memory: Memory, question: str, answer: str) -> None:
    memory.remember(dialogue(("Ana", question), ("Tom", answer), ("Tom", answer)))
    assert edges_of(memory, "next") == {("turn:s0", "turn:s1"), ("turn:s1", "turn:s2")}
    assert edges_of(memory, "answers") == {("turn:s1", "turn:s0")}


def test_a_session_goes_on_across_calls_and_sessions_do_not_touch(memory: Memory) -> None:
    first, second, third = dialogue(("Ana", "One."), ("Tom", "Two."), ("Ana", "Three."))
    memory.remember([first])
    memory.remember([second, *dialogue(("Ana", "Elsewhere."), session="t")])
    memory.remember([third])
    assert edges_of(memory, "next") == {("turn:s0", "turn:s1"), ("turn:s1", "turn:s2")}


def test_the_same_call_again_changes_nothing(memory: Memory) -> None:
    said = dialogue(("Ana", "Deploy moved to Tuesday."), ("Tom", "发布改到周二。"))
    first = memory.remember(said)
    again = [memory.remember(said) for _ in range(3)]
    assert (first.stored, first.repeated) == (2, 0)
    assert {(each.stored, each.repeated, each.seq) for each in again} == {(0, 2, first.seq)}
    assert len(turns_of(memory)) == 2


def test_another_text_under_a_stored_id_is_refused_and_nothing_is_lost(memory: Memory) -> None:
    memory.remember([Message(role="user", text="rent is 900", id="m")])
    with pytest.raises(MessageConflict, match="edit"):
        memory.remember(
            [Message(role="user", text="new", id="n"), Message(role="user", text="x", id="m")]
        )
    assert [turn.text for turn in turns_of(memory)] == ["rent is 900"]


def test_nothing_is_stored_when_one_message_is_bad(memory: Memory) -> None:
    with pytest.raises(InputError):
        memory.remember([Message(role="user", text="fine"), Message(role="nobody", text="bad")])
    assert turns_of(memory) == []


@pytest.mark.parametrize("text", ["", "   \n\t", "\u200b\ufeff", "\0"])
def test_blank_messages_are_kept_but_never_embedded(text: str) -> None:
    asked: list[str] = []

    class Watching(HashingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            asked.extend(texts)
            return super().embed(texts)

    with Mnemis(OracleStore(), embedder=Watching()) as mnemis:
        report = mnemis.scope("u").remember(
            [Message(role="user", text=text), Message(role="user", text="my locker is 4417")]
        )
    assert report.stored == 2
    assert asked == ["my locker is 4417"]


def test_a_text_is_embedded_once_however_often_it_is_said() -> None:
    asked: list[str] = []

    class Watching(HashingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            asked.extend(texts)
            return super().embed(texts)

    with Mnemis(OracleStore(), embedder=Watching()) as mnemis:
        memory = mnemis.scope("u")
        said = [Message(role="user", text=text, id=f"{n}") for n, text in enumerate(["好的"] * 4)]
        memory.remember([*said, Message(role="user", text="啊" * 50_000, id="long")])
        memory.remember(said)
        assert len(asked) == len(set(asked))
        assert len(memory.recall("好的", k=4).hits) == 4


def test_emoji_are_kept_and_found(memory: Memory) -> None:
    memory.remember([Message(role="user", text="🍸🍸"), Message(role="user", text="plain")])
    assert memory.recall("🍸", k=1).hits[0].text == "🍸🍸"


def test_a_long_message_is_indexed_in_parts_and_kept_once(memory: Memory) -> None:
    text = "The quick note. " * 200 + "SECRET MARKER: the spare key is under pot 7."
    memory.remember([Message(role="user", text=text, id="long")])
    with memory.mnemis.store.view(memory.scope) as view:
        parts = view.parts_of(["turn:long"])["turn:long"]
        assert len(parts) > 5
        assert view.get(["turn:long"])["turn:long"].text == text
    assert memory.recall("where is the spare key", k=1).hits[0].sources == ("long",)


def test_code_is_kept_but_not_taken_for_language(memory: Memory) -> None:
    text = 'Save this:\n```cpp\nstd::map<std::string,int> m{{"a\\\\n",1}};\n```\nThanks!'
    memory.remember([Message(role="user", text=text, id="c")])
    assert turns_of(memory)[0].text == text
    assert memory.recall("std::map", k=1).hits[0].sources == ("c",)


def test_a_caption_is_searchable_and_the_text_stays_as_it_was(memory: Memory) -> None:
    image = MessagePart(kind="image", caption="a receipt from the bakery", reference="r.png")
    memory.remember([Message(role="user", text="look", parts=(image,), id="i")])
    memory.remember([Message(role="user", text="something else entirely", id="o")])
    hit = memory.recall("bakery receipt", k=1).hits[0]
    assert (hit.sources, hit.text) == (("i",), "look\n[image: a receipt from the bakery]")
    assert turns_of(memory)[0].text == "look"


def test_documents_are_chunked_and_cite_their_id(memory: Memory) -> None:
    text = " ".join(f"Rule {n} says that gate {n} stays shut." for n in range(400))
    report = memory.add_documents([Document(text=text, title="Gates", id="gates")])
    turns = turns_of(memory)
    assert report.ids == ("gates",) and report.stored == 1
    assert len(turns) > 2
    assert {turn.sources for turn in turns} == {("gates",)}
    assert [turn.ordinal for turn in turns] == list(range(len(turns)))
    assert memory.add_documents([Document(text=text, title="Gates", id="gates")]).stored == 0
    assert memory.recall("gate 250", k=1).hits[0].sources == ("gates",)


def test_messages_without_time_or_id_are_new_each_time(memory: Memory) -> None:
    ids = [memory.remember([Message(role="user", text="ok")]).ids[0] for _ in range(3)]
    assert len(set(ids)) == 3 == len(turns_of(memory))


def test_concurrent_writers_of_one_scope_get_distinct_places(memory: Memory) -> None:
    def write(number: int) -> None:
        memory.remember([Message(role="user", text=f"note {number}", id=f"n{number}")])

    threads = [Thread(target=write, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(turn.ordinal for turn in turns_of(memory)) == list(range(16))


def test_a_vector_that_is_not_finite_is_refused_but_the_text_is_found() -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            rows = super().embed(texts)
            rows[["MARK" in text for text in texts]] = np.nan
            return rows

    with Mnemis(OracleStore(), embedder=Broken()) as mnemis:
        memory = mnemis.scope("u")
        report = memory.remember(
            [
                Message(role="user", text="MARK my visa expires in May", id="v"),
                Message(role="user", text="ordinary note", id="o"),
            ]
        )
        assert report.unembedded == 1
        recall = memory.recall("visa expires MARK", k=2)
        assert recall.hits[0].sources == ("v",)
        assert all(0 <= hit.score <= 1 for hit in recall.hits)


def test_an_embedder_of_the_wrong_shape_is_named() -> None:
    class Short(HashingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]
            return super().embed(texts)[:, :10]

    with (
        Mnemis(OracleStore(), embedder=Short()) as mnemis,
        pytest.raises(EmbedderError, match="hashing"),
    ):
        mnemis.scope("u").remember([Message(role="user", text="x y z")])


def test_a_session_end_queues_consolidation_and_manual_does_not() -> None:
    def queued(consolidate: str) -> int:
        config = Config(consolidate=consolidate)  # type: ignore[arg-type]
        store = OracleStore()
        mnemis = Mnemis(store, embedder=HashingEmbedder(), config=config)
        mnemis.wake = lambda: None  # type: ignore[method-assign]
        memory = mnemis.scope("u")
        memory.remember([Message(role="user", text="one", session="a", time=DAY)])
        before = len(store.jobs())
        later = DAY + timedelta(days=1)
        memory.remember([Message(role="user", text="two", session="b", time=later)])
        return len(store.jobs()) - before

    assert queued("auto") == 1
    assert queued("manual") == 0


def test_ids_that_look_like_chunks_or_parts_are_free(memory: Memory) -> None:
    long = "The lamp post is numbered. " * 60
    memory.add_documents([Document(text=long * 6, id="ww")])
    memory.remember(
        [
            Message(role="user", text=long, id="x"),
            Message(role="user", text="the marmot sleeps", id="ww#1"),
            Message(role="user", text="土拨鼠醒了", id="x#p0"),
        ]
    )
    assert memory.recall("marmot", k=1).hits[0].sources == ("ww#1",)
    assert memory.recall("土拨鼠", k=1).hits[0].sources == ("x#p0",)


@pytest.mark.parametrize(
    "wrong",
    [{"consolidate": "nope"}, {"consolidate_every": -1}, {"lock_timeout": -1}, {"part_chars": 0},
     {"zone": "Mars"}],
)  # fmt: skip
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        Config(**wrong)  # type: ignore[arg-type]
