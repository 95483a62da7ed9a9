"""What a store must do with changes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from mnemis.errors import Conflict, InputError, MnemisError, StoreClosed
from mnemis.model.change import EntryKind
from mnemis.model.graph import Edge, Turn
from mnemis.model.message import Json
from mnemis.testing.store_samples import (
    DIMENSION,
    SCOPE,
    StoreBench,
    category,
    change,
    direction,
    edge,
    entity,
    entry,
    episode,
    fact,
    turn,
)

WRONG_JSON: tuple[object, ...] = (
    float("nan"),
    float("inf"),
    {"deep": [float("nan")]},
    (1, 2),
    {1: "a"},
    datetime(2025, 1, 1, tzinfo=UTC),
    "\ud800",
)


class WriteTests:
    """Atomicity, repeats, conflicts, cascades, refusals, and that what went in comes out."""

    def test_seq_rises_by_one_with_each_change(self, bench: StoreBench) -> None:
        """Each scope counts its own changes from 1."""
        receipts = [bench.put(change(turn(n))) for n in range(3)]
        assert [receipt.seq for receipt in receipts] == [1, 2, 3]
        assert all(receipt.applied for receipt in receipts)
        with bench.store.view(SCOPE) as view:
            assert view.seq == 3
            assert view.versions(["turn:m0", "turn:m2", "turn:none"]) == {
                "turn:m0": 1,
                "turn:m2": 3,
                "turn:none": 0,
            }

    def test_a_repeat_does_nothing(self, bench: StoreBench) -> None:
        """The same change id twice is applied once, also after other changes and a reopen."""
        first = change(turn(1), jobs=["consolidate"], state={"n": "1"}, change_id="once")
        bench.put(first)
        bench.put(change(turn(1, "edited"), state={"n": "2"}))
        bench.reopen()
        receipt = bench.put(first)
        assert (receipt.seq, receipt.applied) == (2, False)
        with bench.store.view(SCOPE) as view:
            assert view.get(["turn:m1"])["turn:m1"].text == "edited"
            assert view.state("n") == "2"
            assert len(view.changes()) == 2
        assert len(bench.store.jobs()) == 1

    def test_the_same_id_in_another_scope_is_another_change(self, bench: StoreBench) -> None:
        """Change ids are not shared between scopes."""
        bench.put(change(turn(1), change_id="same"))
        assert bench.put(change(turn(1), change_id="same"), scope=("other",)).applied

    def test_everything_comes_back_as_it_was_put(self, bench: StoreBench) -> None:
        """Nodes of each kind and complete edges survive, bit for bit, also a reopen."""
        one, two = turn(1, "我们把发布会改到五月三号"), turn(2, 'a "quote"\n\t\x00 end')
        nodes = (
            one,
            two,
            episode("launch", [one, two]),
            replace(fact("tea", "m1"), valid_from=one.time, polarity=False, confidence=0.1 + 0.2),
            replace(entity("Ana", "m1"), aliases=("安娜", "A."), qualifier="colleague"),
            replace(category("Events", "m1"), keywords=("launch",), importance=0.25),
        )
        full = replace(
            edge(one, nodes[4], "mentions", 0.3),
            time=one.time,
            sources=("m1",),
            context="category:Events",
            position=7,
        )
        bench.put(change(*nodes, edges=[full]))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert view.get([node.id for node in nodes]) == {node.id: node for node in nodes}
            assert view.edges() == (full,)
            assert view.neighbours(["entity:Ana"])["entity:Ana"][0].context == "category:Events"

    def test_metadata_comes_back_as_it_was_put(self, bench: StoreBench) -> None:
        """Big integers, nesting, empty values and odd keys."""
        metadata: dict[str, Json] = {
            "big": 2**70,
            "negative": -(2**63) - 1,
            "small": 5e-324,
            "": None,
            "o'clock; --": [True, False, {"深": ["层", {}]}],
            "$.a.b": {"": []},
        }
        bench.put(change(turn(1, metadata=metadata)))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            found = view.get(["turn:m1"])["turn:m1"].metadata
        assert dict(found) == metadata
        assert isinstance(found["big"], int)

    def test_times_keep_their_offset(self, bench: StoreBench) -> None:
        """The instant, the microseconds and the offset, also odd and negative ones."""
        offsets = (0, 8 * 60, -(9 * 60 + 30), 5 * 60 + 45, -1)
        times = [
            datetime(2025, 3, 3, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(minutes=m)))
            for m in offsets
        ]
        bench.put(change(*(turn(n, time=time) for n, time in enumerate(times))))
        bench.put(change(turn(8, time=datetime(1, 1, 1, tzinfo=UTC)), turn(9)))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            for number, time in enumerate(times):
                found = view.get([f"turn:m{number}"])[f"turn:m{number}"].time
                assert found == time
                assert found is not None
                assert found.utcoffset() == time.utcoffset()
            assert view.timeline(limit=1, newest_first=False) == ("turn:m8",)

    def test_an_equal_id_replaces(self, bench: StoreBench) -> None:
        """Nodes, edges and entries; the last one of a change wins."""
        a, b = turn(1), turn(2)
        bench.put(change(a, b, edges=[edge(a, b, weight=0.5)], entries=[entry(a, "old")]))
        bench.put(
            change(
                turn(1, "first"),
                turn(1, "new"),
                edges=[edge(a, b, weight=0.7), edge(a, b, weight=0.9)],
                entries=[entry(a, "never"), entry(a, "new", vector=direction(1))],
            )
        )
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert view.get(["turn:m1"])["turn:m1"].text == "new"
            assert [e.weight for e in view.edges()] == [0.9]
            assert [hit.id for hit in view.search(["new"], k=5, kinds=["turn"])] == ["turn:m1"]
            assert not view.search(["old", "never"], k=5, kinds=["turn"])
            assert view.stats().entries["turn"] == 1
            assert len(view.nearest(direction(1), k=5, kinds=["turn"])) == 1

    def test_an_entry_can_change_its_kind(self, bench: StoreBench) -> None:
        """An id is one entry, whatever its kind."""
        a = turn(1)
        bench.put(change(a, entries=[entry(a, "word", suffix="#x", kind="window")]))
        bench.put(change(entries=[entry(a, "word", suffix="#x", kind="part")]))
        with bench.store.view(SCOPE) as view:
            assert not view.search(["word"], k=5, kinds=["window"])
            assert [hit.id for hit in view.search(["word"], k=5, kinds=["part"])] == ["turn:m1#x"]
            assert view.stats().entries["window"] == 0

    def test_deleting_a_node_takes_its_edges_and_entries(self, bench: StoreBench) -> None:
        """Edges of both directions, every entry it owns, its name keys and its sources."""
        a, b, c = turn(1), turn(2), entity("Ana", "m1")
        bench.put(
            change(
                a,
                b,
                c,
                edges=[edge(a, b, "next"), edge(b, a, "answers"), edge(b, c, "mentions")],
                entries=[
                    entry(a, "stale", vector=direction(1)),
                    entry(a, "stale", suffix="#w", kind="window"),
                    entry(a, "stale", suffix="#p", kind="part", vector=direction(1)),
                    entry(b, "fresh", vector=direction(0, 1)),
                    entry(c, "ana", names=("ana",)),
                ],
            )
        )
        bench.put(change(delete_nodes=["turn:m1", "entity:Ana", "turn:never"]))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                assert not view.get(["turn:m1", "entity:Ana"])
                assert view.edges() == ()
                assert view.neighbours(["turn:m2"]) == {"turn:m2": ()}
                assert view.degrees(["turn:m2"]) == {"turn:m2": 0}
                kinds: tuple[EntryKind, ...] = ("turn", "window", "part", "entity")
                assert not view.search(["stale", "ana"], k=9, kinds=kinds)
                found = view.nearest(direction(1), k=9, kinds=kinds)
                assert [hit.id for hit in found] == ["turn:m2"]
                assert not view.named(["ana"])
                assert not view.parts_of(["turn:m1"])
                assert not view.vectors(["turn:m1", "turn:m1#p"])
                assert not view.by_source(["m1"])
                assert view.changes()[-1].deleted == ("turn:m1", "entity:Ana")
            bench.reopen()

    def test_deletions_come_before_what_is_put(self, bench: StoreBench) -> None:
        """A node that is deleted and put in one change is there, without its old edges."""
        a, b = turn(1), turn(2)
        bench.put(change(a, b, edges=[edge(a, b)], entries=[entry(a, "old")]))
        bench.put(
            change(
                turn(1, "again"),
                delete_nodes=["turn:m1"],
                delete_edges=[edge(a, b).key],
                delete_entries=["turn:m1"],
                edges=[edge(b, a, "answers")],
                entries=[entry(a, "new")],
            )
        )
        with bench.store.view(SCOPE) as view:
            assert view.get(["turn:m1"])["turn:m1"].text == "again"
            assert [e.type for e in view.edges()] == ["answers"]
            assert not view.search(["old"], k=5, kinds=["turn"])
            assert view.search(["new"], k=5, kinds=["turn"])

    def test_edges_and_entries_can_be_deleted_alone(self, bench: StoreBench) -> None:
        """The nodes stay; what was never there is no error."""
        a, b = turn(1), turn(2)
        bench.put(change(a, b, edges=[edge(a, b), edge(b, a)], entries=[entry(a, "word")]))
        gone = [edge(a, b).key, edge(a, b, "never").key]
        bench.put(change(delete_edges=gone, delete_entries=["turn:m1", "never"]))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert [e.key for e in view.edges()] == [edge(b, a).key]
            assert not view.search(["word"], k=5, kinds=["turn"])
            assert len(view.get(["turn:m1", "turn:m2"])) == 2

    def test_a_changed_or_vanished_basis_is_a_conflict(self, bench: StoreBench) -> None:
        """Newer, deleted, unexpectedly present, and a message that is gone; nothing is written."""
        bench.put(change(turn(1), turn(2)))
        bench.put(change(turn(1, "newer"), delete_nodes=["turn:m2"]))
        for stale in (
            change(turn(5), read_versions={"turn:m1": 1}),
            change(turn(5), read_versions={"turn:m2": 1}),
            change(turn(5), read_versions={"turn:m1": 0}),
            change(turn(5), read_versions={"turn:m9": 3}),
            change(turn(5), sources=["m1", "m2"]),
            change(turn(5), sources=["m1"], state={"a": "b"}, read_versions={"turn:m1": 1}),
        ):
            with pytest.raises(Conflict):
                bench.put(stale)
        with bench.store.view(SCOPE) as view:
            assert view.seq == 2
            assert not view.get(["turn:m5"])
            assert view.state("a") is None

    def test_an_unchanged_basis_is_no_conflict(self, bench: StoreBench) -> None:
        """Current versions, 0 for what is absent, and messages whose turns are there."""
        bench.put(change(turn(1), turn(2, message="doc"), turn(3, message="doc")))
        fresh = change(turn(5), read_versions={"turn:m1": 1, "turn:m9": 0}, sources=["m1", "doc"])
        assert bench.put(fresh).applied
        bench.put(change(delete_nodes=["turn:m2"]))
        assert bench.put(change(turn(6), sources=["doc"])).applied
        bench.put(change(delete_nodes=["turn:m3"]))
        with pytest.raises(Conflict):
            bench.put(change(turn(7), sources=["doc"]))

    def test_what_is_refused_leaves_no_trace(self, bench: StoreBench) -> None:
        """Everything else in a refused change is not written either; the store stays usable."""
        a = turn(1)
        bench.put(change(a, entries=[entry(a, "word", vector=direction(1))]))
        loose = Edge(source="turn:m1", target="turn:none", type="next")
        wrong_size = np.ones(DIMENSION + 1, dtype=np.float32)
        not_a_number = direction(1)
        not_a_number[3] = np.nan
        refused = (
            change(turn(2), edges=[loose]),
            change(edges=[edge(turn(2), a)], delete_nodes=["turn:m1"]),
            change(turn(2), edges=[edge(turn(2), a)], delete_nodes=["turn:m1"]),
            change(turn(2), edges=[edge(turn(2), a, weight=0.0)]),
            change(turn(2), edges=[edge(turn(2), a, weight=float("nan"))]),
            change(turn(2), entries=[entry(turn(3), "orphan")]),
            change(turn(2), entries=[entry(a, vector=wrong_size)]),
            change(turn(2), entries=[entry(a, vector=not_a_number)]),
            change(turn(2), replace(turn(3), time=datetime(2025, 1, 1))),
            change(turn(2), replace(turn(3), id="")),
        )
        for number, wrong in enumerate(refused):
            try:
                bench.put(replace(wrong, state={"k": "v"}, jobs=("work",)))
            except InputError:
                pass
            else:
                pytest.fail(f"change {number} was not refused")
        with bench.store.view(SCOPE) as view:
            assert view.seq == 1
            assert not view.get(["turn:m2"])
            assert view.state("k") is None
            assert len(view.nearest(direction(1), k=9, kinds=["turn"])) == 1
            assert len(view.changes()) == 1
        assert not bench.store.jobs()
        assert bench.put(change(turn(2))).seq == 2

    def test_what_json_cannot_carry_is_refused(self, bench: StoreBench) -> None:
        """In metadata: NaN, infinity, tuples, keys that are no text, dates, lone surrogates."""
        for wrong in WRONG_JSON:
            try:
                bench.put(change(turn(1), turn(2, metadata={"k": wrong})))  # type: ignore[dict-item] # pyright: ignore[reportArgumentType] wrong on purpose
            except InputError:
                pass
            else:
                pytest.fail(f"metadata {wrong!r} was not refused")
        assert bench.store.scopes() == ()

    def test_odd_queries_are_refused(self, bench: StoreBench) -> None:
        """A query vector of another size or with NaN is an error, not an answer."""
        a = turn(1)
        bench.put(change(a, entries=[entry(a, vector=direction(1))]))
        nan = np.full(DIMENSION, np.nan, dtype=np.float32)
        with bench.store.view(SCOPE) as view:
            for wrong in (nan, np.ones(3, dtype=np.float32), np.ones((2, 8), dtype=np.float32)):
                with pytest.raises(InputError):
                    view.nearest(wrong, k=1, kinds=["turn"])

    def test_state_is_merged(self, bench: StoreBench) -> None:
        """Keys not named stay; any text is a key and a value."""
        bench.put(change(state={"a": "1", "b": "2"}))
        bench.put(change(state={"b": "3", "键": "值'\";--", "": ""}))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert [view.state(k) for k in ("a", "b", "键", "", "c")] == [
                "1",
                "3",
                "值'\";--",
                "",
                None,
            ]

    def test_the_log_names_what_changed(self, bench: StoreBench) -> None:
        """Ids in order, the purpose, the clock's time; ``since`` is exclusive."""
        bench.put(change(turn(2), turn(1), change_id="first"))
        bench.clock.advance(timedelta(hours=1))
        bench.put(change(turn(2), delete_nodes=["turn:m1"], change_id="second"))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            first, second = view.changes()
            assert view.changes(1) == (second,)
            assert view.changes(2) == ()
        assert (first.seq, first.change_id, first.purpose) == (1, "first", "test")
        assert first.nodes == ("turn:m2", "turn:m1")
        assert (second.nodes, second.deleted) == (("turn:m2",), ("turn:m1",))
        assert second.time - first.time == timedelta(hours=1)

    def test_an_empty_change_counts(self, bench: StoreBench) -> None:
        """It is remembered by its id."""
        nothing = change(change_id="nothing")
        assert bench.put(nothing).applied
        assert not bench.put(nothing).applied

    def test_a_closed_store_says_so(self, bench: StoreBench) -> None:
        """Closing twice is fine; using it after is StoreClosed."""
        bench.store.close()
        bench.store.close()
        with pytest.raises(StoreClosed):
            bench.put(change(turn(1)))
        with pytest.raises(StoreClosed), bench.store.view(SCOPE):
            pass

    def test_errors_are_of_one_tree(self, bench: StoreBench) -> None:
        """A scope that is no tuple of texts is refused as such."""
        for wrong in ("acme", ["acme"], (1,), None):
            with pytest.raises(MnemisError):
                bench.store.apply(wrong, change(turn(1)))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] wrong on purpose

    def test_a_large_change_is_one_change(self, bench: StoreBench) -> None:
        """More rows than any limit on parameters."""
        turns = [turn(n, f"text {n}") for n in range(1200)]
        links = [edge(a, b, "next") for a, b in itertools.pairwise(turns)]
        bench.put(change(*turns, edges=links, entries=[entry(t, t.text) for t in turns]))
        with bench.store.view(SCOPE) as view:
            assert len(view.get([t.id for t in turns])) == 1200
            assert len(view.edges()) == 1199
            assert len(view.scan("turn")) == 1200
            assert isinstance(view.scan("turn")[7], Turn)
        bench.put(change(delete_nodes=[t.id for t in turns]))
        with bench.store.view(SCOPE) as view:
            assert view.stats().nodes["turn"] == 0
            assert view.edges() == ()
