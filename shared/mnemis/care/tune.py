"""Fitting the ranking's weights to one scope's own labelled queries.

Coordinate search: each weight in turn is tried at nothing, half, one and a half and double of what
it is, and kept where the labelled queries are answered better. Because a fit always looks good on
what it was fitted to, it is judged by cross-validation: fitted on four fifths, scored on the fifth
that it has not seen. Unless the unseen score rises by more than twice its standard error, and
by two hundredths, the weights stay as they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from statistics import mean, stdev
from uuid import uuid4

from mnemis.errors import InputError
from mnemis.model.change import Change, Scope
from mnemis.ports.store import Store, View
from mnemis.recall.pipeline import Recaller
from mnemis.recall.request import RecallRequest
from mnemis.recall.shortlist import Asked
from mnemis.recall.weights import SHIPPED, TUNED, Weights, read_weights, write_weights

FEWEST = 10
_FOLDS = 5
_FACTORS = (0.0, 0.5, 1.5, 2.0)
_TOP = 10
_GAIN = 1e-4  # what a step must add on the queries it is fitted to
_SURE = 2.0  # standard errors by which the unseen score must rise
_WORTH = 0.02  # and by how much at least: less comes of labels without any sense
_SEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A query and the ids of the messages that answer it; ``asked_at`` anchors relative dates."""

    query: str
    relevant: tuple[str, ...]
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneReport:
    """What came of it. Scores are the mean of recall@10 and reciprocal rank, in [0, 1].

    ``before`` / ``after``: on queries that the fit had not seen; ``error``: standard error of their
    paired difference; ``accepted``: the tuned weights are now in use; ``changed``: the weights that
    differ from what was used before, with their new values.
    """

    queries: int
    before: float
    after: float
    error: float
    accepted: bool
    changed: tuple[tuple[str, float], ...] = ()


def tune(
    store: Store,
    scope: Scope,
    recaller: Recaller,
    labelled: Iterable[Labelled],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> TuneReport:
    """Fit, judge, and keep the weights in the scope when they help on what they have not seen.

    Raises InputError with fewer than ten usable queries, or for a message that is not there.
    """
    examples = _check(labelled)
    with store.view(scope) as view:
        _check_known(view, examples)
    asked = [recaller.prepare(scope, _request(each)) for each in examples]
    with store.view(scope) as view:
        current = read_weights(view.state(TUNED)) or SHIPPED
    scorer = _Scorer(recaller, asked, examples)
    before, after = _cross_validate(scorer, current, len(examples), progress)
    gains = [new - old for old, new in zip(before, after, strict=True)]
    error = stdev(gains) / len(gains) ** 0.5
    accepted = mean(gains) > max(_SURE * error, _WORTH)
    fitted = _fit(scorer, current, range(len(examples))) if accepted else current
    if accepted:
        _keep(store, scope, write_weights(fitted))
    if progress is not None:
        progress(_FOLDS + 1, _FOLDS + 1)
    return TuneReport(
        queries=len(examples),
        before=mean(before),
        after=mean(after),
        error=error,
        accepted=accepted,
        changed=_differences(current, fitted),
    )


def untune(store: Store, scope: Scope) -> bool:
    """Back to the shipped weights; False when they were in use already."""
    with store.view(scope) as view:
        tuned = bool(view.state(TUNED))
    if tuned:
        _keep(store, scope, "")
    return tuned


class _Scorer:
    """Scores weights on some of the queries; what was tried once is remembered."""

    def __init__(
        self, recaller: Recaller, asked: Sequence[Asked], examples: Sequence[Labelled]
    ) -> None:
        self._recaller = recaller
        self._asked = asked
        self._examples = examples
        self._known: dict[tuple[Weights, int], float] = {}

    def score(self, weights: Weights, places: Iterable[int]) -> float:
        """The mean over the queries at these places."""
        return mean(self.one(weights, place) for place in places)

    def one(self, weights: Weights, place: int) -> float:
        """Mean of recall@10 and reciprocal rank of one query."""
        key = (weights, place)
        if key not in self._known:
            ids = self._recaller.order(self._asked[place], weights=weights, limit=3 * _TOP)
            self._known[key] = _quality(ids, set(self._examples[place].relevant))
        return self._known[key]


def _quality(ids: Sequence[str], relevant: set[str]) -> float:
    found = len(relevant.intersection(ids[:_TOP])) / min(len(relevant), _TOP)
    first = next((rank for rank, each in enumerate(ids, start=1) if each in relevant), 0)
    return 0.5 * found + (0.5 / first if first else 0.0)


def _cross_validate(
    scorer: _Scorer,
    start: Weights,
    count: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[list[float], list[float]]:
    places = list(range(count))
    random.Random(_SEED).shuffle(places)
    before: list[float] = []
    after: list[float] = []
    for fold in range(_FOLDS):
        held_out = places[fold::_FOLDS]
        seen = [place for place in places if place not in held_out]
        fitted = _fit(scorer, start, seen)
        before.extend(scorer.one(start, place) for place in held_out)
        after.extend(scorer.one(fitted, place) for place in held_out)
        if progress is not None:
            progress(fold + 1, _FOLDS + 1)
    return before, after


def _fit(scorer: _Scorer, start: Weights, places: Iterable[int]) -> Weights:
    seen = list(places)
    best, best_score = start, scorer.score(start, seen)
    for field in fields(Weights):
        value = getattr(start, field.name)
        for factor in _FACTORS:
            tried = replace(best, **{field.name: round(value * factor, 4)})
            score = scorer.score(tried, seen)
            if score > best_score + _GAIN:
                best, best_score = tried, score
    return best


def _check(labelled: Iterable[Labelled]) -> list[Labelled]:
    examples: list[Labelled] = []
    for place, each in enumerate(labelled):
        if not isinstance(each, Labelled):  # pyright: ignore[reportUnnecessaryIsInstance] untyped callers
            raise InputError(f"labelled query {place} is a {type(each).__name__}, not Labelled")
        if not each.query.strip() or not each.relevant:
            raise InputError(f"labelled query {place} needs a text and at least one message id")
        examples.append(each)
    if len(examples) < FEWEST:
        raise InputError(
            f"tuning needs at least {FEWEST} labelled queries to be judged on, got {len(examples)}"
        )
    return examples


def _check_known(view: View, examples: Sequence[Labelled]) -> None:
    wanted = list(dict.fromkeys(key for each in examples for key in each.relevant))
    known = view.by_source(wanted)
    if unknown := [each for each in wanted if not known.get(each)]:
        shown = ", ".join(map(repr, unknown[:5]))
        raise InputError(
            f"{len(unknown)} of the {len(wanted)} labelled messages are not in the memory: {shown}"
        )


def _request(example: Labelled) -> RecallRequest:
    return RecallRequest(query=example.query, k=3 * _TOP, asked_at=example.asked_at)


def _keep(store: Store, scope: Scope, value: str) -> None:
    store.apply(scope, Change(id=f"tune-{uuid4().hex}", purpose="tune", state={TUNED: value}))


def _differences(old: Weights, new: Weights) -> tuple[tuple[str, float], ...]:
    names = [each.name for each in fields(Weights)]
    return tuple(
        (name, getattr(new, name)) for name in names if getattr(new, name) != getattr(old, name)
    )
