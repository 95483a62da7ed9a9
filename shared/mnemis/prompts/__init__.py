"""Prompts: render(model) to text, parse(text) to model; no I/O."""
