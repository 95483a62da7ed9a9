"""What is recalled for one turn of a conversation: asked once, however often it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from mnemis_llamaindex.context import Question, recall_text, recent_of, unseen
from mnemis_llamaindex.conversation import Conversation
from mnemis_llamaindex.messages import text_of
from mnemis_llamaindex.window import Entry

_MESSAGE = 4  # what a provider adds around the context's message


class TurnRecall:
    """Remembers what was recalled for the last question. The caller serialises calls."""

    def __init__(self) -> None:
        self._known: tuple[object, str] | None = None

    def recalled(
        self,
        talk: Conversation,
        asked: str | None,
        entries: Sequence[Entry],
        shown: Sequence[Entry],
        *,
        k: int | Literal["auto"],
        tokens: int,
        measure: Callable[[str], int],
    ) -> str:
        """The context for ``asked``, else for the last user's message, of at most ``tokens``.

        What is ``shown`` anyway is not in it; the turns shown resolve "that one".
        """
        last = next((each for each in reversed(entries) if each.message.role == "user"), None)
        said = text_of(last.message) if last else ""
        text = said if asked is None else asked
        key = (text, last.id if last else None, k, tokens)
        if self._known is None or self._known[0] != key:
            repeats = last is not None and text.strip() == said.strip()
            before = [each for each in shown if not (repeats and each is last)]
            question = Question(
                text=text, recent=recent_of(before), where=unseen(talk.session, shown)
            )
            found = recall_text(
                talk.memory, question, k=k, tokens=tokens - _MESSAGE, measure=measure
            )
            self._known = (key, found)
        return self._known[1]
