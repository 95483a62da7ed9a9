import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.benchmarks.pools import (
    Pool,
    load_pools,
    one_a_set,
    read_pool,
    shipped_pools,
    spread,
    stretched,
)

RAW = {
    "set": "chat",
    "name": "one",
    "language": "en",
    "messages": [
        {"id": "m1", "speaker": "Ana", "text": "Look, Bo!", "session": "s1",
         "time": "2025-03-01T09:00:00+00:00", "image_caption": "a red kite", "place": "Porto"},
        {"id": "m2", "speaker": "assistant", "text": "Bo says hello", "session": "s1",
         "time": None},
        {"id": "m3", "speaker": "Bo", "text": "Nice", "session": "s2",
         "time": "2025-03-02T09:00:00+00:00"},
    ],
    "questions": [
        {"id": "q1", "text": "Which kite?", "kind": "plain", "evidence": ["m1", "m1"], "answer": "",
         "asked_at": "2025-04-01T09:00:00+00:00"},
        {"id": "q2", "text": "Nothing?", "kind": "plain", "evidence": [], "answer": ""},
        {"id": "q3", "text": "Said Bo?", "kind": "plain", "evidence": ["m3"], "answer": ""},
    ],
}  # fmt: skip


@pytest.fixture
def pool() -> Pool:
    return read_pool(RAW)


def test_a_pool_is_fed_with_captions_in_the_text_and_without_places(pool: Pool) -> None:
    first = pool.messages[0]
    assert first.text == "Look, Bo! [shares a red kite]"
    assert first.time == datetime(2025, 3, 1, 9, tzinfo=UTC)
    assert not first.metadata
    assert not first.parts


def test_only_the_speaker_assistant_has_its_role(pool: Pool) -> None:
    assert [each.role for each in pool.messages] == ["user", "assistant", "user"]


def test_questions_without_evidence_are_left_out_and_evidence_is_distinct(pool: Pool) -> None:
    assert [each.id for each in pool.questions] == ["q1", "q3"]
    assert pool.questions[0].evidence == ("m1",)
    assert pool.questions[0].asked_at == datetime(2025, 4, 1, 9, tzinfo=UTC)
    assert pool.questions[1].asked_at is None


def test_pools_are_read_from_every_file_and_chosen_by_set(tmp_path: Path) -> None:
    line, other = json.dumps(RAW), json.dumps(RAW | {"set": "notes"})
    (tmp_path / "b.jsonl").write_text(f"{line}\n\n{other}\n", "utf-8")
    (tmp_path / "a.jsonl").write_text(json.dumps(RAW | {"name": "zero"}), "utf-8")
    labels = [pool.label for pool in load_pools(tmp_path)]
    assert labels == ["chat/zero", "chat/one", "notes/one"]
    assert [pool.label for pool in load_pools(tmp_path, sets=("notes",))] == ["notes/one"]


def test_a_folder_without_pools_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no \*\.jsonl"):
        load_pools(tmp_path)
    (tmp_path / "a.jsonl").write_text(json.dumps(RAW), "utf-8")
    with pytest.raises(FileNotFoundError, match=r"no pools of wiki .* it has chat"):
        load_pools(tmp_path, sets=("wiki",))


def test_stretching_gives_as_many_messages_as_wanted_with_ids_of_their_own(pool: Pool) -> None:
    big = stretched([pool], turns=8)
    assert len(big.messages) == 8
    assert len({each.id for each in big.messages}) == 8
    assert len({(each.session, each.text, each.speaker) for each in big.messages}) == 8


def test_later_rounds_have_other_people_and_later_times(pool: Pool) -> None:
    first, later = stretched([pool], turns=6).messages[0], stretched([pool], turns=6).messages[3]
    assert first.speaker == "Ana"
    assert later.speaker not in ("Ana", "Bo")
    assert "Bo" not in later.text
    assert first.time is not None
    assert later.time is not None
    assert (later.time - first.time).days == 731


def test_stretched_questions_keep_only_evidence_that_went_in(pool: Pool) -> None:
    assert [each.id for each in stretched([pool], turns=2).questions] == ["one:0:q1"]
    big = stretched([pool], turns=7)
    ids = {each.id for each in big.messages}
    assert len(big.questions) == 2
    assert all(ids.issuperset(each.evidence) for each in big.questions)


def test_the_shipped_pool_cites_only_messages_that_it_has() -> None:
    (pool,) = shipped_pools()
    ids = {each.id for each in pool.messages}
    assert len(pool.questions) > 100
    assert not [each.id for each in pool.questions if not ids.issuperset(each.evidence)]
    assert {each.kind for each in pool.questions} >= {"vague", "route relations"}


def test_one_a_set_takes_the_smallest(pool: Pool) -> None:
    big = stretched([pool], turns=5)
    larger = Pool(
        set="chat", name="two", language="en", messages=big.messages, questions=big.questions
    )
    assert one_a_set([larger, pool]) == (pool,)


def test_spreading_takes_equal_steps() -> None:
    assert spread(range(10), 4) == [0, 2, 5, 7]
    assert spread(range(3), 4) == [0, 1, 2]
    assert spread(range(3), None) == [0, 1, 2]
