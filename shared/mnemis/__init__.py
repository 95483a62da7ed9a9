"""Mnemis: long-term memory for LLM applications.

A hierarchical graph of what was said, two complementary routes back, and on every memory that
comes back the path by which it was found.
"""

from mnemis.config import Config
from mnemis.errors import InputError, MnemisError
from mnemis.memory import Memory, Mnemis
from mnemis.model.message import Document, Message, MessagePart
from mnemis.model.recall import Hit, Path, Recall, Step
from mnemis.model.working import Note, Working

__all__ = [
    "Config",
    "Document",
    "Hit",
    "InputError",
    "Memory",
    "Message",
    "MessagePart",
    "Mnemis",
    "MnemisError",
    "Note",
    "Path",
    "Recall",
    "Step",
    "Working",
]

__version__ = "0.1.0"
