import json
from pathlib import Path

from mnemis.embedders.hashing import HashingEmbedder
from tests.benchmarks.facts import facts_table, measure, recorded_facts
from tests.benchmarks.memories import Memories

RAW = {
    "set": "chat", "name": "one", "language": "en",
    "messages": [
        {"id": "a", "speaker": "Ana", "text": "What a trip!", "session": "s", "time": None},
        {"id": "b", "speaker": "Bo", "text": "It rained.", "session": "s", "time": None},
    ],
    "questions": [
        {"id": "q", "text": "Who sailed?", "kind": "plain", "evidence": ["a"], "answer": ""}
    ],
    "recorded": {
        "observations": [{"speaker": "Ana", "text": "Ana sailed.", "evidence": ["a", "b"]}],
        "openie": {"a": {"triples": [["Ana", "sailed to", "Crete"], ["Ana", "sang"]]}},
    },
}  # fmt: skip


def test_observations_count_for_each_message_and_triples_when_whole() -> None:
    found = recorded_facts(RAW["recorded"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] raw JSON
    assert [(each.message_id, each.object or each.text) for each in found] == [
        ("a", "Ana sailed."), ("b", "Ana sailed."), ("a", "Crete")
    ]  # fmt: skip


def test_pools_with_facts_are_measured_both_ways(tmp_path: Path) -> None:
    pools, root = tmp_path / "pools", tmp_path / "memories"
    for folder in (pools, root):
        folder.mkdir()
    lines = [RAW, {**RAW, "set": "bare", "recorded": None}]
    (pools / "all.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    told: list[str] = []
    memories = Memories(root, embedder=HashingEmbedder(), tell=told.append)
    found = measure(pools, memories, sets=(), limit=None, tell=told.append)
    assert list(found) == ["chat"]
    assert found["chat"]["R@10"]["n"] == 1
    assert found["chat"]["R@10"]["with"] == 100.0
    assert "all@10" in facts_table(found)
    assert told == ["chat/one: 3 recorded facts"]
