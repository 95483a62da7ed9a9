"""Writes the golden store of the current format: ``python -m tests.golden.make``.

A released file is never written again; a new format gets a new file beside it.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemis import Config, Memory, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.testing.clock import FakeClock

HERE = Path(__file__).parent
NAME = "store-1"
SAID = (
    ("Ana", "I live in Berlin.", 0),
    ("Tom", "I'm allergic to peanuts.", 1),
    ("小明", "我住在上海。", 2),
    ("Ana", "I moved to Lisbon last week.", 40),
    ("小明", "我搬到杭州了。", 41),
)
START = datetime(2025, 3, 3, 9, tzinfo=UTC)


def messages() -> list[Message]:
    return [
        Message(
            role="user", speaker=who, text=text, time=START + timedelta(days=day),
            session=f"day-{day}", id=f"m{place}", metadata={"day": day, "标签": ["一", None]},
        )
        for place, (who, text, day) in enumerate(SAID)
    ]  # fmt: skip


def contents(memory: Memory) -> dict[str, object]:
    """What must still be there after any upgrade."""
    graph = memory.graph()
    return {
        "nodes": sorted(
            f"{node} {fields['kind']} {fields['status']} {fields['text']}"
            for node, fields in graph.nodes(data=True)
        ),
        "edges": sorted(f"{a} {key} {b}" for a, b, key in graph.edges(keys=True)),
        "times": {
            node: fields["time"].isoformat()
            for node, fields in sorted(graph.nodes(data=True))
            if fields["kind"] == "turn"
        },
    }


def main() -> None:
    clock = FakeClock(START + timedelta(days=60))
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / NAME
        config = Config(consolidate="manual")
        with Mnemis.open(store, embedder=HashingEmbedder(), config=config, clock=clock) as mnemis:
            memory = mnemis.scope("user-42", "家")
            memory.remember(messages())
            memory.consolidate()
            expected = contents(memory)
        with zipfile.ZipFile(HERE / f"{NAME}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(store / "mnemis.db", "mnemis.db")
    text = json.dumps(expected, ensure_ascii=False, indent=1)
    (HERE / f"{NAME}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
