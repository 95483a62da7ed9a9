"""README's examples and commands run as they are written."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS = {"mnemis_langchain": "langchain_core", "mnemis_llamaindex": "llama_index"}
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE")
LONGEST_ARCHITECTURE = 250


def blocks(root: Path, language: str) -> list[str]:
    text = (root / "README.md").read_text("utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def test_python_examples_run_in_order(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "readme"}
    ran = 0
    for body in blocks(root, "python"):
        framework = [NEEDS[each] for each in NEEDS if each in body]
        if any(importlib.util.find_spec(each) is None for each in framework):
            continue
        if ">>> " in body:
            test = doctest.DocTestParser().get_doctest(body, names, "README", "README.md", 0)
            outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
                test, clear_globs=False
            )
            assert outcome.failed == 0
            names.update(test.globs)
        else:
            exec(compile(body, "README.md", "exec"), names)
        ran += 1
    assert ran >= 2, f"only {ran} examples ran"


def test_commands_run_in_order(root: Path, tmp_path: Path) -> None:
    (chat,) = blocks(root, "text")
    (tmp_path / "chat.txt").write_text(chat, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "shared"), str(root)])}
    environment.pop("MNEMIS_STORE", None)
    ran = 0
    for body in blocks(root, "console"):
        for line in body.splitlines():
            if not line.startswith("$ mnemis "):
                continue
            command = line.split("   #")[0].removeprefix("$ mnemis ")
            done = subprocess.run(
                [sys.executable, "-m", "mnemis", *shlex.split(command)],
                cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            assert done.stdout.strip(), line
            ran += 1
    assert ran >= 5, f"only {ran} commands ran"


def test_the_targets_that_readme_names_exist(root: Path) -> None:
    made = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    named: set[str] = set()
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (root / name).read_text("utf-8")
        named |= set(re.findall(r"(?:^ *|`)make ([a-z-]+)", text, re.MULTILINE))
    assert {"setup", "demo", "check"} <= named <= made


def test_links_between_documents_lead_somewhere(root: Path) -> None:
    looked_at = 0
    for name in DOCUMENTS[:-1]:
        text = (root / name).read_text("utf-8")
        for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", text):
            assert (root / target).exists(), f"{name} links to {target}"
            looked_at += 1
    assert looked_at >= 3


def test_documents_are_there_and_the_architecture_is_short(root: Path) -> None:
    for name in DOCUMENTS:
        assert (root / name).stat().st_size > 500, name
    lines = (root / "ARCHITECTURE.md").read_text("utf-8").count("\n")
    assert lines <= LONGEST_ARCHITECTURE
