"""Sentences, parts and questions of a text: the names that other layers use."""

from mnemis.text.questions import question_share, split_compound
from mnemis.text.sentence_spans import Span, parts, sentences

__all__ = ["Span", "parts", "question_share", "sentences", "split_compound"]
