"""The ranker: one linear sum over the evidence, scaled by what kind of conversation it is."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mnemis.model.query import Query
from mnemis.ports.store import Floats, View
from mnemis.recall.evidence import Field, Fit, best_rows, fit, floats
from mnemis.recall.hop import Passages
from mnemis.recall.observe import Observation
from mnemis.recall.similarity import Probe
from mnemis.recall.threads import on_thread
from mnemis.recall.weights import Weights
from mnemis.text.tokenise import content_tokens

_COUNTING = re.compile(
    r"有(?:几|多少)[个人场次位种](?!字)|哪些|\bhow many\b|\blist (?:the|all)\b", re.I
)
_SPAN = 1.6  # a raw sum this high is as good as certain: half of the score range
_NOTE_HITS = 3
_ANYWHERE = (
    "relations", "hierarchy", "thread", "fact", "cause", "importance", "time_fit", "recency"
)  # fmt: skip
"""What some turn has whatever is asked: a walk leads somewhere, something was said at that time."""
_UNHEARD = 0.3  # the fewer of the question's words were ever said, the less words decide
_BELOW = 0.9  # of a hit's sum: as high as its names lift another turn of talk
_FITS = 0.15  # a branch below it hardly fits: no category has the words of the question
_CENTRAL = 64  # rows whose degree is looked up
_HUB = 4.0  # log(1 + degree) from which on a turn is as central as can be
_FADES = 60.0  # days after which "now" has faded to a third


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Raw sums of every row of the field (comparable across queries), their parts by name, the
    share of the query's idf mass each row covers, and the share that the memory ``knows``;
    ``matched``: the sum without what some turn has whatever is asked; ``fits``: the evidence a
    question, for ranking the same field again.
    """

    raw: Floats
    parts: Mapping[str, Floats]
    covered: Floats
    known: float
    matched: Floats
    fits: tuple[Fit, ...]


def rank(
    view: View,
    field: Field,
    query: Query,
    probes: Sequence[Probe],
    *,
    routes: Mapping[str, Floats],
    passages: Passages,
    seen: Observation,
    weights: Weights,
    fits: tuple[Fit, ...] = (),
) -> Ranking:
    """``probes``: one per question of the query, and the whole last when there are several.
    ``routes``: per route each row's score in [0, 1].
    """
    fits = fits or tuple(
        fit(view, field, probe, surroundings=seen.dialogue > 0) for probe in probes
    )
    sums: list[Floats] = []
    for one, probe in zip(fits, probes, strict=True):
        total = _one_question(field, one, seen, weights) + passages.lift(field)
        if passages.bridges:
            total = total + _bridged(field, one, total, passages, weights, talk=seen.dialogue > 0)
        if seen.note:
            total = total + seen.note * weights.hop_note * _shared_subject(
                view, field, one, probe, total
            )
        sums.append(floats(total))
    matched = sums[0] if len(sums) == 1 else _compound(sums, weights)
    parts: dict[str, Floats] = {"match": matched}
    parts.update(_form(field, query, seen, weights, matched))
    parts["relations"] = weights.relations * (0.5 + query.specificity) * routes["relations"]
    parts["hierarchy"] = _by_topic(routes["hierarchy"], query, weights)
    parts["fact"] = weights.fact * routes["fact"]
    if query.intents & {"why", "how"}:
        parts["cause"] = floats(weights.cause * routes["cause"])
    parts.update(_standing_out(view, field, query, weights))
    raw = floats(np.sum(list(parts.values()), axis=0))
    if "all" in query.intents:
        share = weights.thread * max(float(raw.max(initial=0.0)), 0.0)
        parts["thread"] = floats(share * on_thread(view, field, raw, routes["hierarchy"] > 0))
        raw = floats(raw + parts["thread"])
    raw = floats(raw + _central(view, field, raw, weights))
    if _COUNTING.search(query.text) and not seen.dialogue:
        raw = _diverse(view, field, raw, weights)
    return Ranking(
        raw=raw,
        parts=parts,
        covered=floats(np.max([each.cover for each in fits], axis=0)),
        known=float(np.mean([each.known for each in fits])),
        matched=floats(np.sum([parts[name] for name in parts if name not in _ANYWHERE], axis=0)),
        fits=fits,
    )


def squash(raw: float) -> float:
    """A raw sum as a score in [0, 1], strictly rising."""
    return 1.0 - math.exp(-raw / _SPAN) if raw > 0 else 0.0


def _standing_out(view: View, field: Field, query: Query, weights: Weights) -> dict[str, Floats]:
    """Importance and, when asked for now, recency counted from the scope's newest turn."""
    parts = {"importance": floats(weights.importance * field.importance)}
    newest = view.stats().newest
    if "now" in query.intents and newest is not None:
        days = (newest.timestamp() - field.seconds) / 86_400
        parts["recency"] = floats(
            weights.recency * np.nan_to_num(np.exp(-np.maximum(days, 0) / _FADES), nan=0.0)
        )
    return parts


def _central(view: View, field: Field, raw: Floats, weights: Weights) -> Floats:
    """Degree on a log scale, looked up for the best rows alone."""
    central = np.zeros(len(raw), dtype=np.float32)
    best = best_rows(raw, _CENTRAL)
    ids = [field.ids[row] for row in best]
    degrees = view.degrees(ids)
    degree = floats(list(map(degrees.__getitem__, ids)))
    central[best] = weights.central * np.clip(np.log1p(degree) / _HUB, 0, 1)
    return central


def _by_topic(score: Floats, query: Query, weights: Weights) -> Floats:
    """Route 2's say: as found for a plain question; for one that wants everything (or hardly
    knows what it wants) a best branch that fits counts in full, a fainter one in proportion.
    """
    if not query.intents & {"all", "vague"}:
        return floats(weights.hierarchy * score)
    weight = weights.hierarchy_all if "all" in query.intents else weights.hierarchy_vague
    return floats(weight * score / max(float(score.max(initial=0.0)), _FITS))


def _one_question(field: Field, one: Fit, seen: Observation, weights: Weights) -> Floats:
    meant = weights.part_best * one.best + weights.part_mean * one.mean
    said = weights.bm25 * one.bm25 + weights.cover * one.cover
    total = meant + one.known**_UNHEARD * said
    if seen.dialogue:
        total = total + seen.dialogue * _context(field, one, floats(total), weights)
    return floats(total)


def _bridged(
    field: Field, one: Fit, total: Floats, passages: Passages, weights: Weights, *, talk: bool
) -> Floats:
    """What good hits lead to, as far as it covers what they left open of the question; in ``talk``
    never above the hit itself.
    """
    out = np.zeros(len(total), dtype=np.float32)
    top = float(total.max()) + 1e-9
    for source, targets in passages.from_source().items():
        hit = field.row(source)
        if hit < 0:
            continue
        reached = np.zeros(len(total), dtype=np.float32)
        for target, strength in targets:
            if (row := field.row(target)) >= 0:
                reached[row] = strength
        share = max(0.0, float(total[hit]) / top)
        led = share * reached * (weights.hop_base + _opened(one, hit))
        if talk:
            led = np.minimum(led, np.maximum(_BELOW * float(total[hit]) - total, 0.0))
        out = np.maximum(out, led)
    return out


def _opened(one: Fit, hit: int) -> Floats:
    """Share of the question's idf mass that the hit lacks and each row has."""
    if not len(one.idf):
        return np.zeros(len(one.has), dtype=np.float32)
    left = np.where(one.has[hit], 0, one.idf)
    return floats(one.has @ left / one.idf.sum())


def _context(field: Field, one: Fit, total: Floats, weights: Weights) -> Floats:
    """What stands around a turn: window, stretch, session, the question it answers."""
    before = np.where(field.previous >= 0, total[field.previous], 0)
    after = np.where(field.following >= 0, total[field.following], 0)
    asked = np.where(field.previous >= 0, field.asking[field.previous], 0)
    said = (
        weights.bm25_window * one.window
        + weights.cover_window * one.window_cover
        + weights.bm25_stretch * one.stretch
        + weights.bm25_session * one.session
    )
    return floats(
        one.known**_UNHEARD * said
        + weights.session_best * _best_three(field, total)
        + weights.answers * field.answers * before * np.sqrt(asked)
        + weights.previous * before
        + weights.following * after
    )


def _best_three(field: Field, total: Floats) -> Floats:
    """The mean of the three best rows of each row's stretch."""
    if not len(total):
        return total
    # One sort of numbers that rise with the stretch and fall with the row's own value.
    apart = float(total.max()) - float(total.min()) + 1.0
    offset = field.stretch * apart
    best = offset - np.sort(offset - total)
    ends = np.append(field.starts[1:], len(total))
    sums = best[field.starts]
    for place in (1, 2):
        at = field.starts + place
        sums = sums + np.where(at < ends, best[np.minimum(at, len(total) - 1)], 0.0)
    return floats((sums / np.minimum(ends - field.starts, 3))[field.stretch])


def _shared_subject(view: View, field: Field, one: Fit, probe: Probe, total: Floats) -> Floats:
    """Notes that share a good hit's rare words and cover what it left open of the query."""
    bridged = np.zeros(len(total), dtype=np.float32)
    if not len(one.idf):
        return bridged
    best = best_rows(total, _NOTE_HITS)
    top = float(total[best[0]]) + 1e-9
    count = view.stats().entries.get("turn", 0)
    texts = view.get([field.ids[hit] for hit in best])
    for hit in best:
        own = dict.fromkeys(content_tokens(texts[field.ids[hit]].text))
        stats = view.term_stats([t for t in own if t not in probe.tokens], kind="turn")
        rare = _rare(stats, count=count)
        if not rare:
            continue
        idf = np.array(list(rare.values()), dtype=np.float32)
        told = view.term_counts(field.entries, kind="turn", tokens=tuple(rare))
        mass = (told.counts > 0) @ idf**2
        scale = float(np.mean(np.array(list(stats.values())) ** 2)) * np.sqrt(
            max(told.lengths[hit], 1.0) * np.maximum(told.lengths, 1.0)
        )
        share = max(0.0, float(total[hit]) / top) * mass / scale * (0.3 + _opened(one, hit))
        share[hit] = 0
        bridged = np.maximum(bridged, share)
    return floats(bridged)


def _rare(stats: Mapping[str, float], *, count: int) -> dict[str, float]:
    """Words that at least two turns and at most three in ten hold."""

    def idf(holding: float) -> float:
        return float(np.log(1 + (count - holding + 0.5) / (holding + 0.5)))

    low, high = idf(max(3.0, 0.3 * count)) - 1e-6, idf(2) + 1e-6
    return {token: value for token, value in stats.items() if low <= value <= high}


def _compound(sums: Sequence[Floats], weights: Weights) -> Floats:
    """The best single question, each measured from the mean of its own five best; a little of
    the whole. So no question of the query crowds out another.
    """
    tops = [float(np.sort(each)[-5:].mean()) for each in sums]
    single = np.maximum.reduce([each - top for each, top in zip(sums[:-1], tops, strict=False)])
    whole = weights.whole * (sums[-1] - tops[-1])
    return floats(single + whole + np.mean(tops[:-1]))


def _form(
    field: Field, query: Query, seen: Observation, weights: Weights, matched: Floats
) -> dict[str, Floats]:
    """What the query's form asks for: the speaker, a date word, a time, the user's own words."""
    parts: dict[str, Floats] = {}
    if seen.dialogue:
        middle = max(seen.length, 1.0)
        long = np.clip(np.log((field.length + 20) / (middle + 20)), -1.5, 1)
        parts["length"] = floats(seen.dialogue * weights.length * long)
        parts["question"] = floats(-seen.dialogue * weights.question * field.asking)
        if len(query.speakers) == 1 and query.speakers[0] in field.speakers:
            says = field.voice == field.speakers.index(query.speakers[0])
            parts["speaker"] = floats(seen.dialogue * weights.speaker * says)
        if "when" in query.intents:
            parts["when_word"] = floats(seen.dialogue * weights.when_word * field.dated)
    if query.ranges:
        parts["time_fit"] = floats(weights.time_fit * _time_fit(field, query))
    if seen.assisted:
        parts["user"] = floats(seen.assisted * weights.user * ~field.machine)
        parts["reply"] = floats(seen.assisted * weights.reply * _replied(field, matched))
    return parts


def _replied(field: Field, matched: Floats) -> Floats:
    """The match of the assistant's reply, for turns that are not the assistant's."""
    next_is_machine = (field.following >= 0) & field.machine[field.following]
    return np.where(next_is_machine & ~field.machine, matched[field.following], 0)


def _time_fit(field: Field, query: Query) -> Floats:
    """1 inside a time that the query names, falling off over days (over its own length)."""
    best = np.zeros(len(field.ids), dtype=np.float32)
    for start, end in query.ranges:
        low, high = start.timestamp(), end.timestamp()
        away = np.maximum(np.maximum(low - field.seconds, field.seconds - high), 0.0) / 86_400
        best = np.maximum(best, np.nan_to_num(np.exp(-away / 3), nan=0.0))
    return best


def _diverse(view: View, field: Field, raw: Floats, weights: Weights) -> Floats:
    """For counting and listing: a greedy top 12 in which each takes from those like it."""
    order = best_rows(raw, 40)
    stored = view.vectors([field.ids[row] for row in order])
    if not stored:
        return raw
    width = len(next(iter(stored.values())))
    rows = np.stack([stored.get(field.ids[row], np.zeros(width, np.float32)) for row in order])
    alike = rows @ rows.T
    told, left = np.zeros(len(order)), np.ones(len(order), dtype=bool)
    chosen: list[int] = []
    for _ in range(min(12, len(order))):
        value = raw[order] - weights.diverse * np.maximum(told - 0.5, 0)
        pick = int(np.argmax(np.where(left, value, -np.inf)))
        left[pick] = False
        chosen.append(pick)
        told = np.maximum(told, alike[pick])
    low, high = float(raw[order[len(chosen) - 1]]), float(raw[order[0]])
    spread = np.minimum(raw, low - 1e-3)
    spread[[order[pick] for pick in chosen]] = np.linspace(high, low, len(chosen))
    return floats(spread)
