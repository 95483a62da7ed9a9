"""The runner sees what it is there to see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cookbook import runner


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    return tmp_path / "99_probe.py"


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("raise SystemExit(3)", "failed"),
        ("import warnings; warnings.warn('old')", "complains"),
        ("import socket; socket.create_connection(('192.0.2.1', 9))", "offline"),
        ("import socket; socket.socket().connect(('192.0.2.1', 9))", "offline"),
    ],
)
def test_what_a_recipe_may_not_do(recipe: Path, tmp_path: Path, code: str, complaint: str) -> None:
    recipe.write_text(code, encoding="utf-8")
    with pytest.raises(AssertionError, match=complaint):
        runner.run(recipe, tmp_path)


def test_an_event_loop_is_no_connection(recipe: Path, tmp_path: Path) -> None:
    recipe.write_text("import asyncio; asyncio.run(asyncio.sleep(0)); print('咖啡')", "utf-8")
    assert runner.run(recipe, tmp_path) == "咖啡\n"


def test_another_output_is_told(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe.write_text('"""Counts."""\nprint("two")\n', "utf-8")
    monkeypatch.setattr(runner, "EXPECTED", tmp_path)
    monkeypatch.setattr(runner, "ROOT", tmp_path)
    with pytest.raises(AssertionError, match="no 99_probe"):
        runner.check(recipe, tmp_path)
    (tmp_path / "99_probe.txt").write_text("one\n", "utf-8")
    with pytest.raises(AssertionError, match="-one"):
        runner.check(recipe, tmp_path)


def test_every_recipe_has_its_own_number_and_an_expected_output() -> None:
    found = runner.recipes()
    numbers = [path.name[:2] for path in found]
    assert len(set(numbers)) == len(numbers)
    kept = {path.stem for path in runner.EXPECTED.glob("*.txt")}
    assert kept == {path.stem for path in found}
