"""Sixth stage: found things and facts become typed, weighted, timed edges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from mnemis.consolidate.rules import lexicon_en, lexicon_zh
from mnemis.model.graph import Edge, EdgeKey, Fact, Turn
from mnemis.ports.extractor import FoundCause

FIRST_WEIGHT: Final = 0.5
STEP: Final = 0.1
_EMPHASISED: Final = 0.2
_NEAR: Final = 60
_MOST_PAIRS: Final = 10
_CONNECTIVE: Final = re.compile(
    r"\b(?:and|with|for|from|to|of|at|by|in|on|or|plus|via|is|was|vs|versus|between|about)\b|['’]s|[,、&/+]|和|与|跟|及|的|给|对|在|同|去|是|到|用|向|由|从|说",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(r"^(?P<who>.+?)(?:['’]s |的)(?P<noun>.+)$")


def mention_edges(
    turns: Mapping[str, Turn], mentions: Mapping[tuple[str, str], int]
) -> Iterator[Edge]:
    """``mentions`` edges turn→entity; ``mentions`` maps (turn, entity) to the first offset."""
    for (turn_id, entity), position in mentions.items():
        turn = turns[turn_id]
        yield Edge(
            source=turn_id,
            target=entity,
            type="mentions",
            weight=0.5,
            time=turn.time,
            sources=turn.sources,
            position=position,
        )


def fact_edges(fact: Fact, turns: Sequence[str]) -> Iterator[Edge]:
    """``supports`` from each turn it rests on, ``mentions`` to what it speaks of."""
    for turn in turns:
        yield Edge(
            source=turn, target=fact.id, type="supports", time=fact.time, sources=fact.sources
        )
    for entity in dict.fromkeys((fact.subject_id, fact.object_id)):
        if entity is not None:
            yield Edge(
                source=fact.id, target=entity, type="mentions", time=fact.time, sources=fact.sources
            )


def relation_edge(fact: Fact) -> tuple[Edge | None, EdgeKey | None]:
    """(the edge between subject and object, or None; the key to delete, or None).

    Only what holds is an edge; a denial is none, except that not liking is disliking.
    """
    if fact.subject_id is None or fact.object_id is None or fact.subject_id == fact.object_id:
        return None, None
    relation = fact.relation
    if not fact.polarity:
        relation = {"likes": "dislikes", "dislikes": "likes"}.get(relation, "")
    if not relation:
        return None, None
    key = (fact.subject_id, fact.object_id, relation)
    if fact.status == "superseded":
        return None, key
    weight = (
        FIRST_WEIGHT
        + STEP * (len(fact.sources) - 1)
        + (_EMPHASISED if fact.importance >= 0.8 else 0.0)
    )
    return (
        Edge(
            source=key[0],
            target=key[1],
            type=relation,
            weight=min(1.0, weight),
            time=fact.time,
            sources=fact.sources,
        ),
        None,
    )


def kin_edge(speaker: str, person: str, name: str, turn: Turn) -> Edge | None:
    """ "Ana's sister" is family of Ana: the name itself states the relation."""
    match = _OWNED.match(name)
    relation = kin_relation(match.group("noun")) if match else ""
    if not relation or speaker == person:
        return None
    return Edge(
        source=speaker,
        target=person,
        type=relation,
        weight=FIRST_WEIGHT,
        time=turn.time,
        sources=turn.sources,
    )


def owner_of(name: str) -> str:
    """Whose "Ana's sister" is: "Ana"; "" when the name says nothing of the kind."""
    match = _OWNED.match(name)
    return match.group("who") if match and kin_relation(match.group("noun")) else ""


def kin_relation(noun: str) -> str:
    """The relation between a person and "my NOUN"; "" for what is not a person or a pet."""
    words = noun.lower().split()
    last = words[-1] if words else ""
    stem = re.sub(r"^[大小二前新老亲](?=.{2})", "", noun)
    if last in lexicon_en.CHILDREN or stem in lexicon_zh.CHILDREN:
        return "parent_of"
    if last in lexicon_en.PARTNERS or stem in lexicon_zh.PARTNERS:
        return "partner_of"
    if last in lexicon_en.KIN or stem in lexicon_zh.KIN:
        return "family_of"
    if last in ("friend", "roommate", "flatmate") or stem in ("朋友", "闺蜜", "室友"):
        return "friend_of"
    if last in ("boss", "manager", "supervisor") or stem in ("老板", "上司", "领导", "经理"):
        return "reports_to"
    if last in ("colleague", "coworker", "co-worker", "teammate") or stem == "同事":
        return "colleague_of"
    if last in lexicon_en.PETS or stem in lexicon_zh.PETS:
        return "has_pet"
    return "knows" if last in lexicon_en.ROLES or stem in lexicon_zh.ROLES else ""


def related_pairs(turn: Turn, spots: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    """Entities named in one stretch of a sentence with a connective between; ids sorted.

    ``spots`` are (start, end, entity id) in the turn's text.
    """
    count = 0
    for (_, end, first), (start, _, second) in combinations(sorted(spots), 2):
        between = turn.text[end:start]
        if first == second or not 0 <= start - end <= _NEAR or count >= _MOST_PAIRS:
            continue
        if re.search(r"[.!?。！？；\n]\s*\S", between) or not _CONNECTIVE.search(between):
            continue
        count += 1
        yield (first, second) if first < second else (second, first)


def related_edge(pair: tuple[str, str], turns: Iterable[Turn], before: Edge | None) -> Edge | None:
    """``related_to`` at .5, +.1 a further turn that names both; None when nothing is new."""
    held = dict.fromkeys(before.sources if before is not None else ())
    fresh = [turn for turn in turns if not set(turn.sources) <= set(held)]
    if not fresh:
        return None
    weight = (before.weight if before is not None else FIRST_WEIGHT - STEP) + STEP * len(fresh)
    for turn in fresh:
        held.update(dict.fromkeys(turn.sources))
    base = Edge(source=pair[0], target=pair[1], type="related_to", time=fresh[-1].time)
    return replace(base, weight=min(1.0, weight), sources=tuple(held))


def cause_edges(causes: Iterable[FoundCause], turns: Mapping[str, Turn]) -> Iterator[Edge]:
    """``causes`` edges between different turns."""
    for cause in causes:
        if cause.cause != cause.effect and cause.cause in turns and cause.effect in turns:
            first, second = turns[cause.cause], turns[cause.effect]
            yield Edge(
                source=first.id,
                target=second.id,
                type="causes",
                weight=0.8,
                time=second.time,
                sources=(*first.sources, *second.sources),
            )
