"""What a caller may rely on, whatever is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from mnemis import Config, InputError, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.errors import EmbedderError, ModelError
from mnemis.stores.oracle import OracleStore

DAY = datetime(2025, 3, 3, 9, tzinfo=UTC)

NOTES = (
    "I water the orchids on Sundays",
    "I repair clocks as a hobby",
    "公司网站托管在阿里云华东机房",
    "周末大家一起玩了狼人杀桌游",
    "IMAP login for the mail bridge uses port 1143",
    "C盘快满了，API配置在D盘",
    "Release marker is copper-fox-42.",
    "Order KX-550912 shipped.",
)


def notes(*texts: str) -> list[Message]:
    return [
        Message(role="user", text=text, time=DAY + timedelta(hours=place), id=f"n{place}")
        for place, text in enumerate(texts)
    ]


@pytest.fixture
def filled(memory: Memory) -> Memory:
    memory.remember(notes(*NOTES))
    return memory


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("orchids", 0),
        ("阿里云", 2),
        ("狼人杀", 3),
        ("mail bridge", 4),
        ("C盘", 5),
        ("copper-fox-42", 6),
        ("KX-550912", 7),
        ("ＩＭＡＰ", 4),
    ],
)
def test_words_lead_to_their_note(filled: Memory, query: str, place: int) -> None:
    assert filled.recall(query, k=1).hits[0].sources == (f"n{place}",)


@pytest.mark.parametrize(
    "query",
    ["?", "don't", "a AND", '"unclosed', "NEAR(", "title:x", "*", "(", "-foo", "col:val OR",
     "C:\\temp\\x.txt", "中文？（测试）", "", "   ", "☃☃☃", "';DROP TABLE nodes;--", "\0", "\ud83c",
     "а" * 10_000, "{0.__class__}", "%s %d"],
)  # fmt: skip
def test_any_text_is_a_query(filled: Memory, query: str) -> None:
    recall = filled.recall(query, k=3)
    assert len(recall.hits) <= 3
    assert all(0 <= hit.score <= 1 for hit in recall.hits)
    recall.explain().encode()


def test_an_unwritten_scope_recalls_nothing(memory: Memory) -> None:
    recall = memory.recall("anything", k=5)
    assert (recall.hits, recall.confident, recall.confidence, recall.context) == (
        (),
        False,
        0.0,
        "",
    )


@pytest.mark.parametrize(("k", "count"), [(0, 0), (1, 1), (8, 8), (9, 8), (10**6, 8)])
def test_exactly_k_or_what_there_is(filled: Memory, k: int, count: int) -> None:
    assert (
        len(filled.recall("hobby clocks orchids 托管 port marker order 桌游 盘", k=k).hits) == count
    )


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"k": -1}, "-1"), ({"k": 2.5}, "2.5"), ({"k": True}, "True"), ({"k": "all"}, "all"),
     ({"min_score": 2}, "2"), ({"budget": -3}, "-3"), ({"where": {"colour": 1}}, "colour"),
     ({"where": {"time": "soon"}}, "soon"), ({"where": ["x"]}, "list"), ({"as_of": "now"}, "now"),
     ({"recent": ["hello"]}, "Message")],
)  # fmt: skip
def test_what_means_nothing_is_named(filled: Memory, wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        filled.recall("clocks", **wrong)


def test_a_query_that_is_no_text_is_refused(filled: Memory) -> None:
    with pytest.raises(InputError, match="NoneType"):
        filled.recall(None)  # type: ignore[arg-type]


def test_min_score_drops_and_zero_drops_nothing(filled: Memory) -> None:
    every = filled.recall("orchids", k=8)
    bar = every.hits[1].score
    assert len(every.hits) == 8
    assert [hit.id for hit in filled.recall("orchids", k=8, min_score=bar).hits] == [
        hit.id for hit in every.hits if hit.score >= bar
    ]


@pytest.mark.parametrize("k", [3, "auto"])
def test_answers_are_the_same_twice(filled: Memory, k: Any) -> None:
    one, two = (filled.recall("clocks and 阿里云", k=k) for _ in range(2))
    assert one.hits == two.hits
    assert one.context == two.context


def test_auto_gives_at_least_five_where_there_are(filled: Memory) -> None:
    assert 5 <= len(filled.recall("orchids", k="auto").hits) <= 10


def test_a_filter_holds_for_every_hit(memory: Memory) -> None:
    memory.remember(
        [
            Message(role="user", speaker=who, text=f"{who} likes tea 茶", session=session, time=DAY,
                    metadata={"tag": tag}, id=f"{who}-{session}")
            for who, session, tag in (("Ana", "a", 1), ("Ana", "b", 2), ("若曦", "b", 3))
        ]
    )  # fmt: skip

    def found(where: dict[str, Any]) -> set[str]:
        return {hit.sources[0] for hit in memory.recall("who likes tea 茶", k=9, where=where).hits}

    assert found({"speaker": "若曦"}) == {"若曦-b"}
    assert found({"session": ["a", "c"]}) == {"Ana-a"}
    assert found({"speaker": "Ana", "session": "b"}) == {"Ana-b"}
    assert found({"metadata.tag": {"gte": 2}}) == {"Ana-b", "若曦-b"}
    assert found({"not": {"speaker": "Ana"}}) == {"若曦-b"}
    assert found({"time": {"lt": DAY}}) == set()
    assert found({"or": [{"session": "a"}, {"metadata.tag": 3}]}) == {"Ana-a", "若曦-b"}


def test_scopes_are_walls(memory: Memory) -> None:
    other = memory.mnemis.scope("ana", "b")
    memory.remember(notes("my order is 11"))
    other.remember(notes("my order is 22"))
    assert [hit.text for hit in memory.recall("order", k=5).hits] == ["my order is 11"]
    assert [hit.text for hit in other.recall("order", k=5).hits] == ["my order is 22"]


def test_as_of_hides_what_was_said_later(filled: Memory) -> None:
    then = filled.recall("orchids clocks 托管", k=9, as_of=DAY + timedelta(minutes=90))
    assert {hit.sources[0] for hit in then.hits} == {"n0", "n1"}


def test_asked_at_hides_nothing(filled: Memory) -> None:
    assert len(filled.recall("orchids", k=9, asked_at=DAY - timedelta(days=900)).hits) == 8


def test_recent_turns_resolve_what_the_query_points_at(memory: Memory) -> None:
    memory.remember(notes("The red kite flies best in May.", "The blue teapot is chipped.", *NOTES))
    recent = [Message(role="user", text="I looked at the blue teapot again.")]
    hit = memory.recall("What is wrong with that one?", k=1, recent=recent).hits[0]
    assert hit.text == "The blue teapot is chipped."


@pytest.mark.parametrize(
    ("asked", "doubted"),
    [("When do I water the orchids?", "QZXV_PHRASE_NOT_IN_CORPUS_8841"),
     ("公司网站托管在阿里云哪里？", "潜水艇的螺旋桨坏了吗？")],
)  # fmt: skip
def test_confidence_tells_what_was_said_from_what_never_was(
    filled: Memory, asked: str, doubted: str
) -> None:
    sure, unsure = filled.recall(asked), filled.recall(doubted)
    assert sure.confidence > unsure.confidence
    assert not unsure.confident
    assert "guess" in unsure.context or "猜测" in unsure.context


class _Failing(HashingEmbedder):
    down = False

    def embed(self, texts: Sequence[str]) -> np.typing.NDArray[np.float32]:
        if self.down:
            raise EmbedderError("the model is away")
        return super().embed(texts)


def test_when_the_embedder_is_away_words_still_answer_and_the_trace_says_so() -> None:
    embedder = _Failing()
    with Mnemis(OracleStore(), embedder=embedder, config=Config(consolidate="manual")) as mnemis:
        memory = mnemis.scope("u")
        memory.remember(notes(*NOTES))
        embedder.down = True
        recall = memory.recall("阿里云", k=1)
    assert recall.hits[0].sources == ("n2",)
    span = recall.trace.find("embed")
    assert span is not None and "away" in str(span.notes["failed"])


class _Backwards:
    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        if self.fails:
            raise ModelError("no marks today")
        return [place / len(texts) for place in range(len(texts))]


def test_a_reranker_orders_the_first_and_a_failing_one_changes_nothing() -> None:
    def hits(reranker: _Backwards | None) -> tuple[list[str], Any]:
        with Mnemis(OracleStore(), embedder=HashingEmbedder(), reranker=reranker) as mnemis:
            memory = mnemis.scope("u")
            memory.remember(notes(*NOTES))
            recall = memory.recall("clocks orchids 托管", k=4)
            scores = [hit.score for hit in recall.hits]
            assert scores == sorted(scores, reverse=True)
            return [hit.id for hit in recall.hits], recall.trace.find("rerank")

    plain, _ = hits(None)
    turned, _ = hits(_Backwards())
    failed, span = hits(_Backwards(fails=True))
    assert turned != plain == failed
    assert "no marks" in str(span.notes["failed"])


@pytest.mark.parametrize(
    "wrong",
    [{"budget": "x"}, {"budget": 1.5}, {"min_score": None}, {"min_score": "a"}, {"recent": 5},
     {"where": {"kind": "nosuch"}}, {"where": {"status": ["gone"]}}, {"where": {"role": "robot"}}],
)  # fmt: skip
def test_wrong_types_and_unknown_values_are_input_errors(
    filled: Memory, wrong: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        filled.recall("clocks", **wrong)


def test_a_filter_nested_without_end_is_refused(filled: Memory) -> None:
    where: dict[str, Any] = {"speaker": "user"}
    for _ in range(5_000):
        where = {"not": where}
    with pytest.raises(InputError, match="deep"):
        filled.recall("clocks", where=where)
