"""edit: a message is corrected where it stands; what was made of the old text goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np

from mnemis.care.applying import apply_plan, scrub
from mnemis.care.forget import ForgetReport, removal_change, removal_report
from mnemis.care.marks import find_nodes
from mnemis.care.removal import plan_removal
from mnemis.config import Config
from mnemis.consolidate.redo import redo_state
from mnemis.consolidate.resolve import digest
from mnemis.consolidate.titles import title_of
from mnemis.errors import EmbedderError, InputError
from mnemis.model.change import Change, Scope
from mnemis.model.graph import Edge, Episode, Turn
from mnemis.model.marks import RESERVED
from mnemis.model.message import Json, Message
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import Floats, Store, View
from mnemis.remember.accept import Accepted, accept, check_metadata
from mnemis.remember.entries import draft_entries, embed_entries
from mnemis.remember.turns import Numbered, link_turns, make_turns

_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """``message_id`` is unchanged; ``turns`` are its node ids now; ``removed`` tells what was made
    of the old text and went; ``changed`` False when it said all this already.
    """

    message_id: str
    turns: tuple[str, ...]
    changed: bool
    removed: ForgetReport
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is to be different; None leaves it."""

    text: str | None
    metadata: Mapping[str, Json] | None
    time: datetime | None
    speaker: str | None


def check_correction(
    *,
    text: str | None,
    metadata: Mapping[str, Json] | None,
    time: datetime | None,
    speaker: str | None,
) -> Correction:
    """The arguments as one value. Raises InputError when nothing is to change."""
    if text is None and metadata is None and time is None and speaker is None:
        raise InputError("edit() wants at least one of text=, metadata=, time=, speaker=")
    if metadata is not None:
        metadata = check_metadata(metadata, where="edit()")
        if bad := [key for key in metadata if key.startswith(RESERVED)]:
            raise InputError(f"metadata keys that begin with {RESERVED!r} are reserved: {bad[0]!r}")
    return Correction(text=text, metadata=metadata, time=time, speaker=speaker)


def edit(
    store: Store,
    scope: Scope,
    message_id: str,
    correction: Correction,
    *,
    embedder: Embedder,
    config: Config,
) -> EditReport:
    """Replace a message in place, in one change; nothing of its old text stays in any file.

    Raises InputError for an unknown message, StoreError, EmbedderError.
    """

    earlier: tuple[Turn, ...] = ()
    report: EditReport | None = None
    for _ in range(_ROUNDS):

        def plan(view: View, earlier: tuple[Turn, ...] = earlier) -> tuple[Change | None, _Planned]:
            return _plan(view, message_id, correction, earlier, embedder=embedder, config=config)

        planned, receipt = apply_plan(store, scope, plan)
        report = planned.report if report is None else report
        if receipt is None:
            break
        removed = replace(report.removed, seq=receipt.seq)
        report = replace(report, seq=receipt.seq, removed=removed)
        if receipt.seq == planned.seq + 1:
            break  # nobody read the old text in between
        earlier = (*earlier, *planned.old)
    assert report is not None
    if report.changed:
        scrub(store, scope)
    return report


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    """One round: the turns that are replaced, the sequence number they were read at."""

    report: EditReport
    old: tuple[Turn, ...]
    seq: int


def _plan(
    view: View,
    message_id: str,
    correction: Correction,
    earlier: tuple[Turn, ...],
    *,
    embedder: Embedder,
    config: Config,
) -> tuple[Change | None, _Planned]:
    old = _turns_of(view, message_id)
    message_id = old[0].message_id
    new = _corrected(view, old, correction, config)
    changed = new != old or bool(earlier)
    if not changed or (not earlier and _say_the_same(new, old)):
        change = _with_metadata(view, new) if changed else None
        report = _report(message_id, new, ForgetReport(), changed=changed, seq=view.seq)
        return change, _Planned(report=report, old=old, seq=view.seq)
    removal = plan_removal(view, [message_id], bridge=False, earlier=earlier)
    if removal is None:
        raise InputError(f"there is no message {message_id!r}")
    change = removal_change(view, removal, purpose="edit", embedder=embedder, config=config)
    drafts = draft_entries(new, part_chars=config.part_chars)
    entries = embed_entries(drafts, embed=lambda texts: _embed(embedder, texts))
    change = replace(
        change,
        nodes=(*change.nodes, *new),
        edges=(*change.edges, *_links(view, old, new)),
        entries=(*change.entries, *entries),
        state={**change.state, **_again(view, old, new, removal.redo)},
        jobs=("consolidate",) if config.consolidate == "auto" else (),
    )
    removed = removal_report(removal, replaced={turn.id for turn in new})
    report = _report(message_id, new, removed, changed=True, seq=view.seq)
    return change, _Planned(report=report, old=old, seq=view.seq)


def _turns_of(view: View, message_id: str) -> tuple[Turn, ...]:
    """All turns of the message that is, or of which one turn is, ``message_id``."""
    found = find_nodes(view, message_id)
    first = found[0]
    if not isinstance(first, Turn):
        raise InputError(f"{message_id!r} is not a message; edit the message it rests on")
    turns = find_nodes(view, first.message_id)
    return tuple(each for each in turns if isinstance(each, Turn))


def _say_the_same(new: Sequence[Turn], old: Sequence[Turn]) -> bool:
    return len(new) == len(old) and all(map(_same_saying, new, old))


def _again(
    view: View, old: Sequence[Turn], new: Sequence[Turn], groups: Sequence[Sequence[str]]
) -> dict[str, str]:
    """The edited turn is read again together with the turns around it, unless it still waits."""
    state: dict[str, str] = {}
    last = new[-1].ordinal + 1
    if last > int(view.state("next_ordinal") or "0"):
        state["next_ordinal"] = str(last)
    titled = int(view.state("titled") or "0")
    if titled > new[0].ordinal and any(title_of(turn) for turn in (*old, *new)):
        state["titled"] = str(new[0].ordinal)
    done = int(view.state("consolidated") or "0")
    known = {turn.id for turn in old}
    again = [turn.id for turn in new if turn.ordinal < done and turn.id in known]
    if not again:
        return state
    episode = next((each for each in _episode_turns(view, old) if set(again) & set(each)), ())
    whole = tuple(each for each in episode if each not in known or each in again) or tuple(again)
    rest = [group for group in groups if not set(group) & set(whole)]
    return {**state, **redo_state(view, [whole, *rest])}


def _episode_turns(view: View, old: Sequence[Turn]) -> list[tuple[str, ...]]:
    near = view.neighbours([turn.id for turn in old], types=("belongs_to",), direction="out")
    ids = sorted({edge.target for edges in near.values() for edge in edges})
    return [node.turns for node in view.get(ids).values() if isinstance(node, Episode)]


def _corrected(
    view: View, old: Sequence[Turn], correction: Correction, config: Config
) -> tuple[Turn, ...]:
    first = old[0]
    kept = {key: value for key, value in first.metadata.items() if key.startswith(RESERVED)}
    metadata = dict(first.metadata)
    if correction.metadata is not None:
        metadata = {**correction.metadata, **kept}
    if correction.text is None and first.role == "document":
        return tuple(_redress(turn, correction, metadata, config.zone) for turn in old)
    text = first.text if correction.text is None else correction.text
    accepted = _accepted(first, text, correction, metadata, config)
    ordinal = first.ordinal
    if first.role == "document":  # more chunks than before must not stand where others are
        ordinal = int(view.state("next_ordinal") or "0")
    turns = make_turns(
        [Numbered(message=accepted, id=first.message_id, ordinal=ordinal)],
        documents=config.documents,
    )
    if [turn.text for turn in turns] == [turn.text for turn in old]:
        turns = tuple(
            replace(turn, ordinal=before.ordinal) for turn, before in zip(turns, old, strict=True)
        )
    return tuple(replace(turn, importance=first.importance, status=first.status) for turn in turns)


def _accepted(
    first: Turn, text: str, correction: Correction, metadata: Mapping[str, Json], config: Config
) -> Accepted:
    message = Message(
        id=first.message_id,
        role=first.role,
        text=text,
        speaker=correction.speaker if correction.speaker is not None else first.speaker,
        time=correction.time if correction.time is not None else first.time,
        session=first.session,
        metadata=metadata,
        parts=first.parts,
    )
    return accept([message], zone=config.zone)[0]


def _redress(
    turn: Turn, correction: Correction, metadata: Mapping[str, Json], zone: tzinfo
) -> Turn:
    time = correction.time if correction.time is not None else turn.time
    if time is not None and time.tzinfo is None:
        time = time.replace(tzinfo=zone)
    speaker = correction.speaker if correction.speaker is not None else turn.speaker
    return replace(turn, time=time, speaker=speaker, metadata=metadata)


def _same_saying(new: Turn, old: Turn) -> bool:
    return (new.id, new.text, new.time, new.speaker, new.ordinal) == (
        old.id,
        old.text,
        old.time,
        old.speaker,
        old.ordinal,
    )


def _with_metadata(view: View, new: Sequence[Turn]) -> Change:
    ids = [turn.id for turn in new]
    return Change(
        id=f"edit-{view.seq}-{digest(*ids)}",
        purpose="edit",
        nodes=tuple(new),
        read_versions=dict(view.versions(ids)),
    )


def _links(view: View, old: Sequence[Turn], new: Sequence[Turn]) -> list[Edge]:
    """The new turns between the old neighbours."""
    ids = {turn.id for turn in old}
    near = view.neighbours(sorted(ids), types=("next",))
    ends = {end for edges in near.values() for edge in edges for end in edge.key[:2]} - ids
    turns = [turn for turn in view.get(sorted(ends)).values() if isinstance(turn, Turn)]
    before = [turn for turn in turns if turn.ordinal <= old[0].ordinal]
    after = [turn for turn in turns if turn.ordinal > old[0].ordinal]
    return list(link_turns([*new, *after], tails=before))


def _report(
    message_id: str, turns: Sequence[Turn], removed: ForgetReport, *, changed: bool, seq: int
) -> EditReport:
    return EditReport(
        message_id=message_id,
        turns=tuple(turn.id for turn in turns),
        changed=changed,
        removed=removed,
        seq=seq,
    )


def _embed(embedder: Embedder, texts: Sequence[str]) -> Floats:
    rows = np.array(embedder.embed(texts), dtype=np.float32)
    if rows.shape != (len(texts), embedder.fingerprint.dimension):
        raise EmbedderError(
            f"the embedder {embedder.fingerprint.model!r} returned shape {rows.shape} "
            f"for {len(texts)} texts of dimension {embedder.fingerprint.dimension}"
        )
    rows[~np.isfinite(rows).all(axis=1)] = 0.0
    return rows
