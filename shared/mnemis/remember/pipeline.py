"""remember: messages in, one durable change out; findable at once, knowledge later.

accept → number → make_turns → draft_entries → embed_entries → Change → store.apply
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mnemis.config import Config
from mnemis.errors import Conflict, EmbedderError, MessageConflict
from mnemis.model.change import Change, Scope
from mnemis.model.graph import Turn
from mnemis.model.message import Message
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import Store, View
from mnemis.remember.accept import Accepted, accept, digest
from mnemis.remember.entries import draft_entries, embed_entries
from mnemis.remember.turns import (
    Numbered,
    document_chunks,
    link_turns,
    make_turns,
    turn_id,
)

_ATTEMPTS = 5
_BATCH = 1_000  # messages a change: bounds memory and the loss on a crash within one call


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberReport:
    """What a call stored: ``ids`` of all messages in their order, ``stored`` the new ones' count.

    ``repeated`` were already there; ``unembedded`` have text but no vector (found by words only).
    """

    ids: tuple[str, ...]
    stored: int
    repeated: int
    unembedded: int
    seq: int


def remember(
    store: Store,
    scope: Scope,
    messages: Iterable[Message],
    *,
    embedder: Embedder,
    config: Config,
) -> RememberReport:
    """Store messages durably and make them findable.

    All messages are checked before the first is stored; batches of 1,000 are atomic each, so after
    a crash a repeated call completes the rest and adds nothing twice. The caller serialises
    writers of one scope. Raises InputError, MessageConflict, StoreError, EmbedderError.
    """
    accepted = accept(messages, zone=config.zone)
    reports = [
        _remember_batch(store, scope, accepted[start : start + _BATCH], embedder, config)
        for start in range(0, max(1, len(accepted)), _BATCH)
    ]
    return RememberReport(
        ids=tuple(each for report in reports for each in report.ids),
        stored=sum(report.stored for report in reports),
        repeated=sum(report.repeated for report in reports),
        unembedded=sum(report.unembedded for report in reports),
        seq=reports[-1].seq,
    )


def _remember_batch(
    store: Store,
    scope: Scope,
    accepted: Sequence[Accepted],
    embedder: Embedder,
    config: Config,
) -> RememberReport:
    for attempt in range(_ATTEMPTS):
        try:
            return _attempt(store, scope, accepted, embedder, config)
        except Conflict:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def _attempt(
    store: Store,
    scope: Scope,
    accepted: Sequence[Accepted],
    embedder: Embedder,
    config: Config,
) -> RememberReport:
    with store.view(scope) as view:
        numbered, repeated = _number(view, accepted, config)
        turns = make_turns(numbered, documents=config.documents)
        sessions = sorted({turn.session for turn in turns})
        tails = tuple(turn for session in sessions for turn in view.tail(session, limit=1))
        pending = _pending(view)
        newest = view.tail(None, limit=1)
        seq = view.seq
    ids = _all_ids(accepted, numbered)
    if not turns:
        return RememberReport(ids=ids, stored=0, repeated=repeated, unembedded=0, seq=seq)
    drafts = draft_entries(turns, part_chars=config.part_chars)
    entries = embed_entries(drafts, embed=lambda texts: _embed(embedder, texts))
    due = _is_due(turns, newest, pending=pending, config=config)
    change = Change(
        id="remember-" + digest(*(turn.id for turn in turns), turns[0].ordinal),
        purpose="remember",
        nodes=turns,
        edges=link_turns(turns, tails=tails),
        entries=entries,
        state={"next_ordinal": str(turns[-1].ordinal + 1)},
        jobs=("consolidate",) if due else (),
        read_versions={turn.id: 0 for turn in turns},
    )
    receipt = store.apply(scope, change)
    embedded = {entry.owner for entry in entries if entry.vector is not None}
    texts = {draft.owner for draft in drafts}
    return RememberReport(
        ids=ids,
        stored=len(numbered),
        repeated=repeated,
        unembedded=len(texts - embedded),
        seq=receipt.seq,
    )


def _number(
    view: View, accepted: Sequence[Accepted], config: Config
) -> tuple[tuple[Numbered, ...], int]:
    named = [each.id for each in accepted if each.id is not None]
    stored = view.by_source(named)
    ordinal = int(view.state("next_ordinal") or "0")
    numbered: list[Numbered] = []
    repeated = 0
    for each in accepted:
        if each.id is not None and each.id in stored:
            _check_same_text(view, each, config)
            repeated += 1
            continue
        identity = each.id if each.id is not None else _ordinal_id(view, ordinal)
        numbered.append(Numbered(message=each, id=identity, ordinal=ordinal))
        chunks = 1
        if each.role == "document":
            chunks = len(document_chunks(each.text, documents=config.documents))
        ordinal += chunks
    return tuple(numbered), repeated


def _ordinal_id(view: View, ordinal: int) -> str:
    identity = f"m-{ordinal}"
    while view.by_source([identity]):
        identity += "'"
    return identity


def _check_same_text(view: View, message: Accepted, config: Config) -> None:
    if message.id is None:
        return
    if message.role == "document":
        chunks = document_chunks(message.text, documents=config.documents)
        ids = [turn_id(message.id, chunk=number) for number in range(len(chunks) + 1)]
        known = view.get(ids)
        texts = tuple(known[each].text for each in ids if each in known)
        same = texts == chunks
    else:
        node = view.get([turn_id(message.id)]).get(turn_id(message.id))
        same = node is not None and node.text == message.text
    if not same:
        raise MessageConflict(
            f"message id {message.id!r} is already stored with another text; "
            "use memory.edit() to change it, or give the new message its own id"
        )


def _all_ids(accepted: Sequence[Accepted], numbered: Sequence[Numbered]) -> tuple[str, ...]:
    given = iter(each.id for each in numbered if each.message.id is None)
    return tuple(next(given) if each.id is None else each.id for each in accepted)


def _pending(view: View) -> int:
    return int(view.state("next_ordinal") or "0") - int(view.state("consolidated") or "0")


def _is_due(turns: Sequence[Turn], newest: Sequence[Turn], *, pending: int, config: Config) -> bool:
    """A session ended before or within this batch, or enough turns wait."""
    if config.consolidate != "auto":
        return False
    sessions = {turn.session for turn in (*newest, *turns)}
    return len(sessions) > 1 or pending + len(turns) >= config.consolidate_every


def _embed(embedder: Embedder, texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """The embedder's rows, checked; a row that is not finite is refused, its text kept."""
    dimension = embedder.fingerprint.dimension
    rows = np.array(embedder.embed(texts), dtype=np.float32)
    if rows.shape != (len(texts), dimension):
        raise EmbedderError(
            f"the embedder {embedder.fingerprint.model!r} returned shape {rows.shape} "
            f"for {len(texts)} texts of dimension {dimension}"
        )
    rows[~np.isfinite(rows).all(axis=1)] = 0.0
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit
