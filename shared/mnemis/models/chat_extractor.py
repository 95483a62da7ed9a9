"""An extractor by chat model: one prompt an episode, a bounded number of calls."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from mnemis.errors import InputError, UnusableReply
from mnemis.model.graph import Turn
from mnemis.models.asking import Exchange
from mnemis.models.grounding import ground
from mnemis.ports.chat import ChatModel
from mnemis.ports.extractor import Extraction
from mnemis.prompts import extraction
from mnemis.prompts.passage import is_asserting, shown_text
from mnemis.prompts.reading import Reading

_REPLY_TOKENS: Final = 1_500
_REMEMBERED: Final = 512


class ChatExtractor:
    """Facts, entities and causes as a chat model reads them, each checked against its turn.

    One passage costs at most ``max_attempts`` calls, a second one only after a reply that cannot
    be used; a passage in which no person says a word costs none, and neither does one that was
    asked before (the last 512 replies are remembered, in memory). What the reply says and the
    passage does not is dropped and told in ``warnings``. When no usable reply comes a ModelError
    is raised, and ``consolidate`` lets the rules stand in and says so.
    """

    def __init__(
        self, chat: ChatModel, *, max_attempts: int = 2, reply_tokens: int = _REPLY_TOKENS
    ) -> None:
        if max_attempts < 1 or reply_tokens < 1:
            raise InputError(
                "max_attempts and reply_tokens must be at least 1, got "
                f"{max_attempts!r} and {reply_tokens!r}"
            )
        self._chat = chat
        self._attempts = max_attempts
        self._reply_tokens = reply_tokens
        self._held: OrderedDict[bytes, Reading] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """``chat:`` and the model's name."""
        return f"chat:{self._chat.name}"

    def extract(self, turns: Sequence[Turn]) -> Extraction:
        """What one episode says. Raises ModelRefused, ModelUnavailable, UnusableReply,
        ModelError.
        """
        return self._extract(turns, limit=None)

    def extract_within(self, turns: Sequence[Turn], *, tokens: int) -> Extraction:
        """As ``extract``; raises BudgetSpent instead of a call that ``tokens`` cannot pay for."""
        return self._extract(turns, limit=tokens)

    def _extract(self, turns: Sequence[Turn], *, limit: int | None) -> Extraction:
        if not any(is_asserting(turn) and _has_words(turn) for turn in turns):
            return Extraction()
        key = self._key(extraction.render(turns))
        known = self._known(key)
        if known is not None:
            return ground(known, turns)
        exchange = Exchange(self._chat, limit=limit)
        reading = self._ask(exchange, turns)
        self._keep(key, reading)
        return replace(
            ground(reading, turns), model_calls=exchange.calls, model_tokens=exchange.tokens
        )

    def _ask(self, exchange: Exchange, turns: Sequence[Turn]) -> Reading:
        why = ""
        prompt = extraction.render(turns)
        for _ in range(self._attempts):
            try:
                return extraction.parse(exchange.complete(prompt, max_tokens=self._reply_tokens))
            except UnusableReply as error:
                why = str(error)
                prompt = extraction.render_again(turns)
        raise UnusableReply(
            f"the model {self._chat.name!r} gave no usable reply in {exchange.calls} calls: {why}",
            calls=exchange.calls,
            tokens=exchange.tokens,
        )

    def _key(self, prompt: str) -> bytes:
        told = f"{extraction.VERSION}\0{self._chat.name}\0{prompt}"
        return blake2b(told.encode("utf-8", "replace"), digest_size=16).digest()

    def _known(self, key: bytes) -> Reading | None:
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
            return held

    def _keep(self, key: bytes, reading: Reading) -> None:
        with self._lock:
            self._held[key] = reading
            if len(self._held) > _REMEMBERED:
                self._held.popitem(last=False)


def _has_words(turn: Turn) -> bool:
    return any(character.isalnum() for character in shown_text(turn))
