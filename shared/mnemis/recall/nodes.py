"""Recall of facts, entities, episodes or categories, when the filter asks for them by kind.

Turns are what recall is ranked for; other kinds are found by meaning and words alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from mnemis.model.filter import Compare, Filter, Junction
from mnemis.model.graph import NODE_KINDS, Fact, Node, NodeKind
from mnemis.model.query import Query
from mnemis.model.recall import Hit, Path, Step
from mnemis.ports.store import Matches, View
from mnemis.recall.labels import label_of, one_line
from mnemis.recall.similarity import Probe, normalised

_LONGEST_CHAIN = 8


def kinds_wanted(where: Filter | None) -> tuple[NodeKind, ...]:
    """Kinds that a filter narrows the answer to; ("turn",) when it says nothing of kinds or
    allows turns too.
    """
    parts = where.operands if isinstance(where, Junction) and where.kind == "and" else (where,)
    wanted: tuple[NodeKind, ...] = ("turn",)
    for part in parts:
        if isinstance(part, Compare) and part.field == "kind" and part.operator in ("eq", "in"):
            values = part.value if isinstance(part.value, tuple) else (part.value,)
            wanted = tuple(kind for kind in NODE_KINDS if kind in values)
    return ("turn",) if "turn" in wanted else wanted


def find_nodes(
    view: View, query: Query, probe: Probe, *, kinds: Sequence[NodeKind], k: int
) -> tuple[Hit, ...]:
    """The k nodes of these kinds that fit best, filled up with the newest others; scores in
    [0, 1] are half meaning, half words, each as a share of the best.
    """
    meaning: list[Matches] = []
    words: list[Matches] = []
    if probe.vector is not None:
        meaning.append(view.nearest(probe.vector, k=k, kinds=kinds, where=query.where))
    if probe.tokens:
        words.append(view.search(probe.tokens, k=k, kinds=kinds, where=query.where))
    by_meaning, by_words = normalised(meaning), normalised(words)
    found = {
        node: 0.5 * by_meaning.get(node, 0.0) + 0.5 * by_words.get(node, 0.0)
        for node in (*by_meaning, *by_words)
    }
    if len(found) < k:
        newest = view.timeline(kinds=kinds, limit=k + len(found), where=query.where)
        found.update((node, 0.0) for node in newest if node not in found)
    nodes = view.get(list(found))
    allowed = [node for node in nodes.values() if _is_allowed(node, query)]
    allowed.sort(key=lambda node: (-found[node.id], node.id))
    return tuple(_hit(view, node, found[node.id]) for node in allowed[:k])


def _is_allowed(node: Node, query: Query) -> bool:
    if node.status == "archived" and not query.include_archived:
        return False
    if query.as_of is None:
        return True
    if isinstance(node, Fact) and node.valid_from is not None:
        ended = node.valid_to is not None and node.valid_to <= query.as_of
        return node.valid_from <= query.as_of and not ended
    return node.time is None or node.time <= query.as_of


def _hit(view: View, node: Node, score: float) -> Hit:
    path = Path(route="similarity", steps=(Step(node=node.id, label=label_of(node)),), score=score)
    return Hit(
        id=node.id,
        text=node.text,
        kind=node.kind,
        score=min(1.0, score),
        sources=node.sources,
        paths=(path,),
        why=one_line(f"similarity: {label_of(node)}", limit=160),
        time=node.time,
        speaker=node.speaker if isinstance(node, Fact) else "",
        status=node.status,
        successors=_successors(view, node, path, score) if node.status == "superseded" else (),
        weak=score <= 0,
        metadata=node.metadata,
    )


def _successors(view: View, node: Node, path: Path, score: float) -> tuple[Hit, ...]:
    """Facts that replaced this one, in order, each with the walk that leads to it."""
    chain: list[Hit] = []
    steps, here, seen = path.steps, node.id, {node.id}
    for _ in range(_LONGEST_CHAIN):
        edges = view.neighbours([here], types=("supersedes",), direction="in").get(here, ())
        newer = view.get([edge.source for edge in edges if edge.source not in seen])
        if not newer:
            break
        edge, fact = max(
            ((edge, newer[edge.source]) for edge in edges if edge.source in newer),
            key=lambda each: (each[1].time.timestamp() if each[1].time else 0.0, each[1].id),
        )
        here = fact.id
        seen.add(here)
        steps = (*steps, Step(node=here, label=label_of(fact), edge=edge.key))
        walked = Path(route="relations", steps=steps, score=1.0)
        chain.append(
            Hit(
                id=fact.id,
                text=fact.text,
                kind=fact.kind,
                score=min(1.0, score),
                sources=fact.sources,
                paths=(walked,),
                why=one_line(str(walked), limit=160),
                time=fact.time,
                status=fact.status,
                metadata=fact.metadata,
            )
        )
    return tuple(chain)
