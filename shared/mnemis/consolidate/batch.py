"""One batch: from stretches of turns to the change that holds what they taught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

import numpy as np

from mnemis.consolidate.census import Census, census_of
from mnemis.consolidate.extract import extract_by_rules
from mnemis.consolidate.knowledge import Knowledge
from mnemis.consolidate.lookup import candidate_keys, entities_named
from mnemis.consolidate.reading import Batch, Stretch
from mnemis.consolidate.report import ConsolidationReport
from mnemis.consolidate.resolve import Register
from mnemis.consolidate.resources import Resources
from mnemis.consolidate.summarise import Summary, summarise
from mnemis.consolidate.topics.keywords import Idf, phrase_key
from mnemis.consolidate.validity.amend import Amender
from mnemis.consolidate.validity.facts import FactBook
from mnemis.consolidate.writing import Draft, build_change, draft_episodes, draft_knowledge
from mnemis.errors import ModelError
from mnemis.model.change import Change
from mnemis.model.graph import Episode, Fact, Turn
from mnemis.ports.extractor import AddingExtractor, Extraction
from mnemis.ports.store import View
from mnemis.text.normalise import name_key
from mnemis.text.tokenise import tokenise

_FEW: Final = 120
"""Fewer turns than this show too little of who recurs."""

_NEAR_FACTS: Final = 32
"""How many stored facts are looked at for a value that a new one names as over."""


@dataclass(slots=True)
class _Extracted:
    """Extractions by episode, and what went wrong."""

    by_episode: dict[str, Extraction] = field(default_factory=dict[str, Extraction])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])


def work_on(view: View, batch: Batch, resources: Resources) -> tuple[Change, ConsolidationReport]:
    """The change and the report for one batch."""
    turns = {turn.id: turn for stretch in batch.stretches for turn in stretch.turns}
    knowledge, extracted, earlier = learn(view, batch.stretches, turns, resources)
    summaries = sum_up(view, batch.stretches, knowledge)
    told = _ends_by_turn(knowledge)
    episodes = [
        _episode(
            stretch, summaries[stretch.id], knowledge, told, extracted.failed.get(stretch.id, "")
        )
        for stretch in batch.stretches
    ]
    draft = Draft()
    draft_episodes(draft, view, episodes, batch)
    draft_knowledge(draft, view, knowledge, turns)
    state = {**batch.state, **_failed_state(view, extracted.failed, done=())}
    change = build_change(
        draft,
        view,
        resources,
        purpose="consolidate",
        turns={**earlier, **turns},
        state=state,
        knowledge=knowledge,
    )
    return change, _report(batch, episodes, summaries, knowledge, extracted)


def retry_batch(view: View, resources: Resources) -> tuple[Change, ConsolidationReport] | None:
    """Extraction again for episodes whose extractor failed; None when there are none."""
    ids = _failed(view)
    found = [node for node in view.get(ids).values() if isinstance(node, Episode)]
    if not found:
        return None
    turn_nodes = view.get([turn for episode in found for turn in episode.turns])
    stretches = [
        Stretch(turns=held)
        for episode in found
        if (
            held := tuple(
                t for each in episode.turns if isinstance(t := turn_nodes.get(each), Turn)
            )
        )
    ]
    turns = {turn.id: turn for stretch in stretches for turn in stretch.turns}
    knowledge, extracted, earlier = learn(view, stretches, turns, resources)
    draft = Draft()
    draft_knowledge(draft, view, knowledge, turns)
    done = tuple(each for each in ids if each not in extracted.failed)
    draft.nodes.update(
        {
            each.id: replace(each, note=_note(extracted.failed.get(each.id, ""), ()))
            for each in found
        }
    )
    state = _failed_state(view, extracted.failed, done=done)
    change = build_change(
        draft,
        view,
        resources,
        purpose="retry",
        turns={**earlier, **turns},
        state=state,
        knowledge=knowledge,
    )
    batch = Batch(stretches=(), fresh=0, watermark=0, state={}, outdated=(), before={})
    return change, _report(batch, [], {}, knowledge, extracted)


def learn(
    view: View, stretches: Sequence[Stretch], turns: Mapping[str, Turn], resources: Resources
) -> tuple[Knowledge, _Extracted, dict[str, Turn]]:
    """What the turns teach, what went wrong, and earlier turns that it rests on too."""
    register = Register(lookup=lambda keys: entities_named(view, keys))
    book = FactBook(
        held=lambda slot: (
            tuple((view.state(f"slot:{slot}") or "").split(","))
            if view.state(f"slot:{slot}")
            else ()
        ),
        fetch=lambda ids: {k: n for k, n in view.get(ids).items() if isinstance(n, Fact)},
        saying=lambda tokens: [
            hit.owner for hit in view.search(tokens, k=_NEAR_FACTS, kinds=["fact"])
        ],
        overturning=lambda ids: (
            view.neighbours(ids, types=("supersedes",), direction="in") if ids else {}
        ),
        recorded=resources.clock.now(),
    )
    register.load(candidate_keys(turns.values()))
    knowledge = Knowledge(register=register, book=book)
    extracted = _Extracted()
    census = census_of(tuple(_around(view, turns)))
    for stretch in stretches:
        extraction = _extract(stretch, register, census, resources, extracted)
        knowledge.take(extraction, stretch.turns)
    return knowledge, extracted, Amender(view=view, knowledge=knowledge, turns=turns).amend()


def _around(view: View, turns: Mapping[str, Turn]) -> Iterator[Turn]:
    """The turns, and where they are few the latest of the memory: a name recurs in any of them."""
    yield from turns.values()
    if len(turns) < _FEW:
        yield from (each for each in view.tail(None, limit=_FEW) if each.id not in turns)


def _extract(
    stretch: Stretch,
    register: Register,
    census: Census,
    resources: Resources,
    extracted: _Extracted,
) -> Extraction:
    extractor = resources.extractor
    if extractor is not None:
        try:
            found = resources.ledger.extract(extractor, stretch.turns)
            extracted.warnings.extend(found.warnings)
            if isinstance(extractor, AddingExtractor) and extractor.adds_to_rules:
                return _together(
                    extract_by_rules(stretch.turns, known=register, census=census), found
                )
            return found
        except ModelError as error:
            extracted.failed[stretch.id] = str(error)
    return extract_by_rules(stretch.turns, known=register, census=census)


def _together(rules: Extraction, found: Extraction) -> Extraction:
    return replace(
        found,
        entities=(*rules.entities, *found.entities),
        facts=(*rules.facts, *found.facts),
        causes=tuple(dict.fromkeys((*rules.causes, *found.causes))),
    )


def sum_up(view: View, stretches: Sequence[Stretch], knowledge: Knowledge) -> dict[str, Summary]:
    """The summary of each stretch by its episode's id."""
    idf = _idf(view, (turn for stretch in stretches for turn in stretch.turns))
    return {
        stretch.id: summarise(
            stretch.turns,
            idf=idf,
            names=_names_in(stretch, knowledge),
            skip=_speaker_keys(stretch),
            fact_turns=knowledge.fact_turns,
        )
        for stretch in stretches
    }


def _idf(view: View, turns: Iterable[Turn]) -> Idf:
    tokens: set[str] = set()
    for turn in turns:
        text = turn.text[:2_000]
        tokens.update(tokenise(text))
    stats = view.term_stats(sorted(tokens), kind="turn")
    return Idf(of=stats, rare=max(stats.values(), default=1.0))


def _speaker_keys(stretch: Stretch) -> set[str]:
    names = {turn.speaker for turn in stretch.turns}
    parts = {part for name in names for part in (name, *name.split(), name[1:])}
    return {phrase_key(part) for part in parts if part}


def _names_in(stretch: Stretch, knowledge: Knowledge) -> dict[str, str]:
    """Entities named in an episode, by phrase key; speakers are on every line and tell nothing."""
    speakers = {name_key(turn.speaker) for turn in stretch.turns}
    names: dict[str, str] = {}
    for turn in stretch.turns:
        for start, end, entity in knowledge.spots.get(turn.id, ()):
            node = knowledge.register.entities[entity]
            written = turn.text[start:end]
            if name_key(node.name) not in speakers and written:
                names[phrase_key(written)] = written
    return names


def _ends_by_turn(knowledge: Knowledge) -> dict[str, dict[str, tuple[str, ...]]]:
    """For each turn the facts that rest on it, with the entities at their ends."""
    told: dict[str, dict[str, tuple[str, ...]]] = {}
    for fact, turns in knowledge.supports.items():
        held = knowledge.book.facts.get(fact)
        if held is not None:
            ends = tuple(each for each in (held.subject_id, held.object_id) if each is not None)
            for turn in turns:
                told.setdefault(turn, {})[fact] = ends
    return told


def _entity_ids(
    stretch: Stretch, knowledge: Knowledge, told: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> list[str]:
    counts: dict[str, int] = {}
    facts: dict[str, tuple[str, ...]] = {}
    for turn in stretch.turns:
        for _, _, entity in knowledge.spots.get(turn.id, ()):
            counts[entity] = counts.get(entity, 0) + 2
        facts.update(told.get(turn.id, {}))
    for ends in facts.values():
        for end in ends:
            counts[end] = counts.get(end, 0) + 1
    return list(islice(sorted(counts, key=lambda each: (-counts[each], each)), 20))


def _speaker_ids(stretch: Stretch, knowledge: Knowledge) -> list[str]:
    """Entities of those who spoke, where they have one."""
    names = sorted({turn.speaker for turn in stretch.turns if turn.role == "user"})
    found = (knowledge.register.held(name) for name in names)
    return [each for each in found if each is not None]


def _episode(
    stretch: Stretch,
    summary: Summary,
    knowledge: Knowledge,
    told: Mapping[str, Mapping[str, tuple[str, ...]]],
    why: str,
) -> Episode:
    times = [turn.time for turn in stretch.turns if turn.time is not None]
    facts = [knowledge.fact_turns.get(turn.id, 0.0) for turn in stretch.turns]
    return Episode(
        id=stretch.id,
        text=summary.text,
        time=min(times) if times else None,
        sources=tuple(dict.fromkeys(source for turn in stretch.turns for source in turn.sources)),
        importance=max([0.1, *facts]),
        language=summary.language,
        title=summary.title,
        keywords=summary.keywords,
        session=stretch.turns[0].session,
        turns=tuple(turn.id for turn in stretch.turns),
        start=min(times) if times else None,
        end=max(times) if times else None,
        note=_note(why, summary.lost),
        metadata={
            "entities": list(_entity_ids(stretch, knowledge, told)),
            "speakers": list(_speaker_ids(stretch, knowledge)),
            "density": float(np.mean([turn.density for turn in stretch.turns])),
            "status": "failed" if why else "extracted",
            "themes": {str(theme): words for theme, words in summary.themes.items()},
        },
    )


def _note(why: str, lost: Sequence[str]) -> str:
    notes = [f"extraction failed, rules stood in: {why}"] if why else []
    if lost:
        notes.append(f"not in the summary: {', '.join(lost)}")
    return "; ".join(notes)


def _failed(view: View) -> list[str]:
    return [each for each in (view.state("failed_episodes") or "").split(",") if each]


def _failed_state(view: View, failed: Mapping[str, str], *, done: Sequence[str]) -> dict[str, str]:
    held = _failed(view)
    kept = dict.fromkeys([*(each for each in held if each not in done), *failed])
    return {"failed_episodes": ",".join(kept)} if list(kept) != held else {}


def _report(
    batch: Batch,
    episodes: Sequence[Episode],
    summaries: Mapping[str, Summary],
    knowledge: Knowledge,
    extracted: _Extracted,
) -> ConsolidationReport:
    book = knowledge.book
    lost = [f"{each.title}: {text}" for each in episodes for text in summaries[each.id].lost]
    return ConsolidationReport(
        turns=batch.fresh,
        episodes=sum(each.id not in batch.before for each in episodes),
        facts=len(book.created & book.changed),
        entities=len(knowledge.register.created),
        superseded=sum(key[2] == "supersedes" for key in book.linked),
        failed=tuple(sorted(extracted.failed.items())),
        lost=tuple(lost[:200]),
        warnings=tuple(dict.fromkeys(extracted.warnings)),
    )
