"""Derived, rebuildable indexes of the embedded store."""
