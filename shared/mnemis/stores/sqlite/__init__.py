"""The embedded store: one folder, SQLite is the truth."""

from mnemis.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
