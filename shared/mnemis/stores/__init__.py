"""Stores: the oracle (reference) and SQLite (embedded)."""
