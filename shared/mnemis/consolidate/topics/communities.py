"""Communities of entities that are named in the same episodes (Louvain, fixed seed)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

_SEED: Final = 7
_SMALLEST: Final = 3
_MOST_TOGETHER: Final = 12


def communities(together: Sequence[Sequence[str]]) -> list[list[str]]:
    """Groups of at least three ids, sorted; ``together`` lists what each episode names.

    A graph without edges gives none.
    """
    import networkx

    nx: Any = networkx

    pairs: Counter[tuple[str, str]] = Counter()
    for group in together:
        pairs.update(combinations(sorted(set(group[:_MOST_TOGETHER])), 2))
    if not pairs:
        return []
    graph: Any = nx.Graph()
    graph.add_nodes_from(sorted({node for pair in pairs for node in pair}))
    for (first, second), count in sorted(pairs.items()):
        graph.add_edge(first, second, weight=float(count))
    found: Any = nx.community.louvain_communities(graph, weight="weight", seed=_SEED)
    return sorted(sorted(str(node) for node in group) for group in found if len(group) >= _SMALLEST)
