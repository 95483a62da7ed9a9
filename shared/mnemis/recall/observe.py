"""What can be seen of a memory from outside: who talks how. It scales the ranking's weights.

Never a data set's name: only roles, lengths, turn-taking and sessions of the newest turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from mnemis.model.graph import Turn
from mnemis.ports.store import View

_SAMPLE = 400
_MACHINES = ("assistant", "tool", "system")
_NOTE_CHARS = 100  # a memory of shorter messages, without dialogue, is a notebook
_TITLE_CHARS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """``dialogue`` in [0, 1]: turns that follow another person's in their session, full from
    80 %; ``assisted``: share of assistant turns; ``document``: most messages carry a title line
    or stand alone in their session; ``note``: short messages, nobody replying; ``length``: median
    characters; ``speakers``: names heard, most frequent first.
    """

    dialogue: float
    assisted: float
    document: bool
    note: bool
    length: float
    speakers: tuple[str, ...]


def observe(view: View) -> Observation:
    """Look at up to 400 newest turns."""
    return observe_turns(view.tail(None, limit=_SAMPLE))


def observe_turns(turns: Sequence[Turn]) -> Observation:
    """The same over given turns, in order."""
    count = max(1, len(turns))
    last: dict[str, Turn] = {}
    follows = replies = 0
    for turn in turns:
        before = last.get(turn.session)
        last[turn.session] = turn
        if before is None:
            continue
        follows += 1
        people = before.role not in _MACHINES and turn.role not in _MACHINES
        replies += people and before.speaker != turn.speaker
    alternating = replies / count
    dialogue = min(1.0, 1.25 * alternating) if alternating > 0.2 else 0.0
    assisted = sum(turn.role in _MACHINES for turn in turns) / count
    titled = sum(bool(title_line(turn.text)) for turn in turns) / count
    document = bool(turns) and (titled >= 0.5 or follows / count < 0.2) and not dialogue
    length = float(median([len(turn.text) for turn in turns] or [1]))
    heard = Counter(turn.speaker for turn in turns)
    return Observation(
        dialogue=dialogue,
        assisted=assisted,
        document=document,
        note=bool(turns) and not (dialogue or assisted or document) and length <= _NOTE_CHARS,
        length=length,
        speakers=tuple(name for name, _ in heard.most_common()),
    )


def title_line(text: str) -> str:
    """The first line, when it stands over a text as its title; else nothing."""
    head, _, rest = text.partition("\n")
    is_title = rest.strip() and len(head) <= _TITLE_CHARS and head[-1:] not in ".!?。！？:："
    return head.strip() if is_title else ""
