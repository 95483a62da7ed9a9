"""What a call of ``consolidate`` did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """Counts of what is new, and what did not go well.

    ``failed`` holds (episode id, why) where the extractor failed and rules stood in; ``lost`` the
    numbers and names that a summary does not carry (they stay in the turns); ``superseded`` the
    facts that were overturned; ``model_calls`` and ``model_tokens`` what the extractor's model
    cost, failed attempts included.
    """

    turns: int = 0
    episodes: int = 0
    facts: int = 0
    entities: int = 0
    categories: int = 0
    superseded: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    lost: tuple[str, ...] = ()
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    model_calls: int = 0
    model_tokens: int = 0


def merge_reports(reports: Sequence[ConsolidationReport]) -> ConsolidationReport:
    """The sum of several calls, in their order; warnings and losses without repeats."""
    return ConsolidationReport(
        turns=sum(each.turns for each in reports),
        episodes=sum(each.episodes for each in reports),
        facts=sum(each.facts for each in reports),
        entities=sum(each.entities for each in reports),
        categories=sum(each.categories for each in reports),
        superseded=sum(each.superseded for each in reports),
        failed=tuple(dict.fromkeys(pair for each in reports for pair in each.failed)),
        lost=tuple(dict.fromkeys(text for each in reports for text in each.lost)),
        seconds=sum(each.seconds for each in reports),
        warnings=tuple(dict.fromkeys(text for each in reports for text in each.warnings)),
        model_calls=sum(each.model_calls for each in reports),
        model_tokens=sum(each.model_tokens for each in reports),
    )
