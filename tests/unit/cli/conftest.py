"""The command, run in an empty folder with an embedder that needs no model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mnemis import opening
from mnemis.cli import main
from mnemis.embedders.hashing import HashingEmbedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What ``--json`` printed."""
        return json.loads(self.out)


Command = Callable[..., Outcome]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Run ``mnemis ARGUMENTS`` in ``tmp_path``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MNEMIS_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(opening, "pick_embedder", lambda embedder: embedder or HashingEmbedder())

    def run(*arguments: str) -> Outcome:
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = capsys.readouterr()
        return Outcome(code=code, out=captured.out, err=captured.err)

    return run


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    """A short transcript in both languages."""
    path = tmp_path / "chat.txt"
    path.write_text(
        "[2025-03-03 09:00] Ana: We moved the launch of Leaflet to May 3rd.\n"
        "[2025-03-03 09:01] 小明: 好的,我去通知工厂。\n"
        "[2025-03-04 12:00] 小明: 对了,我对花生过敏,午饭别点沙爹。\n",
        encoding="utf-8",
    )
    return path
