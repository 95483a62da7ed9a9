"""Entities when messages go: they stay while something that stays names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mnemis.care.removing import Removing
from mnemis.care.words import clean_metadata, holds
from mnemis.consolidate.knowledge import profile
from mnemis.consolidate.resolve import capped
from mnemis.model.graph import Entity, Fact, Turn

_TOLD = 4
_MOST_MENTIONS = 256


def strip_entities(work: Removing) -> None:
    """Decide on every entity concerned."""
    concerned = {node.id for node in work.of_kind(Entity)}
    for fact in [work.nodes[each] for each in (*work.deleted, *work.rewritten)]:
        if isinstance(fact, Fact):
            concerned.update(each for each in (fact.subject_id, fact.object_id) if each)
    work.load(concerned)
    near = work.view.neighbours(
        sorted(concerned), types=("mentions",), direction="in", limit=_MOST_MENTIONS
    )
    work_on = [(key, [edge.source for edge in near.get(key, ())]) for key in sorted(concerned)]
    for key, naming in work_on:
        entity = work.now(key)
        if isinstance(entity, Entity):
            _strip(work, entity, naming)


def _strip(work: Removing, entity: Entity, naming: Sequence[str]) -> None:
    nodes = work.view.get([each for each in naming if each not in work.deleted])
    turns = [node for node in nodes.values() if isinstance(node, Turn)]
    facts = [f for each in nodes if isinstance(f := work.now(each) or nodes[each], Fact)]
    kept = work.kept(entity.sources)
    if not work.turns_of(kept):
        resting = [*(s for t in turns for s in t.sources), *(s for f in facts for s in f.sources)]
        kept = capped(tuple(dict.fromkeys(work.kept(resting))))
    supporting = {turn.id: turn for turn in (*work.turns_of(kept), *turns)}
    if not supporting:
        work.delete([entity.id])
        return
    lost = work.lost_words(supporting.values())
    renamed = _renamed(entity, lost)
    if renamed is None:
        work.delete([entity.id])
        work.redo_turns(supporting)
        for fact in facts:
            _let_go(work, fact, entity.id)
        return
    told = _told(work, renamed, [fact for fact in facts if entity.id in _ends(fact)])
    first = min(supporting.values(), key=lambda turn: turn.ordinal)
    metadata = clean_metadata(entity.metadata, lost)
    if "facts" in entity.metadata:
        metadata["facts"] = [fact.id for fact in told]
    text = profile(renamed, list(dict.fromkeys(fact.text for fact in told[:_TOLD])))
    if "facts" not in entity.metadata and not holds([entity.text], lost):
        text = entity.text
    time = first.time if entity.sources and entity.sources[0] in work.gone else entity.time
    stripped = replace(renamed, sources=kept, text=text, metadata=metadata, time=time)
    if stripped != entity:
        work.rewrite(stripped, text=stripped.text)


def _renamed(entity: Entity, lost: frozenset[str]) -> Entity | None:
    """The entity under names that were said in what stays; None when there is none."""
    aliases = tuple(alias for alias in entity.aliases if not holds([alias], lost))
    name = entity.name
    if holds([name], lost):
        if not aliases:
            return None
        name, aliases = aliases[0], aliases[1:]
    keeps = entity.qualifier == entity.type or not holds([entity.qualifier], lost)
    return replace(entity, name=name, aliases=aliases, qualifier=entity.qualifier if keeps else "")


def _told(work: Removing, entity: Entity, facts: Sequence[Fact]) -> list[Fact]:
    """What its profile tells: the facts it told before that stay, and those that hold again."""
    held = entity.metadata.get("facts")
    ids = [str(each) for each in held] if isinstance(held, list) else []
    again = [fact.id for fact in facts if fact.id in work.reinstated]
    work.load(each for each in ids if each.startswith("fact:"))
    found = [work.now(each) for each in dict.fromkeys((*ids, *again))]
    return [fact for fact in found if isinstance(fact, Fact) and fact.status != "superseded"]


def _let_go(work: Removing, fact: Fact, entity: str) -> None:
    work.load([fact.id])
    freed = replace(
        fact,
        subject_id=None if fact.subject_id == entity else fact.subject_id,
        object_id=None if fact.object_id == entity else fact.object_id,
    )
    if freed != fact:
        work.rewrite(freed, text=None)


def _ends(fact: Fact) -> tuple[str | None, str | None]:
    return (fact.subject_id, fact.object_id)
