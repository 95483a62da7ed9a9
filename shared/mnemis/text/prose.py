"""Telling language from code: fenced blocks are no language to a sentence embedder."""

from __future__ import annotations

import re

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def prose(text: str) -> str:
    """The text without fenced code; the whole text when nothing else would be left.

    >>> prose("Use this:\\n```py\\nx = 1\\n```\\nDone.")
    'Use this:\\n\\nDone.'
    """
    if "```" not in text:
        return text
    said = _FENCED.sub("", text)
    return said if any(character.isalnum() for character in said) else text
