"""The adapters' tests pass with the lowest and with the newest supported frameworks (slow)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

FRAMEWORKS = (
    "langchain-core", "langchain", "langgraph", "langchain-classic", "llama-index-core",
)  # fmt: skip
COMPANIONS = {"langgraph-prebuilt": "1.0.2"}
"""What pip would take too new: prebuilt 1.0.9 needs a newer langgraph than it says."""

TOOLS = ("pytest", "pytest-asyncio", "pytest-socket", "pytest-timeout", "hypothesis")
EXTRAS = "langchain,langchain-agents,langchain-classic,llamaindex"
INSTALLED = """
import json, mnemis, mnemis_langchain, mnemis_llamaindex
from importlib.metadata import version
import sys
print(json.dumps({"file": mnemis.__file__, **{each: version(each) for each in sys.argv[1:]}}))
"""


def lowest(root: Path) -> dict[str, str]:
    """By framework: the least version that an extra asks for."""
    text = (root / "pyproject.toml").read_text("utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]
    wanted = [each for name in EXTRAS.split(",") for each in extras[name]]
    found = dict(re.findall(r"^([a-z-]+)>=([\d.]+)", "\n".join(wanted), re.MULTILINE))
    return {name: version + ".0" * (2 - version.count(".")) for name, version in found.items()}


def test_every_framework_has_a_lowest_version(root: Path) -> None:
    assert set(lowest(root)) == set(FRAMEWORKS)


def test_the_readme_names_the_lowest_versions(root: Path) -> None:
    readme = (root / "README.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([\d.]+) \|", readme, re.MULTILINE))
    assert rows == lowest(root)


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(root)], capture_output=True, check=True, timeout=110)
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("which", ["lowest", "newest"])
def test_the_adapters_work_with(which: str, wheel: Path, root: Path, tmp_path: Path) -> None:
    pinned = lowest(root) | COMPANIONS if which == "lowest" else {}
    python = _environment(wheel, pinned, tmp_path)
    installed = _installed(python, tmp_path, [*FRAMEWORKS, *pinned])
    assert str(tmp_path) in installed["file"]
    assert {name: installed[name] for name in pinned} == pinned
    tests = tmp_path / "project"
    shutil.copytree(root / "tests" / "adapters", tests / "tests" / "adapters")
    shutil.copy(root / "tests" / "conftest.py", tests / "tests")
    shutil.copy(root / "pyproject.toml", tests)
    done = subprocess.run(
        [str(python), "-m", "pytest", "-q", "-o", "pythonpath=", "tests/adapters"],
        cwd=tests, env=_bare(), capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) > 400
    versions = ", ".join(f"{name} {installed[name]}" for name in FRAMEWORKS)
    print(f"{which}: {passed[1]} adapter tests passed with {versions}")


def _environment(wheel: Path, pinned: dict[str, str], folder: Path) -> Path:
    """A fresh virtual environment's interpreter, with the wheel and what the tests need."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    constraints = folder / "constraints.txt"
    constraints.write_text("".join(f"{name}=={pinned[name]}\n" for name in pinned), "utf-8")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = [f"{wheel}[{EXTRAS}]", *TOOLS, "langchain-tests>=1.0,<2"]
    done = subprocess.run(
        [*install, "-c", str(constraints), *wanted],
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4_000:]
    return python


def _installed(python: Path, folder: Path, names: list[str]) -> dict[str, str]:
    done = subprocess.run(
        [str(python), "-c", INSTALLED, *names],
        cwd=folder, env=_bare(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, str] = json.loads(done.stdout)
    return found


def _bare() -> dict[str, str]:
    """The environment without what would show the new interpreter this checkout."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
