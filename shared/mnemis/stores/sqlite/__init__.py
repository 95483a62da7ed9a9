"""The embedded store: one folder, SQLite is the truth."""
