"""What overturned a good match is shown with it, and above it where the present is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mnemis.model.query import Query
from mnemis.recall.allowed import is_allowed
from mnemis.recall.candidate import Candidate
from mnemis.recall.status import Standing

ABOVE = 1e-4
"""In raw: what stands directly above another."""
_HELD_ONCE = 0.15  # of the best raw sum: lead of what no longer holds where the past is asked for
_IN_SIGHT = 0.6  # of a successor's raw sum what it replaced has at least: the change is evidence


def lift_successors(
    candidates: list[Candidate], standing: Mapping[str, Standing], query: Query
) -> list[Candidate]:
    """What replaced a good match stands above it, also where the words did not find it; when the
    past is asked for, what was replaced stands above. The other of the two stays in sight.
    """
    past = "before" in query.intents
    top = max((each.raw for each in candidates), default=0.0)
    by_id = {each.turn.id: each for each in candidates}
    for each in candidates:
        stands = standing.get(each.turn.id)
        if stands is None or stands.status != "superseded":
            continue
        shown = [s for s in stands.successors if is_allowed(s.turn, query)]
        if not shown:
            continue
        newest, old = shown[-1], by_id[each.turn.id]
        new = by_id.get(newest.turn.id)
        if past:
            best = max((by_id[s.turn.id].raw for s in shown if s.turn.id in by_id), default=0.0)
            lead = old.raw + _HELD_ONCE * top
            by_id[old.turn.id] = old.raised(max(best + ABOVE, lead))
            continue
        if new is None:
            new = Candidate(
                turn=newest.turn, raw=0.0, score=0.0, covered=0.0, matched=0.0, walks=()
            )
        if new.raw <= old.raw:
            by_id[newest.turn.id] = replace(
                new.raised(old.raw + ABOVE), lifted_by=(*new.lifted_by, newest)
            )
        elif old.raw < _IN_SIGHT * new.raw:
            by_id[old.turn.id] = old.raised(_IN_SIGHT * new.raw)
    return sorted(by_id.values(), key=lambda each: (-each.raw, each.turn.id))
