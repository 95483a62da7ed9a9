"""What a state was asked before is answered anew when the state changes."""

from __future__ import annotations

from pathlib import Path

from mnemis.config import Config
from mnemis.model.graph import Node
from mnemis.ports.store import View
from mnemis.stores.sqlite import SqliteStore
from mnemis.testing.store_samples import FINGERPRINT, SCOPE, category, change, edge, turn

PRICES, 退款 = category("Prices", "m1"), category("退款", "m1")


def _categories(view: View) -> list[str]:
    return [node.id for node in view.scan("category")]


def _below(view: View, *nodes: Node) -> dict[str, list[str]]:
    found = view.neighbours([node.id for node in nodes], types=("belongs_to",), direction="in")
    return {key: [each.source for each in edges] for key, edges in found.items()}


def test_categories_and_edges_are_those_of_the_view(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path, fingerprint=FINGERPRINT, config=Config())
    said = turn(1)
    store.apply(SCOPE, change(said, PRICES))
    with store.view(SCOPE) as older:
        assert _categories(older) == _categories(older) == [PRICES.id]
        assert _below(older, PRICES, 退款) == _below(older, PRICES, 退款) == {PRICES.id: []}
        store.apply(SCOPE, change(退款, edges=[edge(said, PRICES, "belongs_to")]))
        with store.view(SCOPE) as newer:
            assert _categories(newer) == _categories(newer) == [PRICES.id, 退款.id]
            wanted: dict[str, list[str]] = {PRICES.id: [said.id], 退款.id: []}
            assert _below(newer, PRICES, 退款) == _below(newer, PRICES, 退款) == wanted
            assert _below(newer, 退款, 退款) == {退款.id: []}
        assert _categories(older) == [PRICES.id]
        assert _below(older, PRICES) == {PRICES.id: []}
    store.apply(SCOPE, change(delete_nodes=[PRICES.id]))
    with store.view(SCOPE) as view:
        assert _categories(view) == [退款.id]
        assert list(view.get([退款.id, PRICES.id, 退款.id])) == [退款.id]
    store.close()
