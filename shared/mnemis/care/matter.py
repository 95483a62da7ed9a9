"""What a matter is: the words that name it, the facts that share them, the turns that speak of it.

A fact shares a matter by its subject, relation, aspect or object; that its sentence also mentions
a word counts only where no fact does. Nearness in meaning alone never counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from mnemis.care.names import entities_called
from mnemis.consolidate.rules.cues import CHANGE, MATTER_CHANGES
from mnemis.model.graph import Entity, Fact, Turn
from mnemis.model.relations import RELATIONS
from mnemis.ports.store import View
from mnemis.text.tokenise import content_tokens, tokenise

_CANDIDATES: Final = 200
_MOST_TURNS: Final = 20
_ASKING: Final = re.compile(
    r"哪里|哪儿|什么时候|什么|多少|几点|几号|怎么样|怎么|何时|谁|的|日期|时间|情况|吗|呢"
)
_GENERIC: Final = frozenset(tokenise("date time day history status plan when where version"))
_STATES: Final = re.compile(
    r"\d|\b(?:raise|lower|cut|increase|reduce|scrap)|[一二三四五六七八九十]"
)


def facts_about(view: View, about: str) -> list[Fact]:
    """Facts of the entity that is called so, and facts whose slot holds most of the words."""
    words = _words(about)
    found = [hit.owner for hit in view.search(words, k=_CANDIDATES, kinds=("fact",))]
    entities = {each.id for each in entities_called(view, about)}
    spoken = view.neighbours(sorted(entities), types=("mentions",), direction="in")
    found += [edge.source for edges in spoken.values() for edge in edges]
    facts = facts_of(view, [each for each in found if each.startswith("fact:")])
    named = [fact for fact in facts if entities & {fact.subject_id, fact.object_id}]
    if entities:
        sharing = _sharing(facts, words, _slot_words)
        return list({fact.id: fact for fact in (*named, *sharing)}.values())
    return _sharing(facts, words, _slot_words) or _sharing(facts, words, _said_words)


def turns_about(view: View, about: str, *, covered: Collection[str]) -> list[Turn]:
    """Turns with every word of the matter that no fact about it rests on; ``covered`` are the
    messages of those facts. Beside facts only turns that tell a value or a change; none about a
    person, whose name says too little.
    """
    words = _words(about)
    if not words or (covered and any(e.type == "person" for e in entities_called(view, about))):
        return []
    hits = view.search(words, k=_CANDIDATES, kinds=("turn",))
    nodes = view.get(list(dict.fromkeys(hit.owner for hit in hits))).values()
    return [
        node
        for node in nodes
        if isinstance(node, Turn)
        and set(words) <= set(tokenise(node.text))
        and set(covered).isdisjoint(node.sources)
        and not node.text.rstrip().endswith(("?", "？"))
        and (not covered or _tells(node.text))
    ][:_MOST_TURNS]


def facts_of(view: View, ids: Sequence[str]) -> list[Fact]:
    """The facts among these nodes."""
    return [n for n in view.get(list(dict.fromkeys(ids))).values() if isinstance(n, Fact)]


def is_entity(view: View, about: str) -> bool:
    """Whether this is an entity's id."""
    return isinstance(view.get([about]).get(about), Entity)


def _words(about: str) -> tuple[str, ...]:
    """The words that name the matter; of Chinese the pairs, a single character if it stands alone.

    What only asks ("when", "哪里") or fits anything ("date", "时间") is left out if a word remains.
    """
    text = _ASKING.sub(" ", about)
    tokens = content_tokens(text) or content_tokens(about) or tokenise(about)
    telling = [each for each in tokens if each not in _GENERIC] or tokens
    pairs = [each for each in telling if each.isascii() or len(each) > 1]
    return tuple(dict.fromkeys(pairs or telling))


def _sharing(
    facts: Sequence[Fact], words: Sequence[str], held: Callable[[Fact], frozenset[str]]
) -> list[Fact]:
    """Facts that hold the most of the words, if that is more than half of them."""
    counts = [len(held(fact).intersection(words)) for fact in facts]
    best = max(counts, default=0)
    if 2 * best <= len(words):
        return []
    return [fact for fact, count in zip(facts, counts, strict=True) if count == best]


def _slot_words(fact: Fact) -> frozenset[str]:
    texts = [fact.subject, fact.aspect, fact.object]
    if fact.relation in RELATIONS:
        texts += [RELATIONS[fact.relation].en, RELATIONS[fact.relation].zh]
    return frozenset(token for text in texts for token in tokenise(text))


def _said_words(fact: Fact) -> frozenset[str]:
    return frozenset(tokenise(fact.text))


def _tells(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_STATES, CHANGE, MATTER_CHANGES))
