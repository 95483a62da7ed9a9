"""Bringing back: parse, routes, fusion, ranking, rendering."""
