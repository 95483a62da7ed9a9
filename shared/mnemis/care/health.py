"""health: what the memory looks like inside, and what to do about what is not well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean, median

from mnemis.care.topics import children_of, find_cycles
from mnemis.config import Config
from mnemis.consolidate.redo import redo_groups
from mnemis.model.change import Job
from mnemis.model.graph import NODE_KINDS, Category, Entity, Episode, Fact, Node
from mnemis.ports.store import View
from mnemis.text.normalise import name_key

_HUB = 200
_WIDE = 40
_STALE = timedelta(days=365)
_MOST_IDS = 50
_BAND = (0.2, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not well: ``count`` nodes, the first 50 ``ids`` of them, what to do."""

    kind: str
    count: int
    ids: tuple[str, ...]
    what: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """``counts`` by node kind; ``pending`` turns wait for consolidation; ``compression`` is child
    categories a leaf (episodes and entities), ``width`` the most children of a category, ``depth``
    the number of layers, ``drift`` the mean share of a category's members that changed since it
    was built (None when that is not known); ``degrees`` and ``weights`` give least, median, mean
    and most; ``span`` first and last time said.
    """

    counts: Mapping[str, int]
    edges: int
    pending: int
    failed: int
    compression: float
    width: int
    depth: int
    drift: float | None
    degrees: Mapping[str, float]
    weights: Mapping[str, float]
    span: tuple[datetime | None, datetime | None]
    findings: tuple[Finding, ...]

    @property
    def well(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def health(view: View, *, jobs: Sequence[Job], config: Config) -> HealthReport:
    """Look at the whole scope; one pass over its nodes and edges."""
    nodes = {node.id: node for kind in NODE_KINDS for node in view.scan(kind)}
    edges = view.edges()
    degrees = Counter(end for edge in edges for end in {edge.source, edge.target})
    inside = children_of(view)
    counts: dict[str, int] = {
        kind: sum(node.kind == kind for node in nodes.values()) for kind in NODE_KINDS
    }
    waiting = _pending(view)
    times = sorted(node.time for node in view.scan("turn") if node.time is not None)
    failed = [job for job in jobs if job.status == "failed"]
    members = Counter(edge.target for edge in edges if edge.type == "belongs_to")
    wide = {key: members[key] for key, node in nodes.items() if isinstance(node, Category)}
    leaves = counts["episode"] + counts["entity"]
    drift = _drift(nodes, wide)
    findings = [
        *_orphans(nodes, degrees),
        *_hubs(nodes, degrees),
        *_duplicates(nodes),
        *_facts(nodes, newest=times[-1] if times else None),
        *_failures(nodes, failed),
        *_unconsolidated(waiting, config),
        *_categories(wide, inside, counts, leaves, drift, config),
    ]
    return HealthReport(
        counts=counts,
        edges=len(edges),
        pending=waiting,
        failed=len(failed) + sum(_has_failed(node) for node in nodes.values()),
        compression=counts["category"] / leaves if leaves else 0.0,
        width=max(wide.values(), default=0),
        depth=max((n.layer for n in nodes.values() if isinstance(n, Category)), default=0),
        drift=drift,
        degrees=_spread([degrees.get(key, 0) for key in nodes]),
        weights=_spread([edge.weight for edge in edges]),
        span=(times[0], times[-1]) if times else (None, None),
        findings=tuple(findings),
    )


def _pending(view: View) -> int:
    fresh = int(view.state("next_ordinal") or "0") - int(view.state("consolidated") or "0")
    return max(0, fresh) + sum(len(group) for group in redo_groups(view))


def _orphans(nodes: Mapping[str, Node], degrees: Mapping[str, int]) -> Iterator[Finding]:
    alone = [key for key, n in nodes.items() if n.kind != "turn" and not degrees.get(key)]
    yield from _found(
        "orphans",
        alone,
        "are connected to nothing",
        "run consolidate(); forget their messages if they are noise",
    )
    derived = ("episode", "fact", "entity")
    loose = [key for key, n in nodes.items() if n.kind in derived and not n.sources]
    yield from _found(
        "unsupported",
        loose,
        "rest on no message",
        "export, forget everything and import again",
    )


def _hubs(nodes: Mapping[str, Node], degrees: Mapping[str, int]) -> Iterator[Finding]:
    bar = max(_HUB, 20 * median(degrees.values())) if degrees else _HUB
    wide = [key for key, n in nodes.items() if n.kind != "category" and degrees.get(key, 0) > bar]
    wide.sort(key=lambda key: (-degrees[key], key))
    yield from _found(
        "hubs",
        wide,
        f"have more than {bar:.0f} edges",
        "give them a qualifier, or skip their edge types in Config.recall.skip_types",
    )


def _duplicates(nodes: Mapping[str, Node]) -> Iterator[Finding]:
    named = _groups(
        (key, (name_key(n.name), name_key(n.qualifier), n.type))
        for key, n in nodes.items()
        if isinstance(n, Entity)
    )
    yield from _found("duplicate_entities", named, "share name and type with another", "merge them")
    said = _groups(
        (key, (n.subject_id or n.subject, n.relation, n.aspect, name_key(n.object), n.polarity))
        for key, n in nodes.items()
        if isinstance(n, Fact) and n.status == "current"
    )
    yield from _found("duplicate_facts", said, "say the same as another", "run consolidate()")


def _facts(nodes: Mapping[str, Node], *, newest: datetime | None) -> Iterator[Finding]:
    facts = {key: node for key, node in nodes.items() if isinstance(node, Fact)}
    disputed = [key for key, fact in facts.items() if fact.status == "disputed"]
    yield from _found(
        "disputed",
        disputed,
        "are contradicted",
        "ask which holds; the answer, remembered, settles it",
    )
    current = {key: fact for key, fact in facts.items() if fact.status == "current"}
    ended = [k for k, f in current.items() if newest and f.valid_to and f.valid_to <= newest]
    yield from _found(
        "ended", ended, "count as current though they have ended", "run consolidate()"
    )
    stale = [
        key
        for key, fact in current.items()
        if newest and fact.time and newest - fact.time > _STALE and len(fact.sources) == 1
    ]
    yield from _found(
        "stale",
        stale,
        "were said once, over a year before the newest message",
        "ask whether they still hold, or pin them",
    )


def _failures(nodes: Mapping[str, Node], failed: Sequence[Job]) -> Iterator[Finding]:
    episodes = [key for key, node in nodes.items() if _has_failed(node)]
    yield from _found(
        "failed_episodes",
        episodes,
        "could not be read by the extractor; rules stood in",
        "consolidate(retry_failed=True)",
    )
    yield from _found(
        "failed_jobs",
        [job.id for job in failed],
        "of consolidation failed",
        "see jobs() for why, then call consolidate() again; success clears them",
    )
    lossy = [
        key
        for key, node in nodes.items()
        if isinstance(node, Episode) and node.note and key not in episodes
    ]
    yield from _found(
        "lossy_summaries",
        lossy,
        "have numbers or names that their summary leaves out",
        "show(id) tells which; the turns keep them",
    )


def _has_failed(node: Node) -> bool:
    return isinstance(node, Episode) and node.metadata.get("status") == "failed"


def _unconsolidated(waiting: int, config: Config) -> Iterator[Finding]:
    if waiting > (0 if config.consolidate == "manual" else config.consolidate_every):
        yield Finding(
            kind="pending",
            count=waiting,
            ids=(),
            what=f"{waiting} turns wait for consolidation",
            advice="run consolidate(), or drain() while the worker is at it",
        )


def _categories(
    wide: Mapping[str, int],
    inside: Mapping[str, Sequence[str]],
    counts: Mapping[str, int],
    leaves: int,
    drift: float | None,
    config: Config,
) -> Iterator[Finding]:
    cycles = sorted({child for _, child in find_cycles(inside)})
    yield from _found(
        "cycles", cycles, "lie beneath themselves", "run consolidate() to rebuild the categories"
    )
    bar = max(_WIDE, leaves // 4)
    broad = [key for key, count in wide.items() if count > bar]
    yield from _found(
        "wide", broad, f"have more than {bar} members", "split them, or consolidate()"
    )
    narrow = [key for key, count in wide.items() if count < 1]
    yield from _found("empty", narrow, "have no members", "run consolidate()")
    share = counts["category"] / leaves if leaves else 0.0
    low, high = _BAND
    if leaves >= 20 and counts["category"] and not low / 2 <= share <= high * 1.5:
        yield Finding(
            kind="compression",
            count=counts["category"],
            ids=(),
            what=f"{share:.2f} categories a leaf; {low} to {high} serve best",
            advice="more layers help when it is low, a larger min_children when it is high",
        )
    if drift is not None and drift > config.categories.drift:
        yield Finding(
            kind="drift",
            count=counts["category"],
            ids=(),
            what=f"a mean share of {drift:.2f} of the members changed since categories were built",
            advice="run consolidate() to rebuild them",
        )


def _drift(nodes: Mapping[str, Node], members: Mapping[str, int]) -> float | None:
    """How far the sizes moved from those at building, a lower bound of 1 - Jaccard."""
    moved: list[float] = []
    for key, count in members.items():
        size = nodes[key].metadata.get("size")
        if isinstance(size, int) and max(size, count):
            moved.append(1.0 - min(size, count) / max(size, count))
    return mean(moved) if moved else None


def _found(kind: str, ids: Sequence[str], what: str, advice: str) -> Iterator[Finding]:
    if ids:
        noun = kind.replace("_", " ")
        yield Finding(
            kind=kind,
            count=len(ids),
            ids=tuple(ids[:_MOST_IDS]),
            what=f"{len(ids)} ({noun}) {what}",
            advice=advice,
        )


def _groups(keyed: Iterator[tuple[str, object]]) -> list[str]:
    held: dict[object, list[str]] = {}
    for key, shared in keyed:
        held.setdefault(shared, []).append(key)
    return sorted(key for found in held.values() if len(found) > 1 for key in found)


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"least": 0.0, "median": 0.0, "mean": 0.0, "most": 0.0}
    measures: dict[str, Callable[[Sequence[float]], float]] = {
        "least": min,
        "median": median,
        "mean": mean,
        "most": max,
    }
    return {name: float(measure(values)) for name, measure in measures.items()}
