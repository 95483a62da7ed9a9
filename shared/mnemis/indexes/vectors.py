"""Vectors in a file of their own that grows at its end, so that saving writes what is new.

An index file says how many rows of it count and what their checksum is. What stands behind them
was written by a save that did not finish; the next one writes over it.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from mnemis.indexes.snapshot import SnapshotUnusable

Floats = npt.NDArray[np.float32]

SUFFIX = ".vectors"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorFile:
    """``rows`` rows of ``width`` little-endian floats at the beginning of the file ``name``."""

    name: str
    rows: int
    width: int
    crc: int

    def described(self) -> dict[str, object]:
        """For the head of an index file."""
        return asdict(self)

    def read(self, folder: Path) -> Floats:
        """The rows; SnapshotUnusable when they are not there as they were written."""
        try:
            with (folder / self.name).open("rb") as file:
                held = np.fromfile(file, dtype="<f4", count=self.rows * self.width)
        except OSError as error:
            raise SnapshotUnusable(f"its vectors cannot be read: {error}") from error
        if held.size != self.rows * self.width or zlib.crc32(held.data) != self.crc:
            raise SnapshotUnusable("its vectors are damaged")
        return held.astype(np.float32, copy=False).reshape(self.rows, self.width)

    def appended(self, folder: Path, more: Floats) -> VectorFile:
        """With more rows behind, synced; OSError leaves those that count as they are."""
        with (folder / self.name).open("r+b") as file:
            file.truncate(self.rows * self.width * 4)
            file.seek(0, os.SEEK_END)
            crc = _write(file, more, self.crc)
        return VectorFile(name=self.name, rows=self.rows + len(more), width=self.width, crc=crc)


def described(values: object) -> VectorFile:
    """From ``VectorFile.described``; SnapshotUnusable for anything else."""
    try:
        file = VectorFile(**values)  # type: ignore[arg-type] # pyright: ignore[reportCallIssue] checked below
        if Path(file.name).name != file.name or min(file.rows, file.width, file.crc) < 0:
            raise ValueError(file.name)
    except (TypeError, ValueError) as error:
        raise SnapshotUnusable(f"it does not say where its vectors are: {error}") from error
    return file


def create(folder: Path, stem: str, vectors: Floats) -> VectorFile:
    """A new file beside those that are there, synced."""
    number = 0
    while (folder / f"{stem}.{number}{SUFFIX}").exists():
        number += 1
    name = f"{stem}.{number}{SUFFIX}"
    with (folder / name).open("xb") as file:
        crc = _write(file, vectors, 0)
    return VectorFile(name=name, rows=len(vectors), width=vectors.shape[1], crc=crc)


def _write(file: BinaryIO, vectors: Floats, crc: int) -> int:
    held = np.ascontiguousarray(vectors, dtype="<f4")
    file.write(held.data)
    file.flush()
    os.fsync(file.fileno())
    return zlib.crc32(held.data, crc)
