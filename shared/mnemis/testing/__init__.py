"""Shipped test suites and fakes for whoever implements a port.

Nothing here is imported by the engine; the suites need pytest, the strategies hypothesis.
"""
