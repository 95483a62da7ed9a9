"""A document's place in a hierarchy of one's own: group > country > team, book > chapter.

The place stands in the metadata, under "place", as one text: "Group > Germany > Berlin". A
question that is asked at a place is answered by what holds there and by what holds above it, the
nearest first; what stands beside or below is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemis.errors import InputError
from mnemis.model.recall import Hit

PLACE = "place"
"""The metadata key."""

BETWEEN = " > "

SHARE = 0.4
"""Of the best level's score, what another level's best must reach to be on the matter at all.

Set by looking at 30 rules on three levels and 20 questions in two languages, with the default
embedder: a rule on the matter had at least 0.47 of the best (one in another language once 0.35),
one on another matter at most 0.43, mostly under 0.3.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A hit, the place it holds at, and how it was reached from there: "Group > Germany > DE-1"."""

    hit: Hit
    place: str
    path: str


def place_text(place: str | Sequence[str]) -> str:
    """A place as it is written, from labels (the general first) or from such a text.

    Raises InputError for what is neither, no label, an empty one, or one that holds the separator.
    """
    labels: Sequence[str] = ()
    if isinstance(place, str):
        labels = place.split(">")
    elif isinstance(place, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
        labels = place
    named = [label.strip() if isinstance(label, str) else "" for label in labels]  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
    if not named or not all(named) or any(">" in label for label in named):
        raise InputError(
            f"a place is labels from the general to the particular, none empty and none with "
            f'">" in it, such as ("Group", "Germany", "Berlin"); got {place!r}'
        )
    return BETWEEN.join(named)


def upward(place: str | Sequence[str]) -> tuple[str, ...]:
    """The place and all that lie above it, nearest first, as they are written."""
    labels = place_text(place).split(BETWEEN)
    return tuple(BETWEEN.join(labels[:count]) for count in range(len(labels), 0, -1))


def at_place(where: Mapping[str, object] | None, place: str) -> Mapping[str, object]:
    """A filter for what stands at this very place and meets ``where``."""
    here: Mapping[str, object] = {f"metadata.{PLACE}": place}
    return {"and": [where, here]} if where else here


def governing(levels: Sequence[tuple[str, Sequence[Hit]]]) -> tuple[Placed, ...]:
    """Of what each level (nearest first) has to say, that which is on the matter.

    Within a level best first. Where nothing scores, everything is returned, as weak as it is.
    """
    best = max((hit.score for _, hits in levels for hit in hits), default=0.0)
    return tuple(
        Placed(hit=hit, place=place, path=_path(place, hit))
        for place, hits in levels
        for hit in hits
        if hit.score >= SHARE * best
    )


def _path(place: str, hit: Hit) -> str:
    steps = hit.paths[0].steps if hit.paths else ()
    return BETWEEN.join([place, steps[-1].label]) if steps else place
