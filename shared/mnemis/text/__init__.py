"""Reading text: one tokeniser, dates, sentences, token counting. English and Chinese alike.

Every function here is pure, deterministic and linear in the length of its input.
"""
