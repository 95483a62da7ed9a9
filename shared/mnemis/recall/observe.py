"""What can be seen of a memory from outside: who talks how. It scales the ranking's weights.

Never a data set's name: only roles, lengths, turn-taking and sessions of the newest turns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from mnemis.model.change import Vector
from mnemis.model.graph import Turn
from mnemis.ports.store import View
from mnemis.text.titles import title_line

_SAMPLE = 400
MACHINES = ("assistant", "tool", "system")
_ALONE = 0.2  # fewer turns than this share follow another: each stands alone
_ENOUGH = 30  # pairs from which on nearness can be measured
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """``dialogue`` in [0, 1]: short turns, each on the matter of the one before; ``assisted`` in
    [0, 1]: an assistant takes part and it is no such dialogue; ``document``: most messages carry
    a title line or stand alone in their session; ``note`` in [0, 1]: short messages that do not
    follow from each other; ``length``: median size in characters, a Chinese one counting 2.5;
    ``speakers``: names heard, most frequent first.
    """

    dialogue: float
    assisted: float
    document: bool
    note: float
    length: float
    speakers: tuple[str, ...]


def observe(view: View) -> Observation:
    """Look at up to 400 newest turns and their vectors."""
    turns = view.tail(None, limit=_SAMPLE)
    return observe_turns(turns, vectors=view.vectors([turn.id for turn in turns]))


def observe_turns(turns: Sequence[Turn], *, vectors: Mapping[str, Vector]) -> Observation:
    """The same over given turns, in order, and what vectors they have by turn id."""
    count = max(1, len(turns))
    pairs = _pairs(turns)
    length = float(median([_size(turn.text) for turn in turns] or [1.0]))
    titled = sum(bool(title_line(turn.text)) for turn in turns) / count
    document = bool(turns) and (titled >= 0.5 or len(pairs) < _ALONE * count)
    short = _ramp(length, high=500.0, low=250.0)
    dialogue = 0.0 if document else short * _flow(turns, pairs, vectors)
    assisted = sum(turn.role in MACHINES for turn in turns) / count
    note = 0.0 if document or not turns else (1 - dialogue) * _ramp(length, high=200.0, low=100.0)
    return Observation(
        dialogue=dialogue,
        assisted=(1 - dialogue) if assisted > 0.1 else 0.0,
        document=document,
        note=note,
        length=length,
        speakers=tuple(name for name, _ in Counter(turn.speaker for turn in turns).most_common()),
    )


def _flow(
    turns: Sequence[Turn], pairs: Sequence[tuple[Turn, Turn]], vectors: Mapping[str, Vector]
) -> float:
    """How far turns follow from each other: half by nearness in meaning and half by turn-taking,
    or by nearness alone where that says more; by turn-taking while there are few. People who chat
    answer each other in other words, so that nearness alone takes many a chat for notes.
    """
    changes = sum(before.speaker != turn.speaker for before, turn in pairs)
    taking = changes / max(1, len(pairs))
    near = [
        float(vectors[before.id] @ vectors[turn.id])
        for before, turn in pairs
        if before.id in vectors and turn.id in vectors
    ]
    if len(near) < _ENOUGH:
        return float(taking > 0.5)
    rows = np.stack([vectors[turn.id] for turn in turns if turn.id in vectors])
    chance = rows[:: max(1, len(rows) // 64)] @ rows.T
    # In units of the spread of chance, so that it fits any embedder.
    standing_out = (float(np.mean(near)) - float(chance.mean())) / (float(chance.std()) + 1e-9)
    nearness = 1.0 - _ramp(standing_out, high=0.6, low=0.25)
    return max(nearness, (nearness + 1.0 - _ramp(taking, high=0.8, low=0.4)) / 2)


def _pairs(turns: Sequence[Turn]) -> list[tuple[Turn, Turn]]:
    """Each turn with the one before it in its session."""
    last: dict[str, Turn] = {}
    pairs: list[tuple[Turn, Turn]] = []
    for turn in turns:
        if turn.session in last:
            pairs.append((last[turn.session], turn))
        last[turn.session] = turn
    return pairs


def _size(text: str) -> float:
    return len(text) + 1.5 * len(_HAN.findall(text)) if not text.isascii() else float(len(text))


def _ramp(value: float, *, high: float, low: float) -> float:
    """1 up to ``low``, 0 from ``high``, straight between."""
    return min(1.0, max(0.0, (high - value) / (high - low)))
