"""Texts for models: each module renders a prompt and parses the reply; nothing here does I/O."""
