"""Shipped test suites and fakes for whoever implements a port."""
