"""Under which keys a batch looks entities up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mnemis.model.graph import Entity, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import name_key
from mnemis.text.scripts import HAN

WINDOWS: Final = range(2, 6)


def entities_named(view: View, keys: Iterable[str]) -> dict[str, list[Entity]]:
    """The entities that the memory files under each key."""
    owners = view.named(list(keys))
    nodes = view.get(sorted({each for found in owners.values() for each in found}))
    return {
        key: [node for each in found if isinstance(node := nodes.get(each), Entity)]
        for key, found in owners.items()
    }


def candidate_keys(turns: Iterable[Turn]) -> set[str]:
    """Name keys that the turns may hold: words, pairs of words, short runs of Han characters."""
    keys: set[str] = set()
    for turn in turns:
        keys.add(name_key(turn.speaker))
        text = turn.text[:4_000]
        words = [
            word.strip(".,;:!?\"'()[]“”‘’").removesuffix("'s").removesuffix("’s")
            for word in text.split()
        ]
        capital = [word for word in words if word and not word.islower()]
        keys.update(name_key(word) for word in capital if len(word) < 40)
        keys.update(word for word in words if word.endswith("js"))
        if not text.isascii():
            for run in han_runs(text):
                keys.update(
                    run[at : at + size] for size in WINDOWS for at in range(len(run) - size + 1)
                )
    return keys


def han_runs(text: str) -> list[str]:
    """Unbroken runs of Han characters."""
    import re

    return [run[:400] for run in re.findall(rf"[{HAN}]+", text)]
