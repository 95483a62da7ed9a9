"""A reranker by chat model: it names the texts that answer best, by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mnemis.errors import InputError, UnusableReply
from mnemis.models.asking import Exchange
from mnemis.ports.chat import ChatModel
from mnemis.prompts import ranking

_SHOWN: Final = 20
_REPLY_TOKENS: Final = 200


class ChatReranker:
    """Puts up to ``best`` of the first 20 texts in front; the others keep their order.

    Each recall then costs one call of the model, which is why it must be asked for:
    ``Mnemis.open(…, reranker=ChatReranker(chat))``.
    """

    def __init__(self, chat: ChatModel, *, best: int = 3) -> None:
        if not 1 <= best <= _SHOWN:
            raise InputError(f"best must lie between 1 and {_SHOWN}, got {best!r}")
        self._chat = chat
        self._best = best

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """1 for the text named first, falling to above 0.5 for the last named, 0 for the others.

        Raises UnusableReply, ModelRefused, ModelUnavailable, ModelError.
        """
        marks = [0.0] * len(texts)
        if not texts:
            return marks
        shown = texts[:_SHOWN]
        exchange = Exchange(self._chat)
        prompt = ranking.render(query, shown, most=self._best)
        reply = exchange.complete(prompt, max_tokens=_REPLY_TOKENS)
        try:
            chosen = ranking.parse(reply, count=len(shown))[: self._best]
        except UnusableReply as error:
            raise UnusableReply(
                f"the model {self._chat.name!r} gave no usable order: {error}",
                calls=exchange.calls,
                tokens=exchange.tokens,
            ) from error
        for place, number in enumerate(chosen):
            marks[number - 1] = 1.0 - 0.5 * place / len(chosen)
        return marks
