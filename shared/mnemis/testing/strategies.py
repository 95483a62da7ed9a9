"""Random changes for hypothesis: a small world of ids, so that they meet, replace and delete."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

from hypothesis import strategies as st

from mnemis.model.change import Change, EntryKind, IndexEntry, Vector
from mnemis.model.filter import Filter, parse_filter
from mnemis.model.graph import Edge, Node, Status
from mnemis.testing.store_samples import START, change, direction, entity, fact, turn

TOKENS = ("tea", "milk", "a", "退款", "launch")
NAMES = ("ana", "安娜", "java")
SPEAKERS = ("Ana", "博")
NUMBERS = st.integers(0, 5)
KINDS: tuple[EntryKind, ...] = ("turn", "window", "part", "fact", "entity")

texts = st.text(st.characters(codec="utf-8"), max_size=4)
state_keys: st.SearchStrategy[str] = st.sampled_from(("a", "b"))
messages = NUMBERS.map(lambda number: f"m{number}")


@st.composite
def nodes(draw: st.DrawFn) -> Node:
    """A turn, fact or entity out of six of each."""
    number = draw(NUMBERS)
    kind = draw(st.sampled_from(("turn", "turn", "fact", "entity")))
    if kind == "fact":
        found = fact(str(number), *draw(st.lists(messages, max_size=2, unique=True)))
        status: Status = draw(st.sampled_from(("current", "superseded")))
        return replace(found, status=status, text=draw(texts))
    if kind == "entity":
        return entity(str(number), *draw(st.lists(messages, max_size=2, unique=True)))
    zone = timezone(timedelta(minutes=draw(st.integers(-720, 840))))
    said = turn(
        number,
        draw(texts),
        speaker=draw(st.sampled_from(SPEAKERS)),
        session=draw(st.sampled_from(("s1", "s2"))),
        message=draw(messages),
        time=(START + timedelta(minutes=draw(st.integers(0, 3)))).astimezone(zone),
        metadata={"n": draw(st.integers(0, 3))},
    )
    return replace(said, ordinal=draw(st.integers(0, 8)))


node_ids = st.sampled_from(
    [f"{kind}{number}" for kind in ("turn:m", "fact:", "entity:") for number in range(6)]
)


@st.composite
def vectors(draw: st.DrawFn) -> Vector:
    """One of a few directions whose cosines are equal or far apart."""
    return direction(*draw(st.sampled_from(((1,), (0, 1), (1, 1), (-1,), (1, 2, 2)))))


@st.composite
def edges(draw: st.DrawFn) -> Edge:
    """An edge between any two ids."""
    return Edge(
        source=draw(node_ids),
        target=draw(node_ids),
        type=draw(st.sampled_from(("next", "mentions"))),
        weight=draw(st.sampled_from((0.25, 0.5, 1.0))),
        context=draw(st.sampled_from(("", "category:x"))),
    )


@st.composite
def entries(draw: st.DrawFn) -> IndexEntry:
    """An entry of any id; the few suffixes make entries change their kind."""
    owner = draw(node_ids)
    return IndexEntry(
        id=owner + draw(st.sampled_from(("", "", "#1", "#2"))),
        kind=draw(st.sampled_from(KINDS)),
        owner=owner,
        sources=(),
        terms=tuple(draw(st.lists(st.sampled_from(TOKENS), max_size=5))),
        vector=draw(st.none() | vectors()),
        names=tuple(draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))),
    )


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """A change that may be refused, in conflict, or fine."""
    put = draw(st.lists(nodes(), max_size=5))
    links = draw(st.lists(edges(), max_size=3))
    found = draw(st.lists(entries(), max_size=4))
    if draw(st.integers(0, 3)):  # mostly a change that is not refused
        there = {node.id for node in put}
        links = [edge for edge in links if {edge.source, edge.target} <= there]
        found = [entry for entry in found if entry.owner in there]
    return change(
        *put,
        edges=links,
        entries=found,
        delete_nodes=draw(st.lists(node_ids, max_size=2)),
        delete_edges=[edge.key for edge in draw(st.lists(edges(), max_size=1))],
        delete_entries=[entry.id for entry in draw(st.lists(entries(), max_size=1))],
        state=draw(st.dictionaries(state_keys, texts, max_size=1)),
        jobs=draw(st.lists(st.sampled_from(("work", "care")), max_size=1)),
        sources=draw(st.lists(messages, max_size=1)) if draw(st.integers(0, 3)) == 0 else (),
    )


@st.composite
def filters(draw: st.DrawFn) -> Filter | None:
    """No filter, or one of several kinds."""
    number = draw(st.integers(0, 3))
    written: tuple[dict[str, object], ...] = (
        {},
        {"speaker": "Ana"},
        {"session": ["s1"], "metadata.n": {"lte": number}},
        {"not": {"speaker": "博"}},
        {"or": [{"kind": "fact", "status": "current"}, {"metadata.n": number}]},
        {"time": {"gt": START}},
    )
    return parse_filter(draw(st.sampled_from(written)))
