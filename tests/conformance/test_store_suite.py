"""The suite itself: it finds every broken store, passes the reference, and counts."""

from __future__ import annotations

import pytest

from mnemis.stores.oracle import OracleStore
from mnemis.testing.broken import BROKEN, opener_of
from mnemis.testing.store_suite import StoreSuite, check

LEAST_TESTS = 50
LEAST_BROKEN = 8


def test_the_reference_passes_and_all_tests_ran() -> None:
    result = check(opener_of(OracleStore))
    written = [name for name in dir(StoreSuite) if name.startswith("test_")]
    assert result.failed == {}
    assert result.ran == len(written) >= LEAST_TESTS


def test_there_are_enough_broken_stores() -> None:
    assert len(set(BROKEN)) == len(BROKEN) >= LEAST_BROKEN


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_broken_store_fails(broken: type[OracleStore]) -> None:
    """Each for its own reason: somewhere in the suite, but not everywhere."""
    result = check(opener_of(broken))
    assert result.ran >= LEAST_TESTS
    assert result.failed, f"{broken.__name__} passed {result.ran} tests"
    assert len(result.failed) < result.ran
