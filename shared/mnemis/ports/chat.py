"""The chat port: any model that completes a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A reply; token counts are 0 when the model does not tell."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatModel(Protocol):
    """Thread-safe."""

    @property
    def name(self) -> str:
        """How reports name the model."""
        ...

    def complete(self, prompt: str, *, max_tokens: int = 1024) -> Completion:
        """Answer one prompt. Raises ModelError."""
        ...
