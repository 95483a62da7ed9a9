"""Exchanges with a chat model: foreign errors sorted, calls and tokens counted, a limit kept."""

from __future__ import annotations

import re
from typing import Final

from mnemis.errors import BudgetSpent, ModelError, ModelRefused, ModelUnavailable
from mnemis.ports.chat import ChatModel, Completion
from mnemis.text.counting import EstimatingCounter

_COUNTER: Final = EstimatingCounter()
_LEAST_REPLY: Final = 64
_REFUSED: Final = frozenset({401, 402, 403, 404, 405, 410})
"""Of the model as such; a 400, 413 or 422 may be about one prompt (too long, filtered)."""
_PASSING: Final = frozenset({408, 409, 425, 429})
_STATUS: Final = re.compile(r"\b(?:HTTP|status|code|error)\D{0,12}([45]\d\d)\b", re.IGNORECASE)
_MOST_CAUSES: Final = 6


class Exchange:
    """The calls that serve one purpose; ``limit`` bounds their tokens. Not shared by threads."""

    def __init__(self, chat: ChatModel, *, limit: int | None = None) -> None:
        self._chat = chat
        self._limit = limit
        self.calls = 0
        self.tokens = 0

    def complete(self, prompt: str, *, max_tokens: int) -> str | None:
        """One reply, of fewer tokens where the limit leaves less room; None for no reply.

        Tokens are what the model tells, else an estimate. Raises BudgetSpent before a call that
        the limit cannot pay for, ModelRefused, ModelUnavailable, ModelError.
        """
        asked = _COUNTER.count(prompt)
        if self._limit is not None:
            max_tokens = min(max_tokens, self._limit - self.tokens - asked)
            if max_tokens < _LEAST_REPLY:
                raise BudgetSpent(
                    f"{self._limit} tokens are left for the model {self._chat.name!r}, too few "
                    f"for a prompt of about {asked} and a reply",
                    calls=self.calls,
                    tokens=self.tokens,
                )
        self.calls += 1
        try:
            completion = self._chat.complete(prompt, max_tokens=max_tokens)
        except Exception as error:
            self.tokens += asked if isinstance(error, TimeoutError) else 0
            raise self._sorted(error) from error
        return self._count(completion, asked)

    def _count(self, completion: Completion | None, asked: int) -> str | None:
        text = None if completion is None else completion.text
        told = 0 if completion is None else completion.prompt_tokens + completion.completion_tokens
        self.tokens += told if told > 0 else asked + _COUNTER.count(text or "")
        return text

    def _sorted(self, error: Exception) -> ModelError:
        """The error of this tree that a foreign one is, with what was spent."""
        kind = _kind_of(error)
        why = str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}"
        told = f"failed ({why})"
        if kind is ModelRefused:
            told = f"refuses ({why}); check its key, access and name"
        elif kind is ModelUnavailable:
            told = f"is not available ({why}); try again later"
        return kind(f"the model {self._chat.name!r} {told}", calls=self.calls, tokens=self.tokens)


def _kind_of(error: BaseException) -> type[ModelError]:
    """Judged by type and status of the error and of what it was raised from."""
    looked_at: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if looked_at is None:
            break
        if isinstance(looked_at, ModelRefused | ModelUnavailable):
            return type(looked_at)
        status = _status(looked_at)
        if status in _REFUSED:
            return ModelRefused
        if status in _PASSING or status >= 500:
            return ModelUnavailable
        if isinstance(looked_at, TimeoutError | ConnectionError):
            return ModelUnavailable
        looked_at = looked_at.__cause__ or looked_at.__context__
    return ModelError


def _status(error: BaseException) -> int:
    """The HTTP status that an error carries or names, 0 when it does neither."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code", "http_status"):
            value = getattr(holder, name, None)
            if isinstance(value, int) and 400 <= value < 600:
                return value
    named = _STATUS.search(str(error))
    return int(named.group(1)) if named else 0
