"""Embedders that travel in wheels."""
