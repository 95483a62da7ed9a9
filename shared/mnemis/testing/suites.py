"""Running a suite without pytest, to test the suite itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest

Suite = TypeVar("Suite")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """How many tests ran, and the first line of why each failed one did."""

    ran: int
    failed: dict[str, str]


def run_suite(suite: Suite, arguments: Callable[[Suite], Sequence[object]]) -> SuiteResult:
    """Every method that begins with ``test_``, each with fresh arguments."""
    failed: dict[str, str] = {}
    names = [name for name in dir(suite) if name.startswith("test_")]
    for name in names:
        try:
            getattr(suite, name)(*arguments(suite))
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 whatever a test raises is the answer
            failed[name] = f"{type(error).__name__}: {error}".split("\n", 1)[0]
    return SuiteResult(ran=len(names), failed=failed)
