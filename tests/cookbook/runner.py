"""Runs a recipe as a reader would, offline in an empty folder, and compares what it prints.

python -m tests.cookbook.runner 01_first_memory     writes its expected output anew
"""

from __future__ import annotations

import ast
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
COOKBOOK = ROOT / "cookbook"
EXPECTED = COOKBOOK / "expected"
LONGEST = 100
"""Seconds a recipe may take."""

_OFFLINE = """
import os, runpy, sys

def refuse(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise OSError(f"a recipe works offline, yet it tried {event}")
    if event == "socket.connect" and isinstance(args[1], tuple):
        raise OSError(f"a recipe works offline, yet it connects to {args[1]!r}")

sys.addaudithook(refuse)
sys.argv = [sys.argv[1]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def recipes(*, first: int = 0, last: int = 99) -> list[Path]:
    """The recipes whose number lies in this range, in order."""
    found = sorted(COOKBOOK.glob("[0-9][0-9]_*.py"))
    return [path for path in found if first <= int(path.name[:2]) <= last]


def run(recipe: Path, folder: Path) -> str:
    """What the recipe prints when it runs in ``folder`` without a network.

    Raises AssertionError with its output when it fails, prints a warning, or takes too long.
    """
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("LANGCHAIN_", "LANGSMITH_", "OPENAI_", "PYTEST_"))
    } | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "shared"), str(ROOT)]),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(folder),
        "TZ": "UTC",
    }
    try:
        done = subprocess.run(
            [sys.executable, "-c", _OFFLINE, str(recipe)],
            cwd=folder, env=environment, capture_output=True, check=False, timeout=LONGEST,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"{recipe.name} takes more than {LONGEST} seconds") from error
    printed, complaints = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 0, f"{recipe.name} failed\n{printed}\n{complaints}"
    assert not complaints.strip(), f"{recipe.name} complains\n{complaints}"
    return printed


def check(recipe: Path, folder: Path) -> None:
    """Run a recipe and compare its output with ``cookbook/expected``; the difference is told."""
    docstring = ast.get_docstring(ast.parse(recipe.read_text("utf-8")))
    assert docstring, f"{recipe.name} does not open with what it shows"
    expected = EXPECTED / f"{recipe.stem}.txt"
    assert expected.exists(), f"no {expected.relative_to(ROOT)}"
    wanted = expected.read_text("utf-8")
    assert wanted.strip(), f"{expected.relative_to(ROOT)} is empty"
    printed = run(recipe, folder)
    difference = difflib.unified_diff(
        wanted.splitlines(), printed.splitlines(), "expected", "printed", lineterm=""
    )
    assert printed == wanted, "\n".join(difference)


def write(name: str) -> None:
    """Run one recipe and keep what it prints as the expected output, for a person to review."""
    with tempfile.TemporaryDirectory() as folder:
        printed = run(COOKBOOK / f"{name}.py", Path(folder))
    EXPECTED.mkdir(exist_ok=True)
    (EXPECTED / f"{name}.txt").write_text(printed, encoding="utf-8")
    print(printed, end="")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        write(Path(each).stem)
