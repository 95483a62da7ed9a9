"""Finding an open store again by its folder: what a serialised object keeps is the path."""

from __future__ import annotations

import os
import threading
from weakref import WeakValueDictionary

from mnemis import Mnemis, MnemisError

_guard = threading.Lock()
_open: WeakValueDictionary[str, Mnemis] = WeakValueDictionary()


def share(mnemis: Mnemis) -> str | None:
    """Let objects that are restored from their serialised form use this open store.

    Memories and blocks share the store they are built with; call this before restoring one whose
    store needs arguments of its own (an embedder). Returns the folder, None for a store without.
    """
    files = mnemis.store.files()
    if not files:
        return None
    folder = _key(min((os.path.dirname(each) for each in files), key=len))
    with _guard:
        _open[folder] = mnemis
    return folder


def reopen(path: str) -> Mnemis:
    """The store of a folder: the one that is open in this process, else opened with defaults.

    Raises what ``Mnemis.open`` raises.
    """
    folder = _key(path)
    with _guard:
        known = _open.get(folder)
        if known is not None and _is_open(known):
            return known
        opened = Mnemis.open(folder)
        _open[folder] = opened
        return opened


def _is_open(mnemis: Mnemis) -> bool:
    try:
        mnemis.store.jobs(scope=("mnemis",))
    except MnemisError:
        return False
    return True


def _key(path: str) -> str:
    return os.path.realpath(path)
