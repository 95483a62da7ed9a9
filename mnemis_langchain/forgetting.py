"""Taking messages out of a memory, with everything that rests on them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import uuid4

from mnemis import Memory
from mnemis.errors import Conflict
from mnemis.model.change import Change

_ATTEMPTS = 5


def forget_messages(memory: Memory, ids: Iterable[str]) -> tuple[str, ...]:
    """Remove these messages in one transaction; the ids of those that were there."""
    memory.mnemis.check_writable()
    wanted = tuple(dict.fromkeys(ids))
    for attempt in range(_ATTEMPTS):
        with memory.mnemis.store.view(memory.scope) as view:
            resting = view.by_source(wanted)
            nodes = tuple(sorted({node for each in resting.values() for node in each}))
            versions = dict(view.versions(nodes))
        if not nodes:
            return ()
        change = Change(
            id=f"forget-{uuid4().hex}", purpose="forget", delete_nodes=nodes, read_versions=versions
        )
        try:
            memory.mnemis.store.apply(memory.scope, change)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return tuple(each for each in wanted if each in resting)
    raise AssertionError("unreachable: the last attempt returns or raises")


def forget_session(memory: Memory, session: str) -> tuple[str, ...]:
    """Remove all that was said in one session; the ids of its messages."""
    with memory.mnemis.store.view(memory.scope) as view:
        said = view.tail(session, limit=view.stats().nodes.get("turn", 0))
    return forget_messages(memory, [turn.message_id for turn in said])
