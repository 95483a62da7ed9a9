"""What all tests share: where the repository is, and where outside data may be found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of files that tests read."""
    return ROOT / "tests" / "data"


@pytest.fixture(scope="session")
def pools() -> Path:
    """The folder of evaluation pools, $MNEMIS_POOLS, else a sibling of the repository."""
    return _outside("MNEMIS_POOLS", "data")


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of collected cases, $MNEMIS_CASES, else a sibling of the repository."""
    return _outside("MNEMIS_CASES", "cases")


def outside_folder(variable: str, name: str) -> Path:
    """The folder that the variable names, else the sibling of the repository; may be absent."""
    named = os.environ.get(variable)
    return Path(named) if named else ROOT.parent / "shared" / name


def _outside(variable: str, name: str) -> Path:
    folder = outside_folder(variable, name)
    if any(folder.glob("*.jsonl")):
        return folder
    if variable in os.environ:
        pytest.fail(f"{variable}={os.environ[variable]!r} holds no *.jsonl")
    pytest.skip(f"needs outside data: set {variable} to a folder with *.jsonl files")
