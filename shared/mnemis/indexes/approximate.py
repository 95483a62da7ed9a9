"""Approximate nearest neighbours in Chroma collections, a lagging copy of stored vectors.

What is asked here gives candidates only; whoever asks scores them from the stored vectors, so a
stale or missing row costs recall and never a wrong score. One process at a time may use a folder.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

BATCH = 1_000


class ApproximateUnusable(Exception):
    """Chroma cannot be used or failed; exact search answers instead."""


class ApproximateCollection:
    """One kind of entries of one scope."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    def count(self) -> int:
        """How many vectors it holds."""
        try:
            return self._collection.count()
        except Exception as error:
            raise ApproximateUnusable(repr(error)) from error

    def put(self, ids: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Add or replace vectors, at most BATCH at once."""
        try:
            self._collection.upsert(ids=list(ids), embeddings=vectors)
        except Exception as error:
            raise ApproximateUnusable(repr(error)) from error

    def nearest(self, query: npt.NDArray[np.float32], k: int) -> list[str]:
        """Ids of about the k nearest, best first."""
        try:
            found = self._collection.query(
                query_embeddings=query.tolist(),
                n_results=k,
                include=[],
            )
        except Exception as error:
            raise ApproximateUnusable(repr(error)) from error
        return found["ids"][0]


class ApproximateFolder:
    """The folder of all collections of a store; Chroma is imported at the first ``collection``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._client: ClientAPI | None = None
        self._lock = threading.Lock()

    def collection(self, *parts: object) -> ApproximateCollection:
        """The collection that belongs to these values, made when it is not there."""
        name = "m-" + hashlib.sha256(repr(parts).encode()).hexdigest()[:40]
        try:
            with self._lock:
                client = self._client = self._client or _connect(self._path)
            return ApproximateCollection(
                client.get_or_create_collection(
                    name, embedding_function=None, metadata={"hnsw:space": "cosine"}
                )
            )
        except Exception as error:
            raise ApproximateUnusable(repr(error)) from error

    def discard(self) -> None:
        """Remove all collections and their files."""
        self.close()
        shutil.rmtree(self._path, ignore_errors=True)

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            cast("_Closing", client).close()


class _Closing:
    """What the client class offers beyond ``ClientAPI``."""

    def close(self) -> None: ...


def _connect(path: Path) -> ClientAPI:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(path=str(path), settings=Settings(anonymized_telemetry=False))
