"""What a view must answer."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from mnemis.errors import InputError
from mnemis.model.change import ENTRY_KINDS
from mnemis.model.graph import NODE_KINDS, NodeKind
from mnemis.testing.store_samples import (
    SCOPE,
    START,
    StoreBench,
    category,
    change,
    close_to,
    direction,
    edge,
    entity,
    entry,
    episode,
    fact,
    turn,
)


class ReadTests:
    """Scores, orders, ties, ranges and counts."""

    def test_an_unwritten_scope_is_empty(self, bench: StoreBench) -> None:
        """Everything answers, nothing is there, and asking does not create it."""
        with bench.store.view(("never",)) as view:
            assert view.seq == 0
            assert view.get(["turn:m1"]) == {}
            assert view.nearest(direction(1), k=3, kinds=ENTRY_KINDS) == ()
            assert view.search(["a"], k=3, kinds=ENTRY_KINDS) == ()
            assert view.score(["x"], kind="turn", tokens=["a"], vector=None).lexical.tolist() == [0]
            assert view.neighbours(["turn:m1"]) == {}
            assert not any((view.timeline(limit=5), view.tail(None, limit=5), view.scan("turn")))
            assert not any((view.changes(), view.edges()))
            assert view.named(["a"]) == view.by_source(["a"]) == view.parts_of(["a"]) == {}
            assert view.state("a") is None
            assert view.surroundings(["turn:m1"], radius=2).places.tolist() == [-1]
            assert view.term_stats(["a"], kind="turn") == {"a": close_to(math.log(2))}
            stats = view.stats()
        assert (stats.seq, stats.edges, stats.newest, stats.mean_terms) == (0, 0, None, 0.0)
        assert dict(stats.nodes) == dict.fromkeys(NODE_KINDS, 0)
        assert dict(stats.entries) == dict.fromkeys(ENTRY_KINDS, 0)
        assert bench.store.scopes() == ()

    def test_nearest_is_by_cosine_over_all_kinds(self, bench: StoreBench) -> None:
        """Best first; other kinds do not show; negative cosines come last."""
        a, b, c = turn(1), turn(2), fact("tea", "m1")
        bench.put(
            change(
                a,
                b,
                c,
                entries=[
                    entry(a, vector=direction(1)),
                    entry(a, vector=direction(1), suffix="#w", kind="window"),
                    entry(b, vector=direction(-1)),
                    entry(c, vector=direction(1, 1)),
                    entry(b, "no vector", suffix="#p", kind="part"),
                ],
            )
        )
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            found = view.nearest(direction(1), k=9, kinds=["turn", "fact", "part"])
            again = view.nearest(direction(1) * 3, k=2, kinds=["fact", "turn", "fact"])
        assert [hit.id for hit in found] == ["turn:m1", "fact:tea", "turn:m2"]
        assert [hit.score for hit in found] == close_to([1, math.sqrt(0.5), -1], within=1e-5)
        assert [(hit.owner, hit.kind) for hit in found[:2]] == [
            ("turn:m1", "turn"),
            ("fact:tea", "fact"),
        ]
        assert [hit.id for hit in again] == ["turn:m1", "fact:tea"]
        assert again[0].score == close_to(1, within=1e-5)

    def test_ties_are_broken_by_id(self, bench: StoreBench) -> None:
        """However they were put, whichever k cuts them, whatever kind they are."""
        numbers = [17, 3, 40, 8, 25, 1, 33, 12]
        turns = [turn(n) for n in numbers]
        facts = [fact(str(n), f"m{n}") for n in numbers]
        for some in (turns[:3], facts, turns[3:]):
            entries = [entry(node, "same", vector=direction(1, 2)) for node in some]
            bench.put(change(*turns, *facts, entries=entries))
        expected = sorted([node.id for node in (*turns, *facts)])
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                for k in (1, 5, 9, 16, 100):
                    near = view.nearest(direction(1), k=k, kinds=["turn", "fact"])
                    assert [hit.id for hit in near] == expected[:k]
                    found = view.search(["same"], k=k, kinds=["turn"])
                    assert [hit.id for hit in found] == sorted(t.id for t in turns)[:k]
            bench.reopen()

    def test_bm25_is_the_formula(self, bench: StoreBench) -> None:
        """k1=1.2, b=.75, idf over the kind's entries, repeated query tokens once."""
        texts = {1: "tea tea milk", 2: "tea", 3: "milk sugar bread butter"}
        turns = [turn(n) for n in texts]
        entries = [entry(t, *texts[t.ordinal].split()) for t in turns]
        entries.append(entry(turns[0], "tea", suffix="#w", kind="window"))
        bench.put(change(*turns, entries=entries))
        idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
        mean = 8 / 3
        wanted = {
            f"turn:m{n}": idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
            for n, tf, length in ((1, 2, 3), (2, 1, 1))
        }
        with bench.store.view(SCOPE) as view:
            found = view.search(["tea", "tea", "absent"], k=9, kinds=["turn"])
            stats = view.term_stats(["tea", "absent"], kind="turn")
        assert {hit.id: hit.score for hit in found} == close_to(wanted, relative=1e-5)
        assert [hit.id for hit in found] == sorted(wanted, key=lambda i: -wanted[i])
        assert stats == close_to({"tea": idf, "absent": math.log(1 + 3.5 / 0.5)})

    def test_score_agrees_with_the_searches(self, bench: StoreBench) -> None:
        """In the order asked; 0 for other kinds, unknown ids, and without vector or tokens."""
        turns = [turn(n) for n in range(20)]
        entries = [
            entry(t, *(["tea"] * (t.ordinal % 3)), "x", vector=direction(1, t.ordinal))
            for t in turns
        ]
        bench.put(change(*turns, entries=entries))
        ids = ["turn:m7", "none", "turn:m5", "turn:m7"]
        with bench.store.view(SCOPE) as view:
            near = {
                hit.id: hit.score for hit in view.nearest(direction(2, 1), k=99, kinds=["turn"])
            }
            found = {hit.id: hit.score for hit in view.search(["tea", "z"], k=99, kinds=["turn"])}
            told = view.score(ids, kind="turn", tokens=["tea", "z"], vector=direction(2, 1))
            idf = view.term_stats(["tea", "z"], kind="turn")
            other = view.score(ids, kind="fact", tokens=["tea"], vector=direction(1))
            silent = view.score(ids, kind="turn", tokens=[], vector=None)
        assert told.similarity.tolist() == close_to([near.get(i, 0.0) for i in ids], within=1e-6)
        assert told.lexical.tolist() == close_to([found.get(i, 0.0) for i in ids], within=1e-6)
        share = idf["tea"] / (idf["tea"] + idf["z"])
        assert told.coverage.tolist() == close_to([share, 0, share, share], within=1e-6)
        for scores in (other, silent):
            for values in (scores.similarity, scores.lexical, scores.coverage):
                assert values.dtype == np.float32
                assert values.tolist() == [0, 0, 0, 0]

    def test_deleting_and_replacing_moves_the_statistics(self, bench: StoreBench) -> None:
        """idf and mean length count only what is there now."""
        turns = [turn(n) for n in range(4)]
        bench.put(change(*turns, entries=[entry(t, "tea", *"abc") for t in turns]))
        bench.put(change(delete_nodes=["turn:m0"], entries=[entry(turns[1], "milk")]))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                idf = math.log(1 + (3 - 2 + 0.5) / 2.5)
                assert view.term_stats(["tea"], kind="turn")["tea"] == close_to(idf)
                assert view.stats().mean_terms == close_to(3.0)
                counts = view.term_counts(
                    ["turn:m1", "turn:m2", "turn:m0"], kind="turn", tokens=["tea", "milk"]
                )
                assert counts.counts.tolist() == [[0, 1], [1, 0], [0, 0]]
                assert counts.lengths.tolist() == [1, 4, 0]
            bench.reopen()

    def test_any_k_is_answered(self, bench: StoreBench) -> None:
        """0 and less give nothing, a million gives what there is."""
        turns = [turn(n) for n in range(5)]
        bench.put(change(*turns, entries=[entry(t, "a", vector=direction(1)) for t in turns]))
        with bench.store.view(SCOPE) as view:
            for k, count in ((-1, 0), (0, 0), (10**6, 5)):
                assert len(view.nearest(direction(1), k=k, kinds=["turn"])) == count
                assert len(view.search(["a"], k=k, kinds=["turn"])) == count
                assert len(view.timeline(limit=k)) == count
                assert len(view.tail("s1", limit=k)) == count
                assert len(view.scan("turn", limit=k)) == count
            assert view.nearest(direction(1), k=5, kinds=[]) == ()
            assert view.search([], k=5, kinds=["turn"]) == ()

    def test_any_token_is_a_token(self, bench: StoreBench) -> None:
        """No query language: quotes, operators, spaces and CJK are themselves."""
        tokens = ['"', "AND", "a*b", "NEAR(", "退款", "it's", "x y", "%", "\\", ""]
        turns = [turn(n) for n in range(len(tokens))]
        entries = [entry(t, tokens[t.ordinal]) for t in turns]
        bench.put(change(*turns, entries=entries))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            for number, token in enumerate(tokens):
                found = view.search([token], k=9, kinds=["turn"])
                assert [hit.id for hit in found] == [f"turn:m{number}"], token

    def test_vectors_come_back(self, bench: StoreBench) -> None:
        """As float32, at unit length; entries without one are left out."""
        a, b = turn(1), turn(2)
        bench.put(change(a, b, entries=[entry(a, vector=direction(3, 4) * 2), entry(b, "x")]))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            found = view.vectors(["turn:m1", "turn:m2", "none"])
        assert list(found) == ["turn:m1"]
        assert found["turn:m1"].dtype == np.float32
        assert found["turn:m1"].tolist() == close_to(direction(3, 4).tolist(), within=1e-6)

    def test_parts_are_in_text_order(self, bench: StoreBench) -> None:
        """The order in which they were put, not that of their ids."""
        a, b = turn(1), turn(2)
        entries = [entry(a, "x", suffix=f"#{n}", kind="part") for n in (9, 10, 2)]
        bench.put(change(a, b, entries=[*entries, entry(b, "x", suffix="#w", kind="window")]))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            wanted = {"turn:m1": ("turn:m1#9", "turn:m1#10", "turn:m1#2")}
            assert view.parts_of(["turn:m1", "turn:m2", "none"]) == wanted

    def test_neighbours_come_heaviest_first(self, bench: StoreBench) -> None:
        """Then by key; types, direction and limit hold; a node without edges is there."""
        a, b, c, d = turn(1), turn(2), turn(3), turn(4)
        edges = [
            edge(a, b, "next", 0.5),
            edge(a, c, "next", 0.9),
            edge(b, a, "answers", 0.5),
            edge(a, b, "causes", 0.5),
            edge(a, a, "refers_to", 0.1),
        ]
        bench.put(change(a, b, c, d, edges=edges))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                around = view.neighbours(["turn:m1", "turn:m4", "none"])
                assert list(around) == ["turn:m1", "turn:m4"]
                order = [1, 3, 0, 2, 4]
                assert [e.key for e in around["turn:m1"]] == [edges[n].key for n in order]
                assert around["turn:m4"] == ()
                out = view.neighbours(["turn:m1"], direction="out", limit=2)["turn:m1"]
                assert [e.key for e in out] == [edges[1].key, edges[3].key]
                into = view.neighbours(["turn:m1"], direction="in")["turn:m1"]
                assert [e.key for e in into] == [edges[2].key, edges[4].key]
                some = view.neighbours(["turn:m1"], types=["next", "answers"])["turn:m1"]
                assert [e.key for e in some] == [edges[n].key for n in (1, 0, 2)]
                assert view.neighbours(["turn:m1"], types=[]) == {"turn:m1": ()}
                assert view.neighbours(["turn:m1"], limit=0) == {"turn:m1": ()}
                assert view.degrees(["turn:m1", "turn:m4", "none"]) == {
                    "turn:m1": 5,
                    "turn:m4": 0,
                    "none": 0,
                }
                keys = sorted(e.key for e in edges)
                assert [e.key for e in view.edges()] == keys
                from_b = [e.key for e in view.edges(sources=["turn:m2", "none"])]
                assert from_b == [edges[2].key]
            bench.reopen()

    def test_edges_can_be_raised_added_and_taken(self, bench: StoreBench) -> None:
        """Answers before a change do not linger after it."""
        a, b, c = turn(1), turn(2), turn(3)
        bench.put(change(a, b, c, edges=[edge(a, b, weight=0.5)]))
        with bench.store.view(SCOPE) as view:
            assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [0.5]
        bench.put(change(edges=[edge(a, b, weight=0.6), edge(c, a, weight=0.9)]))
        with bench.store.view(SCOPE) as view:
            assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [0.9, 0.6]
        bench.put(change(delete_edges=[edge(a, b).key]))
        with bench.store.view(SCOPE) as view:
            assert [e.weight for e in view.neighbours(["turn:m1"])["turn:m1"]] == [0.9]
            assert view.neighbours(["turn:m2"]) == {"turn:m2": ()}

    def test_names_are_looked_up_exactly(self, bench: StoreBench) -> None:
        """Several entities under one name, sorted; several names of one entity."""
        java, island = entity("Java (language)"), entity("Java (island)")
        entries = [entry(java, names=("java", "爪哇")), entry(island, names=("java",))]
        bench.put(change(java, island, entries=entries))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert view.named(["java", "爪哇", "Java", "jav", ""]) == {
                "java": ("entity:Java (island)", "entity:Java (language)"),
                "爪哇": ("entity:Java (language)",),
            }

    def test_the_timeline_is_half_open(self, bench: StoreBench) -> None:
        """start <= time < end, by time, ordinal and id; nodes without a time are not on it."""
        one, two = turn(1), turn(2)
        later = turn(30, time=one.time)
        loose = replace(fact("tea", "m1"), time=one.time)
        nowhere = replace(turn(9), time=None)
        topic = episode("launch", [two])
        bench.put(change(two, later, one, loose, nowhere, topic))
        with bench.store.view(SCOPE) as view:
            assert view.timeline(limit=9) == ("turn:m2", "turn:m30", "turn:m1")
            oldest = view.timeline(limit=2, newest_first=False)
            assert oldest == ("turn:m1", "turn:m30")
            assert view.timeline(start=one.time, end=two.time, limit=9) == ("turn:m30", "turn:m1")
            assert view.timeline(start=two.time, limit=9) == ("turn:m2",)
            kinds: tuple[NodeKind, ...] = ("turn", "fact", "episode", "entity")
            everything = view.timeline(kinds=kinds, limit=9, newest_first=False)
            assert everything == ("fact:tea", "turn:m1", "turn:m30", "episode:launch", "turn:m2")
            assert view.timeline(kinds=(), limit=9) == ()

    def test_the_tail_is_the_end_of_a_session(self, bench: StoreBench) -> None:
        """Oldest first, by ordinal whatever the order of arrival; None is the whole scope."""
        turns = [turn(n, session="s1" if n % 2 else "s2") for n in (5, 1, 4, 2, 3)]
        bench.put(change(*turns))
        bench.put(change(turn(6, session=""), turn(5, "edited", session="s1")))
        with bench.store.view(SCOPE) as view:
            assert [t.ordinal for t in view.tail("s1", limit=2)] == [3, 5]
            assert view.tail("s1", limit=1)[0].text == "edited"
            assert [t.ordinal for t in view.tail("", limit=9)] == [6]
            assert [t.ordinal for t in view.tail(None, limit=4)] == [3, 4, 5, 6]
            assert view.tail("s3", limit=9) == ()

    def test_surroundings_are_stretches_of_sessions(self, bench: StoreBench) -> None:
        """Within the radius, sessions apart, gaps between ordinals ignored, also after edits."""
        turns = [turn(n * 10, session="b") for n in range(10)]
        other = [turn(1000 + n, session="a") for n in range(3)]
        bench.put(change(*turns[:5], *other[:2]))
        with bench.store.view(SCOPE) as view:
            assert len(view.surroundings(["turn:m0"], radius=9).ids) == 5
        bench.put(change(*turns[5:], *other[2:]))
        asked = ["turn:m80", "turn:m1001", "turn:m0", "none", "turn:m80"]
        with bench.store.view(SCOPE) as view:
            near = view.surroundings(asked, radius=1)
        a, b = [t.id for t in other], [t.id for t in turns]
        assert list(near.ids) == [*a, b[0], b[1], b[7], b[8], b[9]]
        assert near.starts.tolist() == [0, 3, 5]
        assert near.places.tolist() == [6, 1, 3, -1, 6]
        bench.put(change(turn(45, session="b"), delete_nodes=["turn:m50"]))
        bench.put(change(turn(60, session="a")))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                near = view.surroundings(["turn:m45"], radius=1)
                assert list(near.ids) == ["turn:m40", "turn:m45", "turn:m70"]
                assert view.surroundings(["turn:m45"], radius=0).ids == ("turn:m45",)
                assert view.surroundings(["turn:m60"], radius=0).ids == ("turn:m60",)
            bench.reopen()

    def test_everything_that_rests_on_a_message_is_found(self, bench: StoreBench) -> None:
        """Turns and derived nodes, sorted; a replaced node rests on its new sources only."""
        nodes = [turn(1), turn(2), turn(3, message="m2"), fact("b", "m1", "m2"), fact("a", "m2")]
        bench.put(change(*nodes, replace(turn(4), sources=())))
        bench.put(change(fact("b", "m1", "m3")))
        bench.reopen()
        with bench.store.view(SCOPE) as view:
            assert view.by_source(["m2", "m1", "m3", "m4", "none"]) == {
                "m2": ("fact:a", "turn:m2", "turn:m3"),
                "m1": ("fact:b", "turn:m1"),
                "m3": ("fact:b",),
                "m4": ("turn:m4",),
            }

    def test_a_scan_walks_one_kind_in_order(self, bench: StoreBench) -> None:
        """Turns by ordinal and id, others by id, onwards from an id."""
        same = [replace(turn(n), ordinal=7) for n in (21, 20)]
        facts = [fact(name, "m1") for name in ("c", "a", "é", "b")]
        bench.put(change(turn(10), turn(9), *same, *facts, category("x")))
        with bench.store.view(SCOPE) as view:
            turns = [node.id for node in view.scan("turn")]
            assert turns == ["turn:m20", "turn:m21", "turn:m9", "turn:m10"]
            walked: list[str] = []
            after = None
            while page := view.scan("turn", after=after, limit=1):
                walked.append(page[0].id)
                after = page[0].id
            assert walked == turns
            assert [n.id for n in view.scan("fact")] == ["fact:a", "fact:b", "fact:c", "fact:é"]
            assert [n.id for n in view.scan("fact", after="fact:bb")] == ["fact:c", "fact:é"]
            assert view.scan("entity") == ()
            with pytest.raises(InputError):
                view.scan("turn", after="turn:gone")

    def test_stats_count(self, bench: StoreBench) -> None:
        """By kind, with the newest turn whatever the order of arrival."""
        a, b = turn(2), turn(1, time=START + timedelta(days=9))
        later = replace(fact("tea", "m1"), time=START + timedelta(days=99))
        entries = [entry(a, "x", "y"), entry(b), entry(a, "z", suffix="#w", kind="window")]
        bench.put(change(a, b, later, edges=[edge(a, b)], entries=entries))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                stats = view.stats()
            assert (stats.seq, stats.edges, stats.newest) == (1, 1, b.time)
            assert (stats.nodes["turn"], stats.nodes["fact"], stats.nodes["entity"]) == (2, 1, 0)
            assert (stats.entries["turn"], stats.entries["window"]) == (2, 1)
            assert stats.mean_terms == close_to(1.0)
            bench.reopen()
