"""A shipped conversation of months, in English and Chinese, with questions about it."""

from mnemis.demo.run import SCOPE, Answer, Question, ask, load_conversation, load_questions

__all__ = ["SCOPE", "Answer", "Question", "ask", "load_conversation", "load_questions"]
