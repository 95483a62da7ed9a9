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
    assert {path.stem for path in RECIPES} >= {
        "03_llamaindex_query_engine",
        "30_llamaindex_agent",
        "31_llamaindex_from_chat_memory_buffer",
        "32_llamaindex_from_vector_memory",
        "33_llamaindex_memory_block",
        "34_llamaindex_property_graph",
        "35_llamaindex_own_models",
        "36_research_assistant",
        "37_compliance_rules",
        "39_second_brain",
    }
