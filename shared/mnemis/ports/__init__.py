"""Protocols: what the engine needs from outside."""
