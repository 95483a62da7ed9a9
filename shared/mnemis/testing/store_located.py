"""The port's sentences on entries that are located once and scored often."""

from __future__ import annotations

from mnemis.ports.store import Located, View
from mnemis.testing.store_samples import SCOPE, StoreBench, change, direction, entry, turn

_IDS = ("turn:m2", "none", "turn:m0", "turn:m1")


class LocateTests:
    """Located entries give what their ids give, in the view that located them and in others."""

    def test_located_entries_score_as_their_ids(self, bench: StoreBench) -> None:
        """Whatever was appended, replaced or deleted since they were located."""
        turns = [turn(n) for n in range(5)]
        entries = [
            entry(t, "tea", *"ab"[: t.ordinal % 3], vector=direction(1, t.ordinal)) for t in turns
        ]
        bench.put(change(*turns[:4], entries=entries[:4]))
        with bench.store.view(SCOPE) as view:
            older = view.locate(_IDS, kind="turn")
            assert older.ids == _IDS
            _agrees(view, older)
            later = view.locate([*_IDS, "turn:m4"], kind="turn", known=older)
        bench.put(change(turns[4], entries=entries[4:]))
        with bench.store.view(SCOPE) as view:
            _agrees(view, older)
            _agrees(view, later)
        bench.put(change(entries=[entry(turns[1], "milk", vector=direction(3))]))
        bench.put(change(delete_nodes=["turn:m0"]))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                for each in (older, later, view.locate(later.ids, kind="turn", known=older)):
                    _agrees(view, each)
            bench.reopen()

    def test_a_located_entry_that_came_later_counts(self, bench: StoreBench) -> None:
        """An id that had no entry when it was located has one where a view shows one."""
        turns = [turn(n) for n in range(2)]
        entries = [entry(t, "tea", vector=direction(1)) for t in turns]
        bench.put(change(turns[0], entries=entries[:1]))
        with bench.store.view(SCOPE) as view:
            early = view.locate(["turn:m0", "turn:m1"], kind="turn")
            empty = view.locate(["turn:m0"], kind="fact")
            bench.put(change(turns[1], entries=entries[1:]))
            with bench.store.view(SCOPE) as newer:
                _agrees(newer, early)
                _agrees(newer, newer.locate(early.ids, kind="turn", known=early))
                fresh = newer.locate(["turn:m1"], kind="turn")
            _agrees(view, early)
            _agrees(view, fresh)
            assert view.term_counts(empty, kind="fact", tokens=["tea"]).counts.tolist() == [[0]]


def _agrees(view: View, located: Located) -> None:
    tokens = ["tea", "milk"]
    told = view.score(located, kind="turn", tokens=tokens, vector=direction(2, 1))
    plain = view.score(located.ids, kind="turn", tokens=tokens, vector=direction(2, 1))
    assert told.similarity.tolist() == plain.similarity.tolist()
    assert told.lexical.tolist() == plain.lexical.tolist()
    assert told.coverage.tolist() == plain.coverage.tolist()
    counted = view.term_counts(located, kind="turn", tokens=tokens)
    by_id = view.term_counts(located.ids, kind="turn", tokens=tokens)
    assert counted.counts.tolist() == by_id.counts.tolist()
    assert counted.lengths.tolist() == by_id.lengths.tolist()
