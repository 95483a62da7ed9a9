"""The recipes of Mnemis alone and of LangChain print what they are kept with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cookbook import runner

RECIPES = runner.recipes(first=1, last=2) + runner.recipes(first=10, last=29)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe(recipe: Path, tmp_path: Path) -> None:
    runner.check(recipe, tmp_path)


def test_there_are_recipes() -> None:
    assert {path.stem for path in RECIPES} >= {"01_first_memory", "02_langchain_chain"}
