"""What is built and installed."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

PACKAGES = {"mnemis", "mnemis_langchain", "mnemis_llamaindex"}


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run(
        [*command, str(root)], capture_output=True, text=True, check=False, timeout=110
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_the_wheel_holds_exactly_the_three_packages(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {each for each in tops if not each.endswith(".dist-info")} == PACKAGES
    assert len(tops) == len(PACKAGES) + 1


def test_the_wheel_holds_every_module_and_the_data(wheel: list[str], root: Path) -> None:
    expected = {
        str(path.relative_to(base))
        for base in (root / "shared", root)
        for package in PACKAGES
        for path in (base / package).rglob("*.py")
    }
    assert len(expected) > 60
    assert expected <= set(wheel)
    assert {
        "mnemis/py.typed",
        "mnemis/demo/conversation.jsonl",
        "mnemis/demo/questions.jsonl",
    } <= set(wheel)
    assert {name for name in wheel if "test_" in name or "__pycache__" in name} == set()


def test_an_editable_install_shows_only_the_packages(root: Path, tmp_path: Path) -> None:
    try:
        metadata.distribution("mnemis")
    except metadata.PackageNotFoundError:
        if os.environ.get("CI"):
            pytest.fail("mnemis is not installed in this environment")
        pytest.skip("mnemis is not installed here (make setup)")
    for name, visible in {"mnemis": True, "mnemis_langchain": True, "shared": False}.items():
        assert _finds(name, tmp_path, root) is visible, name
    assert not _finds("tests", tmp_path, root)


def test_the_command_is_installed_with_the_package() -> None:
    try:
        scripts = metadata.entry_points(group="console_scripts", name="mnemis")
        metadata.distribution("mnemis")
    except metadata.PackageNotFoundError:
        pytest.skip("mnemis is not installed here (make setup)")
    assert [each.value for each in scripts] == ["mnemis.cli:main"]


def _finds(name: str, elsewhere: Path, root: Path) -> bool:
    """Whether a fresh interpreter in another folder finds the module inside this repository."""
    code = (
        "import importlib.util, sys; spec = importlib.util.find_spec(sys.argv[1]);"
        "print(spec.origin or list(spec.submodule_search_locations) if spec else '')"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, name],
        cwd=elsewhere, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return str(root) in done.stdout and "site-packages" not in done.stdout
