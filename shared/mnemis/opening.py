"""Choosing the parts behind ``Mnemis.open``: store by address, embedder, extractor."""

from __future__ import annotations

from os import PathLike, fspath

from mnemis.config import Config
from mnemis.errors import InputError
from mnemis.ports.chat import ChatModel
from mnemis.ports.embedder import Embedder
from mnemis.ports.extractor import Extractor
from mnemis.ports.store import Store


def open_store(
    path: str | PathLike[str], *, embedder: Embedder, config: Config, read_only: bool
) -> Store:
    """The embedded store of a folder. Raises InputError for an address it does not know."""
    address = fspath(path)
    if not isinstance(address, str) or not address or "\0" in address:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"the store's path must be a folder's name, got {path!r}")
    if "://" in address:
        raise InputError(
            f"{address!r} is not a folder; this version keeps memories in a local folder only"
        )
    from mnemis.stores.sqlite import SqliteStore

    return SqliteStore.open(
        address, fingerprint=embedder.fingerprint, config=config, read_only=read_only
    )


def pick_embedder(embedder: Embedder | None) -> Embedder:
    """The caller's embedder, or the bundled one."""
    if embedder is not None:
        return embedder
    from mnemis.embedders.use import UniversalSentenceEncoder

    return UniversalSentenceEncoder()


def pick_extractor(
    extractor: Extractor | None, *, chat_model: ChatModel | None
) -> Extractor | None:
    """The caller's extractor; else one by chat model when there is a model; None means rules.

    A chat model given beside an extractor is not asked.
    """
    if extractor is not None or chat_model is None:
        return extractor
    from mnemis.models.chat_extractor import ChatExtractor

    return ChatExtractor(chat_model)
