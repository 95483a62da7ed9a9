"""Every error Mnemis raises, one tree.

    MnemisError
    ├── InputError (also ValueError)      an argument, message or filter is not usable
    │   └── MessageConflict               the same message id was given with another text
    ├── StoreError                        the store cannot do what was asked
    │   ├── NotAStore                     the folder holds something else
    │   ├── FormatError                   written by a newer (or unknown) version
    │   ├── StoreLocked                   another process holds the writer's lock
    │   ├── ReadOnlyStore                 a write on a store that was opened read-only
    │   ├── StoreFull                     the disk is full; nothing of the change was kept
    │   ├── StoreDamaged                  the truth (not an index) cannot be read
    │   └── StoreClosed                   used after close()
    ├── Conflict                          the change was computed from something that changed since
    │   └── DanglingEdge (also InputError)  it names a node that is not there (any more)
    ├── EmbedderError                     the embedder failed or returned something unusable
    │   └── EmbedderMismatch              the store's vectors come from another embedder
    ├── ModelError                        a chat model, extractor or reranker failed
    │   ├── ModelUnavailable              not reached, overloaded or too slow: later it may work
    │   ├── ModelRefused                  wrong key, no access, or an unknown model: set it right
    │   ├── UnusableReply                 it answered, but not in the form that was asked for
    │   └── BudgetSpent                   the tokens that it may use are used up
    ├── Cancelled                         the caller's cancel event was set
    └── MissingExtra (also ImportError)   an optional package is not installed

A message says what happened, names the value, and says what to do.
"""


class MnemisError(Exception):
    """Root of all errors raised by Mnemis."""


class InputError(MnemisError, ValueError):
    """An argument, message or filter is not usable; nothing was stored."""


class MessageConflict(InputError):
    """A stored message has this id but another text; use ``edit`` to change it."""


class StoreError(MnemisError):
    """The store cannot do what was asked."""


class NotAStore(StoreError):
    """The folder exists, is not empty, and is not a Mnemis memory; it was left untouched."""


class FormatError(StoreError):
    """The store was written by a newer or unknown version; it was left untouched."""


class StoreLocked(StoreError):
    """Another process (or object) holds the writer's lock of this folder."""


class ReadOnlyStore(StoreError):
    """A write was asked of a store that was opened read-only."""


class StoreFull(StoreError):
    """The disk is full; nothing of the change was kept and the store stays usable."""


class StoreDamaged(StoreError):
    """The authoritative file cannot be read; nothing was overwritten."""


class StoreClosed(StoreError):
    """The store was used after ``close()``."""


class Conflict(MnemisError):
    """What a change was computed from was changed or removed meanwhile; nothing was written."""


class DanglingEdge(InputError, Conflict):
    """A change names a node that is not there: never was, or was removed since it was computed."""


class EmbedderError(MnemisError):
    """The embedder failed or returned vectors of an unusable shape or value."""


class EmbedderMismatch(EmbedderError):
    """The store's vectors were made by another embedder; ``mnemis reindex`` replaces them."""


class ModelError(MnemisError):
    """A chat model, extractor or reranker failed; the memory itself is unharmed.

    ``calls`` and ``tokens`` are what was spent before it failed.
    """

    def __init__(self, message: str = "", *, calls: int = 0, tokens: int = 0) -> None:
        super().__init__(message)
        self.calls = calls
        self.tokens = tokens


class ModelUnavailable(ModelError):
    """The model could not be reached, was overloaded or took too long; later it may work."""


class ModelRefused(ModelError):
    """The model refuses until something is set right (key, access, name)."""


class UnusableReply(ModelError):
    """The model answered, but not in the form that was asked for."""


class BudgetSpent(ModelError):
    """The tokens that the model may use are used up; it was not asked."""


class Cancelled(MnemisError):
    """The caller cancelled; everything committed before stays."""


class MissingExtra(MnemisError, ImportError):
    """An optional package is missing; the message names the pip command."""
