"""Whom "she" and "it" mean: the only one who, or the only matter that, was spoken of just before.

A sentence is read as if it named what its first word stands for; where two would fit, it is left
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from mnemis.consolidate.rules.claims import Claim
from mnemis.text.normalise import language, name_key

_THING_SAID: Final = frozenset({"costs", "scheduled_for", "located_in", "supplied_by", "made_by"})
_IT: Final = re.compile(
    r"^(?:(?:and|but|so|now|actually|sorry)[\s,]+)*(?P<p>it|it['’]s)\s+(?=(?:now\s+)?(?:costs?|is|was|has|moved?|moves|goes|went|takes|got)\b|\$?\d|on\b|at\b|in\b)",
    re.IGNORECASE,
)
_THEY: Final = re.compile(
    r"^(?:(?:and|but|so|now)[\s,]+)*(?P<p>he|she)\b(?!['’]d|['’]ll)", re.IGNORECASE
)
_THEY_ZH: Final = re.compile(r"^(?:而且|但是?|所以|另外|现在|不过)?[，,]?(?P<p>[他她])(?!们|家)")
_BACK: Final = 2

_Spoken = tuple[int, int, str]


@dataclass(slots=True)
class Antecedents:
    """What the last turns spoke of: people named and matters stated about, each as (index of the
    turn, offset in it, name).
    """

    people: list[_Spoken] = field(default_factory=list["_Spoken"])
    matters: list[_Spoken] = field(default_factory=list["_Spoken"])

    def note(self, turn: int, start: int, claims: Iterable[Claim]) -> None:
        """Take up the matters of a sentence's claims."""
        for claim in claims:
            if claim.relation in _THING_SAID and claim.subject and not claim.owned:
                self.matters.append((turn, start, claim.subject))

    def meet(self, turn: int, names: Iterable[tuple[int, str]]) -> None:
        """Take up people named in a turn, with the offsets of their names."""
        self.people.extend((turn, start, name) for start, name in names)

    def read(self, text: str, *, turn: int, start: int, speaker: str) -> str:
        """``text`` with its opening pronoun replaced by what it stands for, if one thing fits."""
        if language(text) == "zh":
            match = _THEY_ZH.match(text.strip())
            name = self._only(self.people, (turn, start), besides=speaker) if match else ""
            return f"{name}{text.strip()[match.end('p') :]}" if match and name else text
        if match := _IT.match(text.strip()):
            name = self._only(self.matters, (turn, start), besides="")
            called = match.group("p").lower()
            verb = " is" if called != "it" else ""
            if name:
                name = name if name[:1].isupper() else f"The {name}"
                return f"{name}{verb}{text.strip()[match.end('p') :]}"
        elif match := _THEY.match(text.strip()):
            name = self._only(self.people, (turn, start), besides=speaker)
            if name:
                return f"{name}{text.strip()[match.end('p') :]}"
        return text

    def _only(self, held: Sequence[_Spoken], before: tuple[int, int], *, besides: str) -> str:
        near = {
            name_key(name): name
            for turn, start, name in held
            if before[0] - turn < _BACK
            and (turn, start) < before
            and name_key(name) != name_key(besides)
        }
        return next(iter(near.values())) if len(near) == 1 else ""
