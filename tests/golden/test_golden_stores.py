"""A store written by every released version opens, holds what it held, and can be written on."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from mnemis import Config, Message, Mnemis
from mnemis.embedders.hashing import HashingEmbedder
from tests.golden.make import HERE, contents

STORES = sorted(path.stem for path in HERE.glob("store-*.zip"))


def test_there_is_one_for_each_format() -> None:
    assert STORES == ["store-1"]


@pytest.mark.parametrize("name", STORES)
def test_it_opens_and_goes_on(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(HERE / f"{name}.zip") as archive:
        archive.extractall(tmp_path)
    expected = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    config = Config(consolidate="manual")
    with Mnemis.open(tmp_path, embedder=HashingEmbedder(), config=config) as mnemis:
        memory = mnemis.scope("user-42", "家")
        assert contents(memory) == expected
        assert memory.recall("小明住在哪里？", k=1).hits[0].speaker == "小明"
        assert memory.recall("allergic peanuts", k=1).hits[0].sources == ("m1",)
        memory.remember([Message(role="user", text="Ana bought a kayak.", id="new")])
        memory.consolidate()
        assert memory.recall("kayak", k=1).hits[0].sources == ("new",)
    with Mnemis.open(tmp_path, embedder=HashingEmbedder(), config=config) as again:
        assert again.scope("user-42", "家").recall("kayak", k=1).hits[0].sources == ("new",)
