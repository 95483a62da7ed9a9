"""What the package meets outside itself: homes that cannot be written to, an old SQLite."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mnemis import Mnemis
from mnemis.errors import StoreError

USE = """
import sys
from mnemis import Message, Mnemis

with Mnemis.open(sys.argv[1]) as mnemis:
    memory = mnemis.scope("ana")
    memory.remember([Message(role="user", text="The spare key is with Mrs Okafor.")])
    memory.consolidate()
    print(memory.recall("Who has the spare key?", k=1).hits[0].text)
"""


@pytest.mark.parametrize("kind", ["missing", "unwritable", "impossible"])
def test_a_home_is_not_needed(root: Path, tmp_path: Path, kind: str) -> None:
    """Import and use leave a home alone, be it absent, read-only or below a file."""
    home = tmp_path / "home"
    if kind == "unwritable":
        home.mkdir(mode=0o500)
    if kind == "impossible":
        home.write_text("no folder")
        home /= "below"
    environment = os.environ | {"HOME": str(home), "PYTHONPATH": str(root / "shared")}
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", USE, str(tmp_path / "memory")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "The spare key is with Mrs Okafor.\n"
    assert not home.exists() or list(home.iterdir()) == []


def test_an_old_sqlite_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 31, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.31.1")
    with pytest.raises(StoreError) as caught:
        Mnemis.open(tmp_path / "memory")
    text = str(caught.value)
    assert "SQLite 3.31.1 is too old" in text
    assert "3.38" in text
    assert len(text.splitlines()) == 1
