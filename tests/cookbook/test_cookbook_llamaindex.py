"""The recipes of LlamaIndex print what they are kept with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cookbook import runner

RECIPES = runner.recipes(first=3, last=3) + runner.recipes(first=30, last=49)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_recipe(recipe: Path, tmp_path: Path) -> None:
    runner.check(recipe, tmp_path)


def test_there_are_recipes() -> None:
    assert {path.stem for path in RECIPES} >= {"03_llamaindex_query_engine"}
