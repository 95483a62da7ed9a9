"""The tree keeps the conventions that CONTRIBUTING.md names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.contract.conventions import BREACHES, CJK, RULES, Rule, source_files

LANGUAGE_MATTERS = ("text", "remember", "consolidate", "recall", "formats")
NO_LANGUAGE: dict[str, str] = {}
"""Test modules of those folders in which no text occurs, with the reason."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_module_keeps(rule: Rule, root: Path) -> None:
    found: list[str] = []
    for path in source_files(root):
        text = path.read_text("utf-8")
        name = str(path.relative_to(root))
        found += [f"{name}: {each}" for each in rule(ast.parse(text), text, name)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_sees_its_breach(rule: Rule) -> None:
    breach = BREACHES[rule.__name__]
    assert list(rule(ast.parse(breach), breach, "shared/mnemis/model/breach.py"))


def test_every_rule_looks_at_the_whole_tree(root: Path) -> None:
    looked_at = source_files(root)
    assert len(looked_at) >= 60, f"only {len(looked_at)} modules found"
    assert {path.relative_to(root).parts[0] for path in looked_at} == {
        "shared",
        "mnemis_langchain",
        "mnemis_llamaindex",
    }


@pytest.mark.parametrize("folder", LANGUAGE_MATTERS)
def test_tests_speak_chinese_where_language_matters(folder: str, root: Path) -> None:
    modules = source_files(root, (f"tests/unit/{folder}",))
    tests = [path for path in modules if path.name.startswith("test_")]
    assert tests, f"no tests in tests/unit/{folder}"
    without = [
        str(path.relative_to(root))
        for path in tests
        if not CJK.search(path.read_text("utf-8")) and path.name not in NO_LANGUAGE
    ]
    assert not without, f"no Chinese in {', '.join(without)}"


def test_no_source_root_is_a_package(root: Path) -> None:
    assert not (root / "shared" / "__init__.py").exists()
