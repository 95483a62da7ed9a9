"""A chat model that says what a test wrote down, and keeps what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias, cast

from mnemis.errors import ModelError
from mnemis.ports.chat import Completion

Line: TypeAlias = str | None | Exception | Completion | Callable[[str], str]
"""A reply: its text, None for none, an error to raise, a completion with its tokens, or what makes
the text of the prompt.
"""


class ScriptedChat:
    """Replies in the order of the script, then with its last line again if ``repeat``.

    ``prompts`` are all prompts so far, ``limits`` the ``max_tokens`` they came with.

    >>> chat = ScriptedChat("[]", ConnectionError("down"))
    >>> chat.complete("What is new?").text, len(chat.prompts)
    ('[]', 1)
    """

    def __init__(self, *script: Line, name: str = "scripted", repeat: bool = False) -> None:
        self._script = script
        self._name = name
        self._repeat = repeat
        self._lock = threading.Lock()
        self.prompts: list[str] = []
        self.limits: list[int] = []

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    def complete(self, prompt: str, *, max_tokens: int = 1024) -> Completion:
        """The next line. Raises the error that is next, and ModelError when the script is over."""
        with self._lock:
            place = len(self.prompts)
            self.prompts.append(prompt)
            self.limits.append(max_tokens)
        if place >= len(self._script) and not (self._repeat and self._script):
            raise ModelError(
                f"the script has {len(self._script)} replies; this is call {place + 1}"
            )
        line = self._script[min(place, len(self._script) - 1)]
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Completion):
            return line
        if callable(line):
            line = line(prompt)
        # Some services answer with no body at all; the port says text, callers must not trust it.
        return Completion(text=cast("str", line))
