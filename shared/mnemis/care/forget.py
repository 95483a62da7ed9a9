"""forget: messages and all that rests on them go in one change; what stays is told anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mnemis.care.applying import apply_plan, scrub
from mnemis.care.reindex import index_nodes
from mnemis.care.removal import Removal, plan_everything, plan_removal
from mnemis.care.select import Selection, select_messages
from mnemis.config import Config
from mnemis.consolidate.redo import redo_state
from mnemis.consolidate.resolve import digest
from mnemis.model.change import Change, Scope
from mnemis.model.graph import NODE_KINDS, Node, Turn
from mnemis.ports.embedder import Embedder
from mnemis.ports.store import Store, View

_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What went: ids of messages and of nodes (their turns too), counts by node kind.

    ``rewritten`` nodes stay without what came from the messages, ``reinstated`` facts hold again
    because what superseded them is gone, ``waiting`` turns are consolidated anew. ``seq`` is the
    scope's sequence number afterwards. A second call reports nothing.
    """

    messages: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    rewritten: tuple[str, ...] = ()
    reinstated: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    seq: int = 0

    def __bool__(self) -> bool:
        """Whether anything went."""
        return bool(self.messages or self.deleted)


def forget(
    store: Store, scope: Scope, selection: Selection, *, embedder: Embedder, config: Config
) -> ForgetReport:
    """Forget what the selection names, atomically, then rewrite the files without it.

    A consolidation that runs meanwhile loses: it conflicts, and what it wrote from an older view
    is removed in a further round. Raises InputError, StoreError, EmbedderError.
    """
    report = ForgetReport()
    asked: tuple[str, ...] | None = None
    gone: tuple[Turn, ...] = ()
    for _ in range(_ROUNDS):
        plan = _planner(selection, asked, gone, embedder, config)
        planned, receipt = apply_plan(store, scope, plan)
        asked = planned.messages if asked is None else asked
        if receipt is None:
            break
        gone = (*gone, *planned.turns)
        report = _joined(report, planned.report, seq=receipt.seq)
    if report:
        scrub(store, scope)
    return report


def removal_change(
    view: View, removal: Removal, *, purpose: str, embedder: Embedder, config: Config
) -> Change:
    """One change that carries out a removal and queues what must be done again."""
    nodes = {node.id: node for node in removal.rewritten}
    entries = index_nodes(nodes, removal.texts, embedder=embedder)
    state = redo_state(view, removal.redo, without=[turn.id for turn in removal.turns])
    if view.state("consolidated_turn") in {turn.id for turn in removal.turns}:
        state["consolidated_turn"] = ""  # a message told again must not be taken for read
    if removal.reshaped:
        state["clustered"] = "0"  # the next consolidation builds the categories anew
    return Change(
        id=f"{purpose}-{view.seq}-{digest(*sorted(removal.messages))}",
        purpose=purpose,
        nodes=removal.rewritten,
        edges=removal.edges,
        entries=(*entries, *removal.entries),
        delete_nodes=removal.deleted,
        delete_edges=removal.deleted_edges,
        state=state,
        jobs=("consolidate",) if removal.redo and config.consolidate == "auto" else (),
        read_versions=removal.read_versions,
    )


def removal_report(removal: Removal, *, replaced: Collection[str] = ()) -> ForgetReport:
    """What a removal takes and leaves; ``replaced`` nodes are put anew and so do not go."""
    deleted = tuple(each for each in removal.deleted if each not in replaced)
    return ForgetReport(
        messages=() if replaced else removal.messages,
        deleted=deleted,
        counts=_counts(deleted),
        rewritten=tuple(node.id for node in removal.rewritten),
        reinstated=removal.reinstated,
        waiting=tuple(turn for group in removal.redo for turn in group),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One round: the messages meant, the turns that go, the report."""

    messages: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    report: ForgetReport = field(default_factory=ForgetReport)


def _planner(
    selection: Selection,
    asked: tuple[str, ...] | None,
    gone: tuple[Turn, ...],
    embedder: Embedder,
    config: Config,
) -> Callable[[View], tuple[Change | None, Planned]]:
    def plan(view: View) -> tuple[Change | None, Planned]:
        if selection.everything:
            change = plan_everything(view)
            return change, Planned() if change is None else Planned(report=_all_of(view, change))
        messages = select_messages(view, selection) if asked is None else asked
        removal = plan_removal(view, messages, earlier=gone)
        if removal is None:
            return None, Planned(messages=messages)
        change = removal_change(view, removal, purpose="forget", embedder=embedder, config=config)
        report = removal_report(removal)
        return change, Planned(messages=messages, turns=removal.turns, report=report)

    return plan


def _all_of(view: View, change: Change) -> ForgetReport:
    nodes: Sequence[Node] = view.scan("turn")
    messages = tuple(dict.fromkeys(source for turn in nodes for source in turn.sources))
    return ForgetReport(
        messages=messages, deleted=change.delete_nodes, counts=_counts(change.delete_nodes)
    )


def _counts(ids: Sequence[str]) -> dict[str, int]:
    found = Counter(each.partition(":")[0] for each in ids)
    return {kind: found.get(kind, 0) for kind in NODE_KINDS}


def _joined(first: ForgetReport, then: ForgetReport, *, seq: int) -> ForgetReport:
    deleted = tuple(dict.fromkeys((*first.deleted, *then.deleted)))
    return ForgetReport(
        messages=tuple(dict.fromkeys((*first.messages, *then.messages))),
        deleted=deleted,
        counts=_counts(deleted),
        rewritten=tuple(dict.fromkeys((*first.rewritten, *then.rewritten))),
        reinstated=tuple(dict.fromkeys((*first.reinstated, *then.reinstated))),
        waiting=tuple(dict.fromkeys((*first.waiting, *then.waiting))),
        seq=seq,
    )
