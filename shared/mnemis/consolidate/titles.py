"""Passages about a thing: a title becomes an entity, and every passage that names it is linked.

A mention of full weight says that the passage is *about* the entity (its title); a lighter one only
names it. So a question over several texts can go from what one names to the text about it.
Names are recognised by look-up in the memory, in any script; no list of names, no capitals needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from mnemis.consolidate.report import ConsolidationReport
from mnemis.consolidate.resolve import digest, entity_id, exact_keys, key_of
from mnemis.model.change import Change, IndexEntry
from mnemis.model.graph import Edge, Entity, Node, Turn
from mnemis.ports.store import View
from mnemis.text.normalise import fold, language
from mnemis.text.stopwords import ENGLISH
from mnemis.text.titles import MAX_WORDS, han_stretches, title_line, word_spans
from mnemis.text.tokenise import content_tokens

_BATCH: Final = 300
_ABOUT: Final = 1.0
_NAMED: Final = 0.5
_EARLIER: Final = 32  # stored passages looked at for each new title
_SHORTEST: Final = 80  # characters of a text under a title
_MAX_PLAIN: Final = 3  # words of a name without capitals
_ENDS: Final = re.compile(r"(?<=[a-z)\"]{2})[.!?]\s|[;\n。！？；]")
_QUALIFIER: Final = re.compile(r"\s*[(（]([^)）]+)[)）]\s*$")


def link_titles(view: View, *, until: int) -> tuple[Change, ConsolidationReport] | None:
    """The next passages with titles, up to ordinal ``until``; None when all are linked."""
    start = int(view.state("titled") or "0")
    if start > until:
        return None
    turns = _next_turns(view, start, until)
    titled = {turn.id: title for turn in turns if (title := title_of(turn))}
    state = {"titled": str(turns[-1].ordinal + 1 if turns else until + 1)}
    if not titled:
        return _change(view, state, {}, {}, turns)
    things = _things(view, titled, {turn.id: turn for turn in turns})
    edges = _edges(view, turns, titled, things)
    return _change(view, state, things, edges, turns)


def title_of(turn: Turn) -> str:
    """A document's title, or the line over a longer text; empty for everything else."""
    if turn.role == "document":
        return str(turn.metadata.get("title") or "")
    return title_line(turn.text) if len(turn.text) >= _SHORTEST else ""


def _next_turns(view: View, start: int, until: int) -> tuple[Turn, ...]:
    after = view.tail(None, limit=1)
    if not after:
        return ()
    behind = after[-1].ordinal + 1 - start
    turns = view.tail(None, limit=behind)[:_BATCH]
    return tuple(turn for turn in turns if start <= turn.ordinal <= until)


def _things(view: View, titled: Mapping[str, str], turns: Mapping[str, Turn]) -> dict[str, Entity]:
    """Turn id → the entity it is about; known ones are kept, new ones made."""
    named = {turn: _split(title) for turn, title in titled.items()}
    keys = {turn: key_of(name) for turn, (name, _) in named.items()}
    filed = view.named(sorted({key for key in keys.values() if key}))
    known = view.get(sorted({each for ids in filed.values() for each in ids}))
    made: dict[str, Entity] = {}
    for turn, (name, qualifier) in named.items():
        if not content_tokens(name):
            continue
        held = [known[each] for each in filed.get(keys[turn], ()) if each in known]
        fitting = [
            each
            for each in held
            if isinstance(each, Entity)
            and each.qualifier in ("", qualifier)
            and keys[turn] == key_of(each.name)
        ]
        made[turn] = fitting[0] if fitting else _new(name, qualifier, keys[turn], turns[turn])
    return made


def _new(name: str, qualifier: str, key: str, turn: Turn) -> Entity:
    return Entity(
        id=entity_id(key, qualifier),
        text=name,
        name=name,
        qualifier=qualifier,
        time=turn.time,
        sources=turn.sources,
        language=language(name),
    )


def _edges(
    view: View,
    turns: Sequence[Turn],
    titled: Mapping[str, str],
    things: Mapping[str, Entity],
) -> dict[tuple[str, str], Edge]:
    by_key: dict[str, set[str]] = {}
    for thing in things.values():
        by_key.setdefault(key_of(thing.name), set()).add(thing.id)
    edges: dict[tuple[str, str], Edge] = {}
    seen: dict[str, Node] = {}
    for turn in turns:
        if turn.id not in titled:
            continue
        body = turn.text
        candidates = {name: key_of(name) for name in _names_in(body)}
        filed = _called(view, sorted(set(candidates.values())), seen)
        covered: list[tuple[int, int]] = []
        for name, key in candidates.items():
            found = {*filed.get(key, ()), *by_key.get(key, ())}
            place = body.find(name)
            if not found or any(a <= place and place + len(name) <= b for a, b in covered):
                continue
            covered.append((place, place + len(name)))
            for entity in sorted(found):
                edges[turn.id, entity] = _mention(turn, entity, _NAMED, place)
    for turn in turns:
        if turn.id in things:
            edges[turn.id, things[turn.id].id] = _mention(turn, things[turn.id].id, _ABOUT, 0)
    edges.update(_earlier(view, turns, things, edges))
    return edges


def _called(view: View, keys: Sequence[str], seen: dict[str, Node]) -> dict[str, list[str]]:
    """Entities with exactly these names; ``seen`` takes them for the next look. In passages a part
    does not stand for the whole: Kansas is no short form of a department of Kansas.
    """
    filed = view.named(keys)
    seen.update(view.get(sorted({each for ids in filed.values() for each in ids} - seen.keys())))
    called: dict[str, list[str]] = {}
    for key, ids in filed.items():
        nodes = [node for each in ids if isinstance(node := seen.get(each), Entity)]
        own = [node.id for node in nodes if key == key_of(node.name)]
        called[key] = own or [node.id for node in nodes if key in exact_keys(node)]
    return called


def _names_in(text: str) -> tuple[str, ...]:
    """Stretches of words within a sentence that could be a name, longest first, ties in
    alphabetical order: up to six words, or three where none has a capital; a word alone wants one.
    """
    found = set[str]() if text.isascii() else han_stretches(text)
    spans = word_spans(text)
    words = [text[start:end] for start, end in spans]
    for first, word in enumerate(words):
        if word in ENGLISH:
            continue
        start, until = spans[first]
        capital = False
        for place in range(first, min(first + MAX_WORDS, len(words))):
            if place > first and _ENDS.search(text, until, spans[place][0]):
                break
            until = spans[place][1]
            capital = capital or not words[place].islower()
            if not capital and place - first >= _MAX_PLAIN:
                break
            if words[place] not in ENGLISH and (place > first or _is_name(word)):
                found.add(text[start:until])
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def _is_name(word: str) -> bool:
    return not word.isascii() or not (word.islower() or word.lower() in ENGLISH)


def _earlier(
    view: View,
    turns: Sequence[Turn],
    things: Mapping[str, Entity],
    edges: Mapping[tuple[str, str], Edge],
) -> dict[tuple[str, str], Edge]:
    """Passages stored before that name one of the new titles."""
    fresh = {turn.id for turn in turns}
    found: dict[tuple[str, str], Edge] = {}
    for thing in {each.id: each for each in things.values()}.values():
        hits = view.search(content_tokens(thing.name), k=_EARLIER, kinds=("turn",))
        nodes = view.get([hit.owner for hit in hits if hit.owner not in fresh])
        name = fold(thing.name)
        for node in nodes.values():
            place = fold(node.text).find(name)
            key = (node.id, thing.id)
            if isinstance(node, Turn) and place >= 0 and title_of(node) and key not in edges:
                about = key_of(_split(title_of(node))[0]) == key_of(thing.name)
                if not about:
                    found[key] = _mention(node, thing.id, _NAMED, place)
    return found


def _mention(turn: Turn, entity: str, weight: float, place: int) -> Edge:
    return Edge(
        source=turn.id,
        target=entity,
        type="mentions",
        weight=weight,
        time=turn.time,
        sources=turn.sources,
        position=max(0, place),
    )


def _split(title: str) -> tuple[str, str]:
    """("Java", "island") of "Java (island)"."""
    match = _QUALIFIER.search(title)
    if match is None or not title[: match.start()].strip():
        return title, ""
    return title[: match.start()].strip(), match.group(1).strip()


def _change(
    view: View,
    state: Mapping[str, str],
    things: Mapping[str, Entity],
    edges: Mapping[tuple[str, str], Edge],
    turns: Sequence[Turn],
) -> tuple[Change, ConsolidationReport]:
    entities = {entity.id: entity for entity in things.values()}
    known = view.get(list(entities))
    fresh = [entity for entity in entities.values() if entity.id not in known]
    ends = sorted({edge.source for edge in edges.values()})
    change = Change(
        id="titles-" + digest(state["titled"], *sorted(ends), str(view.seq)),
        purpose="consolidate",
        nodes=tuple(fresh),
        edges=tuple(edge for _, edge in sorted(edges.items())),
        entries=tuple(
            IndexEntry(
                id=entity.id,
                kind="entity",
                owner=entity.id,
                sources=entity.sources,
                terms=tuple(content_tokens(entity.name)),
                names=(key_of(entity.name),),
            )
            for entity in fresh
        ),
        state=state,
        read_versions=dict(view.versions([*ends, *entities])),
        sources=frozenset(source for turn in turns for source in turn.sources),
    )
    return change, ConsolidationReport(entities=len(fresh))
