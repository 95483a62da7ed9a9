"""Filters, scopes, and views that stand still."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta

from mnemis.model.change import EntryKind, Scope
from mnemis.model.filter import Filter, parse_filter
from mnemis.ports.store import View
from mnemis.testing.store_samples import (
    SCOPE,
    START,
    StoreBench,
    change,
    direction,
    edge,
    entity,
    entry,
    fact,
    turn,
)

ODD_SCOPES: tuple[Scope, ...] = (
    (),
    ("",),
    ("", ""),
    ("a/b",),
    ("a", "b"),
    ("a/b", "c"),
    ("a", "b/c"),
    ("用户",),
    ("用户 ",),
    ("x.y",),
    ("x", "y"),
    ("a|b",),
    ("..",),
    (".",),
    ("%",),
    ("_",),
    ("*",),
    ("\x00",),
    ("a\nb",),
    ('["a"]',),
    ("a", '"'),
    ("A",),
    ("Ａ",),
    ("é",),
    ("e\u0301",),
    ("\ud800",),
    ("x" * 5_000,),
    ("x" * 5_000 + "y",),
    *((f"tenant-{n % 20}", f"user-{n}") for n in range(172)),
)


def read(where: Mapping[str, object]) -> Filter:
    """A filter from its written form."""
    parsed = parse_filter(where)
    assert parsed is not None
    return parsed


class WallTests:
    """What must not be seen: other scopes, what a filter excludes, later writes."""

    def test_odd_scopes_are_walls(self, bench: StoreBench) -> None:
        """Any text is a label; 200 scopes hold the same ids and nothing leaks."""
        assert len(set(ODD_SCOPES)) == len(ODD_SCOPES) == 200
        for number, scope in enumerate(ODD_SCOPES):
            node, name = turn(1, f"text {number}"), entity(f"e{number}", "m1")
            entries = [
                entry(node, "common", f"only{number}", vector=direction(1, number)),
                entry(name, names=("name",)),
            ]
            links = [edge(node, name, weight=(number + 1) / 200)]
            state = {"k": str(number)}
            bench.put(change(node, name, entries=entries, edges=links, state=state), scope=scope)
        bench.put(change(delete_nodes=["turn:m1"]), scope=ODD_SCOPES[5])
        bench.reopen()
        assert bench.store.scopes() == tuple(sorted(ODD_SCOPES))
        for number, scope in enumerate(ODD_SCOPES):
            with bench.store.view(scope) as view:
                assert view.state("k") == str(number)
                if number != 5:
                    _check_alone(view, number)
                else:
                    assert view.search(["common"], k=9, kinds=["turn"]) == ()

    def test_an_emptied_scope_is_not_listed(self, bench: StoreBench) -> None:
        """Without nodes and jobs it is gone from the list; sorted by labels."""
        for scope in (("b",), ("a", "z"), ("a",)):
            bench.put(change(turn(1)), scope=scope)
        bench.put(change(delete_nodes=["turn:m1"], jobs=["care"]), scope=("b",))
        bench.put(change(delete_nodes=["turn:m1"]), scope=("a",))
        assert bench.store.scopes() == (("a", "z"), ("b",))

    def test_filters_hold_for_turns(self, bench: StoreBench) -> None:
        """In every search and on the timeline, for fields, metadata, ranges and junctions."""
        turns = [
            replace(
                turn(n, speaker="Ana" if n % 2 else "博", session=f"s{n % 3}"),
                metadata={"tag": f"t{n % 4}", "n": n},
            )
            for n in range(24)
        ]
        entries = [entry(t, "tea", vector=direction(1, t.ordinal)) for t in turns]
        bench.put(change(*turns, entries=entries))
        bench.reopen()
        late = START + timedelta(minutes=20)
        cases: dict[str, tuple[dict[str, object], Callable[[int], bool]]] = {
            "speaker": ({"speaker": "Ana"}, lambda n: n % 2 == 1),
            "session": ({"session": ["s1", "s2"]}, lambda n: n % 3 != 0),
            "metadata": ({"metadata.tag": "t3"}, lambda n: n % 4 == 3),
            "range": ({"metadata.n": {"gte": 3, "lt": 7}}, lambda n: 3 <= n < 7),
            "time": ({"time": {"gte": late}}, lambda n: n >= 20),
            "not": ({"not": {"speaker": "博"}}, lambda n: n % 2 == 1),
            "or": ({"or": [{"id": "m2"}, {"id": "m5"}]}, lambda n: n in (2, 5)),
            "none": ({"metadata.absent": 1}, lambda n: False),
        }
        with bench.store.view(SCOPE) as view:
            for name, (where, keep) in cases.items():
                wanted = [f"turn:m{n}" for n in range(24) if keep(n)]
                for k in (2, 24):
                    near = view.nearest(direction(1), k=k, kinds=["turn"], where=read(where))
                    assert [hit.id for hit in near] == wanted[:k], name
                    found = view.search(["tea"], k=k, kinds=["turn"], where=read(where))
                    assert [hit.id for hit in found] == sorted(wanted)[:k], name
                    line = view.timeline(limit=k, newest_first=False, where=read(where))
                    assert list(line) == wanted[:k], name

    def test_a_derived_node_needs_all_its_messages(self, bench: StoreBench) -> None:
        """One message that does not match, or is gone, hides what rests on it."""
        turns = [turn(1), turn(2), turn(3, speaker="Bo"), turn(4, message="m2")]
        facts = [
            fact("ana", "m1", "m2"),
            fact("both", "m1", "m3"),
            fact("gone", "m1", "m9"),
            replace(fact("old", "m1"), status="superseded"),
        ]
        nodes = [*turns, *(replace(f, time=START) for f in facts)]
        entries = [entry(node, "tea", vector=direction(1)) for node in nodes]
        windows = [entry(turns[2], "tea", suffix="#w", kind="window", vector=direction(1))]
        bench.put(change(*nodes, entries=[*entries, *windows]))
        kinds: tuple[EntryKind, ...] = ("turn", "window", "fact")
        ana = {"fact:ana", "fact:old", "turn:m1", "turn:m2", "turn:m4"}
        cases: tuple[tuple[dict[str, object], set[str]], ...] = (
            ({"speaker": "Ana"}, ana),
            ({"speaker": "Bo"}, {"turn:m3", "turn:m3#w"}),
            ({"kind": "fact", "speaker": "Ana"}, {"fact:ana", "fact:old"}),
            ({"kind": "fact", "status": "current"}, {"fact:ana", "fact:both"}),
            ({"not": {"speaker": "Bo"}}, ana),
        )
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                for where, wanted in cases:
                    near = view.nearest(direction(1), k=99, kinds=kinds, where=read(where))
                    assert {hit.id for hit in near} == wanted, where
                    found = view.search(["tea"], k=99, kinds=kinds, where=read(where))
                    assert {hit.id for hit in found} == wanted, where
                line = view.timeline(kinds=["fact"], limit=9, where=read({"speaker": "Ana"}))
                assert set(line) == {"fact:ana", "fact:old"}
            bench.reopen()

    def test_a_view_does_not_see_later_writes(self, bench: StoreBench) -> None:
        """Replaced, deleted and new things, all methods, while newer views see them."""
        a, b = turn(1), turn(2)
        bench.put(
            change(
                a,
                b,
                edges=[edge(a, b, weight=0.5)],
                entries=[
                    entry(a, "old", "both", vector=direction(1), names=("n",)),
                    entry(b, "both", vector=direction(0, 1)),
                    entry(b, "x", suffix="#p", kind="part"),
                ],
                state={"k": "old"},
            )
        )
        with bench.store.view(SCOPE) as untouched, bench.store.view(SCOPE) as view:
            view.get(["turn:m1"])
            view.neighbours(["turn:m1"])
            bench.put(
                change(
                    turn(1, "new", session="s9"),
                    turn(3),
                    delete_nodes=["turn:m2"],
                    edges=[edge(a, turn(3), weight=0.9)],
                    entries=[
                        entry(a, "new", "both", vector=direction(-1)),
                        entry(turn(3), "both", vector=direction(1)),
                    ],
                    state={"k": "new"},
                )
            )
            with bench.store.view(SCOPE) as later:
                _check_new(later)
            for old in (view, untouched):
                _check_old(old)
            with bench.store.view(SCOPE) as later:
                _check_new(later)

    def test_views_are_consistent_while_a_writer_runs(self, bench: StoreBench) -> None:
        """Rows and indexes of one seq: each change moves a token, a vector and a counter."""
        nodes = [turn(n) for n in range(30)]
        bench.put(change(*nodes, state={"at": "0"}))
        wrong: list[str] = []
        stop = threading.Event()

        def watch() -> None:
            while not stop.is_set() and not wrong:
                with bench.store.view(SCOPE) as view:
                    _watch_once(view, wrong)

        watchers = [threading.Thread(target=watch) for _ in range(3)]
        for watcher in watchers:
            watcher.start()
        try:
            for step in range(1, 40):
                here = [
                    entry(node, f"at{step}", "all", vector=direction(1, step))
                    for node in nodes[: step % 7 + 1]
                ]
                gone = [node.id for node in nodes]
                bench.put(change(delete_entries=gone, entries=here, state={"at": str(step)}))
        finally:
            stop.set()
            for watcher in watchers:
                watcher.join()
        assert not wrong, wrong[0]


def _check_alone(view: View, number: int) -> None:
    assert view.get(["turn:m1"])["turn:m1"].text == f"text {number}"
    assert len(view.search(["common"], k=999, kinds=["turn"])) == 1
    assert len(view.nearest(direction(1), k=999, kinds=["turn"])) == 1
    assert view.search([f"only{number + 1}"], k=9, kinds=["turn"]) == ()
    assert view.named(["name"]) == {"name": (f"entity:e{number}",)}
    assert [e.weight for e in view.edges()] == [(number + 1) / 200]
    assert view.by_source(["m1"]) == {"m1": (f"entity:e{number}", "turn:m1")}
    assert len(view.changes()) == view.seq == 1
    stats = view.stats()
    assert (stats.nodes["turn"], stats.nodes["entity"], stats.edges) == (1, 1, 1)


def _check_old(view: View) -> None:
    assert view.seq == 1
    assert {i: n.text for i, n in view.get(["turn:m1", "turn:m2", "turn:m3"]).items()} == {
        "turn:m1": "hello",
        "turn:m2": "hello",
    }
    assert view.versions(["turn:m1", "turn:m3"]) == {"turn:m1": 1, "turn:m3": 0}
    assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [0.5]
    assert view.degrees(["turn:m2"]) == {"turn:m2": 1}
    near = view.nearest(direction(1), k=9, kinds=["turn"])
    assert [hit.id for hit in near] == ["turn:m1", "turn:m2"]
    both = view.search(["both"], k=9, kinds=["turn"])
    assert [hit.id for hit in both] == ["turn:m2", "turn:m1"]
    assert view.search(["new"], k=9, kinds=["turn"]) == ()
    told = view.score(["turn:m1"], kind="turn", tokens=["old"], vector=direction(1))
    assert told.similarity[0] > 0.99
    assert told.lexical[0] > 0
    assert view.vectors(["turn:m1"])["turn:m1"][0] > 0.99
    assert view.named(["n"]) == {"n": ("turn:m1",)}
    assert view.parts_of(["turn:m2"]) == {"turn:m2": ("turn:m2#p",)}
    assert view.surroundings(["turn:m1"], radius=5).ids == ("turn:m1", "turn:m2")
    assert [t.id for t in view.tail("s1", limit=9)] == ["turn:m1", "turn:m2"]
    assert view.timeline(limit=9) == ("turn:m2", "turn:m1")
    assert view.state("k") == "old"
    assert (view.stats().nodes["turn"], view.stats().entries["turn"]) == (2, 2)


def _check_new(view: View) -> None:
    assert view.seq == 2
    assert {i: n.text for i, n in view.get(["turn:m1", "turn:m2", "turn:m3"]).items()} == {
        "turn:m1": "new",
        "turn:m3": "hello",
    }
    assert view.versions(["turn:m1", "turn:m2"]) == {"turn:m1": 2, "turn:m2": 0}
    assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [0.9]
    near = view.nearest(direction(1), k=9, kinds=["turn"])
    assert [hit.id for hit in near] == ["turn:m3", "turn:m1"]
    assert view.search(["old"], k=9, kinds=["turn"]) == ()
    assert view.named(["n"]) == view.parts_of(["turn:m2"]) == {}
    assert view.surroundings(["turn:m1"], radius=5).ids == ("turn:m1",)
    assert view.state("k") == "new"


def _watch_once(view: View, wrong: list[str]) -> None:
    step = int(view.state("at") or 0)
    wanted = step % 7 + 1 if step else 0
    found = len(view.search([f"at{step}"], k=99, kinds=["turn"]))
    near = len(view.nearest(direction(1), k=99, kinds=["turn"]))
    if (view.seq, found, near) != (step + 1, wanted, wanted):
        wrong.append(f"seq {view.seq}, state {step}, found {found}, near {near}")
