"""Failures inside the shipped suite show their values."""

import pytest

pytest.register_assert_rewrite(
    "mnemis.testing.embedder_suite",
    "mnemis.testing.extractor_suite",
    "mnemis.testing.store_jobs",
    "mnemis.testing.store_reads",
    "mnemis.testing.store_walls",
    "mnemis.testing.store_writes",
)
