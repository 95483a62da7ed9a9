"""The port's sentences on what is read as columns: matches, and fields of all nodes."""

from __future__ import annotations

from datetime import timedelta

from mnemis.model.graph import Turn
from mnemis.ports.store import Matches, Scored
from mnemis.testing.store_samples import (
    SCOPE,
    START,
    StoreBench,
    change,
    direction,
    entry,
    turn,
)

_FIELDS = ("id", "ordinal", "session", "speaker", "time", "text", "sources", "parts", "dated")


class ColumnTests:
    """Columns say what the whole objects say."""

    def test_matches_are_a_sequence_of_what_was_found(self, bench: StoreBench) -> None:
        """One value an entry in every column, in the order of the entries."""
        turns = [turn(n) for n in range(4)]
        bench.put(
            change(*turns, entries=[entry(t, "tea", vector=direction(1, t.ordinal)) for t in turns])
        )
        with bench.store.view(SCOPE) as view:
            near = view.nearest(direction(1), k=3, kinds=["turn"])
            words = view.search(["tea"], k=9, kinds=["turn", "fact"])
        for found, count in ((near, 3), (words, 4)):
            assert len(found) == len(found.ids) == count
            assert found == tuple(found) == Matches.of(found)
            assert found[0] == Scored(
                id=found.ids[0],
                owner=found.owners[0],
                kind=found.kinds[0],
                score=found.scores[0],
            )
            assert list(found[1:]) == list(found)[1:]
            assert list(found.scores) == sorted(found.scores, reverse=True)

    def test_fields_are_those_of_the_scanned_nodes(self, bench: StoreBench) -> None:
        """Also after a change, a deletion, and in a store that was opened again."""
        turns = [turn(n, text=f"words 第 {n}", time=START + timedelta(days=n)) for n in range(4)]
        bench.put(change(*reversed(turns)))
        bench.put(change(turn(1, text="", speaker="Bo"), delete_nodes=["turn:m2"]))
        for _ in range(2):
            with bench.store.view(SCOPE) as view:
                scanned = view.scan("turn")
                told = list(view.fields("turn", _FIELDS))
                assert list(view.fields("fact", ["id"])) == []
            assert [each.id for each in scanned] == ["turn:m0", "turn:m1", "turn:m3"]
            assert all(isinstance(each, Turn) for each in scanned)
            assert told == [tuple(getattr(each, name) for name in _FIELDS) for each in scanned]
            bench.reopen()
