"""Turns that must be consolidated again: what they stood in lost a part, or their text changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final, cast

from mnemis.ports.store import View

REDO: Final = "redo"
"""State key: a JSON list of groups of turn ids; each group was one episode."""


def redo_groups(view: View) -> tuple[tuple[str, ...], ...]:
    """The groups that wait, in the order they were queued; turns that are gone are left out."""
    held = cast("list[list[str]]", json.loads(view.state(REDO) or "[]"))
    known = view.get([turn for group in held for turn in group])
    groups = (tuple(turn for turn in group if turn in known) for group in held)
    return tuple(group for group in groups if group)


def redo_state(
    view: View, groups: Iterable[Sequence[str]], *, without: Iterable[str] = ()
) -> dict[str, str]:
    """The state with these groups added; each turn waits once; ``without`` wait no longer."""
    seen = set(without)
    queued: list[list[str]] = []
    for group in (*redo_groups(view), *groups):
        fresh = [turn for turn in dict.fromkeys(group) if turn not in seen]
        seen.update(fresh)
        if fresh:
            queued.append(fresh)
    return {REDO: json.dumps(queued)}
