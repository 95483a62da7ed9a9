"""A category while it is built, and how it gets a unique name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from mnemis.consolidate.resolve import capped
from mnemis.model.change import Vector
from mnemis.model.graph import Facet

Rows = npt.NDArray[np.float32]


MOST_KEYWORDS: Final = 24


@dataclass(slots=True)
class Draft:
    """A category while it is built; ``children`` maps ids below to the strength of the tie."""

    id: str
    name: str
    layer: int
    facet: Facet
    keywords: list[str]
    children: dict[str, float]
    vector: Vector
    sources: tuple[str, ...]
    key: str = ""


@dataclass(slots=True)
class Names:
    """Unique names, compared without case."""

    taken: set[str] = field(default_factory=set[str])

    def claim(self, labels: Sequence[str], *, chinese: bool, most: int = 2) -> str:
        """A name from the labels, as few of them as make it unique."""
        useful = list(dict.fromkeys(label for label in labels if label)) or [
            "其他" if chinese else "Other"
        ]
        for size in (*range(min(most, len(useful)), len(useful) + 1),):
            name = join_labels(useful[:size], chinese=chinese)
            if name.casefold() not in self.taken:
                break
        else:
            name = join_labels(useful[:most], chinese=chinese)
        number = 2
        unique = name
        while unique.casefold() in self.taken:
            unique, number = f"{name} {number}", number + 1
        self.taken.add(unique.casefold())
        return unique


def is_chinese(labels: Iterable[str], default: bool) -> bool:
    """Whether a text is Chinese; ``default`` for an empty one."""
    text = "".join(labels)
    return any("\u4e00" <= char <= "\u9fff" for char in text) if text else default


def sources_of(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The union of sources, capped."""
    return capped(tuple(dict.fromkeys(source for group in groups for source in group)))


def mean_of(rows: Rows) -> Vector:
    """The direction of the mean of rows; zeros stay zeros."""
    total = rows.sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length > 0 else total, dtype=np.float32)


def join_labels(labels: Sequence[str], *, chinese: bool) -> str:
    """Labels as one name: "Price and discount", 价格与折扣."""
    if len(labels) == 1:
        name = labels[0]
    elif chinese:
        name = "、".join(labels[:-1]) + "与" + labels[-1]
    else:
        name = ", ".join(labels[:-1]) + " and " + labels[-1]
    return name[:1].upper() + name[1:]
