"""Arrays in one file: written beside and put in place at once, checked when read, never unpickled.

The zip container keeps a CRC-32 of each array, which reading verifies.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]

_HEAD = "head"


class SnapshotUnusable(Exception):
    """The file is missing, damaged, or not what was expected; whoever asked rebuilds."""


def save(path: Path, head: Mapping[str, object], arrays: Arrays) -> None:
    """Replace the file at once; OSError leaves the old one in place."""
    beside = path.with_suffix(".tmp")
    path.parent.mkdir(exist_ok=True)
    try:
        with beside.open("wb") as file:
            _write(file, {_HEAD: pack([json.dumps(head)]), **arrays})
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _write(file: IO[bytes], arrays: Arrays) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def load(path: Path) -> tuple[dict[str, object], dict[str, Array]]:
    """The head and all arrays; SnapshotUnusable when they cannot be trusted."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        head = json.loads(unpack(arrays.pop(_HEAD))[0])
    except FileNotFoundError as error:
        raise SnapshotUnusable("there is none") from error
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise SnapshotUnusable(f"it is damaged: {error}") from error
    except (NotImplementedError, IndexError, TypeError, SyntaxError, RuntimeError) as error:
        # What a flipped bit in a container's or array's header can turn into.
        raise SnapshotUnusable(f"it is damaged: {error}") from error
    if not isinstance(head, dict):
        raise SnapshotUnusable("it has no head")
    return cast("dict[str, object]", head), arrays


def pack(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Texts as an array of bytes."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), dtype=np.uint8)


def unpack(packed: Array) -> list[str]:
    """The texts of ``pack``."""
    return cast("list[str]", json.loads(packed.tobytes()))
